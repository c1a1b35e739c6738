"""Bad pixel pictures: bombs, damage, disguises; and odd ones that must come out right."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, PngImagePlugin

from dobble_print.art import guarded
from dobble_print.art.artwork import PictureMaster, make_artwork
from dobble_print.theme.model import ImageFile
from tests.hostile.endless import write_hang
from tests.hostile.harness import Case, run_cases, run_heavy, with_picture
from tests.hostile.pixels import encode, make_png, make_profile_bomb, make_scan_bomb, make_text_bomb

RED = Image.new("RGB", (60, 40), (200, 30, 30))
PHOTO = encode(RED, "JPEG")
PLAIN = encode(RED, "PNG")


def case(name: str, file: str, data: bytes, words: str) -> Case:
    """A theme with that picture as its seventh symbol."""
    return Case(name, with_picture(file), 4, words, files={file: data})


BAD = [
    case("too many pixels", "a.png", make_png(9000, 9000, 1), "million pixels"),
    case("far too many pixels", "a.png", make_png(20_000, 20_000, 1), "far too large"),
    case("a size that is a lie", "a.png", make_png(30_000, 2500, 8, rows=b"\0"), "million pixels"),
    case("a comment that explodes", "a.png", make_text_bomb(), "cannot be read"),
    case("a profile that explodes", "a.png", make_profile_bomb(), "cannot be read"),
    case("no size", "a.png", make_png(0, 0), "cannot be read"),
    case("half a png", "a.png", encode(Image.effect_noise((80, 80), 90), "PNG")[:3000], "cannot be read"),
    case("half a jpeg", "a.jpg", PHOTO[: len(PHOTO) // 2], "cannot be read"),
    case("half a webp", "a.webp", encode(Image.effect_noise((80, 80), 90), "WEBP")[:300], "cannot be read"),
    case("only a start", "a.png", b"\x89PNG\r\n\x1a\n", "cannot be read"),
    case("nothing", "a.png", b"", "cannot be read"),
    case("words", "a.jpg", b"no picture at all", "not a PNG, JPEG, WebP or HEIC"),
    case("a program", "a.png", b"MZ" + bytes(500), "not a PNG, JPEG, WebP or HEIC"),
    case("a tiff in disguise", "a.png", encode(RED, "TIFF"), "not a PNG, JPEG, WebP or HEIC"),
    case("a bitmap in disguise", "a.png", encode(RED, "BMP"), "not a PNG, JPEG, WebP or HEIC"),
    case("a postscript in disguise", "a.png", b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n", "not a PNG"),
    case("a drawing in disguise", "a.png", b'<svg xmlns="http://www.w3.org/2000/svg"/>', "not a PNG"),
    case("a splinter", "a.png", make_png(5000, 2), "as long as wide"),
    case("nothing to see", "a.png", encode(Image.new("RGBA", (9, 9)), "PNG"), "empty"),
    case("broken pixels", "a.png", make_png(40, 40, rows=b"\7" * 1640), "cannot be read"),
    case("a photo in a drawing's clothes", "a.svg", PHOTO, "not valid SVG"),
]


def test_bad_pictures_are_refused(tmp_path: Path) -> None:
    """Each is a fault of its symbol's line; none is decoded beyond the limits."""
    run_cases(BAD, tmp_path)


def test_a_photo_that_never_ends_is_ended(tmp_path: Path) -> None:
    """A decoder that hangs on a picture: the worker is ended, the program goes on."""
    hang = write_hang("PIL.JpegImagePlugin", "JpegImageFile.load", f"size={RED.width}x{RED.height}")
    run_cases([case("endless", "a.jpg", PHOTO, "takes too long")], tmp_path, prelude=hang)


def test_a_thousand_scans_keep_the_limits(tmp_path: Path) -> None:
    """60 kB of JPEG ask for a thousand passes over 25 million pixels, which the fastest decoders just manage."""
    run_heavy(case("a thousand scans", "a.jpg", make_scan_bomb(), "takes too long"), tmp_path)


def read(folder: Path, name: str, data: bytes, right_px: int = 0) -> tuple[int, ...]:
    """The middle pixel of a picture as the program prints it, or one further to the right."""
    (folder / name).write_bytes(data)
    master = make_artwork(ImageFile(folder / name)).master
    assert isinstance(master, PictureMaster)
    width, height = master.picture.size
    return tuple(map(int, np.asarray(master.picture)[height // 2, width // 2 + right_px]))


def animate(kind: str) -> bytes:
    """Red, then blue."""
    return encode(RED, kind, save_all=True, append_images=[Image.new("RGB", RED.size, "blue")], duration=100)


def with_dpi(dpi: float) -> bytes:
    """A picture that claims a resolution."""
    return encode(RED, "PNG", dpi=(dpi, dpi))


def with_broken_profile() -> bytes:
    """A picture whose colour profile is noise."""
    return encode(RED, "PNG", icc_profile=b"\0\1\2\3" * 50)


def with_broken_exif() -> bytes:
    """A picture whose notes are noise."""
    return encode(RED, "JPEG", exif=b"Exif\0\0II*\0\xff\xff\xff\x7f" + b"\xff" * 40)


def with_clear_palette() -> bytes:
    """A palette picture, red, with a transparent corner."""
    palette = Image.new("P", RED.size, 0)
    palette.putpalette([200, 30, 30, 0, 255, 0])
    palette.paste(1, (0, 0, 30, 30))
    return encode(palette, "PNG", transparency=1)


def with_comments() -> bytes:
    """A picture with as many comments as fit."""
    info = PngImagePlugin.PngInfo()
    for number in range(500):
        info.add_text(f"key{number}", "x" * 100)
    return encode(RED, "PNG", pnginfo=info)


ODD = {
    "animated.webp": animate("WEBP"),
    "animated.png": animate("PNG"),
    "gif-inside.png": animate("GIF"),
    "jpeg-inside.png": PHOTO,
    "png-inside.jpg": PLAIN,
    "cmyk.jpg": encode(RED.convert("CMYK"), "JPEG"),
    "clear-palette.png": with_clear_palette(),
    "no-dpi.png": with_dpi(0.0001),
    "many-dpi.png": with_dpi(10_000_000),
    "broken-profile.png": with_broken_profile(),
    "broken-exif.jpg": with_broken_exif(),
    "comments.png": with_comments(),
    "trailing.png": PLAIN + b"<script>" * 100,
}


@pytest.mark.parametrize("name", ODD)
def test_odd_pictures_come_out_right(tmp_path: Path, name: str) -> None:
    """Red stays red: the first frame, the true format whatever the ending, and notes that are nonsense ignored."""
    assert len(ODD[name]) < 100_000
    red, green, blue, alpha = read(tmp_path, name, ODD[name], right_px=20)
    assert red > 180 and green < 80 and blue < 60 and alpha == 255  # inks of an offset press are duller


def test_a_clear_colour_of_a_palette_stays_clear(tmp_path: Path) -> None:
    """Green is marked as transparent, and nothing of it is seen."""
    assert read(tmp_path, "a.png", with_clear_palette(), right_px=-10)[3] == 0


@pytest.mark.parametrize("color", [0, 3])
def test_a_large_palette_or_grey_picture_fits_into_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, color: int
) -> None:
    """Nearly 60 million pixels, the most allowed, are shrunk by bands within the worker's memory."""
    monkeypatch.setattr(guarded, "SECONDS", 20.0)
    assert read(tmp_path, "a.png", make_png(7700, 7700, 8, color)) == (0, 0, 0, 255)


def test_a_shrunk_bitmap_becomes_grey(tmp_path: Path) -> None:
    """Black and white stripes of one pixel mix to grey; the nearest pixel would be black or white."""
    stripes = Image.fromarray(np.tile(np.array([0, 255], np.uint8), (4500, 2250))).convert("1")
    value = read(tmp_path, "a.png", encode(stripes, "PNG"))[0]
    assert 100 < value < 155


def test_sixteen_bit_colours_and_alpha_are_read(tmp_path: Path) -> None:
    """Scanners write them."""
    pixel = struct.pack(">HHHH", 50_000, 8000, 8000, 65_535)
    data = make_png(9, 9, 16, 6, rows=(b"\0" + pixel * 9) * 9)
    assert read(tmp_path, "a.png", data) == (195, 31, 31, 255)
