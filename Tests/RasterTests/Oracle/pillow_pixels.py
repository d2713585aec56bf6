#!/usr/bin/env python3
"""Decodes pictures with Pillow: upright, flattened on white, 8-bit RGB rows without padding.

usage: pillow_pixels.py DATA OUT PIXELS_MAX, with one path below DATA a line on standard input.
Writes OUT/LINE.rgb and prints "ok WIDTH HEIGHT" or "skip WHY", one line a path.
"""

import sys

from PIL import Image, ImageOps

data, out, pixels_max = sys.argv[1], sys.argv[2], int(sys.argv[3])
Image.MAX_IMAGE_PIXELS = None


def flatten(image):
    """On white, rounded as (colour * alpha + 255 * (255 - alpha) + 127) // 255."""
    red, green, blue, alpha = image.convert("RGBA").split()
    if alpha.getextrema()[0] == 255:
        return image.convert("RGB")
    table = {}
    opacity = alpha.tobytes()
    bands = []
    for band in (red, green, blue):
        flat = bytearray(len(opacity))
        for at, pair in enumerate(zip(band.tobytes(), opacity)):
            value = table.get(pair)
            if value is None:
                value = (pair[0] * pair[1] + 255 * (255 - pair[1]) + 127) // 255
                table[pair] = value
            flat[at] = value
        bands.append(Image.frombytes("L", image.size, bytes(flat)))
    return Image.merge("RGB", bands)


def decode(path):
    image = Image.open(f"{data}/{path}")
    if image.size[0] * image.size[1] > pixels_max:
        return None, "size"
    if image.mode.startswith("I"):
        return None, "16-bit grey is clipped"
    image.load()
    return flatten(ImageOps.exif_transpose(image)), ""


for index, line in enumerate(sys.stdin.read().splitlines()):
    try:
        image, why = decode(line)
    except Exception as error:  # an older Pillow may take less
        image, why = None, type(error).__name__
    if image is None:
        print("skip", why)
        continue
    with open(f"{out}/{index}.rgb", "wb") as file:
        file.write(image.tobytes())
    print("ok", *image.size)
