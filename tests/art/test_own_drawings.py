"""The drawings of our own: one style, printable, each its own silhouette, all of them used and vectors in print."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image, ImageDraw

from dobble_print.art.artwork import Artwork, DrawingMaster, open_artwork
from dobble_print.art.similarity.lookalikes import find_lookalikes
from dobble_print.art.svg.render import render_svg
from dobble_print.errors import Place
from dobble_print.resources import find_template
from dobble_print.theme.model import Drawing, Symbol
from dobble_print.words.lexicon import words

FILES = sorted(find_template("art").glob("*.svg"))
FEWEST = 150
MOST_SHAPES, MOST_PIECES = 16, 3
SIDE, LEAST_STROKE = 36, 1.0
SHAPES = {"path", "circle", "ellipse", "rect", "polygon", "line", "polyline"}
PALETTE = frozenset(
    re.findall(
        r"#\w+",
        """#FFAC33 #FFCC4D #FFDC5D #F4900C #DD2E44 #BE1931 #A0041E #EA596E #C1694F #D99E82 #662113 #8A4B38 #3B88C3
        #55ACEE #226699 #88C9F9 #BBDDF5 #77B255 #5C913B #3E721D #A6D388 #9266CC #744EAA #F4ABBA #292F33 #31373D #66757F
        #99AAB5 #CCD6DD #E1E8ED #F5F8FA #FFFFFF #FFE8B6 #FFD983 #F7DECE #F3D2A2 #EEC2AD #664500""",
    )
)
GRID = 4  # pixels to a unit, when a drawing is measured


@cache
def read_shapes(path: Path) -> list[ElementTree.Element]:
    """Every element below the root."""
    return [each for each in ElementTree.fromstring(path.read_bytes()).iter() if not each.tag.endswith("}svg")]


@cache
def draw_mask(path: Path) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
    """Where a drawing shows something, a few pixels to the unit."""
    picture = render_svg(path.read_bytes(), SIDE * GRID).convert("RGBA")
    page = Image.new("RGBA", (SIDE * GRID, SIDE * GRID))
    page.paste(picture, ((page.width - picture.width) // 2, (page.height - picture.height) // 2))
    mask: np.ndarray[tuple[int, int], np.dtype[np.bool_]] = np.asarray(page)[:, :, 3] > 100
    return mask


def fails(check: object) -> list[str]:
    """The names of the drawings for which a check does not hold."""
    assert callable(check)
    return [path.stem for path in FILES if not check(path)]


def test_there_are_many() -> None:
    """Enough for what a school needs and emoji lack."""
    assert len(FILES) >= FEWEST


def test_all_lie_on_one_grid() -> None:
    """36 by 36, and nothing but the drawing in the file."""
    head = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36">'
    assert fails(lambda path: path.read_text(encoding="utf-8").strip().startswith(head)) == []


def test_they_are_filled_shapes_and_few() -> None:
    """No gradient, text, mask, filter, style or link; groups may turn a part."""
    allowed = {f"{{http://www.w3.org/2000/svg}}{name}" for name in (*SHAPES, "g")}
    assert fails(lambda path: all(each.tag in allowed for each in read_shapes(path))) == []
    shapes = {path: [each for each in read_shapes(path) if not each.tag.endswith("}g")] for path in FILES}
    assert fails(lambda path: 1 <= len(shapes[path]) <= MOST_SHAPES) == []
    attributes = {name for path in FILES for each in read_shapes(path) for name in each.attrib}
    assert not attributes & {"style", "class", "id", "opacity", "fill-opacity", "filter", "mask", "clip-path", "href"}


def test_their_colours_are_of_one_palette() -> None:
    """So that they sit beside the emoji as if one hand had made them."""

    def is_flat(path: Path) -> bool:
        found = re.findall(r'(?:fill|stroke)="([^"]+)"', path.read_text(encoding="utf-8"))
        colors = {color.upper() for color in found if color != "none"}
        return {f"#{''.join(2 * c for c in color[1:])}" if len(color) == 4 else color for color in colors} <= PALETTE

    assert fails(is_flat) == []


def test_no_line_is_thinner_than_a_printer_prints() -> None:
    """A unit is a third of a millimetre on the smallest symbol."""

    def is_printable(path: Path) -> bool:
        strokes = [each for each in read_shapes(path) if each.get("stroke") not in (None, "none")]
        return all(float(each.get("stroke-width", "1")) >= LEAST_STROKE for each in strokes)

    assert fails(is_printable) == []


def test_they_fill_their_square() -> None:
    """The longer side nearly touches it, and the middle is in the middle."""

    def is_well_placed(path: Path) -> bool:
        ys, xs = np.nonzero(draw_mask(path))
        width, height = (np.ptp(xs) + 1) / GRID, (np.ptp(ys) + 1) / GRID
        middle = (xs.min() + xs.max() + 1) / 2 / GRID, (ys.min() + ys.max() + 1) / 2 / GRID
        return bool(max(width, height) >= 31) and all(abs(place - SIDE / 2) <= 2.6 for place in middle)

    assert fails(is_well_placed) == []


def test_each_is_nearly_one_piece() -> None:
    """A symbol that falls apart is no thing to find; steam over a soup may float."""

    def count_pieces(path: Path) -> int:
        left, count = Image.fromarray(draw_mask(path)[::2, ::2]).convert("L"), 0
        while (box := left.getbbox()) and count <= MOST_PIECES:
            row = np.asarray(left)[box[1]]
            ImageDraw.floodfill(left, (int(np.argmax(row > 0)), box[1]), 0)
            count += 1
        return count

    assert fails(lambda path: count_pieces(path) <= MOST_PIECES) == []


def test_every_drawing_shows_a_word_and_every_word_finds_its_drawing() -> None:
    """None lies there unused, none is missing."""
    assert {path.stem for path in FILES} == {word.drawing for word in words().values() if word.drawing}


@pytest.fixture(scope="module")
def artworks() -> list[Artwork]:
    """The drawings as a build opens them."""
    return [open_artwork(Drawing(path.stem)) for path in FILES]


def test_all_print_as_vectors(artworks: list[Artwork]) -> None:
    """None needs pixels, none is warned about."""
    assert [a.notes + a.warnings for a in artworks if a.notes or a.warnings] == []
    assert all(isinstance(a.master, DrawingMaster) and a.master.pdf for a in artworks)


# Things that are nearly the same thing: nobody plays with both, and check warns who does.
TWINS: set[frozenset[str]] = set()


def test_no_two_are_taken_for_each_other(artworks: list[Artwork]) -> None:
    """By the measure that warns teachers."""
    place = Place("drawings", 1, 1)
    symbols = [Symbol(path.stem, {}, Drawing(path.stem), "full", 1.0, place) for path in FILES]
    pairs = find_lookalikes(symbols, artworks)
    found = {
        frozenset((symbols[pair.first].id, symbols[pair.second].id)) for pair in pairs if "everybody" in pair.seen_by
    }
    assert found <= TWINS
