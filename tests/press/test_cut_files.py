from __future__ import annotations

import io
import math
import re
import subprocess
import sys
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import ezdxf
import ezdxf.recover
import numpy as np
import pypdfium2
import pytest
import shapely
from PIL import Image

from dobble_print.press.cut_files import write_dxf, write_svg
from dobble_print.sheets.cutting import Cut, trace_cuts
from dobble_print.units import Paper, Point, hex_card, round_card, square_card
from tests.conftest import ROOT
from tests.cuts import box_cards, make_cut_page, measure_length, sample
from tests.plates import measure_circle, measure_corners, separate

PAPER = Paper("test", 110.0, 180.0)
BOXES = box_cards(PAPER, round_card(85), [(52.2, 47.1)])
SVG = "{http://www.w3.org/2000/svg}"
ROUND = trace_cuts(round_card(85), [(52.2, 47.1)], 0.0)
HEXAGON = trace_cuts(hex_card(70, 0.0), [(50.5, 135.25)], 12.0)
ROUNDED = trace_cuts(hex_card(40, 4.0), [(30.0, 30.0), (75.0, 75.0)], 20.0)
TOUCHING = trace_cuts(square_card(40, 0.0), [(30.0, 30.0), (70.0, 30.0), (30.0, 70.0)], 0.0)
TOUCHING_ROUNDED = trace_cuts(square_card(40, 6.0), [(30.0, 30.0), (70.0, 30.0), (30.0, 70.0)], 0.0)


def read_svg(data: bytes) -> list[ElementTree.Element]:
    """The elements of the one group of a cut file."""
    (group,) = ElementTree.fromstring(data)
    return list(group)


def read_dxf(data: bytes) -> list[Any]:
    """The entities of a drawing, after an audit that finds nothing to complain about."""
    drawing, auditor = ezdxf.recover.read(io.BytesIO(data))
    assert not auditor.has_errors and not auditor.has_fixes
    assert not drawing.audit().has_errors
    return list(drawing.modelspace())


def path_points(element: ElementTree.Element, paper: Paper) -> list[Point]:
    """The ends of the steps of an SVG path, in page millimetres."""
    found = re.findall(r"([MLA])([^MLAZ]*)", element.attrib["d"])
    ends = [[float(number) for number in numbers.split()][-2:] for _, numbers in found]
    return [(x, paper.height_mm - y) for x, y in ends]


def render_pdf(cuts: Sequence[Cut], dpi: float) -> np.ndarray[Any, Any]:
    """The cut page as pixels that are dark on a line."""
    document = pypdfium2.PdfDocument(make_cut_page(BOXES, cuts, layers=False))
    try:
        return np.asarray(document[0].render(scale=dpi / 72).to_pil().convert("L")) < 200
    finally:
        document.close()


def render_svg(data: bytes, size: tuple[int, int]) -> np.ndarray[Any, Any]:
    """The SVG drawn by another program, as pixels that are dark on a line."""
    import cairosvg

    png = cairosvg.svg2png(data, output_width=size[0], output_height=size[1], background_color="white")
    return np.asarray(Image.open(io.BytesIO(png)).convert("L")) < 200


def grow(mask: np.ndarray[Any, Any], by: int) -> np.ndarray[Any, Any]:
    """A mask a few pixels wider."""
    wide = mask.copy()
    for dy in range(-by, by + 1):
        for dx in range(-by, by + 1):
            wide |= np.roll(mask, (dy, dx), (0, 1))
    return wide


def test_plate_svg_and_dxf_agree_on_circles(tmp_path: Path) -> None:
    """Centre and diameter within 0.05 mm, measured on the plate and read from the files."""
    (circle,) = read_svg(write_svg(PAPER, ROUND, "CutContour"))
    assert circle.tag == f"{SVG}circle"
    from_svg = (float(circle.attrib["cx"]), PAPER.height_mm - float(circle.attrib["cy"]))
    (entity,) = read_dxf(write_dxf(PAPER, ROUND, "CutContour"))
    assert entity.dxftype() == "CIRCLE"
    pdf = tmp_path / "round.pdf"
    pdf.write_bytes(make_cut_page(BOXES, ROUND))
    disc = measure_circle(separate(pdf, 600, crop_mm=(0, 0, 110, 95))["CutContour"], (52.2, 47.1), 50)
    for centre in (from_svg, tuple(entity.dxf.center)[:2]):
        assert centre == pytest.approx((52.2, 47.1), abs=1e-4)
        assert math.dist(centre, disc.centre) < 0.05
    for radius in (float(circle.attrib["r"]), entity.dxf.radius):
        assert radius == pytest.approx(42.5, abs=1e-6)
        assert 2 * radius == pytest.approx(disc.diameter_mm, abs=0.05)


def test_plate_svg_and_dxf_agree_on_corners(tmp_path: Path) -> None:
    """All six corners of a turned hexagon within 0.05 mm."""
    (path,) = read_svg(write_svg(PAPER, HEXAGON, "CutContour"))
    from_svg = path_points(path, PAPER)
    assert path.attrib["d"].endswith("Z")
    (entity,) = read_dxf(write_dxf(PAPER, HEXAGON, "CutContour"))
    assert entity.closed
    from_dxf = [(x, y) for x, y in entity.get_points("xy")]
    pdf = tmp_path / "hexagon.pdf"
    pdf.write_bytes(make_cut_page(BOXES, HEXAGON))
    plate = separate(pdf, 600, crop_mm=(5, 90, 100, 90))["CutContour"]
    on_plate = measure_corners(plate, [start for start, _ in HEXAGON[0].walk()])
    for svg, dxf, plated in zip(from_svg, from_dxf, on_plate, strict=True):
        assert math.dist(svg, dxf) < 0.001
        assert math.dist(svg, plated) < 0.05


@pytest.mark.parametrize("cuts", [ROUNDED, TOUCHING, TOUCHING_ROUNDED], ids=["rounded", "touching", "both"])
def test_svg_draws_what_the_pdf_draws(cuts: Sequence[Cut]) -> None:
    """Rendered by two programs, no line of one lies off the lines of the other; so arcs bend the same way."""
    dpi = 150
    pdf = render_pdf(cuts, dpi)
    svg = render_svg(write_svg(PAPER, cuts, "CutContour"), (pdf.shape[1], pdf.shape[0]))
    assert pdf.sum() > 1000 and svg.sum() > 1000
    assert not (svg & ~grow(pdf, 2)).any()
    assert not (pdf & ~grow(svg, 2)).any()


@pytest.mark.parametrize("cuts", [ROUNDED, TOUCHING, TOUCHING_ROUNDED], ids=["rounded", "touching", "both"])
def test_dxf_runs_where_the_cuts_run(cuts: Sequence[Cut]) -> None:
    """One polyline a cut, in order, open or closed as the cut is, with the same length and every bend on its arc."""
    from ezdxf.path import make_path

    entities = read_dxf(write_dxf(PAPER, cuts, "CutContour"))
    assert [entity.closed for entity in entities] == [cut.closed for cut in cuts]
    for entity, cut in zip(entities, cuts, strict=True):
        flat = [(point.x, point.y) for point in make_path(entity).flattening(0.0005)]
        assert sum(math.dist(a, b) for a, b in pairwise(flat)) == pytest.approx(measure_length(cut), rel=1e-4)
        path = shapely.LineString(flat)
        assert max(path.distance(shapely.Point(point)) for point in sample(cut)) < 0.01


def test_svg_is_in_millimetres_and_holds_nothing_but_cuts() -> None:
    """The drawing is as large as the paper, one unit is one millimetre, nothing is filled and the page is no cut."""
    root = ElementTree.fromstring(write_svg(PAPER, TOUCHING, "CutContour"))
    assert (root.attrib["width"], root.attrib["height"]) == ("110mm", "180mm")
    assert root.attrib["viewBox"] == "0 0 110 180"
    (group,) = root
    assert group.attrib["id"] == "CutContour"
    assert group.attrib["fill"] == "none"
    assert float(group.attrib["stroke-width"]) <= 0.1
    assert [element.tag for element in group] == [f"{SVG}path"] * len(TOUCHING)


def test_dxf_is_in_millimetres_on_a_layer_of_its_own() -> None:
    """The units are declared, and every entity lies on the layer with the name of the cut."""
    data = write_dxf(PAPER, [*ROUND, *TOUCHING], "Thru-cut")
    drawing = ezdxf.read(io.StringIO(data.decode("cp1252")))
    assert drawing.header["$INSUNITS"] == 4
    assert {entity.dxf.layer for entity in drawing.modelspace()} == {"Thru-cut"}
    assert "Thru-cut" in drawing.layers
    assert len(drawing.modelspace()) == 1 + len(TOUCHING)


@pytest.mark.parametrize("name", ["Cut line", 'Stanze "1" <neu>/ü', "刀版", "1", "a\nb"])
def test_odd_names_make_sound_files(name: str) -> None:
    """Whatever a shop calls its cuts, both files can be read."""
    root = ElementTree.fromstring(write_svg(PAPER, ROUND, name))
    assert re.fullmatch(r"[A-Za-z_][\w.-]*", root[0].attrib["id"], re.ASCII)
    label = root[0].attrib["{http://www.inkscape.org/namespaces/inkscape}label"]
    assert label == name.replace("\n", "_")
    assert len(read_dxf(write_dxf(PAPER, ROUND, name))) == 1


def test_files_are_the_same_in_every_process(tmp_path: Path) -> None:
    """No hour, no random id, no order of a hash: a second process writes the same bytes later."""
    script = (
        "import sys, hashlib; from tests.press.test_cut_files import *;"
        "print(hashlib.sha256(write_dxf(PAPER, [*ROUND, *TOUCHING], 'DieLine')"
        " + write_svg(PAPER, [*ROUND, *TOUCHING], 'DieLine')).hexdigest())"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", script], cwd=ROOT, env={"PYTHONHASHSEED": seed, "HOME": str(tmp_path)},
            check=True, capture_output=True, text=True,
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    assert len(digests) == 1
    assert not ezdxf.options.write_fixed_meta_data_for_testing


def test_the_library_for_dxf_is_loaded_only_for_a_dxf() -> None:
    """Writing an SVG does not import it."""
    probe = (
        "import sys; from dobble_print.press.cut_files import write_svg; from dobble_print.units import Paper;"
        "write_svg(Paper('x', 10, 10), [], 'DieLine'); print('ezdxf' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", probe], cwd=ROOT, check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "False"
