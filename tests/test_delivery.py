from __future__ import annotations

from pathlib import Path

import pytest

from dobble_print.errors import OutputError
from dobble_print.files import deliver


def test_files_arrive_whole_and_nothing_else_stays(tmp_path: Path) -> None:
    """After a delivery the folder holds the files, no temporary names."""
    paths = deliver(tmp_path / "deep" / "folder", {"a": b"1", "b": b"2"})
    assert [path.read_bytes() for path in paths] == [b"1", b"2"]
    assert sorted(path.name for path in (tmp_path / "deep" / "folder").iterdir()) == ["a", "b"]


def test_a_failed_delivery_leaves_the_old_result(tmp_path: Path) -> None:
    """When one file cannot be written, none is replaced and no temporary file remains."""
    deliver(tmp_path, {"a": b"old"})
    with pytest.raises(OutputError, match="cannot write"):
        deliver(tmp_path, {"a": b"new", "no/such/folder": b"x"})
    assert [path.name for path in tmp_path.iterdir()] == ["a"]
    assert (tmp_path / "a").read_bytes() == b"old"


def test_files_of_an_earlier_kind_of_result_go(tmp_path: Path) -> None:
    """Backs that belong to no deck any more would be printed by mistake."""
    deliver(tmp_path, {"cards.pdf": b"", "backs.pdf": b""})
    deliver(tmp_path, {"cards.pdf": b""}, obsolete=["backs.pdf"])
    assert [path.name for path in tmp_path.iterdir()] == ["cards.pdf"]


def test_a_folder_that_cannot_be_made_is_an_output_error(tmp_path: Path) -> None:
    """A file in the way is named in the message."""
    (tmp_path / "taken").write_text("")
    with pytest.raises(OutputError, match="taken"):
        deliver(tmp_path / "taken" / "deck", {"a": b""})
