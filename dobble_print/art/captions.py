"""Put names under pictures: a drawing or a photo and a line or two of letters become one picture.

Invariant: the letters have the same proportion to the height of every picture, so that all names of a deck read alike;
they never touch the picture.
"""

from __future__ import annotations

from dataclasses import dataclass
from xml.etree import ElementTree

from PIL import Image

from dobble_print.art.svg.plain import read_length
from dobble_print.art.svg.render import OpenedDrawing, render_svg
from dobble_print.art.text.plates import SVG, draw_text, measure_box
from dobble_print.theme.model import Text

HEIGHT = 100.0  # of the picture, in the units of the whole
EM = 23.0  # size of the letters
GAP = 5.0  # between picture and letters


def _measure_name(caption: Text) -> tuple[float, float, float]:
    """Return width, height and x-height of a name, in the units of the whole."""
    width, height, x_height = measure_box(caption)
    return EM * width, EM * height, EM * x_height


def caption_drawing(drawing: OpenedDrawing, caption: Text) -> bytes:
    """Return the SVG of a drawing with its name below."""
    width, height, _ = _measure_name(caption)
    across = drawing.mask.width / drawing.mask.height * HEIGHT
    whole = max(width, across)
    picture = _nest_drawing(drawing.svg, (whole - across) / 2, 0.0, across, HEIGHT)
    letters = _nest_drawing(draw_text(caption), (whole - width) / 2, HEIGHT + GAP, width, height)
    box = f"0 0 {whole:.6g} {HEIGHT + GAP + height:.6g}"
    return f'<svg xmlns="{SVG}" viewBox="{box}">{picture}{letters}</svg>'.encode()


def _nest_drawing(svg: bytes, x: float, y: float, width: float, height: float) -> str:
    """Return a drawing as a nested part of another one."""
    import defusedxml.ElementTree

    root: ElementTree.Element = defusedxml.ElementTree.fromstring(svg)
    if "viewBox" not in root.attrib:
        size = [read_length(root.get(side, "")) or 100.0 for side in ("width", "height")]
        root.set("viewBox", f"0 0 {size[0]:g} {size[1]:g}")
    for name, value in (("x", x), ("y", y), ("width", width), ("height", height)):
        root.set(name, f"{value:.6g}")
    return ElementTree.tostring(root, encoding="unicode")


def caption_photo(picture: Image.Image, caption: Text) -> Image.Image:
    """Return a photo with its name below, in the photo's own pixels."""
    width, height, _ = _measure_name(caption)
    across = picture.width / picture.height * HEIGHT
    whole, scale = max(width, across), picture.height / HEIGHT
    size = round(whole * scale), round((HEIGHT + GAP + height) * scale)
    captioned = Image.new("RGBA", size, (255, 255, 255, 0))
    captioned.paste(picture, (round((whole - across) / 2 * scale), 0))
    letters = render_svg(draw_text(caption), max(1, round(max(width, height) * scale)))
    captioned.paste(letters, (round((whole - width) / 2 * scale), size[1] - letters.height), letters)
    return captioned


@dataclass(frozen=True)
class PhotoFrame:
    """Where a photo lies in its captioned picture: its lower left corner and longer side, as parts of the longer side.

    `width` and `height` are those of the whole.
    """

    x: float
    y: float
    size: float
    width: float
    height: float


def draw_name(picture: Image.Image, caption: Text) -> tuple[bytes, PhotoFrame]:
    """Return the name below a photo as vectors, on a page of the size of both (SVG), and where the photo lies on it."""
    width, height, _ = _measure_name(caption)
    across = picture.width / picture.height * HEIGHT
    whole, total = max(width, across), HEIGHT + GAP + height
    letters = _nest_drawing(draw_text(caption), (whole - width) / 2, HEIGHT + GAP, width, height)
    side = max(whole, total)
    frame = PhotoFrame(
        (whole - across) / 2 / side, (GAP + height) / side, max(across, HEIGHT) / side, whole / side, total / side
    )
    return f'<svg xmlns="{SVG}" viewBox="0 0 {whole:.6g} {total:.6g}">{letters}</svg>'.encode(), frame


def measure_caption(caption: Text, width: float, height: float) -> float:
    """Return the x-height of a name as a share of the longer side of its captioned picture."""
    _, name_height, x_height = _measure_name(caption)
    return x_height / ((HEIGHT + GAP + name_height) * max(1.0, width / height))
