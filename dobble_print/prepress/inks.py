"""Inks: screen colours as shares of cyan, magenta, yellow and black, after an output profile.

Invariant: no colour and no pixel that leaves here holds more ink than the limit; flat and drawn greys are black ink
alone, so that text and hairlines print from one plate, and white is bare paper.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageCms

from dobble_print.errors import Fault, UsageError
from dobble_print.files import read_named
from dobble_print.resources import find_template, read_yaml

SHIPPED_PROFILE = "color/coated.icc"
DEFAULT_LIMIT = 3.0
JPEG_ROOM = 0.05  # how much a JPEG may add to a pixel's ink before we look at it
JPEG_TRIES = 4
GREY_SPREAD = 1  # of 255: how far apart the red, green and blue of a drawn grey may be
LARGEST_PROFILE = 32 * 1024 * 1024
Rgb = tuple[float, float, float]
Cmyk = tuple[float, float, float, float]


@dataclass(frozen=True)
class OutputProfile:
    """A CMYK printer profile: its bytes and the name it gives itself."""

    data: bytes = field(repr=False)
    name: str

    @property
    def condition(self) -> str:
        """Return the registered printing condition that the profile says it is made for, or nothing."""
        said = f"{self.name} {_read_target(self.data)}".casefold()
        return next((known for known, names in _conditions() if any(name in said for name in names)), "")


def load_output_profile(path: Path | None = None) -> OutputProfile:
    """Load the profile in a file, or the one that ships; refuse a file that is no CMYK printer profile."""
    file = find_template(SHIPPED_PROFILE) if path is None else path
    try:
        data = read_named(file, LARGEST_PROFILE)
    except OSError as error:
        raise _refuse(file, f"cannot be read ({error.strerror})") from None
    if len(data) > LARGEST_PROFILE:
        raise _refuse(file, "is too large for a colour profile")
    if data[36:40] != b"acsp":
        raise _refuse(file, "is not a colour profile")
    if data[12:16] != b"prtr" or data[16:20] != b"CMYK":
        raise _refuse(file, "is a colour profile, but not one of a CMYK printer")
    return OutputProfile(data, _read_name(file, data))


@lru_cache(maxsize=1)
def _conditions() -> list[tuple[str, list[str]]]:
    """Return the registered printing conditions with what profiles made for them say."""
    table = read_yaml("printing_conditions.yaml")
    return [(known, [name.casefold() for name in (known, *names)]) for known, names in table.items()]


def _read_target(data: bytes) -> str:
    """Return the name of the measured prints in a profile's own record of them, where it gives one."""
    for i in range(int.from_bytes(data[128:132], "big")):
        entry = data[132 + 12 * i : 144 + 12 * i]
        if entry[:4] == b"targ":
            start = int.from_bytes(entry[4:8], "big") + 8
            text = data[start : start + 60].decode("ascii", "replace")
            return text if text.startswith("ICCHDAT ") else ""
    return ""


@lru_cache(maxsize=4)
def _read_name(file: Path, data: bytes) -> str:
    """Return what a profile calls itself; refuse one that nothing can be converted with."""
    try:
        profile = ImageCms.ImageCmsProfile(io.BytesIO(data))
        ImageCms.buildTransform(ImageCms.createProfile("sRGB"), profile, "RGB", "CMYK")
        ImageCms.buildTransform(profile, ImageCms.createProfile("LAB"), "CMYK", "LAB")
        described = ImageCms.getProfileDescription(profile)
    except (ImageCms.PyCMSError, OSError):
        raise _refuse(file, "is a damaged colour profile") from None
    return " ".join("".join(c for c in described if c.isprintable()).split()) or file.stem


def _refuse(file: Path, what: str) -> UsageError:
    hint = "Give the ICC profile your print shop names for its CMYK press, or leave it out."
    return UsageError(Fault(f"{file.name} {what}", hint))


@lru_cache(maxsize=4)
def open_inks(profile: OutputProfile, limit: float) -> Inks:
    """Return the inks of a profile: all files of a box, and all boxes of a day, share its tables, slow to make."""
    return Inks(profile, limit)


@dataclass(frozen=True, eq=False)
class Inks:
    """The way from screen colours to inks under one profile."""

    profile: OutputProfile
    limit: float = DEFAULT_LIMIT
    _known: dict[tuple[int, int, int], Cmyk] = field(default_factory=dict, init=False, repr=False)

    def vector(self, red: float, green: float, blue: float) -> Cmyk:
        """Return a flat colour, all values from 0 to 1; grey is black ink alone."""
        key = (_to_byte(red), _to_byte(green), _to_byte(blue))
        if key not in self._known:
            if key[0] == key[1] == key[2]:
                self._known[key] = (0.0, 0.0, 0.0, float(self._black_of_grey[key[0]]))
            else:
                self._known[key] = self._convert(np.array([key], np.uint8))[0]
        return self._known[key]

    def ramp(self, colors: Sequence[Rgb]) -> list[Cmyk]:
        """Return colours that run into each other: black ink alone where all are grey, else no jump where one is."""
        keys = np.array([[_to_byte(value) for value in color] for color in colors], np.uint8)
        if bool(np.all(keys == keys[:, :1])):
            return [self.vector(*color) for color in colors]
        return self._convert(keys)

    def picture(self, picture: Image.Image) -> Image.Image:
        """Return pixels as inks; opacity is left to the caller."""
        return self._limit_picture(self._separate(picture), self.limit)

    def drawing(self, picture: Image.Image) -> Image.Image:
        """Return pixels of a drawing as inks: its greys are black ink alone, as those of vectors are."""
        inks = np.array(self.picture(picture))
        pixels = np.asarray(picture.convert("RGB"))
        grey = np.ptp(pixels, axis=-1) <= GREY_SPREAD
        inks[grey] = 0
        inks[grey, 3] = np.rint(self._black_of_grey * 255).astype(np.uint8)[np.sort(pixels[grey], axis=-1)[:, 1]]
        return Image.frombytes("CMYK", picture.size, inks.tobytes())

    def encode_photo(self, picture: Image.Image) -> bytes | None:
        """Return pixels as a CMYK JPEG, whose values are inverted as Adobe does; None if it breaks the limit."""
        separated = self._separate(picture)
        limit = self.limit
        for _ in range(JPEG_TRIES):
            data = encode_jpeg(self._limit_picture(separated, limit))
            inks = np.asarray(Image.open(io.BytesIO(data))).sum(-1, dtype=np.uint16)
            over = float(inks.max()) / 255 - self.limit
            if over <= 0:
                return data
            limit -= max(JPEG_ROOM, over)
        return None

    def _separate(self, picture: Image.Image) -> Image.Image:
        return _apply(picture.convert("RGB"), self._for_pictures)

    def _convert(self, colors: NDArray[np.uint8]) -> list[Cmyk]:
        """Convert rows of RGB bytes to rows of ink shares."""
        row = Image.frombytes("RGB", (len(colors), 1), colors.tobytes())
        inks = self._limit_picture(_apply(row, self._for_colors), self.limit)
        return [(c, m, y, k) for c, m, y, k in (np.asarray(inks).reshape(-1, 4) / 255).tolist()]

    def _limit_picture(self, picture: Image.Image, limit: float) -> Image.Image:
        """Take cyan, magenta and yellow, in proportion, from pixels with too much ink; black stays."""
        inks = np.asarray(picture)
        heavy = inks.sum(-1, dtype=np.uint16) > limit * 255
        if not heavy.any():
            return picture
        inks = inks.copy()
        pixels = inks[heavy].astype(np.float64)
        room = np.maximum(0.0, limit * 255 - pixels[:, 3])
        pixels[:, :3] *= (room / np.maximum(pixels[:, :3].sum(-1), 1))[:, None]
        inks[heavy] = np.floor(pixels + 1e-6).astype(np.uint8)
        return Image.frombytes("CMYK", picture.size, inks.tobytes())

    @cached_property
    def _black_of_grey(self) -> NDArray[np.float64]:
        """For each grey of the screen, the black ink that is as light on paper, from paper white to solid black."""
        ramp = np.zeros((256, 4), np.uint8)
        ramp[:, 3] = np.arange(256)
        seen = _apply(Image.frombytes("CMYK", (256, 1), ramp.tobytes()), self._to_lab)
        lightness = np.asarray(seen.getchannel(0), np.float64).ravel() * (100 / 255)
        falling = np.minimum.accumulate(lightness)
        printed = ((falling + 16) / 116) ** 3
        grey = np.arange(256) / 255
        light = np.where(grey <= 0.04045, grey / 12.92, ((grey + 0.055) / 1.055) ** 2.4)
        wanted = printed[-1] + (printed[0] - printed[-1]) * light
        black: NDArray[np.float64] = np.round(np.interp(wanted, printed[::-1], np.linspace(1, 0, 256)), 4)
        black[0], black[255] = 1.0, 0.0
        return black

    @cached_property
    def _opened(self) -> ImageCms.ImageCmsProfile:
        return ImageCms.ImageCmsProfile(io.BytesIO(self.profile.data))

    @cached_property
    def _for_pictures(self) -> ImageCms.ImageCmsTransform:
        return self._build(ImageCms.Flags.HIGHRESPRECALC)

    @cached_property
    def _for_colors(self) -> ImageCms.ImageCmsTransform:
        return self._build(ImageCms.Flags.NOOPTIMIZE)

    @cached_property
    def _to_lab(self) -> ImageCms.ImageCmsTransform:
        relative = ImageCms.Intent.RELATIVE_COLORIMETRIC
        return ImageCms.buildTransform(self._opened, ImageCms.createProfile("LAB"), "CMYK", "LAB", relative)

    def _build(self, flags: ImageCms.Flags) -> ImageCms.ImageCmsTransform:
        """Convert relative colorimetric with black point compensation: paper stays white, shadows keep their detail."""
        flags |= ImageCms.Flags.BLACKPOINTCOMPENSATION
        screen, relative = ImageCms.createProfile("sRGB"), ImageCms.Intent.RELATIVE_COLORIMETRIC
        return ImageCms.buildTransform(screen, self._opened, "RGB", "CMYK", relative, flags=flags)


def _apply(picture: Image.Image, transform: ImageCms.ImageCmsTransform) -> Image.Image:
    """Convert without Pillow's own way, which writes out the whole profile with every picture."""
    changed = Image.new(transform.output_mode, picture.size)
    transform.transform.apply(picture.getim(), changed.getim())
    return changed


def encode_jpeg(picture: Image.Image) -> bytes:
    """Encode a photo as JPEG, at a quality where print shows no difference."""
    sink = io.BytesIO()
    picture.save(sink, "JPEG", quality=92, subsampling=0)
    return sink.getvalue()


def _to_byte(value: float) -> int:
    return min(255, max(0, round(value * 255)))
