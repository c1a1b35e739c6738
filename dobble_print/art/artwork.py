"""Make artwork: an emoji, drawing, photo or text that the layout can place and the press can print at any size.

Invariant: an artwork always has a silhouette; a picture in which nothing is visible is refused. Cached artwork equals
the original to the last bit, and its key covers all that it is made from.
"""

from __future__ import annotations

import hashlib
import io
import json
import math
import unicodedata
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from functools import cached_property, partial

import numpy as np
from PIL import Image

from dobble_print.art.captions import PhotoFrame, caption_drawing, caption_photo, draw_name, measure_caption
from dobble_print.art.emoji import read_drawing, read_emoji
from dobble_print.art.guarded import open_guarded, read_pixels_guarded, render_guarded
from dobble_print.art.raster import encode_picture, find_edge_color, make_mask, measure_opaque, scale_size, shrink_to
from dobble_print.art.silhouette import Silhouette, trace_silhouette, wrap_silhouette
from dobble_print.art.svg.compare import shows_page
from dobble_print.art.svg.render import MASK_PX, MOST_DPI, OpenedDrawing, open_drawing, render_svg, require_cairo
from dobble_print.art.text.blocks import X_HEIGHT_MM
from dobble_print.art.text.plates import draw_text, measure_x_height
from dobble_print.cache import find_cache, make_key
from dobble_print.errors import ArtworkError, Fault
from dobble_print.files import read_checked
from dobble_print.fonts import find_font
from dobble_print.sandbox.protocol import pack, unpack
from dobble_print.theme.model import Captioned, Drawing, Emoji, ImageFile, Source, Text
from dobble_print.units import MM_PER_INCH

SMALL_PX = 512  # the longer side of the copy that is compared and shown on screens
LEAST_DPI = 300
MOST_BYTES = 64 << 20  # of a picture file
BARE_INKS = (
    "its colours are inks (CMYK), but of no press that it names: read as offset on coated paper, and separated anew",
    "Save it as RGB, or with its profile.",
)
EDGE_PX = 128  # enough to tell the colour of an edge
CAPTION_AIR = 0.02  # free room around a picture with its name, as a share of its shorter side
WORD_AIR = 0.22  # free room around a word, as a share of its height
WHITE_PAPER = Fault(
    "it stands on white paper, so the whole rectangle is the symbol",
    "Write background: remove beside the picture to cut it out, or crop the picture to the thing itself.",
)


@dataclass(frozen=True, eq=False)
class VectorForm:
    """A drawing as a one-page PDF."""

    pdf: bytes


@dataclass(frozen=True, eq=False)
class PixelForm:
    """A picture at print resolution; photos are kept as JPEG, which is what they were.

    With `hard_mask` every pixel is opaque or absent, and a stencil cuts the picture out. With `letters` the picture has
    its name below, as vectors on a page of the size of both, and `frame` says where the picture lies on it.
    """

    picture: Image.Image
    photo: bool
    hard_mask: bool = False
    letters: VectorForm | None = None
    frame: PhotoFrame | None = None


Form = VectorForm | PixelForm


@dataclass(frozen=True, eq=False)
class DrawingMaster:
    """A drawing, and its vectors, which fit every size; None where only resvg renders its features correctly.

    `is_guarded` marks an untrusted drawing, which is rendered in the sandbox.
    """

    svg: bytes
    pdf: bytes | None
    is_guarded: bool

    def fit(self, longer_side_mm: float) -> Form:
        """Return the vectors, or the drawing rendered at full print resolution for this size."""
        if self.pdf is not None:
            return VectorForm(self.pdf)
        return PixelForm(self.sketch(pixels_for(longer_side_mm, MOST_DPI)), photo=False)

    def sketch(self, longer_side_px: int) -> Image.Image:
        """Render the drawing with this many pixels along its longer side."""
        return (render_guarded if self.is_guarded else render_svg)(self.svg, longer_side_px)


@dataclass(frozen=True, eq=False)
class PictureMaster:
    """A pixel picture as it came: its size, and how to get its pixels, which takes a while for a photo.

    What is compared and shown on a screen is made of the small copy, so that nobody waits for the pixels meanwhile.
    """

    size: tuple[int, int]
    photo: bool
    small: Image.Image
    load: Callable[[], Image.Image]
    named: PixelForm | None = None  # the picture by itself and its name as letters, where there is one below it

    @classmethod
    def of(cls, picture: Image.Image, photo: bool, named: PixelForm | None = None) -> PictureMaster:
        """Return the master of a picture that is open."""
        return cls(picture.size, photo, _shrink_quickly(picture, SMALL_PX), lambda: picture, named)

    @cached_property
    def picture(self) -> Image.Image:
        """All its pixels."""
        return self.load()

    def fit(self, longer_side_mm: float) -> Form:
        """Return the picture, shrunk where it has more pixels than a printer can use."""
        if self.named and self.named.frame:
            pixels = pixels_for(longer_side_mm * self.named.frame.size, MOST_DPI)
            return replace(self.named, picture=shrink_to(self.named.picture, pixels))
        return PixelForm(shrink_to(self.picture, pixels_for(longer_side_mm, MOST_DPI)), self.photo)

    def sketch(self, longer_side_px: int) -> Image.Image:
        """Shrink the picture by the plain mean of pixels: four times as fast as for print, good enough to compare."""
        return _shrink_quickly(self.small if longer_side_px <= SMALL_PX else self.picture, longer_side_px)

    def measure_opaque(self) -> float:
        """Return the share of its pixels that hide what is behind them."""
        return measure_opaque(self.sketch(EDGE_PX))

    def find_edge_color(self) -> str:
        """Return the one colour all around an opaque picture; nothing where there are several."""
        return find_edge_color(self.sketch(EDGE_PX))


def _shrink_quickly(picture: Image.Image, longer_side_px: int) -> Image.Image:
    if max(picture.size) <= longer_side_px:
        return picture
    return picture.resize(scale_size(picture, longer_side_px), Image.Resampling.BOX)


@dataclass(frozen=True, eq=False)
class Artwork:
    """A picture ready to be placed: silhouette and box; and ready to be printed at any size."""

    master: DrawingMaster | PictureMaster
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

    `rounded` gives photos rounded corners, which suit a symbol but not a back. A picture and its name are wrapped in
    one silhouette, so that nothing comes between them; and so are the letters of a word.
    """
    caption = source.caption if isinstance(source, Captioned) else None
    air = CAPTION_AIR if caption else 0.0
    match source.picture if isinstance(source, Captioned) else source:
        case Emoji(char, art):
            artwork = _make_drawing(open_drawing(read_emoji(char, art)), caption)
        case Drawing(name):
            artwork = _make_drawing(open_drawing(read_drawing(name)), caption)
        case ImageFile() as file:
            artwork = _make_from_file(file, caption, rounded)
        case Text(text, badge=badge, style=style) as word:
            artwork = _make_drawing(open_drawing(draw_text(word)))
            air = 0.0 if badge or style.mark or _is_letter(text) else WORD_AIR
    return replace(artwork, silhouette=wrap_silhouette(artwork.silhouette, air)) if air else artwork


def _is_letter(text: str) -> bool:
    """Return whether a text is a single sign that others cannot add to: beside 6, a 9 is 96; and ½ is three."""
    plain = unicodedata.normalize("NFKC", text)
    return len(plain) == 1 and not plain.isnumeric()


def _make_from_file(file: ImageFile, caption: Text | None, rounded: bool) -> Artwork:
    """Open a drawing or a photo, with its name below where it has a caption."""
    try:
        data = read_checked(file.path, MOST_BYTES)
    except OSError as error:
        raise ArtworkError(Fault(f"{file.path.name} cannot be read ({error.strerror})")) from None
    if len(data) > MOST_BYTES:
        raise ArtworkError(Fault(f"the picture is larger than {MOST_BYTES >> 20} MB", "Shrink it."))
    if file.path.suffix.lower() == ".svg":
        opened = open_guarded(data, removes_page=file.remove_background)
        return _make_drawing(opened, caption, is_guarded=True)
    picture = read_pixels_guarded(data, remove_background=file.remove_background, rounded=rounded, crop=file.crop)
    warnings = (Fault(*BARE_INKS),) if picture.info["bare_inks"] else ()
    is_cut_out = file.remove_background or not rounded or caption is not None
    is_photo, named = data[:2] == b"\xff\xd8", None
    if caption:
        named = _name_photo(picture, is_photo, caption)
        picture, data = caption_photo(picture, caption), data + caption.text.encode()
    mask = make_mask(picture, MASK_PX)
    master = PictureMaster.of(picture, is_photo, named)
    digest = hashlib.sha256(data).hexdigest()
    if not is_cut_out and shows_page(master.sketch(MASK_PX)):
        warnings = (*warnings, WHITE_PAPER)
    return Artwork(master, trace_silhouette(mask), mask.width, mask.height, digest, warnings=warnings)


def _name_photo(picture: Image.Image, is_photo: bool, caption: Text) -> PixelForm:
    """Return a photo with its name below as letters, sharp at any size of the photo."""
    svg, frame = draw_name(picture, caption)
    letters = open_drawing(svg).pdf
    assert letters is not None  # they are our own outlines
    return PixelForm(picture, is_photo, letters=VectorForm(letters), frame=frame)


def _make_drawing(opened: OpenedDrawing, caption: Text | None = None, is_guarded: bool = False) -> Artwork:
    """Return the artwork of a drawing, with its name below where it has a caption; in the sandbox if untrusted."""
    notes, warnings = opened.notes, opened.warnings
    if caption:
        opened = (open_guarded if is_guarded else open_drawing)(caption_drawing(opened, caption))
    mask = opened.mask
    return Artwork(
        DrawingMaster(opened.svg, opened.pdf, is_guarded),
        trace_silhouette(mask),
        mask.width,
        mask.height,
        hashlib.sha256(opened.svg).hexdigest(),
        notes,
        warnings,
    )


def least_diameter_mm(source: Source, artwork: Artwork, x_height_mm: float = X_HEIGHT_MM) -> float:
    """Return the enclosing circle's diameter at which the smallest letters have this x-height; 0 for pictures.

    The diameter is the layout's: of the circle around the silhouette, with the air around a word.
    """
    match source:
        case Captioned(caption=caption):
            share = measure_caption(caption, artwork.width, artwork.height)
        case Text():
            share = measure_x_height(source)
        case _:
            return 0.0
    return x_height_mm / share * artwork.diameter


# A cached file is plain: a header in JSON and blocks of bytes, nothing that could run. Drawings are cached as drawings,
# since the size of their pixels is not known yet, and with their vectors; of photos and other large pictures only the
# small copy is, and the pixels are read again when they are printed.
MOST_CACHED_BYTES = 8_000_000  # a drawing larger than this is opened again
MOST_CACHED_PIXELS = 2_000_000


def open_artwork(source: Source, rounded: bool = True) -> Artwork:
    """Return the cached artwork of a source, or make it and cache it."""
    cache = find_cache()
    key = _make_key(source, rounded) if cache else None
    unpack = partial(unpack_artwork, load=partial(_load_pixels, source, rounded))
    cached = cache.recall_as(key, unpack) if cache and key else None
    if cached is not None:
        return cached
    require_cairo()  # only now: loading it takes a while, and whoever has everything in the cache need not
    artwork = make_artwork(source, rounded)
    if cache and key and (packed := pack_artwork(artwork)) is not None:
        cache.keep(key, packed)
    return artwork


def _make_key(source: Source, rounded: bool) -> str | None:
    """Return the key of all that the artwork is made from: contents count, not where files lie.

    None for a photo with its name, whose letters are no pixels; and where a part is missing, which making the artwork
    reports.
    """
    file = source.picture if isinstance(source, Captioned) else None
    if isinstance(file, ImageFile) and file.path.suffix.lower() != ".svg":
        return None
    facts = [type(source).__name__, asdict(source), rounded]
    try:
        options = json.dumps(facts, sort_keys=True, default=lambda path: path.suffix.lower())
        return make_key("artwork", [options.encode(), *_list_contents(source)])
    except (OSError, ArtworkError):
        return None


def _load_pixels(source: Source, rounded: bool) -> Image.Image:
    """Return the pixels of a picture whose outline is cached already."""
    master = make_artwork(source, rounded).master
    assert isinstance(master, PictureMaster)
    return master.picture


def _list_contents(source: Source) -> list[bytes]:
    """Return the bytes of every file the artwork is drawn from; packaged fonts are in the program's fingerprint."""
    match source:
        case Emoji(char, art):
            return [read_emoji(char, art)]
        case Drawing(name):
            return [read_drawing(name)]
        case Text(style=style):
            font = find_font(style.font, style.folder)
            return [font.data] if font.is_own else []
        case ImageFile(path):
            return [read_checked(path, MOST_BYTES)]
        case Captioned(picture, caption):
            return [*_list_contents(picture), *_list_contents(caption)]


def pack_artwork(artwork: Artwork) -> bytes | None:
    """Return the artwork as bytes; None where it is too large to be worth caching."""
    master, shape = artwork.master, artwork.silhouette
    size = None
    if isinstance(master, PictureMaster):
        is_whole = not master.photo and math.prod(master.size) <= MOST_CACHED_PIXELS
        size, kind = (None if is_whole else master.size), "photo" if master.photo else "picture"
        parts = [encode_picture(master.picture if is_whole else master.small, "PNG", compress_level=1)]
    else:
        kind, parts = "guarded" if master.is_guarded else "trusted", [master.svg, master.pdf or b""]
    if max(map(len, parts)) > MOST_CACHED_BYTES:
        return None
    head = {
        "kind": kind,
        "size": size,
        "box": [artwork.width, artwork.height],
        "digest": artwork.digest,
        "notes": artwork.notes,
        "warnings": [[fault.what, fault.hint] for fault in artwork.warnings],
        "silhouette": [shape.area, shape.centre, shape.reach],
    }
    return pack(head, [*parts, *(np.ascontiguousarray(ring, "<f8").tobytes() for ring in shape.rings)])


def unpack_artwork(data: bytes, load: Callable[[], Image.Image]) -> Artwork:
    """Return the artwork that `pack_artwork` packed; `load` gets the pixels that are not in it."""
    head, (picture, *rest) = unpack(data)
    kind, (area, (x, y), reach), (width, height) = head["kind"], head["silhouette"], head["box"]
    if kind in ("photo", "picture"):
        opened, size = Image.open(io.BytesIO(picture)).copy(), head["size"]
        master: DrawingMaster | PictureMaster = PictureMaster.of(opened, kind == "photo")
        if size:
            master = PictureMaster((size[0], size[1]), kind == "photo", opened, load)
    else:
        master = DrawingMaster(picture, rest.pop(0) or None, kind == "guarded")
    rings = tuple(np.frombuffer(ring, "<f8").reshape(-1, 2).astype(np.float64) for ring in rest)
    silhouette = Silhouette(rings, area, (x, y), reach)
    warnings = tuple(Fault(what, hint) for what, hint in head["warnings"])
    return Artwork(master, silhouette, width, height, head["digest"], tuple(head["notes"]), warnings)
