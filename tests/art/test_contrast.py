"""Faint pictures: what cannot be seen on the card's colour is told before it is printed."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from dobble_print.art.emoji import read_drawing, read_emoji
from dobble_print.art.similarity.lookalikes import LEAST_CLEAR, measure_visibility
from dobble_print.art.svg.render import render_svg
from dobble_print.art.svg.sanitizer import admit_svg
from dobble_print.words.lexicon import words
from tests.conftest import Run
from tests.hostile.drawings import svg

DISC = '<circle cx="50" cy="50" r="40" fill="{}"/>'


def write_theme(folder: Path, drawing: str, background: str = "#ffffff", more: str = "") -> Path:
    """Six words and a drawing, which stands on line 9."""
    (folder / "disc.svg").write_bytes(svg(drawing, 'viewBox="0 0 100 100"'))
    known = "".join(f"  - {word}\n" for word in ("cat", "dog", "sun", "moon", "tree"))
    head = f'card: {{background: "{background}"}}\n{more}symbols:\n{known}  - fish\n'
    path = folder / "theme.yaml"
    path.write_text(f"{head}  - {{image: disc.svg, en: disc}}\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("command", ["check", "build"])
def test_a_white_picture_on_a_white_card_is_a_fault_at_its_line(command: str, tmp_path: Path, run: Run) -> None:
    """Both commands say the same, and nothing is written."""
    done = run(
        command, write_theme(tmp_path, DISC.format("white")).name, *(["-o", "out"] if command == "build" else [])
    )
    assert done.returncode == 4
    assert 'theme.yaml:9:5: "disc" cannot be seen on white cards. Give the cards a colour' in done.stderr
    assert not list(tmp_path.glob("out/*/*"))


@pytest.mark.parametrize(
    ("drawing", "background", "warning"),
    [
        (DISC.format("#fff4f0"), "#ffffff", '"disc" is hardly seen on white cards'),
        (DISC.format("#fff4f0"), "#ffece4", '"disc" is hardly seen on #ffece4 cards'),
        (DISC.format("white"), "#add8e6", ""),
        (DISC.format('white" stroke="black'), "#ffffff", ""),
    ],
)
def test_what_counts_is_the_difference_from_the_card(
    drawing: str, background: str, warning: str, tmp_path: Path, run: Run
) -> None:
    """A pale picture is a warning on a pale card; on a coloured one, or with a thin outline, it is none."""
    done = run("check", write_theme(tmp_path, drawing, background).name)
    assert done.returncode == 0
    assert warning in done.stderr if warning else "seen" not in done.stderr


def test_little_ink_prints_outlines_which_are_seen(tmp_path: Path, run: Run) -> None:
    """A white picture is fine there."""
    theme = write_theme(tmp_path, DISC.format("white"), more="sheet: {low_ink: true}\n")
    assert run("check", theme.name).returncode == 0


def test_only_what_covers_the_card_counts() -> None:
    """Half of a picture black and half white, with empty paper around, is seen by half on white."""
    picture = Image.new("RGBA", (40, 40))
    picture.paste("white", (0, 0, 10, 20))
    picture.paste("black", (10, 0, 20, 20))
    assert measure_visibility(picture, "#ffffff") == (0.5, 0.5)


def test_every_word_of_the_lexicon_is_seen_on_white_cards() -> None:
    """Nobody is warned of what we draw ourselves."""
    for word, entry in words().items():
        drawing = read_drawing(entry.drawing) if entry.drawing else read_emoji(entry.emoji)
        picture = render_svg(admit_svg(drawing).data, 96)
        assert measure_visibility(picture, "#ffffff")[1] >= LEAST_CLEAR, word
