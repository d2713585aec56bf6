"""Draws and writes the sample data of the entity packs: music, film, commerce.

usage: samples.py FOLDER [DAY]

Every name, title, place and picture is made up here. DAY (2026-12-01) is the day from which dates
count; without it, today.
"""

import csv
import datetime
import json
import pathlib
import random
import sys
import zoneinfo

from PIL import Image, ImageDraw, ImageFont

import photograph

BERLIN = zoneinfo.ZoneInfo("Europe/Berlin")
ALBUMS = [
    ("Low Tide Radio", "The Paper Lanterns", ["indie"]),
    ("Northbound", "Mira Falk", ["folk", "songwriter"]),
    ("Glass Hours", "Orchard Signal", ["electronic"]),
    ("Salt and Static", "Juno Harrow", ["rock"]),
    ("Second Summer", "The Paper Lanterns", ["indie"]),
    ("Nightjar", "Orchard Signal", ["electronic", "ambient"]),
]
VENUES = [
    ("Kesselhaus", {"en": "Berlin", "ja": "ベルリン"}, 52.5389, 13.4128),
    ("Lindenpark", {"en": "Potsdam", "ja": "ポツダム"}, 52.3906, 13.1058),
    ("Harbour Stage", {"en": "Hamburg", "de": "Hamburg", "ja": "ハンブルク"}, 53.5459, 9.9663),
]
MOVIES = [
    ({"en": "The Salt Road", "de": "Die Salzstraße", "fr": "La route du sel"}, "Ilse Brandt", 2024,
     ["Tom Arden", "Noor Haddad"], ["drama"]),
    ({"en": "Seven Lighthouses", "de": "Sieben Leuchttürme", "ja": "七つの灯台"}, "Ken Mori", 2025,
     ["Aya Sato"], ["adventure"]),
    ({"en": "Engine of Rain", "de": "Die Regenmaschine"}, "Paula Ferro", 2026,
     ["Leo Grant", "Ida Holm"], ["science fiction"]),
]
COMPOSERS = ["Vera Lindt", "Hiro Tanabe", "Emil Castro"]
THEATERS = [
    ("Kino Mondlicht", "Torstraße 12", {"en": "Berlin", "ja": "ベルリン"}, 52.5296, 13.4011),
    ("Filmhaus am See", "Seeufer 3", {"en": "Potsdam"}, 52.4009, 13.0591),
]
PRODUCTS = [
    ("KT-100", {"en": "Kettle One", "de": "Kessel Eins"}, "Norrby", 49.9, []),
    ("CF-200", {"en": "Filter Cone", "de": "Filterkegel"}, "Norrby", 19.5, ["Kettle One"]),
    ("TE-310", {"en": "Meadow Tea", "de": "Wiesentee"}, "Halm & Blatt", 7.25, ["Kettle One"]),
    ("MU-410", {"en": "Stone Mug", "de": "Steinbecher"}, "Norrby", 12, ["Meadow Tea"]),
]
VIEWS = ["front", "back", "side"]


def drawing(seed, size, lines):
    """Shapes that no other seed has, under some lines of text."""
    dice = random.Random(seed)
    width, height = size

    def colour(low=30, high=225):
        return tuple(dice.randint(low, high) for _ in range(3))

    picture = Image.new("RGB", size, colour(120, 235))
    draw = ImageDraw.Draw(picture)
    for _ in range(60):
        x, y = dice.randint(0, width), dice.randint(0, height)
        reach = dice.randint(width // 24, width // 6)
        box = (x - reach, y - reach // 2, x + reach, y + reach // 2)
        kind = dice.randrange(4)
        if kind == 0:
            draw.ellipse(box, fill=colour(), outline=colour(), width=2)
        elif kind == 1:
            draw.rectangle(box, fill=colour(), outline=colour(), width=3)
        elif kind == 2:
            corners = [(x + dice.randint(-reach, reach), y + dice.randint(-reach, reach))
                       for _ in range(dice.randint(3, 6))]
            draw.polygon(corners, fill=colour(), outline=colour())
        else:
            draw.line((x, y, dice.randint(0, width), dice.randint(0, height)), fill=colour(),
                      width=dice.randint(2, 7))
    top = height * 0.08
    for index, line in enumerate(lines):
        size = int(width * (0.085 if index == 0 else 0.05))
        font = ImageFont.load_default(size)
        draw.text((width * 0.06, top), line, font=font, fill=(16, 16, 16), stroke_width=3,
                  stroke_fill=(250, 250, 250))
        top += size * 1.35
    return picture


def save(picture, path):
    path.parent.mkdir(parents=True, exist_ok=True)
    picture.save(path, quality=88)


def lines(path, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows),
                    encoding="utf-8")


def instant(day, after, hour):
    """An instant in Berlin with its zone (RFC 9557)."""
    local = datetime.datetime.combine(
        day + datetime.timedelta(days=after), datetime.time(hour), BERLIN)
    return f"{local.isoformat()}[Europe/Berlin]"


def music(folder, day):
    albums = []
    for number, (name, artist, genres) in enumerate(ALBUMS, 1):
        save(drawing(f"album {name}", (640, 640), [name, artist]),
             folder / f"covers/album-{number}.jpg")
        albums.append({
            "id": f"album-{number}", "pictures": [f"covers/album-{number}.jpg"],
            "properties": {
                "name": name, "artistName": artist, "genres": genres,
                "releaseDate": (day - datetime.timedelta(days=90 * number)).isoformat()}})
    lines(folder / "album.jsonl", albums)
    concerts = []
    for number, artist in enumerate(sorted({artist for _, artist, _ in ALBUMS}) * 2, 1):
        venue, city, latitude, longitude = VENUES[number % len(VENUES)]
        concerts.append({
            "id": f"concert-{number}",
            "properties": {
                "name": {"en": f"{artist} at {venue}", "de": f"{artist} im {venue}"},
                "artistName": artist, "date": instant(day, 5 + 4 * number, 20), "venue": venue,
                "city": city, "location": {"latitude": latitude, "longitude": longitude}}})
    lines(folder / "concert.jsonl", concerts)
    cover = Image.open(folder / "covers/album-1.jpg")
    save(photograph.photograph(cover), folder / "photo.jpg")


def film(folder, day):
    movies, soundtracks, showtimes = [], [], []
    for number, (title, director, year, cast, genres) in enumerate(MOVIES, 1):
        english = title["en"]
        save(drawing(f"movie {english}", (540, 800), [english, director]),
             folder / f"posters/movie-{number}.jpg")
        save(drawing(f"soundtrack {english}", (560, 560),
                     ["Music from", english, COMPOSERS[number - 1]]),
             folder / f"covers/soundtrack-{number}.jpg")
        movies.append({
            "id": f"movie-{number}", "pictures": [f"posters/movie-{number}.jpg"],
            "properties": {"title": title, "director": director, "year": year, "cast": cast,
                           "genres": genres}})
        soundtracks.append({
            "id": f"soundtrack-{number}", "pictures": [f"covers/soundtrack-{number}.jpg"],
            "properties": {
                "name": {"en": f"Music from {english}", "de": f"Musik aus {title['de']}"},
                "composer": COMPOSERS[number - 1], "movieTitle": title,
                "releaseDate": f"{year}-03-0{number}"}})
        for offset, (theater, _, _, latitude, longitude) in enumerate(THEATERS):
            showtimes.append({
                "id": f"showtime-{len(showtimes) + 1}",
                "properties": {
                    "movieTitle": title, "theaterName": theater,
                    "date": instant(day, 1 + number + offset, 19 + offset),
                    "location": {"latitude": latitude, "longitude": longitude},
                    "language": "en" if offset else "de"}})
    theaters = []
    for number, (name, street, city, latitude, longitude) in enumerate(THEATERS, 1):
        save(drawing(f"theater {name}", (720, 480), [name]),
             folder / f"fronts/theater-{number}.jpg")
        theaters.append({
            "id": f"theater-{number}", "pictures": [f"fronts/theater-{number}.jpg"],
            "properties": {"name": name, "street": street, "city": city,
                           "location": {"latitude": latitude, "longitude": longitude}}})
    lines(folder / "movie.jsonl", movies)
    lines(folder / "soundtrack.jsonl", soundtracks)
    lines(folder / "theater.jsonl", theaters)
    lines(folder / "showtime.jsonl", showtimes)
    poster = Image.open(folder / "posters/movie-1.jpg")
    save(photograph.photograph(poster), folder / "photo.jpg")


def commerce(folder, day):
    (folder / "shots").mkdir(parents=True, exist_ok=True)
    with open(folder / "product.csv", "w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(["id", "pictures", "labels", "name.en", "name.de", "sku", "brand", "price",
                        "currency", "categories", "availableFrom", "goesWith"])
        for number, (sku, name, brand, price, goes_with) in enumerate(PRODUCTS, 1):
            shots = []
            for view in VIEWS:
                shot = f"shots/{sku}-{view}.jpg"
                save(drawing(f"product {sku} {view}", (520, 640), [name["en"], brand, view]),
                     folder / shot)
                shots.append(shot)
            table.writerow([
                f"product-{number}", "|".join(shots), "kitchen", name["en"], name["de"], sku,
                brand, price, "EUR", "kitchen|home",
                (day + datetime.timedelta(days=number)).isoformat(), "|".join(goes_with)])
    back = Image.open(folder / f"shots/{PRODUCTS[0][0]}-back.jpg")
    save(photograph.photograph(back), folder / "photo.jpg")


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    day = (datetime.date.fromisoformat(sys.argv[2]) if len(sys.argv) > 2
           else datetime.datetime.now(BERLIN).date())
    music(folder / "music", day)
    film(folder / "film", day)
    commerce(folder / "commerce", day)


if __name__ == "__main__":
    main()
