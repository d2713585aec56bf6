#!/usr/bin/env python3
"""Brings a picture in four inks to sRGB by its own ICC profile, with Pillow.

usage: pillow_inks.py PICTURE OUT
Writes 8-bit RGB rows without padding to OUT.
"""

import io
import sys

from PIL import Image, ImageCms

image = Image.open(sys.argv[1])
profile = ImageCms.ImageCmsProfile(io.BytesIO(image.info["icc_profile"]))
image = ImageCms.profileToProfile(
    image, profile, ImageCms.createProfile("sRGB"), outputMode="RGB",
    renderingIntent=ImageCms.Intent.PERCEPTUAL)
with open(sys.argv[2], "wb") as file:
    file.write(image.tobytes())
