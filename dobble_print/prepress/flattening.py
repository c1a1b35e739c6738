"""Draw translucent parts on the colour they are printed on, so that nothing transparent is left."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from dataclasses import replace

from pikepdf import Dictionary, Name, Object, Pdf
from PIL import Image, ImageColor

from dobble_print.art.artwork import MOST_DPI, Form, PixelForm, VectorForm, pixels_for
from dobble_print.pdf.document import walk_dictionaries
from dobble_print.pdf.render import CLEAR, Rasterizer
from dobble_print.sheets.plan import Back, Batch, CardLook, Stamp

OPACITIES = ("/ca", "/CA")


def find_transparency(pdf: Pdf, groups: bool) -> list[str]:
    """What is transparent, in words, each kind once; with `groups`, also groups around opaque art."""
    found = [what for thing in walk_dictionaries(pdf) for what in _transparency_in(thing, groups)]
    return list(dict.fromkeys(found))


def _transparency_in(thing: Object, groups: bool) -> Iterator[str]:
    mask = thing.get(Name.SMask)
    if mask is not None and mask != Name("/None"):
        yield "a soft mask"
    group = thing.get(Name.Group)
    if groups and isinstance(group, Dictionary) and group.get(Name.S) == Name.Transparency:
        yield "a transparency group"
    if thing.get(Name.Type, Name.ExtGState) == Name.ExtGState:  # cairo's states have no type
        if any(float(thing.get(key, 1)) != 1 for key in OPACITIES):
            yield "something translucent"
        if thing.get(Name.BM, Name.Normal) not in (Name.Normal, Name.Compatible):
            yield "a blend mode"


SEEN_FROM = 3  # opacity of 255 from which a pixel is kept; less cannot be told from the background


def has_transparency(form: Form) -> bool:
    """Whether anything behind a form shines through it; a picture cut out with a stencil is opaque."""
    match form:
        case VectorForm(data):
            with Pdf.open(io.BytesIO(data)) as pdf:
                return bool(find_transparency(pdf, groups=False))
        case PixelForm(picture):
            return not form.hard_mask and _is_translucent(picture)


def flatten_form(form: Form, background: str, longer_side_mm: float) -> Form:
    """The same form without transparency, for one background (`#rrggbb`) and the largest size it is printed at."""
    if not has_transparency(form):
        return _drop_groups(form) if isinstance(form, VectorForm) else form
    if isinstance(form, VectorForm):
        return PixelForm(_render(form.pdf, background, longer_side_mm), photo=False, hard_mask=True)
    return replace(form, picture=_lay_on(form.picture, background), hard_mask=True)


def _is_translucent(picture: Image.Image) -> bool:
    return "A" in picture.getbands() and picture.getchannel("A").getextrema() != (255, 255)


def _drop_groups(form: VectorForm) -> VectorForm:
    """Groups around opaque art change nothing, but a press without transparency must not meet them."""
    with Pdf.open(io.BytesIO(form.pdf)) as pdf:
        for thing in walk_dictionaries(pdf):
            if Name.Group in thing:
                del thing["/Group"]
        if "/Info" in pdf.trailer:
            del pdf.trailer["/Info"]  # the date of the drawing
        sink = io.BytesIO()
        pdf.save(sink, deterministic_id=True)
    return VectorForm(sink.getvalue())


def _render(pdf: bytes, background: str, longer_side_mm: float) -> Image.Image:
    """A drawing in pixels, 600 to the inch: its colours on the background, and what it covers."""
    red, green, blue = ImageColor.getrgb(background)[:3]
    with Rasterizer(pdf) as rasterizer:
        scale = pixels_for(longer_side_mm, MOST_DPI) / max(rasterizer.measure(0))
        on_paper = rasterizer.draw(0, scale, (red, green, blue, 255)).to_pil().convert("RGB")
        alone = rasterizer.draw(0, scale, CLEAR).to_pil()
    return _cut_out(on_paper, alone.getchannel("A"))


def _lay_on(picture: Image.Image, background: str) -> Image.Image:
    paper = Image.new("RGBA", picture.size, background)
    return _cut_out(Image.alpha_composite(paper, picture), picture.getchannel("A"))


def _cut_out(picture: Image.Image, opacity: Image.Image) -> Image.Image:
    cut = picture.convert("RGBA")
    cut.putalpha(opacity.point([0 if value < SEEN_FROM else 255 for value in range(256)]))
    return cut


def flatten_batch(batch: Batch, look: CardLook, sizes_mm: Mapping[int, float], everything: bool) -> Batch:
    """The batch without transparency: each form lies on the colour it is printed on, fronts and backs apart.

    A press that knows transparency would mix inks where the screen mixes light, so translucent drawings are flattened
    for it too; the soft edges of pictures stay unless `everything` has to be opaque.
    """
    fronts = [_flatten(form, look.background, sizes_mm[i], everything) for i, form in enumerate(batch.forms)]
    forms: list[Form] = list(fronts)
    moved: dict[Back, Back] = {}
    for back in sorted({leaf.back for leaf in batch.leaves.values() if leaf.back}, key=lambda back: back.color):
        used = sorted({stamp.piece for stamp in back.stamps})
        place = {piece: len(forms) + i for i, piece in enumerate(used)}
        forms += [_flatten(batch.forms[piece], back.color, sizes_mm[piece], everything) for piece in used]
        stamps = tuple(Stamp(place[stamp.piece], stamp.matrix) for stamp in back.stamps)
        moved[back] = replace(back, stamps=stamps)
    leaves = {key: replace(leaf, back=moved[leaf.back]) if leaf.back else leaf for key, leaf in batch.leaves.items()}
    return replace(batch, leaves=leaves, forms=tuple(forms))


def _flatten(form: Form, background: str, longer_side_mm: float, everything: bool) -> Form:

    if everything or (isinstance(form, VectorForm) and has_transparency(form)):
        return flatten_form(form, background, longer_side_mm)
    return form
