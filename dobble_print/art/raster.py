"""Read photos and other pixel pictures: open them safely, turn them upright, cut them out, scale them.

Invariant: size and proportions are checked before anything is decoded.
"""

from __future__ import annotations

import io
import math
import struct
import warnings
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageChops, ImageCms, ImageDraw, ImageOps, UnidentifiedImageError

from dobble_print.art.silhouette import Mask
from dobble_print.errors import ArtworkError, Fault
from dobble_print.resources import find_template
from dobble_print.sandbox.limits import grant
from dobble_print.theme.options import Crop

MOST_LONG = 50.0  # how many times longer than wide; thinner pictures vanish on a card


def refuse_extreme_shape(width: float, height: float) -> None:
    """Raise an `ArtworkError` for a picture without a size, or one that is far too long and thin."""
    if not (0 < width < math.inf and 0 < height < math.inf):
        raise ArtworkError(Fault("the picture has no size", "Give it a viewBox, or export it again."))
    if max(width, height) > MOST_LONG * min(width, height):
        what = f"the picture is more than {MOST_LONG:.0f} times as long as wide"
        raise ArtworkError(Fault(what, "Crop it to what is to be seen."))


MAX_PIXELS = 60_000_000  # a good camera's photo; far below what hurts a small machine
READING_SECONDS_PER_MEGAPIXEL = 0.08  # of processor time, where it is limited
BAND_PIXELS = 4_000_000  # a large picture is shrunk by bands of so many pixels, to keep copies of it small
MOST_PX = 2000  # 600 dpi on 85 mm, 300 dpi on 170 mm: no card shows more, and a deck of photos stays in memory
FORMATS = ("PNG", "JPEG", "WEBP", "GIF")
PHONES = "HEIF"
FACE_HEIGHT = 0.35  # how much of what a square crop takes off an upright photo goes from its top
PHOTO_CORNER = 0.06  # rounded corners of an uncut photo, as a share of its shorter side
PLAIN_TOLERANCE = 40.0  # colour distance (0…441) within which a pixel counts as background
EDGE_TOLERANCE = 8.0  # below this it is fully background; between the two it fades
Reals = npt.NDArray[np.float32]


def load_decoders() -> None:
    """Import all that decoding needs; afterwards no file is opened for it."""
    _prepare_phone_photos()
    dot = Image.new("RGB", (9, 9))
    dot.putpixel((4, 4), (255, 255, 255))
    for kind in FORMATS:
        read_pixels(encode_picture(dot, kind), remove_background=True)
    _convert_to_rgba(dot.convert("CMYK"))
    _convert_to_srgb(dot, ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())


def encode_picture(picture: Image.Image, kind: str, **options: Any) -> bytes:
    """Return a picture as the bytes of a file of this kind."""
    sink = io.BytesIO()
    picture.save(sink, kind, **options)
    return sink.getvalue()


def can_read_without_files(data: bytes) -> bool:
    """Return whether the picture needs no other file: no fonts for live text."""
    return not (b"text" in data and b"<" in data[:1000])


def open_picture(data: bytes) -> Image.Image:
    """Decode a picture from untrusted bytes and keep its `format`; of several frames take the first."""
    _prepare_phone_photos()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what a library finds odd about a picture is no news to its user
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            picture = Image.open(io.BytesIO(data), formats=(*FORMATS, PHONES))
            _check_size(picture)
            grant(READING_SECONDS_PER_MEGAPIXEL * picture.width * picture.height / 1e6)
            picture.load()
            _check_size(picture)  # that of a photo of a phone may turn out to be another
    except (ArtworkError, MemoryError):
        raise
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise ArtworkError(Fault("the picture is far too large", "Shrink it.")) from None
    except Exception as error:  # a picture may break a decoder in any way; the user must mend the picture
        unknown = isinstance(error, UnidentifiedImageError)
        reason = "it is not a PNG, JPEG, WebP or HEIC" if unknown else "the file is damaged"
        raise ArtworkError(Fault(f"the picture cannot be read ({reason})", "Save it again as PNG or JPEG.")) from None
    return picture


def _check_size(picture: Image.Image) -> None:
    if picture.width * picture.height > MAX_PIXELS:
        what = f"the picture has more than {MAX_PIXELS // 10**6} million pixels"
        raise ArtworkError(Fault(what, "Shrink it."))
    refuse_extreme_shape(picture.width, picture.height)


@cache
def _prepare_phone_photos() -> None:
    """Register the photos of phones with Pillow: the picture alone, without what phones put beside it."""
    from pillow_heif import register_heif_opener

    register_heif_opener(thumbnails=False, depth_images=False, aux_images=False, decode_threads=1)


def read_pixels(data: bytes, remove_background: bool = False, rounded: bool = True, crop: Crop = "none") -> Image.Image:
    """Return a picture as RGBA, upright, cropped to what is visible; round the corners of an opaque photo.

    Its `info["bare_inks"]` says whether it held inks, and nothing that says of which press.
    """
    decoded = open_picture(data)
    has_bare_inks = decoded.mode == "CMYK" and not decoded.info.get("icc_profile")
    whole = normalise_picture(decoded)
    picture = whole if crop == "none" else _crop_square(whole)
    if remove_background:
        picture = _cut_out(picture)
    elif crop == "circle":
        picture.putalpha(ImageChops.multiply(picture.getchannel("A"), _make_disc_mask(picture.width)))
    elif rounded and picture.getchannel("A").getextrema()[0] == 255:
        mask = Image.new("L", picture.size, 0)
        corner, box = PHOTO_CORNER * min(picture.size), (0, 0, picture.width - 1, picture.height - 1)
        ImageDraw.Draw(mask).rounded_rectangle(box, radius=corner, fill=255)
        picture.putalpha(mask)
    visible = picture.getchannel("A").getbbox()
    if visible is None:
        raise ArtworkError(Fault("the picture is empty: every pixel is transparent", "Choose another picture."))
    seen = picture.crop(visible)
    seen.info["bare_inks"] = has_bare_inks
    return seen


def normalise_picture(picture: Image.Image) -> Image.Image:
    """Return a decoded picture as 8-bit RGBA in sRGB, upright, and no larger than a card can show."""
    return _convert_to_rgba(_turn_upright(_shrink_decoded(picture)))


def _shrink_decoded(picture: Image.Image) -> Image.Image:
    """Shrink a picture to what a card can show; palettes and bitmaps become mixable greys and colours first."""
    if max(picture.size) <= MOST_PX:
        return picture
    mixable = {"1": "L", "P": "RGBA", "PA": "RGBA"}.get(picture.mode)
    factor = max(picture.size) // (2 * MOST_PX)
    if mixable and picture.width * picture.height > BAND_PIXELS:
        factor = max(1, max(picture.size) // MOST_PX)
    if factor > 1:
        picture = _shrink_by_bands(picture, factor, mixable or picture.mode)
    elif mixable:
        picture = picture.convert(mixable)
    picture.thumbnail((MOST_PX, MOST_PX), Image.Resampling.LANCZOS)
    return picture


def _shrink_by_bands(picture: Image.Image, factor: int, mode: str) -> Image.Image:
    """Shrink a picture by a whole factor, band by band: a copy of the whole would double its memory."""
    whole = Image.new(mode, (-(-picture.width // factor), -(-picture.height // factor)))
    height = max(1, BAND_PIXELS // picture.width // factor) * factor
    for top in range(0, picture.height, height):
        band = picture.crop((0, top, picture.width, min(top + height, picture.height)))
        whole.paste(band.convert(mode).reduce(factor), (0, top // factor))
    whole.info = {key: value for key, value in picture.info.items() if key != "transparency"}
    return whole


def _turn_upright(picture: Image.Image) -> Image.Image:
    """Turn a photo as the camera was held; ignore a damaged orientation tag, as viewers do."""
    try:
        return ImageOps.exif_transpose(picture)
    except (SyntaxError, ValueError, TypeError, OSError, struct.error, ZeroDivisionError, KeyError):
        return picture


def _convert_to_rgba(picture: Image.Image) -> Image.Image:
    if picture.mode.startswith("I"):  # 16 bits a channel: keep the high byte
        picture = Image.fromarray((np.asarray(picture).astype(np.uint32) >> 8).clip(0, 255).astype(np.uint8))
    profile = picture.info.get("icc_profile") or (_read_press_profile() if picture.mode == "CMYK" else None)
    if profile and picture.mode in ("RGB", "RGBA", "CMYK", "L"):
        picture = _convert_to_srgb(picture, profile)
    return picture.convert("RGBA")


@cache
def _read_press_profile() -> bytes:
    """Return the profile of the press that inks are taken for which say nothing of theirs."""
    return find_template("color/coated.icc").read_bytes()


def _convert_to_srgb(picture: Image.Image, profile: bytes) -> Image.Image:
    """Convert colours to sRGB by the picture's profile; ignore a broken profile, as viewers do."""
    mode = "RGBA" if picture.mode == "RGBA" else "RGB"
    try:
        source = ImageCms.ImageCmsProfile(io.BytesIO(profile))
        turned = ImageCms.profileToProfile(picture, source, ImageCms.createProfile("sRGB"), outputMode=mode)
    except (ImageCms.PyCMSError, OSError, ValueError):
        return picture
    return turned if turned is not None else picture


def _crop_square(picture: Image.Image) -> Image.Image:
    """Crop to the largest square; on an upright photo a little above the middle, where faces are."""
    side = min(picture.size)
    left, top = (picture.width - side) // 2, round((picture.height - side) * FACE_HEIGHT)
    return picture.crop((left, top, left + side, top + side))


def _make_disc_mask(side: int) -> Image.Image:
    """Return a disc with a soft edge."""
    mask = Image.new("L", (side * 4, side * 4), 0)
    ImageDraw.Draw(mask).ellipse((0, 0, side * 4 - 1, side * 4 - 1), fill=255)
    return mask.resize((side, side), Image.Resampling.BOX)


def _cut_out(picture: Image.Image) -> Image.Image:
    """Make the plain background around the subject transparent, with a soft edge free of its colour."""
    pixels = np.asarray(picture).astype(np.float32)
    colour = pixels[..., :3]
    plain = _find_background(colour)
    distance = np.sqrt(((colour - plain) ** 2).sum(axis=-1))
    outside = _flood_from_border(distance < PLAIN_TOLERANCE)
    fade = np.clip((distance - EDGE_TOLERANCE) / (PLAIN_TOLERANCE - EDGE_TOLERANCE), 0, 1)
    opacity = np.where(outside, fade, 1.0)[..., None]
    # what shows through a half transparent edge pixel is background: take it out of the colour
    clean = np.clip((colour - (1 - opacity) * plain) / np.maximum(opacity, 1 / 255), 0, 255)
    result = np.concatenate([clean, opacity * pixels[..., 3:]], axis=-1)
    return Image.fromarray(np.rint(result).astype(np.uint8))


def _find_background(colour: Reals) -> Reals:
    border = np.concatenate([colour[0], colour[-1], colour[:, 0], colour[:, -1]])
    plain: Reals = np.median(border, axis=0).astype(np.float32)
    odd = (np.sqrt(((border - plain) ** 2).sum(axis=-1)) > PLAIN_TOLERANCE).mean()
    if odd > 0.25:
        hint = "Cut it out in a picture editor and save it as PNG."
        raise ArtworkError(Fault("the picture has no plain background to remove", hint))
    return plain


def _flood_from_border(open_pixels: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Return which open pixels connect to the border: sweep in four directions until nothing changes."""
    reached = np.zeros_like(open_pixels)
    for edge in (np.s_[0], np.s_[-1], np.s_[:, 0], np.s_[:, -1]):
        reached[edge] = open_pixels[edge]
    before = -1
    while before != (before := int(reached.sum())):
        for view, gate in ((reached, open_pixels), (reached.T, open_pixels.T)):
            for step in (1, -1):
                rows, gates = view[::step], gate[::step]
                for i in range(1, len(rows)):
                    rows[i] |= rows[i - 1] & gates[i]
    return reached


def make_mask(picture: Image.Image, longer_side: int) -> Mask:
    """Return the opacity of a picture at the resolution of tracing; its pixels need not be quite square."""
    size = scale_size(picture, longer_side)
    method = Image.Resampling.BOX if max(picture.size) > longer_side else Image.Resampling.BILINEAR
    alpha = np.asarray(picture.getchannel("A").resize(size, method))
    width, height = (length / max(picture.size) for length in picture.size)
    return Mask(alpha, width, height, (width / size[0], height / size[1]))


def shrink_to(picture: Image.Image, longer_side: int) -> Image.Image:
    """Shrink a picture to at most that many pixels along its longer side; never enlarge it.

    Resampling happens on colours weighted by opacity, so that what lies hidden under transparency does not bleed in.
    """
    if max(picture.size) <= longer_side:
        return picture
    return picture.convert("RGBa").resize(scale_size(picture, longer_side), Image.Resampling.LANCZOS).convert("RGBA")


def scale_size(picture: Image.Image, longer_side: int) -> tuple[int, int]:
    """Return a picture's size with that many pixels along its longer side, and at least one along the other."""
    scale = longer_side / max(picture.size)
    return max(1, round(picture.width * scale)), max(1, round(picture.height * scale))


ONE_COLOR = 10  # steps of 255 that colours may differ by and still be one


def measure_opaque(picture: Image.Image) -> float:
    """Return the share of a picture's pixels that hide what is behind them."""
    alpha = np.asarray(picture.convert("RGBA"))[..., 3]
    return float((alpha > 128).mean())


def find_edge_color(picture: Image.Image) -> str:
    """Return the one colour all around an opaque picture; nothing where there are several."""
    pixels = np.asarray(picture.convert("RGBA")).astype(int)
    edge = np.concatenate([pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1]])
    if edge[:, 3].min() < 255 or np.ptp(edge[:, :3], axis=0).max() > ONE_COLOR:
        return ""
    return "#" + "".join(f"{round(value):02x}" for value in np.median(edge[:, :3], axis=0))
