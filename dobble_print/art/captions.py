"""Put names under pictures: a drawing or a photo and a line or two of letters become one picture.

Invariant: the letters have the same proportion to the height of every picture, so that all names of a deck read alike;
they never touch the picture.
"""

from __future__ import annotations

from dataclasses import dataclass
from xml.etree import ElementTree

from PIL import Image

from dobble_print.art.guarded import open_guarded
from dobble_print.art.svg.render import open_drawing, render_svg
from dobble_print.art.text.plates import draw_text, measure_box
from dobble_print.theme.model import Text

HEIGHT = 100.0  # of the picture, in the units of the whole
EM = 23.0  # size of the letters
GAP = 5.0  # between picture and letters
SVG = "http://www.w3.org/2000/svg"


@dataclass(frozen=True)
class Arrangement:
    """A picture above its name: the size of the whole, and where each of them stands in it, from the upper left."""

    width: float
    height: float
    picture_x: float
    picture_width: float
    caption_x: float
    caption_width: float
    caption_height: float
    x_height: float


def arrange_caption(aspect: float, caption: Text) -> Arrangement:
    """Place a picture that is `aspect` times as wide as high above its name."""
    width, height, x_height = (EM * length for length in measure_box(caption))
    picture = aspect * HEIGHT
    whole = max(width, picture)
    return Arrangement(
        whole, HEIGHT + GAP + height, (whole - picture) / 2, picture, (whole - width) / 2, width, height, x_height
    )


def caption_drawing(data: bytes, caption: Text, is_guarded: bool = False) -> bytes:
    """Return the SVG of a drawing with its name below; an untrusted drawing is opened in the sandbox."""
    drawing = (open_guarded if is_guarded else open_drawing)(data)
    plan = arrange_caption(drawing.width / drawing.height, caption)
    picture = _nest_drawing(drawing.svg.data, plan.picture_x, 0.0, plan.picture_width, HEIGHT)
    letters = _nest_drawing(draw_text(caption), plan.caption_x, HEIGHT + GAP, plan.caption_width, plan.caption_height)
    return f'<svg xmlns="{SVG}" viewBox="0 0 {plan.width:.6g} {plan.height:.6g}">{picture}{letters}</svg>'.encode()


def _nest_drawing(svg: bytes, x: float, y: float, width: float, height: float) -> str:
    """Return a drawing as a nested part of another one."""
    import defusedxml.ElementTree

    root: ElementTree.Element = defusedxml.ElementTree.fromstring(svg)
    if "viewBox" not in root.attrib:
        size = [root.get(side, "100").removesuffix("px") for side in ("width", "height")]
        root.set("viewBox", f"0 0 {size[0]} {size[1]}")
    for name, value in (("x", x), ("y", y), ("width", width), ("height", height)):
        root.set(name, f"{value:.6g}")
    return ElementTree.tostring(root, encoding="unicode")


def caption_photo(picture: Image.Image, caption: Text) -> Image.Image:
    """Return a photo with its name below, in the photo's own pixels."""
    plan = arrange_caption(picture.width / picture.height, caption)
    scale = picture.height / HEIGHT
    whole = Image.new("RGBA", (round(plan.width * scale), round(plan.height * scale)), (255, 255, 255, 0))
    whole.paste(picture, (round(plan.picture_x * scale), 0))
    longer = max(plan.caption_width, plan.caption_height)
    letters = render_svg(draw_text(caption), max(1, round(longer * scale)))
    whole.paste(letters, (round(plan.caption_x * scale), whole.height - letters.height), letters)
    return whole


def measure_caption(caption: Text, width: float, height: float) -> float:
    """Return the x-height of a name as a share of the longer side of its captioned picture."""
    plan = arrange_caption(0.0, caption)
    return plan.x_height / (plan.height * max(1.0, width / height))
