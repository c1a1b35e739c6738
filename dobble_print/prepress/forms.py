"""The forms of a job: every symbol is opened once, and made ready once for each ground and machine it is printed on.

Invariant: what a press prints is bound to inks here, before it enters a document; screens and office printers get the
colours that were drawn.
"""

from __future__ import annotations

import io
import zlib
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pikepdf import Array, Dictionary, Name, Object, Pdf, Stream
from PIL import Image, ImageChops, ImageColor

from dobble_print.art.artwork import Form, PixelForm, VectorForm, pixels_for
from dobble_print.art.captions import PhotoFrame
from dobble_print.art.svg.render import MOST_DPI
from dobble_print.pdf.document import delete_keys, walk_form
from dobble_print.pdf.render import CLEAR, Rasterizer
from dobble_print.prepress.inks import Inks, encode_jpeg
from dobble_print.prepress.prepare import OFFICE, Prepress
from dobble_print.prepress.separation import encode_inks, separate_form
from dobble_print.sheets.plan import Back, Batch, CardLook, Stamp

NO_MASK = Name("/None")
SEEN_FROM = 3  # opacity of 255 from which a pixel is kept; less cannot be told from the background


class FormLibrary:
    """All forms that the files of a job share, and the machine that prints those files."""

    def __init__(self, prepress: Prepress = OFFICE) -> None:
        self.prepress = prepress
        self._screen, self._inked = Pdf.new(), Pdf.new()
        self._opened: dict[VectorForm, Object] = {}
        self._separated: dict[VectorForm, Object] = {}
        self._flattened: dict[tuple[Form, str, float], Form] = {}
        self.thin_lines: dict[Form, float] = {}  # the thinnest of a drawing that had to be made wider on the cards

    def note_thin(self, thin: Mapping[Form, float]) -> None:
        """Keep the thinnest line of each drawing."""
        self.thin_lines |= {form: min(width, self.thin_lines.get(form, width)) for form, width in thin.items()}

    def embed(self, pdf: Pdf, form: Form, inks: Inks | None) -> Object:
        """Copy a form into a document, one unit large, in inks where they are given."""
        match form:
            case VectorForm():
                return pdf.copy_foreign(self._separate(form, inks) if inks else self._open(form))
            case PixelForm(letters=VectorForm() as letters, frame=PhotoFrame() as frame):
                parts = _embed_pixels(pdf, form, inks), self.embed(pdf, letters, inks)
                return _join_parts(pdf, *parts, frame)
            case PixelForm():
                return _embed_pixels(pdf, form, inks)

    def _open(self, form: VectorForm) -> Object:
        if form not in self._opened:
            with Pdf.open(io.BytesIO(form.pdf)) as drawing:
                opened = self._screen.copy_foreign(drawing.pages[0].as_form_xobject())
            x0, y0, x1, y1 = (float(value) for value in opened.BBox)
            side = max(x1 - x0, y1 - y0)
            opened.Matrix = Array([1 / side, 0, 0, 1 / side, -x0 / side, -y0 / side])
            self._opened[form] = opened
        return self._opened[form]

    def _separate(self, form: VectorForm, inks: Inks) -> Object:
        if form not in self._separated:
            separated = self._inked.copy_foreign(self._open(form))
            if self.prepress.is_opaque:
                for thing in walk_form(separated):  # groups around opaque art change nothing, but must not be met
                    delete_keys(thing, "/Group")
            separate_form(self._inked, separated, inks)
            self._separated[form] = separated
        return self._separated[form]

    def has_transparency(self, form: Form) -> bool:
        """Tell whether anything behind a form shines through it; a picture cut out with a stencil is opaque."""
        match form:
            case VectorForm():
                return any(map(_is_transparent, walk_form(self._open(form))))
            case PixelForm(picture):
                return not form.hard_mask and picture.getchannel("A").getextrema() != (255, 255)

    def flatten(self, form: Form, ground: str, longer_side_mm: float) -> Form:
        """Return a form without transparency, for one ground (`#rrggbb`) and the largest size it is printed at."""
        if not self.has_transparency(form):
            return form
        key = (form, ground, longer_side_mm)
        if key not in self._flattened:
            self._flattened[key] = _flatten(form, ground, longer_side_mm)
        return self._flattened[key]

    def flatten_batch(self, batch: Batch, look: CardLook, sizes_mm: Mapping[int, float]) -> Batch:
        """Return the batch with each form laid on the colour it is printed on, fronts and backs apart.

        A press that knows transparency would mix inks where the screen mixes light, so translucent drawings are
        flattened for it too; the soft edges of pictures stay unless everything has to be opaque.
        """
        forms = [self._lay_on(form, look.background, sizes_mm[i]) for i, form in enumerate(batch.forms)]
        moved: dict[Back, Back] = {}
        for back in sorted({card.back for card in batch.cards.values() if card.back}, key=lambda back: back.color):
            used = sorted({stamp.piece for stamp in back.stamps})
            place = {piece: len(forms) + i for i, piece in enumerate(used)}
            forms += [self._lay_on(batch.forms[piece], back.color, sizes_mm[piece]) for piece in used]
            moved[back] = replace(back, stamps=tuple(Stamp(place[stamp.piece], stamp.matrix) for stamp in back.stamps))
        cards = {key: replace(card, back=card.back and moved[card.back]) for key, card in batch.cards.items()}
        return replace(batch, cards=cards, forms=tuple(forms))

    def _lay_on(self, form: Form, ground: str, longer_side_mm: float) -> Form:
        if self.prepress.is_opaque or isinstance(form, VectorForm):
            return self.flatten(form, ground, longer_side_mm)
        return form


def _is_transparent(thing: Object) -> bool:
    """Tell whether anything is drawn through it; a group around opaque art is not transparent."""
    if thing.get(Name.SMask, NO_MASK) != NO_MASK:
        return True
    if thing.get(Name.Type, Name.ExtGState) != Name.ExtGState:  # cairo's states have no type
        return False
    blends = thing.get(Name.BM, Name.Normal) not in (Name.Normal, Name.Compatible)
    return blends or any(float(thing.get(key, 1)) != 1 for key in ("/ca", "/CA"))


def _flatten(form: Form, ground: str, longer_side_mm: float) -> PixelForm:
    match form:
        case VectorForm(data):
            return PixelForm(_render_on(data, ground, longer_side_mm), photo=False, hard_mask=True)
        case PixelForm(picture):
            laid = Image.alpha_composite(Image.new("RGBA", picture.size, ground), picture)
            return replace(form, picture=_cut_out(laid, picture.getchannel("A")), hard_mask=True)


def _render_on(pdf: bytes, ground: str, longer_side_mm: float) -> Image.Image:
    """Render a drawing, 600 pixels to the inch: its colours on the ground, and what it covers."""
    red, green, blue = ImageColor.getrgb(ground)[:3]
    with Rasterizer(pdf) as rasterizer:
        scale = pixels_for(longer_side_mm, MOST_DPI) / max(rasterizer.measure(0))
        on_paper = rasterizer.draw(0, scale, (red, green, blue, 255)).to_pil().convert("RGB")
        alone = rasterizer.draw(0, scale, CLEAR).to_pil()
    return _cut_out(on_paper, alone.getchannel("A"))


def _cut_out(picture: Image.Image, opacity: Image.Image) -> Image.Image:
    """Return a picture whose pixels are opaque or absent."""
    cut = picture.convert("RGBA")
    cut.putalpha(opacity.point([0 if value < SEEN_FROM else 255 for value in range(256)]))
    return cut


def _embed_pixels(pdf: Pdf, form: PixelForm, inks: Inks | None) -> Object:
    """Wrap a picture with its transparency in a form like any drawing."""
    picture = form.picture
    side = max(picture.size)
    width, height = picture.width / side, picture.height / side
    data, entries = encode_inks(picture, form.photo, inks) if inks else _encode_screen(form)
    image = _image(pdf, data, picture.size, **entries)
    opacity = picture.getchannel("A")
    if form.hard_mask:  # a mask of single bits, in which a one hides
        hidden = ImageChops.invert(opacity).convert("1", dither=Image.Dither.NONE)
        image.Mask = _image(pdf, _pack(hidden), picture.size, ImageMask=True, BitsPerComponent=1)
    elif opacity.getextrema() != (255, 255):
        image.SMask = _image(pdf, _pack(opacity), picture.size, ColorSpace=Name.DeviceGray)
    drawn = Stream(pdf, f"q {width:.6f} 0 0 {height:.6f} 0 0 cm /P Do Q".encode())
    drawn.Type, drawn.Subtype, drawn.BBox = Name.XObject, Name.Form, Array([0, 0, width, height])
    drawn.Resources = Dictionary(XObject=Dictionary(P=image))
    return pdf.make_indirect(drawn)


def _join_parts(pdf: Pdf, photo: Object, letters: Object, frame: PhotoFrame) -> Object:
    """Return a form of a photo and the name below it."""
    place = f"q {frame.size:.6f} 0 0 {frame.size:.6f} {frame.x:.6f} {frame.y:.6f} cm /P Do Q q /L Do Q"
    joined = Stream(pdf, place.encode())
    joined.Type, joined.Subtype = Name.XObject, Name.Form
    joined.BBox = Array([0, 0, round(frame.width, 6), round(frame.height, 6)])
    joined.Resources = Dictionary(XObject=Dictionary(P=photo, L=letters))
    return pdf.make_indirect(joined)


def _encode_screen(form: PixelForm) -> tuple[bytes, dict[str, Any]]:
    picture = form.picture.convert("RGB")
    data, packing = (encode_jpeg(picture), Name.DCTDecode) if form.photo else (_pack(picture), Name.FlateDecode)
    return data, {"ColorSpace": Name.DeviceRGB, "Filter": packing}


def _pack(picture: Image.Image) -> bytes:
    return zlib.compress(picture.tobytes(), 9)


def _image(pdf: Pdf, data: bytes, size: tuple[int, int], **entries: Any) -> Object:
    common = {"Type": Name.XObject, "Subtype": Name.Image, "BitsPerComponent": 8, "Filter": Name.FlateDecode}
    return pdf.make_indirect(Stream(pdf, data, Width=size[0], Height=size[1], **common | entries))
