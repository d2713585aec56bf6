"""Makes the pictures that are read, and reads them with Pillow and libvips.

usage: peer.py make FOLDER            writes photo.jpg, screen.png, huge.png, photo.webp
       peer.py serve                  one `READER PATH` a line; answers `CPU-MS ELAPSED-MS WIDTH HEIGHT`
       peer.py peak READER PATH       kilobytes that the process grew by at its peak

READER is pillow or vips. Both scale to 640 pixels on the longer side, upright, three bytes a pixel;
Pillow with its draft mode, libvips with its shrink-on-load, each on one thread.
"""

import os
import pathlib
import random
import sys
import time

os.environ["VIPS_CONCURRENCY"] = "1"
SIDE = 640


def with_pillow(path):
    from PIL import Image, ImageOps
    Image.MAX_IMAGE_PIXELS = None
    with Image.open(path) as image:
        image.draft("RGB", (SIDE, SIDE))
        image = ImageOps.exif_transpose(image).convert("RGB")
        image.thumbnail((SIDE, SIDE), Image.Resampling.BOX)
        return len(image.tobytes()) // 3 // image.height, image.height


def with_vips(path):
    import pyvips
    pyvips.cache_set_max(0)  # the same picture is read again and again
    image = pyvips.Image.thumbnail(path, SIDE, height=SIDE, size="down")
    image = image.colourspace("srgb")
    if image.hasalpha():
        image = image.flatten(background=[255, 255, 255])
    return len(image.write_to_memory()) // 3 // image.height, image.height


READERS = {"pillow": with_pillow, "vips": with_vips}


def photo(width, height):
    """Smooth light with fine structure, as a camera has it."""
    from PIL import Image, ImageDraw, ImageFilter
    dice = random.Random(12)
    image = Image.effect_noise((width, height), 60).convert("RGB")
    image = image.filter(ImageFilter.GaussianBlur(1.2))
    draw = ImageDraw.Draw(image)
    for _ in range(400):
        x, y, reach = dice.randrange(width), dice.randrange(height), dice.randint(20, 400)
        colour = tuple(dice.randrange(256) for _ in range(3))
        draw.ellipse((x, y, x + reach, y + reach // 2), fill=colour)
    return Image.blend(image, Image.effect_noise((width, height), 40).convert("RGB"), 0.2)


def screen(width, height):
    """Flat areas, lines of small dark boxes like text, a few pictures."""
    from PIL import Image, ImageDraw
    dice = random.Random(4)
    image = Image.new("RGB", (width, height), (248, 248, 250))
    draw = ImageDraw.Draw(image)
    for y in range(40, height - 30, 26):
        x = 60
        while x < width - 80:
            reach = dice.randint(8, 60)
            draw.rectangle((x, y, x + reach, y + 11), fill=(40, 40, dice.randint(40, 90)))
            x += reach + dice.randint(6, 14)
    return image


def make(folder):
    folder = pathlib.Path(folder)
    large = photo(4000, 3000)
    large.save(folder / "photo.jpg", quality=88)
    large.save(folder / "photo.webp", quality=80, method=2)
    screen(3840, 2160).save(folder / "screen.png")
    screen(16384, 16384).save(folder / "huge.png", compress_level=1)


def peak_kilobytes():
    """Not getrusage, which counts what the process was before it became this program."""
    status = pathlib.Path("/proc/self/status").read_text()
    return int(next(line for line in status.splitlines() if line.startswith("VmHWM")).split()[1])


def serve():
    for line in sys.stdin:
        reader, path = line.rstrip("\n").split(" ", 1)
        cpu, elapsed = time.process_time(), time.perf_counter()
        width, height = READERS[reader](path)
        print((time.process_time() - cpu) * 1000, (time.perf_counter() - elapsed) * 1000,
              width, height, flush=True)


def peak(reader, path):
    if reader == "pillow":
        from PIL import Image, ImageOps  # what importing takes does not count
    else:
        import pyvips
        pyvips.Image.black(8, 8).write_to_memory()
    pathlib.Path("/proc/self/clear_refs").write_text("5")  # the peak begins anew here
    before = peak_kilobytes()
    READERS[reader](path)
    print(peak_kilobytes() - before)


if __name__ == "__main__":
    if sys.argv[1:2] == ["make"]:
        make(sys.argv[2])
    elif sys.argv[1:2] == ["serve"]:
        serve()
    elif sys.argv[1:2] == ["peak"]:
        peak(sys.argv[2], sys.argv[3])
    else:
        sys.exit(__doc__)
