#!/usr/bin/env python3
"""Writes a large picture of a few rows that repeat, as a screenshot's do.

usage: make_picture.py png|webp WIDTH HEIGHT FILE
"""

import struct
import sys
import zlib

kind, width, height, path = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]


def row(y):
    colours = [(245, 245, 245), (20, 30, 40), (200, 60, 60), (60, 60, 200)]
    period = 64
    line = bytearray()
    for x in range(0, width, period):
        index = (x // period + y // 48) % 7
        line += bytes(colours[index if index < 4 else 0]) * min(period, width - x)
    return bytes(line)


rows = [row(48 * band) for band in range(7)]


def chunk(name, body):
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


def png():
    compressor = zlib.compressobj(1)
    body = b"".join(
        compressor.compress(b"\0" + rows[y // 48 % 7]) for y in range(height)
    ) + compressor.flush()
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    signature = b"\x89PNG\r\n\x1a\n"
    return signature + chunk(b"IHDR", header) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


if kind == "png":
    with open(path, "wb") as file:
        file.write(png())
else:
    from PIL import Image

    pixels = b"".join(rows[y // 48 % 7] for y in range(height))
    Image.frombytes("RGB", (width, height), pixels).save(path, "WEBP", quality=60, method=0)
