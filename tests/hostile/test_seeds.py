"""What random inputs once broke: each of these was a crash."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from dobble_print.art.svg.sanitizer import admit_svg
from dobble_print.errors import ThemeError
from dobble_print.theme.source import read_tree
from tests.hostile.drawings import SQUARE, svg


def test_a_bad_byte_behind_a_byte_order_mark_is_found(tmp_path: Path) -> None:
    """Its place was counted with the mark, in the middle of another letter."""
    path = tmp_path / "theme.yaml"
    path.write_bytes(b"\xef\xbb\xbf" + "🐱".encode() + b"\xff")
    with pytest.raises(ThemeError, match=r"theme\.yaml:1:2: this letter is not UTF-8"):
        read_tree(path, "theme.yaml")


MARKED = SQUARE + '<path class="x" d="M0 0h9v9z"/>'  # which the last rule paints


@pytest.mark.parametrize(
    "css",
    [
        r"rect{fill:\1 red}",  # an escape for a control character
        r"#a\1b{fill:red}",
        "rect{fill:url(#a b)}",  # a bad address
        'rect{font-family:"a\nb}',  # a bad string
        "rect{fill:a(b(url(x y)))}",
    ],
)
def test_a_broken_rule_leaves_a_sound_drawing(css: str) -> None:
    """The rule goes, and what remains is XML that names nothing outside."""
    admitted = admit_svg(svg(f"<style>{css} .x{{fill:lime}}</style>{SQUARE}"))
    root = ElementTree.fromstring(admitted.data)
    assert "bad" not in "".join(root.itertext())
    assert admit_svg(admitted.data).data == admitted.data


@pytest.mark.parametrize("style", [r"fill:\1 red", "fill:url(#a b)", "fill:(", "fill:url(x"])
def test_a_broken_style_leaves_a_sound_drawing(style: str) -> None:
    """The same for a style attribute."""
    admitted = admit_svg(svg(SQUARE.replace("/>", f' style="{style}"/>')))
    assert ElementTree.fromstring(admitted.data) is not None
    assert b"bad" not in admitted.data and b"url" not in admitted.data


@pytest.mark.parametrize("paint", ["#ffurl(x.svg#a)", "#ffURL( 'x.svg' )", "aurl(x.svg)", "a-url(x.svg)"])
def test_an_address_glued_to_a_word_is_an_address(paint: str) -> None:
    """To CSS it is another function, but a renderer that searches for "url(" finds it."""
    styled = admit_svg(svg(SQUARE.replace("/>", f' style="fill:{paint}"/>')))
    ruled = admit_svg(svg(f"<style>rect{{fill:{paint}}}</style>{SQUARE}"))
    for admitted in (styled, ruled):
        assert b"x.svg" not in admitted.data
        assert admitted.dropped[0].startswith("the reference to x.svg")


def test_an_address_in_a_selector_s_place_is_dropped() -> None:
    """No renderer should follow it there, and nothing outside is named all the same."""
    admitted = admit_svg(svg(f"<style>url(http://x/y#z){{}} .x{{fill:lime}}</style>{MARKED}"))
    assert b"http://x/" not in admitted.data and b"lime" in admitted.data
    assert admitted.dropped == ("the reference to http://x/y#z",)


@pytest.mark.parametrize("css", ["a@import 'x.svg';*{fill:red}", "g{fill:red @import 'x.svg'}", "g{fill:a{b:url(#c)}}"])
def test_a_rule_inside_another_is_dropped(css: str) -> None:
    """To CSS it is a mere mistake, but a hasty renderer might begin anew at the sign."""
    admitted = admit_svg(svg(f"<style>{css} .x{{fill:lime}}</style>{MARKED}"))
    assert b"@" not in admitted.data and b"url(" not in admitted.data and b"lime" in admitted.data


def test_an_address_without_an_end_is_an_address() -> None:
    """Wherever it stands; the attribute goes."""
    admitted = admit_svg(svg(SQUARE.replace("/>", ' rx="1url(http://x/y"/>')))
    assert b"http://x/" not in admitted.data and b"rx=" not in admitted.data
    assert admitted.dropped == ("the reference to http://x/y",)


def test_an_honest_paint_over_a_pattern_counts_once() -> None:
    """Twenty thousand shapes in a patterned group, each with a colour of its own, show no pattern."""
    pattern = '<pattern id="p" width="9" height="9">' + SQUARE * 10 + "</pattern>"
    shapes = '<path d="M0 0h1v1z" fill="#123456"/><path d="M0 0h1v1z" style="fill:none"/>' * 10_000
    assert admit_svg(svg(f'{pattern}<g fill="url(#p)">{shapes}</g>')).dropped == ()


def test_an_address_inside_the_name_of_a_part_is_an_address() -> None:
    """It leads nowhere by itself, but whoever searches for "url(" finds it."""
    admitted = admit_svg(svg(f'<use href="#aurl(http://x/y#z)b"/>{SQUARE}'))
    assert b"http://x/" not in admitted.data and len(admitted.dropped) == 1


def test_an_empty_name_is_no_name() -> None:
    """A `use` without a reference was taken for one to the group around it, without end."""
    admitted = admit_svg(svg(f'<g id=""><use/>{SQUARE}</g>'))
    assert b"id=" not in admitted.data and b"rect" in admitted.plain
