"""What is printed is what the drawing shows: hundreds of drawings of our own, against plain geometry."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from PIL import Image

from dobble_print.art.artwork import make_artwork
from dobble_print.art.gallery import examine_gallery
from dobble_print.art.guarded import open_guarded
from dobble_print.art.svg.compare import measure_difference
from dobble_print.art.svg.render import OpenedDrawing, open_drawing, render_svg
from dobble_print.errors import ArtworkError, Place
from dobble_print.pdf.render import CLEAR, Rasterizer
from dobble_print.theme.model import ImageFile, Source, Symbol, Text
from tests.art.corpus import DIALECTS, FEATURES, IN_PIXELS, NAMES, write_drawing

SIDE = 256
FINER = 2  # PDF readers draw no line thinner than a pixel
WRONG = 0.02
BALL = '<circle cx="50" cy="50" r="30" fill="red"/>'
PAGE = '<rect width="100" height="100" fill="white"/>'


def svg(body: str) -> bytes:
    """A drawing of 100 by 100 units."""
    return f'<svg {NAMES} viewBox="0 0 100 100">{body}</svg>'.encode()


def print_small(opened: OpenedDrawing) -> Image.Image:
    """What is embedded in the sheets, in pixels."""
    if opened.pdf is None:
        return render_svg(opened.svg, SIDE)
    with Rasterizer(opened.pdf) as rasterizer:
        scale = FINER * SIDE / max(rasterizer.measure(0))
        fine: Image.Image = rasterizer.draw(0, scale, CLEAR, has_alpha=True).to_pil().convert("RGBA")
    return fine.convert("RGBa").reduce(FINER).convert("RGBA")


def on_white(picture: Image.Image) -> Image.Image:
    """A picture on paper, as some plain drawings need white to look as the others do."""
    return Image.alpha_composite(Image.new("RGBA", picture.size, "white"), picture)


@cache
def draw_plain(plain: bytes) -> Image.Image:
    """A plain drawing on paper, which all dialects are compared with."""
    return on_white(render_svg(plain, SIDE))


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_feature_is_printed_as_it_looks(dialect: str) -> None:
    """One feature a drawing, as one program writes it: none is refused, none is wrong, and what can be is vectors."""
    problems = []
    for feature in FEATURES:
        data, plain = write_drawing(feature, dialect)
        opened = open_drawing(data, is_compared=True)
        share = measure_difference(on_white(print_small(opened)), draw_plain(plain))
        if share > WRONG:
            problems.append(f"{feature}: {share:.1%} differs {opened.notes} {[str(each) for each in opened.warnings]}")
        if opened.pdf is None and feature not in IN_PIXELS:
            problems.append(f"{feature}: in pixels {opened.notes}")
    assert not problems, "\n".join(problems)


def test_the_corpus_is_large() -> None:
    """Three hundred drawings and more."""
    assert len(FEATURES) * len(DIALECTS) >= 300


TOLD = {
    "non-scaling-stroke": '<path d="M0 9H99" stroke="red" vector-effect="non-scaling-stroke"/>',
    "pathLength": '<path d="M0 9H99" stroke="red" pathLength="9" stroke-dasharray="3"/>',
    "clip-path with a shape of CSS": BALL.replace("/>", ' style="clip-path:circle(20px)"/>'),
    "the colour oklch": BALL.replace("red", "oklch(0.7 0.1 200)"),
    "runs downwards": '<text x="9" y="9" writing-mode="tb">ab</text>',
    "the filter feTile": BALL.replace("/>", ' filter="url(#f)"/>') + '<filter id="f"><feTile/></filter>',
    "textLength": '<text x="9" y="50" textLength="90">ab</text>',
}


@pytest.mark.parametrize("words", TOLD)
def test_what_nobody_draws_is_told(words: str) -> None:
    """With the name of the feature, so that one can look for it."""
    warnings = [fault.what for fault in open_drawing(svg(BALL + TOLD[words])).warnings]
    assert any(words in what for what in warnings), warnings


@pytest.mark.parametrize(("ground", "is_told"), [("#123", True), ("white", False), ("transparent", False)])
def test_a_background_that_only_a_browser_shows_is_told(ground: str, is_told: bool) -> None:
    """It is no part of the drawing; where it is white there is nothing to miss."""
    drawing = svg(BALL).replace(b"<svg ", f'<svg style="background-color:{ground}" '.encode())
    warnings = open_drawing(drawing).warnings
    assert any("a background of the whole page" in fault.what for fault in warnings) == is_told


def test_a_colour_of_tomorrow_with_one_of_today_is_fine() -> None:
    """Figma writes both; the plain one is printed."""
    opened = open_drawing(svg(BALL.replace("/>", ' style="fill:red;fill:color(display-p3 1 0 0)"/>')))
    assert opened.warnings == () and opened.pdf
    assert print_small(opened).getpixel((128, 128)) == (255, 0, 0, 255)


def test_renderers_that_differ_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever nobody thought of: it is printed by the other renderer, and the user is asked to look."""
    sound = open_drawing(svg(BALL), is_compared=True)
    assert sound.pdf and not sound.warnings
    monkeypatch.setattr("dobble_print.art.svg.plain._round_corners", lambda shape: shape.set("r", "10"))
    opened = open_drawing(svg(BALL), is_compared=True)
    assert opened.pdf is None
    assert "two programs draw it differently" in opened.warnings[0].what


def test_lines_finer_than_a_dot_are_faint_as_they_look() -> None:
    """A traced drawing has hairlines that nobody has seen: PDF readers would draw each of them a bold dot wide."""
    hatch = "".join(f"M0 {y / 2}H100" for y in range(200))
    opened = open_drawing(svg(f'<g transform="scale(.5)"><path d="{hatch}" stroke="black" stroke-width=".02"/></g>'))
    shown = on_white(print_small(opened)).resize((1, 1), Image.Resampling.BOX).getpixel((0, 0))
    assert isinstance(shown, tuple) and shown[0] > 235


@pytest.mark.parametrize(("fill", "told"), [("none", True), ("#e63946", False)])
def test_lines_that_are_lost_are_told(fill: str, told: bool) -> None:
    """Around a fill nobody misses them."""
    shape = f'<circle cx="30" cy="30" r="20" fill="{fill}" stroke="black" stroke-width=".01"/>'
    opened = open_drawing(svg(f'<rect x="60" y="10" width="30" height="80"/>{shape}'))
    assert ["finer than a quarter" in each.what for each in opened.warnings] == [True] * told


def test_what_is_compared_is_what_is_printed() -> None:
    """A gradient that repeats very often is drawn well by cairo, and in its PDF by few readers."""
    stops = '<stop stop-color="#fff"/><stop offset=".8" stop-color="#fff"/><stop offset="1"/>'
    gradient = f'<linearGradient id="g" x2=".03" y2=".1" spreadMethod="reflect">{stops}</linearGradient>'
    opened = open_drawing(svg(f'{gradient}<path d="M10 30L90 5V80L10 95z" fill="url(#g)"/>'), is_compared=True)
    assert opened.pdf is None and "PDF readers draw coarsely" in opened.notes[0]
    assert not opened.warnings  # on a screen the two agree, so there is nothing to look at


LETTERS = {
    "a gradient": '<linearGradient id="g"><stop stop-color="red"/><stop offset="1" stop-color="blue"/></linearGradient>'
    '<text x="10" y="70" font-size="60" fill="url(#g)">AB</text>',
    "parts": '<text x="10" y="70" font-size="60"><tspan fill="red">A</tspan><tspan font-weight="bold">B</tspan></text>',
    "the middle": '<text x="50" y="70" font-size="60" text-anchor="middle">AB</text>',
    "a path": '<path id="p" d="M10 70H90" fill="none"/><text font-size="60"><textPath href="#p">AB</textPath></text>',
    "the shorthand": '<text x="10" y="70" style="font: bold 60px/1 Arial, sans-serif">AB</text>',
    "a link": '<a href="https://example.org/"><text x="10" y="70" font-size="60"><a href="#x">AB</a></text></a>',
}


@pytest.mark.parametrize("how", LETTERS)
def test_text_is_drawn_in_our_font(how: str) -> None:
    """As outlines, whole, where it belongs; the same on every computer."""
    opened = open_drawing(svg(LETTERS[how]))
    assert opened.pdf and b"/Font" not in opened.pdf
    left, top, right, bottom = print_small(opened).getchannel("A").getbbox() or (0, 0, 0, 0)
    assert (left, top) > (SIDE * 0.08, SIDE * 0.2) and right - left > SIDE * 0.5 and bottom < SIDE * 0.75
    assert "printed in our font FiraGO" in opened.warnings[0].what


def test_letters_that_no_font_has_are_named() -> None:
    """Never a silent gap."""
    opened = open_drawing(svg('<text x="10" y="70" font-size="60">A\U00012000</text>'))
    assert any("U+12000" in fault.what for fault in opened.warnings)


def test_a_white_page_is_told(tmp_path: Path) -> None:
    """Its whole rectangle would be the symbol; the message names both remedies."""
    (warning,) = open_guarded(svg(PAGE + BALL)).warnings
    assert "white page" in warning.what
    assert "background: remove" in warning.hint and "delete" in warning.hint
    assert open_guarded(svg(BALL)).warnings == ()


@pytest.mark.parametrize("page", [PAGE, f'<g transform="scale(2)">{PAGE}</g>', PAGE + PAGE.replace("white", "#eee")])
def test_a_page_is_removed_where_asked(page: str) -> None:
    """The ball is left, in vectors, without a warning."""
    opened = open_guarded(svg(page + BALL), removes_page=True)
    assert opened.pdf and opened.warnings == ()
    assert opened.mask.alpha[128, 128] == 255 and opened.mask.alpha[5, 5] == 0


def test_a_page_that_cannot_be_removed_is_a_fault() -> None:
    """It was silently left."""
    with pytest.raises(ArtworkError, match="no page of its own"):
        open_guarded(svg(f'<path d="M0 0H100V100H0z{"M20 20v60h60v-60z" * 2}" fill="white"/>'), removes_page=True)


@pytest.mark.parametrize(("paper", "is_told"), [("#f4f2ee", True), ("#40a0ff", False)])
def test_a_scan_on_white_paper_is_told(tmp_path: Path, paper: str, is_told: bool) -> None:
    """Nearly white counts as white; a coloured ground is meant."""
    picture = Image.new("RGB", (300, 200), paper)
    picture.paste("red", (100, 60, 200, 140))
    picture.save(tmp_path / "scan.jpg")
    warnings = make_artwork(ImageFile(tmp_path / "scan.jpg")).warnings
    assert bool(warnings) == is_told
    assert not make_artwork(ImageFile(tmp_path / "scan.jpg", remove_background=True)).warnings


def symbol(name: str, source: Source, line: int) -> Symbol:
    """A symbol as the theme reader makes them."""
    return Symbol(name, {}, source, "full", 1.0, Place("theme.yaml", line, 5))


def find_faults(*sources: Source) -> list[str]:
    """The faults of a theme of those symbols."""
    _, faults = examine_gallery([symbol(f"s{line}", source, line) for line, source in enumerate(sources, 1)])
    return [str(fault) for fault in faults]


@pytest.mark.parametrize(("latin", "other"), [("a", "а"), ("COCA", "СОСА"), ("o", "ο")])
def test_letters_of_another_alphabet_that_look_the_same_are_told(latin: str, other: str) -> None:
    """At the line of the second, with the name of the letter; their colours tell nobody which is which."""
    badge = ("#0000ff",) if len(latin) == 1 else ()
    (fault,) = find_faults(Text(latin, "#ff0000", badge and ("#00aa00",)), Text(other, "#1d3557", badge))
    assert fault.startswith("theme.yaml:2:5:") and 'shows the same picture as "s1" (line 1)' in fault
    assert "cyrillic" in fault or "greek" in fault


def test_a_drawing_that_was_saved_twice_is_told(tmp_path: Path) -> None:
    """By other programs, in other words and digits: it is the same picture; one in another colour is not."""
    (tmp_path / "a.svg").write_bytes(svg(BALL))
    (tmp_path / "b.svg").write_bytes(
        svg('<!-- b --><path d="M20 50a30 30 0 0 1 60 0a30 30 0 0 1 -60 0z" fill="#f00"/>')
    )
    (tmp_path / "c.svg").write_bytes(svg(BALL.replace("red", "blue")))
    names = [ImageFile(tmp_path / name) for name in ("a.svg", "b.svg", "c.svg")]
    (fault,) = find_faults(*names)
    assert fault.startswith("theme.yaml:2:5:")


def test_a_photo_that_was_saved_twice_is_told(tmp_path: Path) -> None:
    """With other compression; another photo of the same format is none of its business."""
    picture = Image.radial_gradient("L").convert("RGB")
    picture.save(tmp_path / "a.jpg", quality=95)
    picture.save(tmp_path / "b.jpg", quality=70)
    Image.linear_gradient("L").convert("RGB").save(tmp_path / "c.jpg")
    (fault,) = find_faults(*(ImageFile(tmp_path / name) for name in ("a.jpg", "b.jpg", "c.jpg")))
    assert fault.startswith("theme.yaml:2:5:")


@pytest.mark.parametrize("width", [0.02, 2.0])
def test_a_hairline_around_a_drawing_is_a_part_of_its_outline(tmp_path: Path, width: float) -> None:
    """It prints, however thin it is: nothing may lie on it, and it must not run into the cut."""
    path = tmp_path / "ring.svg"
    ring = f'<circle cx="50" cy="50" r="40" fill="none" stroke="#222" stroke-width="{width}"/>'
    path.write_bytes(svg(f'<rect x="40" y="40" width="20" height="20" fill="#e63946"/>{ring}'))
    silhouette = make_artwork(ImageFile(path)).silhouette
    assert silhouette.reach == pytest.approx(0.4 + width / 200, abs=0.004)
