"""A disk that is full, and folders that nobody may write to, at every step: a fault in words, and nothing half-written.

Tests may run as root, whom no rights stop: what can be written is limited by the size of files, and a folder that
cannot be made lies where the system has no place for any.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from dobble_print import files
from dobble_print.errors import OutputError
from dobble_print.files import ResultFolder, deliver
from tests.batches import QUICK, write_theme
from tests.hostile.attacks import choose_homes
from tests.hostile.harness import run

NOWHERE = "/proc/nowhere"


def limit(size: int) -> str:
    """A program after which no file grows beyond so many bytes, as on a disk that is full."""
    return f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, ({size}, {size}))"


@pytest.mark.parametrize("room", [4000, 30_000])
def test_a_build_on_a_full_disk_leaves_the_earlier_result(tmp_path: Path, room: int) -> None:
    """Whether the first file has no place or a later one; cache and settings are no reason to stop either."""
    write_theme(tmp_path / "zoo.yaml")
    old = tmp_path / "out" / "zoo" / "cards.pdf"
    old.parent.mkdir(parents=True)
    old.write_bytes(b"%PDF-an earlier result")
    homes = choose_homes(tmp_path)
    done = run("build", "zoo.yaml", *QUICK, "-o", "out", cwd=tmp_path, prelude=limit(room), homes=homes)
    assert done.code == 7 and "cannot write to out/zoo" in done.err and "Traceback" not in done.err
    left = [path for path in (tmp_path / "out").rglob("*") if path.is_file()]
    assert left == [old] and old.read_bytes() == b"%PDF-an earlier result"
    assert not list(tmp_path.rglob("*.part"))


def test_a_batch_on_a_full_disk_says_so(tmp_path: Path) -> None:
    """Each job fails with the reason, and so does the summary."""
    write_theme(tmp_path / "zoo.yaml")
    done = run("batch", "zoo.yaml", *QUICK, cwd=tmp_path, prelude=limit(30_000), homes=choose_homes(tmp_path))
    assert done.code == 8 and "cannot write to output/zoo" in done.err and "Traceback" not in done.err
    assert not list((tmp_path / "output").rglob("*.part")) and not list((tmp_path / "output").rglob("*.pdf"))


@pytest.mark.parametrize(
    "arguments",
    [
        ("build", "zoo.yaml", *QUICK, "-o", NOWHERE),
        ("batch", "zoo.yaml", *QUICK, "-o", NOWHERE),
        ("calibrate", "-o", NOWHERE),
        ("list", "words", "boot", "--pictures", "-o", NOWHERE),
    ],
    ids=lambda arguments: arguments[0],
)
def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    """With the exit code for results, and without a trace of the program's inside."""
    write_theme(tmp_path / "zoo.yaml")
    done = run(*arguments, cwd=tmp_path, homes={"XDG_CACHE_HOME": NOWHERE, "XDG_CONFIG_HOME": NOWHERE})
    assert done.code == 7 and f"cannot write to {NOWHERE}" in done.err and "Traceback" not in done.err


def test_whatever_step_of_a_delivery_fails_nothing_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first, second or third file, or a folder in the folder: the old result stays, and no part of a new one."""
    result = {"a": b"new", "b": b"new", "in/c": b"new"}
    deliver(tmp_path, {"a": b"old"})
    for name in ("write", "enter"):
        honest = getattr(ResultFolder, name)
        for last in range(3 if name == "write" else 1):
            calls = iter(range(9))

            def fail(*given: object, last: int = last, honest: object = honest, calls: object = calls) -> object:
                if next(calls) >= last:  # type: ignore[call-overload]
                    raise OSError(28, "No space left on device")
                return honest(*given)  # type: ignore[operator]

            with monkeypatch.context() as patch, pytest.raises(OutputError, match="No space left"):
                patch.setattr(ResultFolder, name, fail)
                deliver(tmp_path, result)
            assert (tmp_path / "a").read_bytes() == b"old"
            assert not [path for path in tmp_path.rglob("*") if path.is_file() and path.name != "a"]


def test_a_folder_that_becomes_a_link_while_it_is_written_is_not_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody swaps the folder of results for a link after it was opened: nothing lands where the link leads."""
    (tmp_path / "elsewhere").mkdir()
    honest = ResultFolder.write

    def swap(self: ResultFolder, name: str, data: bytes) -> None:
        (tmp_path / "out" / "zoo").rename(tmp_path / "out" / "aside")
        (tmp_path / "out" / "zoo").symlink_to(tmp_path / "elsewhere")
        honest(self, name, data)

    monkeypatch.setattr(files.ResultFolder, "write", swap)
    deliver(tmp_path / "out" / "zoo", {"a": b"1"}, root=tmp_path / "out")
    assert not list((tmp_path / "elsewhere").iterdir()) and (tmp_path / "out" / "aside" / "a").read_bytes() == b"1"


def test_a_part_that_somebody_planted_as_a_link_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The names of temporary files can be guessed; no link under such a name is written through."""
    (tmp_path / "mine").write_bytes(b"mine")
    (tmp_path / "out").mkdir()
    monkeypatch.setattr("os.getpid", lambda: 77)
    (tmp_path / "out" / ".a.77.part").symlink_to(tmp_path / "mine")
    deliver(tmp_path / "out", {"a": b"new"})
    assert (tmp_path / "mine").read_bytes() == b"mine" and (tmp_path / "out" / "a").read_bytes() == b"new"
