"""A deck is built again: reprints fit the cards that were printed, or it is said; nothing stale stays beside them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dobble_print.build import Result, print_deck
from dobble_print.options import BuildOptions
from dobble_print.press.record import compare_records, read_record
from dobble_print.theme.reader import read_theme

SEVEN = "languages: [nl]\nlayout: {quality: draft}\nsymbols: [hond, boom, fiets, kat, huis, auto, boot]\n"
QUICK = BuildOptions(booklet=False, legend=False)


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A theme whose deck of seven cards was built, beside its results."""
    monkeypatch.chdir(tmp_path)
    Path("zoo.yaml").write_text(SEVEN, encoding="utf-8")
    deliver(QUICK)
    return Path("output/zoo")


def deliver(options: BuildOptions) -> list[str]:
    """Build the theme and deliver; return its warnings."""
    box = print_deck(read_theme(Path("zoo.yaml"), options.theme_values()), options)
    Result((box,)).deliver(options.output)
    return [str(fault) for fault in box.warnings]


def test_a_reprint_of_another_deck_is_told_before_it_is_printed(built: Path) -> None:
    """One word was changed: card 3 is another card; with the word back it is the same."""
    only = BuildOptions(only=(3,))
    assert deliver(only) == []
    Path("zoo.yaml").write_text(SEVEN.replace("boot", "trein"), encoding="utf-8")
    (told, *_) = deliver(only)
    assert "was made for deck" in told
    assert "the cards would not fit it. Reprint with the list and the options" in told


def test_a_reprint_in_another_layout_or_by_another_program_is_told(built: Path) -> None:
    """The deck is the same, and its symbols lie elsewhere."""
    assert "laid out in another way" in deliver(BuildOptions(only=(3,), size="60"))[0]
    record = read_record(built / "deck.json")
    other = json.loads(json.dumps(record)) | {"program": "dobble-print 0.0.1"}
    assert compare_records(other, record, [3]) == ""  # it laid them out in the same way
    other["decks"][0]["cards"][2]["symbols"][0]["x_mm"] += 5
    assert "was made by dobble-print 0.0.1" in compare_records(other, record, [3])
    assert compare_records(other, record, [4]) == ""


@pytest.mark.parametrize("content", ["", "{", "[1]", '{"id": 3}', '{"id": "a", "decks": 7}', "[" * 100_000])
def test_a_record_that_cannot_be_read_stops_nothing(tmp_path: Path, content: str) -> None:
    """Whoever wrote it."""
    path = tmp_path / "deck.json"
    path.write_text(content, encoding="utf-8")
    assert compare_records(read_record(path), {"id": "a", "program": "x", "decks": []}, [1]) in (
        "",
        "was made by another program, and this is x: symbols may lie elsewhere",
    )


def test_the_booklet_of_another_deck_does_not_stay_beside_new_cards(built: Path) -> None:
    """That of the same deck does."""
    for name in ("booklet.pdf", "booklet-print.pdf", "legend.pdf"):
        (built / name).write_bytes(b"old")
    deliver(QUICK)
    assert (built / "booklet.pdf").exists()
    Path("zoo.yaml").write_text(SEVEN.replace("boot", "trein"), encoding="utf-8")
    deliver(QUICK)
    assert not list(built.glob("booklet*")) + list(built.glob("legend*"))


def test_a_back_offset_without_backs_is_told(built: Path) -> None:
    """It was taken in silence."""
    assert any("--back-offset shifts backs" in told for told in deliver(BuildOptions(only=(1,), back_offset="1.0,0.5")))


def test_one_card_on_the_last_sheet_is_told_with_what_saves_it(built: Path) -> None:
    """Seven cards, six a sheet; not six, and not copies."""

    def save(**more: object) -> str:
        options = BuildOptions(booklet=False, legend=False, **more)  # type: ignore[arg-type]
        return print_deck(read_theme(Path("zoo.yaml"), options.theme_values()), options).describe_saving()

    assert save() == "the last sheet holds one card: --cards 6 saves a sheet"
    assert save(cards=6) == save(copies=7) == save(only=(1,)) == ""
