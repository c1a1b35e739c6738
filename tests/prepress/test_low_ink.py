"""Outline art: little ink, clear lines."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image

from dobble_print.art.artwork import PixelForm, VectorForm
from dobble_print.art.emoji import find_emoji
from dobble_print.art.svg.render import draw_svg
from dobble_print.compose import compose_deck
from dobble_print.pdf.render import render_page
from dobble_print.prepress.low_ink import LINE, draw_with_little_ink, outline_form, save_ink
from dobble_print.theme.reader import read_theme
from tests.conftest import Run

SIDE_PX = 500
Grey = npt.NDArray[np.uint8]


def render(form: VectorForm) -> Image.Image:
    """A drawing on white paper."""
    return Image.open(io.BytesIO(render_page(form.pdf, SIDE_PX))).convert("RGB")


def outlined(svg: bytes) -> tuple[Image.Image, Image.Image]:
    """A drawing before and after."""
    form = VectorForm(draw_svg(svg).pdf)
    lines = outline_form(form)
    assert isinstance(lines, VectorForm)
    return render(form), render(lines)


def ink(picture: Image.Image) -> float:
    """How much ink the paper gets, in full layers of one ink; what is grey in a colour prints with black."""
    inks = 1 - np.asarray(picture, np.float64) / 255
    black = inks.min(-1)
    return float((inks.sum(-1) - 2 * black).mean())


@pytest.mark.parametrize("char", ["🐱", "🏠", "🍎", "🐘", "🐝", "🦁"])
def test_emoji_need_little_ink(char: str) -> None:
    """A drawing loses its colours and most of its ink, and keeps its lines."""
    path = find_emoji(char)
    assert path
    before, after = outlined(path.read_bytes())
    channels = np.asarray(after, int)
    assert (channels.max(-1) - channels.min(-1)).max() <= 2
    assert ink(after) < 0.11
    assert ink(after) < ink(before) / 4
    assert (np.asarray(after.convert("L")) < 100).mean() > 0.01


def svg(body: str) -> bytes:
    """A drawing of 100 × 100."""
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">{body}</svg>'.encode()


def grey(picture: Image.Image) -> Grey:
    """A picture as bytes of grey."""
    return np.asarray(picture.convert("L"))


def test_the_line_is_as_thin_as_promised() -> None:
    """A square becomes white with a line of the promised width, whatever scale it is drawn in."""
    plain, scaled = (
        grey(outlined(svg(body))[1])[SIDE_PX // 2]
        for body in (
            '<rect x="20" y="20" width="60" height="60" fill="#08f"/>',
            '<g transform="scale(20)"><rect x="1" y="1" width="3" height="3" fill="#08f"/></g>',
        )
    )
    for row in (plain, scaled):
        inked = (255 - row.astype(float)) / (255 - 64)
        assert inked.sum() == pytest.approx(2 * LINE * SIDE_PX, rel=0.2)
        assert row[SIDE_PX // 2] == 255


def test_what_was_hidden_stays_hidden() -> None:
    """A shape in front covers the lines of the one behind."""
    _, after = outlined(
        svg('<circle cx="40" cy="50" r="30" fill="red"/><rect x="40" y="20" width="50" height="60" fill="blue"/>')
    )
    assert grey(after)[250, 300:420].min() == 255  # where the circle's edge ran, at 70


def test_thin_shapes_and_eyes_stay_solid() -> None:
    """Whiskers would be two lines in one; an eye is an eye because it is dark."""
    _, after = outlined(
        svg(
            '<rect x="10" y="10" width="80" height="1" fill="#fc0"/><circle cx="30" cy="50" r="5" fill="#222"/>'
            '<circle cx="70" cy="50" r="5" fill="#fff"/><circle cx="50" cy="75" r="15" fill="#222"/>'
        )
    )
    pixels = grey(after)
    assert pixels[48:60, 250].min() < 120
    assert pixels[250, 152] < 80
    assert pixels[250, 348] == 255
    assert pixels[372, 250] == 255


def test_gradients_and_strokes() -> None:
    """A gradient is outlined like a flat colour; a broad stroke becomes hollow; a fine one dark."""
    _, after = outlined(
        svg(
            '<defs><linearGradient id="a"><stop offset="0" stop-color="red"/><stop offset="1" stop-color="#00f"/>'
            '</linearGradient></defs><rect x="10" y="10" width="80" height="30" fill="url(#a)"/>'
            '<path d="M10 60H90" stroke="#0a0" stroke-width="12"/><path d="M10 85H90" stroke="#0a0"/>'
        )
    )
    pixels = grey(after)
    assert pixels[125, 250] == 255
    assert pixels[45:58, 250].min() < 120
    assert pixels[300, 250] == 255
    assert pixels[265:280, 250].min() < 120
    assert pixels[420:430, 250].min() < 120


def test_a_shimmer_is_left_out() -> None:
    """Faint overlays would only leave stray lines."""
    _, after = outlined(svg('<circle cx="50" cy="50" r="30" fill="#000" opacity="0.2"/>'))
    assert grey(after).min() == 255


def test_outlines_stay_inside_the_box() -> None:
    """A shape that fills its box keeps its whole line."""
    _, after = outlined(svg('<rect width="100" height="100" fill="#08f"/>'))
    pixels = grey(after)
    assert pixels[250, :8].min() < 90
    assert pixels[250, -8:].min() < 90
    assert (255 - pixels[250].astype(float)).sum() / 191 == pytest.approx(2 * LINE * SIDE_PX, rel=0.25)


def test_the_same_drawing_gives_the_same_bytes() -> None:
    """Nothing but the drawing decides."""
    data = svg('<circle cx="50" cy="50" r="30" fill="#f00"/>')
    one, two = (outline_form(VectorForm(draw_svg(data).pdf)) for _ in range(2))
    assert isinstance(one, VectorForm)
    assert isinstance(two, VectorForm)
    assert one.pdf == two.pdf


def test_photos_become_light_greys() -> None:
    """A photo keeps its shape and loses its colours and half its ink."""
    picture = Image.new("RGBA", (40, 40), (200, 30, 30, 255))
    picture.putpixel((0, 0), (0, 0, 0, 0))
    light = outline_form(PixelForm(picture, photo=True))
    assert isinstance(light, PixelForm) and light.photo
    red, green, blue, opacity = light.picture.getpixel((20, 20))  # type: ignore[misc]
    assert red == green == blue > 150
    assert opacity == 255
    assert light.picture.getpixel((0, 0))[3] == 0  # type: ignore[index]
    assert outline_form(PixelForm(picture, photo=False)) is not None


def test_letters_are_outlines_too(tmp_path: Path) -> None:
    """Words and sums lose most of their ink, dark ones as well, and none keeps its colour for being like another."""
    (tmp_path / "theme.yaml").write_text(
        "languages: [nl]\nlayout: {quality: draft}\nsheet: {low_ink: true}\n"
        'symbols: [{text: "6 × 3", color: "#1d3557"}, {text: lijm}, {text: "8"}, {text: zus}, {text: wim}, '
        "{text: jet}, {text: noot}]\n"
    )
    theme = read_theme(tmp_path / "theme.yaml")
    deck = compose_deck(theme)
    forms, warnings = draw_with_little_ink(deck.forms, theme)
    assert warnings == ()
    for before, after in zip(deck.forms, forms, strict=True):
        assert isinstance(before, VectorForm) and isinstance(after, VectorForm)
        ratio = ink(render(after)) / ink(render(before))
        assert 0.05 < ratio < 0.6


SOFT = """<defs><radialGradient id="s"><stop offset="0" stop-opacity=".6"/><stop offset="1" stop-opacity="0"/>
</radialGradient></defs><ellipse cx="50" cy="85" rx="48" ry="14" fill="url(#s)"/>
<circle cx="50" cy="45" r="40" fill="#e63946"/>"""


def test_a_soft_shadow_is_not_outlined() -> None:
    """It has no edge: an outline at its full extent would run into the symbols beside it."""
    plain = VectorForm(draw_svg(svg(SOFT)).pdf)
    saving = save_ink([plain], ())
    assert saving.soft == () and saving.forms[0] is not plain
    assert grey(outlined(svg(SOFT))[1])[440:, :].min() == 255


def test_drawings_that_only_colour_tells_apart_keep_it() -> None:
    """Two flags whose outlines are the same stay in colour; a third drawing becomes outlines."""
    flags = [
        f'<rect width="33" height="60" fill="{color}"/><rect x="33" width="33" height="60" fill="#eee"/>'
        for color in ("#002395", "#009246")
    ]
    forms = [VectorForm(draw_svg(svg(body)).pdf) for body in (*flags, '<circle cx="50" cy="50" r="30" fill="#f00"/>')]
    saving = save_ink(forms, ())
    assert saving.alike == ((0, 1),)
    assert [mine is given for mine, given in zip(saving.forms, forms, strict=True)] == [True, True, False]


def test_a_deck_with_flags_and_cards_prints_with_little_ink(run: Run) -> None:
    """The football deck has a yellow and a red card: it is built and proved, and those two keep their colours."""
    told = run("build", "football", "--low-ink", "--cards", "5", "--quality", "draft", "--no-booklet", "--no-legend")
    assert told.returncode == 0, told.stderr
    assert "gelbe-karte and rote-karte would look the same as outlines" in told.stderr
