"""Writes the demo's catalog, concerts, calendar and query pictures, dated from today.

usage: demo.py FOLDER [FOLDER OF PICTURES]
"""

import datetime
import json
import pathlib
import sys

from PIL import Image

import photograph

BACKGROUNDS = pathlib.Path("/usr/share/backgrounds/mate/nature")
LICENCE = (
    "The pictures are those of Debian's package mate-backgrounds (mostly CC BY-SA; see\n"
    "/usr/share/doc/mate-backgrounds/copyright). Albums, artists and concerts are invented."
)
ENDINGS = {".jpg", ".jpeg", ".png"}
ALBUMS = [
    ("Low Tide Radio", "The Paper Lanterns"), ("Northbound", "Mira Falk"),
    ("Glass Hours", "Orchard Signal"), ("Second Summer", "The Paper Lanterns"),
    ("Salt and Static", "Juno Harrow"), ("Field Notes", "Tall Ember"),
    ("Quiet Engines", "Mira Falk"), ("Amber Line", "Delta Fern"),
    ("Cartwheels", "Ines Corvo"), ("Nightjar", "Orchard Signal"),
    ("Paper Rivers", "Tall Ember"), ("Old Weather", "Juno Harrow"),
]
VENUES = [
    ("Kesselhaus", "Berlin", 52.5389, 13.4128), ("Prater Hall", "Berlin", 52.5401, 13.4101),
    ("Lindenpark", "Potsdam", 52.3906, 13.1058), ("Harbour Stage", "Hamburg", 53.5459, 9.9663),
]


def find_pictures(folder):
    found = sorted(path for path in folder.rglob("*") if path.suffix.lower() in ENDINGS)
    usable = []
    for path in found:
        try:
            with Image.open(path) as picture:
                if min(picture.size) >= 200:
                    usable.append(path)
        except OSError:
            continue
        if len(usable) > 60:
            break
    return usable


def write_lines(path, rows):
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))


def albums(paths):
    for index, path in enumerate(paths):
        name, artist = ALBUMS[index % len(ALBUMS)]
        if index >= len(ALBUMS):
            name = f"{name} {index // len(ALBUMS) + 1}"
        yield {
            "id": f"album-{index + 1}",
            "properties": {"name": name, "artistName": artist},
            "pictures": [str(path)],
        }


def concerts(today):
    artists = sorted({artist for _, artist in ALBUMS})
    for number in range(2 * len(artists)):
        venue, city, latitude, longitude = VENUES[number % len(VENUES)]
        day = today + datetime.timedelta(days=6 + 5 * number)
        yield {
            "id": f"concert-{number + 1}",
            "properties": {
                "name": f"{artists[number // 2]} at {venue}", "artistName": artists[number // 2],
                "date": f"{day.isoformat()}T19:00:00Z", "venue": venue, "city": city,
                "location": {"latitude": latitude, "longitude": longitude},
            },
        }


def calendar(concert, today):
    date = concert["properties"]["date"].replace("-", "").replace(":", "")
    weekly = today + datetime.timedelta(days=3)
    return "\r\n".join([
        "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Sightline//demo//EN",
        "BEGIN:VEVENT", "UID:concert@demo", f"DTSTAMP:{date}", f"DTSTART:{date}", "DURATION:PT3H",
        f"SUMMARY:Tickets: {concert['properties']['artistName']}",
        f"LOCATION:{concert['properties']['venue']}", "END:VEVENT",
        "BEGIN:VEVENT", "UID:choir@demo", f"DTSTAMP:{date}",
        f"DTSTART:{weekly.strftime('%Y%m%d')}T183000Z", "DURATION:PT2H",
        "RRULE:FREQ=WEEKLY;COUNT=8", "SUMMARY:Choir", "END:VEVENT", "END:VCALENDAR", "",
    ])


def main():
    work = pathlib.Path(sys.argv[1])
    own = len(sys.argv) > 2
    paths = find_pictures(pathlib.Path(sys.argv[2]) if own else BACKGROUNDS)
    if len(paths) < 3:
        sys.exit(f"demo: fewer than 3 JPEG or PNG pictures of 200 pixels in {sys.argv[-1]}")
    stranger, paths = paths[-1], paths[:-1][:24]
    today = datetime.datetime.now(datetime.timezone.utc).date()
    listed = list(concerts(today))
    rows = list(albums(paths))
    write_lines(work / "albums.jsonl", rows)
    write_lines(work / "concerts.jsonl", listed)
    first = rows[0]["properties"]["artistName"]
    theirs = next(row for row in listed if row["properties"]["artistName"] == first)
    (work / "calendar.ics").write_text(calendar(theirs, today))
    photograph.photograph(Image.open(paths[0])).save(work / "photo.jpg", quality=82)
    photograph.photograph(Image.open(stranger)).save(work / "stranger.jpg", quality=82)
    (work / "source.txt").write_text(
        f"{len(paths)} pictures of {sys.argv[2]}\n" if own else LICENCE + "\n")


if __name__ == "__main__":
    main()
