"""The forms of a job: every symbol is opened once, and made ready once for each ground and machine it is printed on.

Invariant: what a press prints is bound to inks here, before it enters a document; screens and office printers get the
colours that were drawn.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name, Object, Pdf, Stream
from PIL import Image, ImageChops

from dobble_print.art.artwork import Form, PixelForm, VectorForm, encode_jpeg
from dobble_print.prepress.flattening import cut_out, drop_groups, is_translucent, is_transparent, render_on
from dobble_print.prepress.inks import Inks
from dobble_print.prepress.prepare import OFFICE, Prepress
from dobble_print.prepress.separation import encode_inks, pack, separate_form
from dobble_print.sheets.plan import Back, Batch, CardLook, Stamp


class FormLibrary:
    """All forms that the files of a job share, and the machine that prints those files."""

    def __init__(self, prepress: Prepress = OFFICE) -> None:
        self.prepress = prepress
        self._screen, self._inked = Pdf.new(), Pdf.new()
        self._opened: dict[VectorForm, Object] = {}
        self._separated: dict[VectorForm, Object] = {}
        self._flattened: dict[tuple[Form, str, float], Form] = {}

    def embed(self, pdf: Pdf, form: Form, inks: Inks | None) -> Object:
        """Copy a form into a document, one unit large, in inks where they are given."""
        match form:
            case VectorForm():
                return pdf.copy_foreign(self._separate(form, inks) if inks else self._open(form))
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
                drop_groups(separated)
            separate_form(self._inked, separated, inks)
            self._separated[form] = separated
        return self._separated[form]

    def has_transparency(self, form: Form) -> bool:
        """Tell whether anything behind a form shines through it; a picture cut out with a stencil is opaque."""
        match form:
            case VectorForm():
                return is_transparent(self._open(form))
            case PixelForm(picture):
                return not form.hard_mask and is_translucent(picture)

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


def _flatten(form: Form, ground: str, longer_side_mm: float) -> PixelForm:
    match form:
        case VectorForm(data):
            return PixelForm(render_on(data, ground, longer_side_mm), photo=False, hard_mask=True)
        case PixelForm(picture):
            paper = Image.new("RGBA", picture.size, ground)
            laid = cut_out(Image.alpha_composite(paper, picture), picture.getchannel("A"))
            return replace(form, picture=laid, hard_mask=True)


def _embed_pixels(pdf: Pdf, form: PixelForm, inks: Inks | None) -> Object:
    """Wrap a picture with its transparency in a form like any drawing."""
    picture = form.picture
    side = max(picture.size)
    width, height = picture.width / side, picture.height / side
    data, entries = encode_inks(picture, form.photo, inks) if inks else _encode_screen(form)
    image = _image(pdf, data, picture.size, **entries)
    opacity = picture.getchannel("A")
    if form.hard_mask:
        image.Mask = _stencil(pdf, opacity)
    elif opacity.getextrema() != (255, 255):
        packed = pack(opacity.tobytes())
        image.SMask = _image(pdf, packed, picture.size, ColorSpace=Name.DeviceGray, Filter=Name.FlateDecode)
    return pdf.make_indirect(
        Stream(
            pdf,
            f"q {width:.6f} 0 0 {height:.6f} 0 0 cm /P Do Q".encode(),
            Type=Name.XObject,
            Subtype=Name.Form,
            BBox=Array([0, 0, width, height]),
            Resources=Dictionary(XObject=Dictionary(P=image)),
        )
    )


def _encode_screen(form: PixelForm) -> tuple[bytes, dict[str, Any]]:
    if form.photo:
        return encode_jpeg(form.picture), {"ColorSpace": Name.DeviceRGB, "Filter": Name.DCTDecode}
    data = pack(form.picture.convert("RGB").tobytes())
    return data, {"ColorSpace": Name.DeviceRGB, "Filter": Name.FlateDecode}


def _stencil(pdf: Pdf, opacity: Image.Image) -> Object:
    """Return a mask of single bits, in which a one hides."""
    hidden = ImageChops.invert(opacity).convert("1", dither=Image.Dither.NONE)
    mask = _image(pdf, pack(hidden.tobytes()), opacity.size, Filter=Name.FlateDecode)
    mask.ImageMask, mask.BitsPerComponent = True, 1
    return mask


def _image(pdf: Pdf, data: bytes, size: tuple[int, int], **entries: pikepdf.Object) -> Object:
    common = {"Type": Name.XObject, "Subtype": Name.Image, "BitsPerComponent": 8}
    return pdf.make_indirect(Stream(pdf, data, Width=size[0], Height=size[1], **common, **entries))
