"""Artwork: a symbol's picture with its silhouette, and the form in which the press embeds it once.

Invariant: an `Artwork`'s box has a longer side of 1; its silhouette lies in that box. Vectors stay vectors; pixels are
sized only after the layout, when the largest printed size is known.
"""

from __future__ import annotations

import hashlib
import io
from dataclasses import dataclass, replace
from functools import cached_property

from PIL import Image

from dobble_print.art.emoji import find_emoji
from dobble_print.art.gate import AdmittedSvg, admit_svg
from dobble_print.art.pixels import mask_of, read_pixels, shrink_to
from dobble_print.art.silhouette import Silhouette, trace_silhouette, wrap_silhouette
from dobble_print.art.svg import MASK_PX, draw_svg, render_svg
from dobble_print.art.text import text_to_svg
from dobble_print.errors import ArtworkError, Fault
from dobble_print.theme.model import Emoji, ImageFile, Source, Text
from dobble_print.units import MM_PER_INCH

MOST_DPI = 600
LEAST_DPI = 300
WORD_AIR = 0.22  # free room around a word, as a share of its height


@dataclass(frozen=True, eq=False)
class VectorForm:
    """A drawing as a one-page PDF."""

    pdf: bytes


@dataclass(frozen=True, eq=False)
class PixelForm:
    """A picture at print resolution; photos are kept as JPEG, which is what they were."""

    picture: Image.Image
    photo: bool


Form = VectorForm | PixelForm


@dataclass(frozen=True, eq=False)
class VectorMaster:
    """A drawing CairoSVG draws right: it fits every size."""

    pdf: bytes

    def fit(self, longer_side_mm: float) -> Form:
        """The same vectors at any size."""
        return VectorForm(self.pdf)

    def dpi(self, longer_side_mm: float) -> float:
        """Vectors have no resolution to run out of."""
        return float(MOST_DPI)


@dataclass(frozen=True, eq=False)
class RenderedMaster:
    """A drawing with features only resvg draws right: rendered at full print resolution."""

    svg: bytes

    def fit(self, longer_side_mm: float) -> Form:
        """The drawing in pixels, 600 to the inch."""
        return PixelForm(render_svg(self.svg, pixels_for(longer_side_mm, MOST_DPI)), photo=False)

    def dpi(self, longer_side_mm: float) -> float:
        """A drawing can always be rendered finely enough."""
        return float(MOST_DPI)


@dataclass(frozen=True, eq=False)
class PictureMaster:
    """A pixel picture as it came."""

    picture: Image.Image
    photo: bool

    def fit(self, longer_side_mm: float) -> Form:
        """The picture, shrunk where it has more pixels than a printer can use."""
        return PixelForm(shrink_to(self.picture, pixels_for(longer_side_mm, MOST_DPI)), self.photo)

    def dpi(self, longer_side_mm: float) -> float:
        """Pixels to the inch when printed that large."""
        return max(self.picture.size) / longer_side_mm * MM_PER_INCH


Master = VectorMaster | RenderedMaster | PictureMaster


@dataclass(frozen=True, eq=False)
class Artwork:
    """A picture ready to be placed: silhouette and box; and ready to be printed at any size."""

    master: Master
    silhouette: Silhouette
    width: float
    height: float
    digest: str
    notes: tuple[str, ...] = ()
    warnings: tuple[Fault, ...] = ()

    @cached_property
    def diameter(self) -> float:
        """Diameter of the silhouette's enclosing circle in units of the box's longer side."""
        return 2 * self.silhouette.reach

    def longer_side_mm(self, diameter_mm: float) -> float:
        """How long the box's longer side prints when the symbol's enclosing circle has this diameter."""
        return diameter_mm / self.diameter


def pixels_for(length_mm: float, dpi: float) -> int:
    """Pixels along a length at a resolution, rounded down so that the resolution is never exceeded."""
    return max(1, int(length_mm / MM_PER_INCH * dpi))


def make_artwork(source: Source, rounded: bool = True) -> Artwork:
    """Open a picture, whatever it is made of; raises an `ArtworkError` without a place.

    `rounded` gives photos rounded corners, which suit a symbol but not a back.
    """
    match source:
        case Emoji(char):
            return _make_emoji(char)
        case Text(text, color, badge):
            artwork = _make_drawing(text_to_svg(text, color, badge))
            if badge or len(text) == 1:
                return artwork
            return replace(artwork, silhouette=wrap_silhouette(artwork.silhouette, WORD_AIR))
        case ImageFile(path, remove_background):
            data = _read(source)
            if path.suffix.lower() == ".svg":
                return _make_drawing(data)
            return _make_picture(data, remove_background, rounded)


def _read(source: ImageFile) -> bytes:
    try:
        return source.path.read_bytes()
    except OSError as error:
        raise ArtworkError(Fault(f"{source.path.name} cannot be read ({error.strerror})")) from None


def _make_emoji(char: str) -> Artwork:
    path = find_emoji(char)
    if path is None:
        points = " ".join(f"U+{ord(c):04X}" for c in char)
        raise ArtworkError(Fault(f"the emoji {char} ({points}) has no drawing", "Choose another emoji or use image:."))
    return _make_drawing(path.read_bytes())


def _make_drawing(data: bytes) -> Artwork:
    svg = admit_svg(data)
    if svg.hard_features:
        picture = render_svg(svg.data, MASK_PX)
        mask, width, height = mask_of(picture, MASK_PX), *_box_of(picture)
        master: Master = RenderedMaster(svg.data)
    else:
        drawing = draw_svg(svg.data)
        mask, width, height = drawing.mask, drawing.width, drawing.height
        master = VectorMaster(drawing.pdf)
    silhouette = _require(trace_silhouette(mask))
    return Artwork(master, silhouette, width, height, _digest(data), _notes(svg), _warnings(svg))


def _make_picture(data: bytes, remove_background: bool, rounded: bool) -> Artwork:
    picture = read_pixels(data, remove_background, rounded)
    photo = data[:2] == b"\xff\xd8"
    silhouette = _require(trace_silhouette(mask_of(picture, MASK_PX)))
    return Artwork(PictureMaster(picture, photo), silhouette, *_box_of(picture), _digest(data))


def _box_of(picture: Image.Image) -> tuple[float, float]:
    side = max(picture.size)
    return picture.width / side, picture.height / side


def _require(silhouette: Silhouette | None) -> Silhouette:
    if silhouette is None:
        raise ArtworkError(Fault("the picture is empty: nothing in it is visible", "Choose another picture."))
    return silhouette


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _notes(svg: AdmittedSvg) -> tuple[str, ...]:
    if not svg.hard_features:
        return ()
    return (f"has {', '.join(svg.hard_features)}: drawn by resvg at {MOST_DPI} dpi",)


def _warnings(svg: AdmittedSvg) -> tuple[Fault, ...]:
    found = []
    if svg.dropped:
        found.append(Fault(f"left out of the drawing for safety: {', '.join(svg.dropped)}"))
    if svg.has_text:
        found.append(
            Fault("the drawing contains live text, which looks different on every computer", "Convert text to paths.")
        )
    return tuple(found)


def encode_jpeg(picture: Image.Image) -> bytes:
    """A photo's colours as JPEG, at a quality where print shows no difference."""
    sink = io.BytesIO()
    picture.convert("RGB").save(sink, "JPEG", quality=92, subsampling=0)
    return sink.getvalue()
