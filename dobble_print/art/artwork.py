"""Make artwork: an emoji, drawing, photo or text that the layout can place and the press can print at any size.

Invariant: an artwork always has a silhouette; a picture in which nothing is visible is refused.
"""

from __future__ import annotations

import hashlib
import unicodedata
from dataclasses import dataclass, replace
from functools import cached_property

from PIL import Image

from dobble_print.art.captions import caption_drawing, caption_photo, measure_caption
from dobble_print.art.emoji import read_emoji
from dobble_print.art.guarded import open_guarded, read_pixels_guarded, render_guarded
from dobble_print.art.raster import make_mask, shrink_to
from dobble_print.art.silhouette import Silhouette, trace_silhouette, wrap_silhouette
from dobble_print.art.svg.render import MASK_PX, open_drawing, render_svg
from dobble_print.art.svg.sanitizer import AdmittedSvg
from dobble_print.art.text.blocks import X_HEIGHT_MM
from dobble_print.art.text.plates import draw_text, measure_x_height
from dobble_print.errors import ArtworkError, Fault
from dobble_print.files import read_checked
from dobble_print.theme.model import Captioned, Emoji, ImageFile, Source, Text
from dobble_print.units import MM_PER_INCH

MOST_DPI = 600
LEAST_DPI = 300
MOST_BYTES = 64 << 20  # of a picture file
CAPTION_AIR = 0.02  # free room around a picture with its name, as a share of its shorter side
WORD_AIR = 0.22  # free room around a word, as a share of its height


@dataclass(frozen=True, eq=False)
class VectorForm:
    """A drawing as a one-page PDF."""

    pdf: bytes


@dataclass(frozen=True, eq=False)
class PixelForm:
    """A picture at print resolution; photos are kept as JPEG, which is what they were.

    With `hard_mask` every pixel is opaque or absent, and a stencil cuts the picture out.
    """

    picture: Image.Image
    photo: bool
    hard_mask: bool = False


Form = VectorForm | PixelForm


@dataclass(frozen=True, eq=False)
class VectorMaster:
    """A drawing that CairoSVG renders correctly: it fits every size."""

    pdf: bytes

    def fit(self, longer_side_mm: float) -> Form:
        """Return the vectors, which are the same at any size."""
        return VectorForm(self.pdf)

    def dpi(self, longer_side_mm: float) -> float:
        """Return the highest resolution in use: vectors have no limit."""
        return float(MOST_DPI)


@dataclass(frozen=True, eq=False)
class RenderedMaster:
    """A drawing with features that only resvg renders correctly: rendered at full print resolution.

    `is_guarded` marks an untrusted drawing, which is rendered in the sandbox.
    """

    svg: bytes
    is_guarded: bool = False

    def fit(self, longer_side_mm: float) -> Form:
        """Render the drawing at 600 dpi for this size."""
        return PixelForm(self.render(pixels_for(longer_side_mm, MOST_DPI)), photo=False)

    def render(self, longer_side_px: int) -> Image.Image:
        """Render the drawing with this many pixels along its longer side."""
        return (render_guarded if self.is_guarded else render_svg)(self.svg, longer_side_px)

    def dpi(self, longer_side_mm: float) -> float:
        """Return the highest resolution in use: a drawing can be rendered as finely as needed."""
        return float(MOST_DPI)


@dataclass(frozen=True, eq=False)
class PictureMaster:
    """A pixel picture as it came."""

    picture: Image.Image
    photo: bool

    def fit(self, longer_side_mm: float) -> Form:
        """Return the picture, shrunk where it has more pixels than a printer can use."""
        return PixelForm(shrink_to(self.picture, pixels_for(longer_side_mm, MOST_DPI)), self.photo)

    def dpi(self, longer_side_mm: float) -> float:
        """Return the resolution of the picture when printed at this size."""
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
        """Return the diameter of the silhouette's enclosing circle in units of the box's longer side."""
        return 2 * self.silhouette.reach

    def longer_side_mm(self, diameter_mm: float) -> float:
        """Return how long the box's longer side prints when the enclosing circle has this diameter."""
        return diameter_mm / self.diameter


def pixels_for(length_mm: float, dpi: float) -> int:
    """Return the pixels along a length, rounded down so that the resolution is never exceeded."""
    return max(1, int(length_mm / MM_PER_INCH * dpi))


def make_artwork(source: Source, rounded: bool = True) -> Artwork:
    """Open a picture of any kind; raise an `ArtworkError` without a place.

    `rounded` gives photos rounded corners, which suit a symbol but not a back.
    """
    match source:
        case Emoji(char, art):
            return _make_drawing(read_emoji(char, art))
        case Text(text, badge=badge, style=style):
            artwork = _make_drawing(draw_text(source))
            if badge or style.mark or _is_letter(text):
                return artwork
            return replace(artwork, silhouette=wrap_silhouette(artwork.silhouette, WORD_AIR))
        case Captioned(Emoji(char, art), caption):
            return _keep_together(_make_drawing(caption_drawing(read_emoji(char, art), caption)))
        case Captioned():
            return _keep_together(_make_from_file(source, rounded))
        case ImageFile():
            return _make_from_file(source, rounded)


def _is_letter(text: str) -> bool:
    """Return whether a text is a single sign that others cannot add to: beside 6, a 9 is 96; and ½ is three."""
    plain = unicodedata.normalize("NFKC", text)
    return len(plain) == 1 and not plain.isnumeric()


def _keep_together(artwork: Artwork) -> Artwork:
    """Wrap a picture and its name in one silhouette, so that nothing comes between them."""
    return replace(artwork, silhouette=wrap_silhouette(artwork.silhouette, CAPTION_AIR))


def _make_from_file(source: ImageFile | Captioned, rounded: bool) -> Artwork:
    """Open a drawing or a photo, with its name below where it has a caption."""
    file = source.picture if isinstance(source, Captioned) else source
    assert isinstance(file, ImageFile)
    data, caption = _read_picture(file), source.caption if isinstance(source, Captioned) else None
    if file.path.suffix.lower() == ".svg":
        return _make_drawing(caption_drawing(data, caption, is_guarded=True) if caption else data, is_guarded=True)
    options = {"remove_background": file.remove_background, "rounded": rounded, "crop": file.crop}
    picture, shown = read_pixels_guarded(data, **options), data
    if caption:
        picture, shown = caption_photo(picture, caption), data + caption.text.encode()
    return _make_picture(picture, shown)


def _read_picture(source: ImageFile) -> bytes:
    try:
        data = read_checked(source.path, MOST_BYTES)
    except OSError as error:
        raise ArtworkError(Fault(f"{source.path.name} cannot be read ({error.strerror})")) from None
    if len(data) > MOST_BYTES:
        raise ArtworkError(Fault(f"the picture is larger than {MOST_BYTES >> 20} MB", "Shrink it."))
    return data


def _make_drawing(data: bytes, is_guarded: bool = False) -> Artwork:
    opened = (open_guarded if is_guarded else open_drawing)(data)
    master = RenderedMaster(opened.svg.data, is_guarded) if opened.pdf is None else VectorMaster(opened.pdf)
    silhouette = _require_silhouette(trace_silhouette(opened.mask))
    return Artwork(
        master,
        silhouette,
        opened.width,
        opened.height,
        _digest(data),
        _list_notes(opened.svg),
        _list_warnings(opened.svg),
    )


def _make_picture(picture: Image.Image, data: bytes) -> Artwork:
    photo = data[:2] == b"\xff\xd8"
    silhouette = _require_silhouette(trace_silhouette(make_mask(picture, MASK_PX)))
    return Artwork(PictureMaster(picture, photo), silhouette, *_measure_box(picture), _digest(data))


def _measure_box(picture: Image.Image) -> tuple[float, float]:
    side = max(picture.size)
    return picture.width / side, picture.height / side


def _require_silhouette(silhouette: Silhouette | None) -> Silhouette:
    if silhouette is None:
        raise ArtworkError(Fault("the picture is empty: nothing in it is visible", "Choose another picture."))
    return silhouette


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _list_notes(svg: AdmittedSvg) -> tuple[str, ...]:
    if not svg.hard_features:
        return ()
    return (f"has {', '.join(svg.hard_features)}: drawn by resvg at {MOST_DPI} dpi",)


def _list_warnings(svg: AdmittedSvg) -> tuple[Fault, ...]:
    found = []
    if svg.dropped:
        found.append(Fault(f"left out of the drawing for safety: {', '.join(svg.dropped)}"))
    if svg.has_text:
        found.append(
            Fault("the drawing contains live text, which looks different on every computer", "Convert text to paths.")
        )
    return tuple(found)


def least_diameter_mm(source: Source, artwork: Artwork, x_height_mm: float = X_HEIGHT_MM) -> float:
    """Return the enclosing circle's diameter at which the smallest letters have this x-height; 0 for pictures.

    The diameter is the layout's: of the circle around the silhouette, with the air around a word.
    """
    if isinstance(source, Captioned):
        return x_height_mm / measure_caption(source.caption, artwork.width, artwork.height) * artwork.diameter
    if not isinstance(source, Text):
        return 0.0
    return x_height_mm / measure_x_height(source) * artwork.diameter


def measure_x_height_mm(source: Text, artwork: Artwork, diameter_mm: float) -> float:
    """Return how high the smallest letters print when the enclosing circle has this diameter."""
    return measure_x_height(source) * artwork.longer_side_mm(diameter_mm)
