"""Flattening: art without transparency, for presses that know none (PDF/X-1a).

Invariant: a flattened form looks on the colour it was made for as it did before: soft edges are mixed with that colour,
and a hard stencil cuts away what shows nothing. Opaque drawings stay vectors.
"""

from __future__ import annotations

import io
from dataclasses import replace

from pikepdf import Name, Pdf
from PIL import Image, ImageColor

from dobble_print.art.artwork import MOST_DPI, Form, PixelForm, VectorForm, pixels_for
from dobble_print.pdf.document import walk_dictionaries
from dobble_print.press.color.transparency import find_transparency

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
    import pypdfium2

    document = pypdfium2.PdfDocument(pdf)
    try:
        page = document[0]
        scale = pixels_for(longer_side_mm, MOST_DPI) / max(page.get_size())
        red, green, blue = ImageColor.getrgb(background)[:3]
        on_paper = page.render(scale=scale, fill_color=(red, green, blue, 255)).to_pil().convert("RGB")
        alone = page.render(scale=scale, fill_color=(0, 0, 0, 0), maybe_alpha=True).to_pil()
    finally:
        document.close()
    return _cut_out(on_paper, alone.getchannel("A"))


def _lay_on(picture: Image.Image, background: str) -> Image.Image:
    paper = Image.new("RGBA", picture.size, background)
    return _cut_out(Image.alpha_composite(paper, picture), picture.getchannel("A"))


def _cut_out(picture: Image.Image, opacity: Image.Image) -> Image.Image:
    cut = picture.convert("RGBA")
    cut.putalpha(opacity.point([0 if value < SEEN_FROM else 255 for value in range(256)]))
    return cut
