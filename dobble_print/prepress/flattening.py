"""Draw translucent parts on the colour they are printed on, so that nothing transparent is left."""

from __future__ import annotations

from collections.abc import Iterator

from pikepdf import Dictionary, Name, Object, Pdf
from PIL import Image, ImageColor

from dobble_print.art.artwork import MOST_DPI, pixels_for
from dobble_print.pdf.document import walk_dictionaries, walk_form
from dobble_print.pdf.render import CLEAR, Rasterizer

OPACITIES = ("/ca", "/CA")


def find_transparency(pdf: Pdf, groups: bool) -> list[str]:
    """List what is transparent, in words, each kind once; with `groups`, also groups around opaque art."""
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


def find_transparency_in(form: Object, groups: bool) -> list[str]:
    """List what is transparent in a form and all that it draws with, in words, each kind once."""
    found = [what for thing in walk_form(form) for what in _transparency_in(thing, groups)]
    return list(dict.fromkeys(found))


def drop_groups(form: Object) -> None:
    """Drop groups around opaque art: they change nothing, but a press without transparency must not meet them."""
    for thing in walk_form(form):
        if Name.Group in thing:
            del thing["/Group"]


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
