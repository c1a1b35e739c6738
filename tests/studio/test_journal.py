"""The journal of a game: undo that survives restarts, killed programs and full disks."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path

import pytest

from dobble_print.errors import OutputError
from dobble_print.studio.journal import MOST_STEPS, Journal, Step


def open_journal(tmp_path: Path, *texts: str) -> Journal:
    """Return a journal with a step for each text."""
    journal = Journal(tmp_path / "journal.jsonl")
    for text in texts:
        journal.add(Step(text, {"code": "add"}))
    return journal


def test_undo_and_redo_survive_a_restart(tmp_path: Path) -> None:
    """Fifty steps and more can be taken back by a program that did not make them."""
    journal = open_journal(tmp_path, *map(str, range(60)))
    assert journal.move(-1) and journal.move(-1)
    again = Journal(journal.path)
    assert again.text == "57" and again.rev == journal.rev
    assert again.move(1) and again.text == "58"
    while again.move(-1):
        pass
    assert again.text == "0" and Journal(journal.path).text == "0"


def test_a_new_step_ends_what_could_be_done_again(tmp_path: Path) -> None:
    """After undo, a change goes on from there."""
    journal = open_journal(tmp_path, "a", "b", "c")
    journal.move(-1)
    journal.add(Step("d"))
    assert [step.text for step in Journal(journal.path).steps] == ["a", "b", "d"]
    assert journal.redo_label is None


def test_typing_in_one_field_is_one_step(tmp_path: Path) -> None:
    """Steps of one burst follow each other as one; another burst is another step."""
    journal = open_journal(tmp_path, "start")
    for text in ("k", "ki", "kit"):
        journal.add(Step(text, {"code": "set"}, "name:cat"))
    journal.add(Step("other", {"code": "set"}, "name:dog"))
    again = Journal(journal.path)
    assert [step.text for step in again.steps] == ["start", "kit", "other"]


@pytest.mark.parametrize("cut", [1, 5, 20])
def test_a_line_that_was_never_finished_is_no_step(tmp_path: Path, cut: int) -> None:
    """Whoever is killed while writing loses that step at most, and goes on from the one before."""
    journal = open_journal(tmp_path, "a", "b")
    data = journal.path.read_bytes()
    journal.path.write_bytes(data[:-cut])
    again = Journal(journal.path)
    assert again.text == "a"
    again.add(Step("c"))
    assert [step.text for step in Journal(journal.path).steps] == ["a", "c"]


def test_a_full_disk_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A step that cannot be written is refused in a sentence; those before stay, and later ones work again."""
    journal = open_journal(tmp_path, "a", "b")
    before = journal.path.read_bytes()

    def refuse(number: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", refuse)
        with pytest.raises(OutputError, match="No space left"):
            journal.add(Step("c"))
    assert journal.text == "b" and journal.path.read_bytes() == before
    journal.add(Step("d"))
    assert Journal(journal.path).text == "d"


def test_the_journal_keeps_two_hundred_steps_and_stays_small(tmp_path: Path) -> None:
    """The oldest steps go; the file is written anew before it is mostly history."""
    journal = open_journal(tmp_path, *map(str, range(5 * MOST_STEPS)))
    again = Journal(journal.path)
    assert len(again.steps) == MOST_STEPS and again.text == str(5 * MOST_STEPS - 1)
    assert again.rev == journal.rev == 5 * MOST_STEPS
    assert len(journal.path.read_text().splitlines()) <= 4 * MOST_STEPS


def test_lines_that_are_nonsense_are_passed_over(tmp_path: Path) -> None:
    """A journal that somebody edited still opens."""
    journal = open_journal(tmp_path, "a")
    with journal.path.open("a") as file:
        file.write("nonsense\n[]\n" + json.dumps({"by": 99}) + "\n")
    assert Journal(journal.path).text == "a"
