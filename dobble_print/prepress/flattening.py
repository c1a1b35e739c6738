"""Draw translucent parts on the colour they are printed on, so that nothing transparent is left."""

from __future__ import annotations

from pikepdf import Name, Object
from PIL import Image, ImageColor

from dobble_print.art.artwork import MOST_DPI, pixels_for
from dobble_print.pdf.document import delete_keys, walk_form
from dobble_print.pdf.render import CLEAR, Rasterizer

OPACITIES = ("/ca", "/CA")
NO_MASK = Name("/None")


def is_transparent(form: Object) -> bool:
    """Tell whether anything that a form draws with is transparent; a group around opaque art is not."""
    return any(map(_is_transparent, walk_form(form)))


def _is_transparent(thing: Object) -> bool:
    if thing.get(Name.SMask, NO_MASK) != NO_MASK:
        return True
    if thing.get(Name.Type, Name.ExtGState) != Name.ExtGState:  # cairo's states have no type
        return False
    blends = thing.get(Name.BM, Name.Normal) not in (Name.Normal, Name.Compatible)
    return blends or any(float(thing.get(key, 1)) != 1 for key in OPACITIES)


SEEN_FROM = 3  # opacity of 255 from which a pixel is kept; less cannot be told from the background


def drop_groups(form: Object) -> None:
    """Drop groups around opaque art: they change nothing, but a press without transparency must not meet them."""
    for thing in walk_form(form):
        delete_keys(thing, "/Group")


def is_translucent(picture: Image.Image) -> bool:
    """Tell whether any pixel lets the ground shine through."""
    return "A" in picture.getbands() and picture.getchannel("A").getextrema() != (255, 255)


def render_on(pdf: bytes, background: str, longer_side_mm: float) -> Image.Image:
    """Render a drawing, 600 pixels to the inch: its colours on the background, and what it covers."""
    red, green, blue = ImageColor.getrgb(background)[:3]
    with Rasterizer(pdf) as rasterizer:
        scale = pixels_for(longer_side_mm, MOST_DPI) / max(rasterizer.measure(0))
        on_paper = rasterizer.draw(0, scale, (red, green, blue, 255)).to_pil().convert("RGB")
        alone = rasterizer.draw(0, scale, CLEAR).to_pil()
    return cut_out(on_paper, alone.getchannel("A"))


def cut_out(picture: Image.Image, opacity: Image.Image) -> Image.Image:
    """Return a picture whose pixels are opaque or absent."""
    cut = picture.convert("RGBA")
    cut.putalpha(opacity.point([0 if value < SEEN_FROM else 255 for value in range(256)]))
    return cut
