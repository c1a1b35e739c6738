"""Bad drawings: bombs of every kind end at once by counting, and what cannot be counted ends by the clock."""

from __future__ import annotations

import gzip
from pathlib import Path
from xml.etree.ElementTree import fromstring

import pytest

from dobble_print.art.guarded import open_guarded
from dobble_print.art.svg.sanitizer import admit_svg
from tests.hostile import drawings as d
from tests.hostile.drawings import SQUARE, svg
from tests.hostile.endless import write_hang
from tests.hostile.harness import Case, run_cases, run_heavy, with_picture

REPEATS = "repeats itself"


def case(name: str, data: bytes, words: str) -> Case:
    """A theme with that drawing as its seventh symbol."""
    return Case(name, with_picture("a.svg"), 4, words, files={"a.svg": data})


BOMBS = [
    case("use bomb", svg(d.USE_BOMB), REPEATS),
    case("xlink bomb", svg(d.XLINK_BOMB), REPEATS),
    case("symbol bomb", svg(d.SYMBOL_BOMB), REPEATS),
    case("pattern bomb", svg(d.PATTERN_BOMB), REPEATS),
    case("inherited bomb", svg(d.INHERITED_BOMB), REPEATS),
    case("asking bomb", svg(d.ASKING_BOMB), REPEATS),
    case("muddled bomb", svg(d.MUDDLED_BOMB), REPEATS),
    case("important bomb", svg(d.IMPORTANT_BOMB), REPEATS),
    case("mask bomb", svg(d.MASK_BOMB), REPEATS),
    case("clip bomb", svg(d.CLIP_BOMB), REPEATS),
    case("filter bomb", svg(d.FILTER_BOMB), REPEATS),
    case("marker bomb", svg(d.MARKER_BOMB), REPEATS),
    case("style bomb", svg(d.CSS_BOMB), REPEATS),
    case("attribute bomb", svg(d.ATTRIBUTE_BOMB), REPEATS),
    case("escaped bomb", svg(d.ESCAPED_BOMB), REPEATS),
    case("circle", svg('<g id="a"><use href="#a"/></g>'), "circle"),
    case("circle of patterns", svg(d.PATTERN_BOMB.replace('id="l9"', 'id="x"').replace("#l9", "#l0")), "circle"),
    case("a billion laughs", svg("<text>&l11;</text>", before=d.LAUGHS), "more than words"),
    case("an external entity", svg("<text>&secret;</text>", before=d.EXTERNAL), "more than words"),
    case("a parameter entity", svg(SQUARE, before=d.PARAMETER), "more than words"),
    case("an entity a thousand times", svg("&a;" * 30_000 + SQUARE, before=d.HUNDREDFOLD), "beyond all bounds"),
    case("deep nesting", svg("<g>" * 5000 + "</g>" * 5000), "nested deeper"),
    case("compressed", gzip.compress(svg(" " * 50_000_000)), "svgz"),
]

FILTERED = SQUARE.replace("/>", ' filter="url(#f)"/>')


def filtered(steps: str) -> bytes:
    """A drawing with a filter of those steps that reaches far beyond it."""
    far = 'x="-1e6" y="-1e6" width="2e6" height="2e6" filterUnits="userSpaceOnUse"'
    return svg(f'<filter id="f" {far}>{steps}</filter>{FILTERED}')


ODD = [
    case("circle of two", svg('<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>'), "circle"),
    case("circle through a parent", svg('<g id="x"><g><use xlink:href="#x"/></g></g>'), "circle"),
    case(
        "a gradient of itself", svg('<linearGradient id="g" href="#g"/>' + SQUARE.replace("red", "url(#g)")), "circle"
    ),
    case(
        "a filter of itself",
        svg('<filter id="f"><feImage href="#r"/></filter>' + FILTERED.replace("<rect", '<rect id="r"')),
        "circle",
    ),
    case(
        "a clip of itself",
        svg(
            '<clipPath id="c" clip-path="url(#c)"><path d="M0 0h9v9z"/></clipPath>'
            + SQUARE.replace("/>", ' clip-path="url(#c)"/>')
        ),
        "circle",
    ),
    case("an endless blur", filtered('<feGaussianBlur stdDeviation="100000"/>'), "empty"),
    case("a matrix of nothing", filtered('<feConvolveMatrix order="5000" kernelMatrix="1 1"/>'), "empty"),
    case("a page beyond all numbers", svg(SQUARE, 'viewBox="0 0 1e308 1e308"'), "cannot be drawn"),
    case("a page far away", svg(SQUARE, 'viewBox="-1e308 -1e308 1e300 1e300"'), "cannot be drawn"),
    case("a page of no size", svg(SQUARE, 'width="1e-300" height="1e-300" viewBox="0 0 100 100"'), "cannot be drawn"),
    case("a path to nowhere", svg('<path d="M nan nan L inf inf L 1e999 1e999"/>'), "empty"),
    case(
        "dashes without end",
        svg('<path d="M0 0L1e9 1e9" stroke="red" stroke-width="9" stroke-dasharray="0.0001"/>'),
        "empty",
    ),
    case(
        "tiles without end",
        svg(
            '<pattern id="p" width="1e-4" height="1e-4" patternUnits="userSpaceOnUse"><path d="M0 0h1v1z"/></pattern>'
            + SQUARE.replace("red", "url(#p)")
        ),
        "empty",
    ),
    case("letters beyond all numbers", svg('<text x="5" y="70" font-size="1e7">AB</text>'), "cannot be drawn"),
    case("brackets in a rule", svg(f"<style>rect{{fill:{'(' * 40_000}</style>{SQUARE}"), "nested too deeply"),
    case("brackets in a style", svg(SQUARE.replace("/>", f' style="fill:{"(" * 40_000}"/>')), "nested too deeply"),
    case("an encoding of its own", b'<?xml version="1.0" encoding="utf-7"?>+ADw-svg/+AD4-', "unknown encoding"),
]

BROKEN = [
    case("half a drawing", svg(SQUARE)[:80], "not valid SVG"),
    case("a web page", b"<html><body/></html>", "no SVG"),
    case("no drawing", b"\0" * 1000, "not valid SVG"),
    case("unknown encoding", b'<?xml version="1.0" encoding="klingon"?>' + svg(SQUARE), "not valid SVG"),
    case("nothing inside", svg(""), "empty"),
    case("no size at all", svg(SQUARE, 'width="0" height="0"'), "cannot be drawn"),
    case("not a number", svg('<rect width="nan" height="inf"/>', 'viewBox="0 0 nan inf"'), "empty"),
    case("a splinter", svg(SQUARE, 'width="1e9" height="1"'), "as long as wide"),
    case("a filtered splinter", svg(d.FILTER_BOMB.split("<g")[0] + "</defs>", 'width="1" height="9999"'), "as long"),
    case("endless text", svg(f"<text>{'a' * 90_000}</text>"), "too much text"),
    case("endless letters", svg(f"<text>{'<tspan>aa</tspan>' * 4000}</text>"), "too much text"),
    case("infinite zoom", svg('<g transform="scale(1e30)">' * 99 + SQUARE + "</g>" * 99), "empty"),
    case("a picture bomb inside", svg(d.LARGE_INSIDE), "far too large"),
    case("a broken picture inside", svg(d.embed(b"\x89PNG\r\n\x1a\nnothing")), "cannot be read"),
    case("a disguised drawing inside", svg(d.embed(d.NESTED)), "not a PNG"),
    case("only a script", svg("<script>alert(1)</script>"), "empty"),
    case("only a web page inside", svg("<foreignObject><p>a</p></foreignObject>"), "empty"),
    case("only elsewhere", svg('<image href="secret.png" width="90" height="90"/>'), "empty"),
]

HEAVY = {
    "noise": '<filter id="f"><feMorphology operator="dilate" radius="9999"/></filter>'
    + SQUARE.replace("/>", ' filter="url(#f)"/>'),
    "stripes": '<linearGradient id="g" x2="0.0000001" spreadMethod="repeat"><stop stop-color="red"/>'
    '<stop offset="1" stop-color="blue"/></linearGradient>' + SQUARE.replace("red", "url(#g)"),
}


@pytest.mark.parametrize("command", ["build", "check"])
def test_bombs_end_at_once(tmp_path: Path, command: str) -> None:
    """All of them together take less than what one of them may."""
    run_cases(BOMBS, tmp_path, command)


def test_broken_drawings_are_refused(tmp_path: Path) -> None:
    """Each is a fault of its symbol's line."""
    run_cases(BROKEN, tmp_path)


def test_odd_drawings_are_refused(tmp_path: Path) -> None:
    """Circles of every kind, numbers beyond all bounds, encodings and brackets that no drawing needs."""
    run_cases(ODD, tmp_path)


@pytest.mark.parametrize("name", HEAVY)
def test_what_cannot_be_counted_keeps_the_limits(tmp_path: Path, name: str) -> None:
    """It is drawn in time, or it is ended."""
    run_heavy(case(name, svg(HEAVY[name]), "too "), tmp_path)


@pytest.mark.parametrize(
    ("module", "name", "drawing"),
    [
        ("cairosvg.parser", "Tree", d.ENDLESS.replace(b"mix-blend-mode", b"fill")),
        ("resvg_py", "svg_to_bytes", d.ENDLESS),
    ],
    ids=["cairosvg", "resvg"],
)
def test_a_drawing_that_never_ends_is_ended(tmp_path: Path, module: str, name: str, drawing: bytes) -> None:
    """A renderer that hangs on a drawing: the worker is ended, the program goes on."""
    run_cases([case(name, drawing, "takes too long")], tmp_path, prelude=write_hang(module, name, "endless"))


HARMLESS = {
    "illustrator": b'<?xml version="1.0" encoding="utf-8"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" '
    b'"http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd" [<!ENTITY ns_svg "http://www.w3.org/2000/svg">'
    b'<!ENTITY ns_ai "http://ns.adobe.com/AdobeIllustrator/10.0/">]><svg xmlns="&ns_svg;" xmlns:i="&ns_ai;" '
    b'viewBox="0 0 100 100"><style type="text/css">.st0{fill:#E30613;} .st1{clip-path:url(#SVGID_2_);}</style>'
    b'<switch><foreignObject requiredExtensions="&ns_ai;" width="1" height="1"/><g i:extraneous="self">'
    b'<defs><rect id="SVGID_1_" width="100" height="100"/></defs><clipPath id="SVGID_2_">'
    b'<use xlink:href="#SVGID_1_" xmlns:xlink="http://www.w3.org/1999/xlink"/></clipPath>'
    b'<g class="st1"><rect class="st0" x="10" y="10" width="80" height="80"/></g></g></switch>'
    b"<i:pgf>AAAA</i:pgf></svg>",
    "inkscape": svg(
        '<metadata id="m"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/></metadata>'
        '<sodipodi:namedview xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd" id="b"/>'
        '<g style="display:inline;fill:#ff0000;-inkscape-font-specification:Sans"><title>layer</title>'
        '<path d="M10 10h80v80h-80z"/></g>'
    ),
    "without namespace": b'<svg viewBox="0 0 100 100"><rect x="10" y="10" width="80" height="80" fill="red"/></svg>',
    "many gradients": svg(
        '<linearGradient id="g"><stop stop-color="red"/>'
        + '<stop offset="1"/>' * 20
        + "</linearGradient>"
        + '<rect x="10" y="10" width="80" height="80" fill="url(#g)"/>' * 150
    ),
    "an old encoding": '<?xml version="1.0" encoding="windows-1252"?><!-- é -->'.encode("cp1252") + svg(SQUARE),
    "two bytes a letter": svg(SQUARE).decode().encode("utf-16"),
    "a page inside out, which browsers ignore": svg(SQUARE, 'width="100" height="100" viewBox="0 0 -100 -100"'),
    "a turn to nowhere, which browsers ignore": svg(
        SQUARE.replace("/>", ' transform="scale(1e308) scale(1e308) rotate(nan)"/>')
    ),
    "a link": svg(f'<a href="https://example.org/">{SQUARE}</a>'),
}


@pytest.mark.parametrize("name", HARMLESS)
def test_what_honest_programs_write_passes(name: str) -> None:
    """Nothing is dropped that anybody would miss, and the square is there."""
    opened = open_guarded(HARMLESS[name])
    assert not any("left out" in fault.what for fault in opened.warnings)
    assert opened.mask.alpha[128, 128] > 200 and opened.mask.alpha[5, 5] == 0


def test_rules_reach_what_they_reached_before() -> None:
    """A cleaned style sheet paints as the original: classes, ids and !important."""
    css = ".a{fill:#ff0000} #b{fill:lime !important} @font-face{src:url(x.ttf)} .c{fill:u\\72l(x#y)}"
    squares = '<rect class="a" width="9" height="9"/><rect class="a" id="b" style="fill:red" width="5" height="9"/>'
    admitted = admit_svg(svg(f"<style>{css}</style><g>{squares}</g>"))
    assert [rect.get("fill") for rect in fromstring(admitted.data).findall(".//{*}rect")] == ["#ff0000", "lime"]
    assert admitted.dropped == ("@font-face", "the reference to x#y")
