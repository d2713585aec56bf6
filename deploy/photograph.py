"""Makes a picture look like a hand-held photo of it: tilt, glare, clutter around it, JPEG.

usage: photograph.py PICTURE OUT.jpg
"""

import sys

from PIL import Image, ImageDraw, ImageFilter

SIDE = 800


def coefficients(to, source):
    """The eight numbers with which Pillow maps points of the photo to points of the picture."""
    rows = []
    for (x, y), (u, v) in zip(to, source):
        rows.append([x, y, 1, 0, 0, 0, -u * x, -u * y, u])
        rows.append([0, 0, 0, x, y, 1, -v * x, -v * y, v])
    for column in range(8):
        pivot = max(range(column, 8), key=lambda row: abs(rows[row][column]))
        rows[column], rows[pivot] = rows[pivot], rows[column]
        rows[column] = [value / rows[column][column] for value in rows[column]]
        for row in range(8):
            if row != column:
                factor = rows[row][column]
                rows[row] = [a - factor * b for a, b in zip(rows[row], rows[column])]
    return [row[8] for row in rows]


def photograph(picture):
    picture = picture.convert("RGB")
    picture.thumbnail((SIDE, SIDE))
    width, height = picture.size
    corners = [(0, 0), (width, 0), (width, height), (0, height)]
    left, top = SIDE * 0.14, SIDE * 0.18
    right, bottom = left + width * 0.74, top + height * 0.74
    seen = [(left, top + 24), (right - 18, top - 20), (right + 22, bottom + 10), (left + 30, bottom - 16)]

    photo = Image.new("RGB", (SIDE, SIDE), (94, 78, 62))
    draw = ImageDraw.Draw(photo)
    for plank in range(0, SIDE, 57):
        shade = 60 + plank * 37 % 41
        draw.rectangle([0, plank, SIDE, plank + 50], fill=(shade + 38, shade + 20, shade))
    mapping = coefficients(seen, corners)
    flat = picture.transform((SIDE, SIDE), Image.Transform.PERSPECTIVE, mapping, Image.Resampling.BICUBIC)
    mask = Image.new("L", picture.size, 255).transform((SIDE, SIDE), Image.Transform.PERSPECTIVE, mapping)
    photo.paste(flat, (0, 0), mask)

    glare = Image.new("L", (SIDE, SIDE), 0)
    ImageDraw.Draw(glare).ellipse([430, 200, 590, 330], fill=170)
    glare = glare.filter(ImageFilter.GaussianBlur(45))
    photo.paste((255, 250, 240), (0, 0), glare)
    dim = photo.point(lambda value: int(value * 0.82) + 6)
    return dim.filter(ImageFilter.GaussianBlur(0.8))


if __name__ == "__main__":
    photograph(Image.open(sys.argv[1])).save(sys.argv[2], quality=82)
