"""A batch that is killed at any moment ends, when it is started again, in the bytes of an undisturbed run."""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import time
from pathlib import Path

from tests.batches import QUICK, find_processes, read_results, run_batch, start_batch, write_themes

KILLS = 10
ARGUMENTS = ("themes", "-j", 2, *QUICK)


def test_killed_ten_times_and_resumed(tmp_path: Path) -> None:
    """SIGKILL at random moments of a run: to the program alone, whose workers then end by themselves, or to all."""
    write_themes(tmp_path / "themes", 4)
    since = time.monotonic()
    assert run_batch(tmp_path, *ARGUMENTS, "-o", "undisturbed").returncode == 0
    whole_s = time.monotonic() - since
    moments = random.Random(1)
    for turn in range(KILLS):
        batch = start_batch(tmp_path, *ARGUMENTS, "-o", "out", "--force")
        time.sleep(moments.uniform(0.3, 1.0) * whole_s / 2)
        for process in find_processes(tmp_path) if turn % 2 else [batch.pid]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        batch.communicate()
        assert wait_for_end(tmp_path)
    assert run_batch(tmp_path, *ARGUMENTS, "-o", "out").returncode == 0
    assert read_results(tmp_path / "out") == read_results(tmp_path / "undisturbed")
    assert not list((tmp_path / "out").rglob("*.part"))


def wait_for_end(folder: Path) -> bool:
    """Whether all processes of a folder's batches are gone soon."""
    until = time.monotonic() + 60
    while find_processes(folder) and time.monotonic() < until:
        time.sleep(0.05)
    return not find_processes(folder)


def test_killed_while_files_are_being_written(tmp_path: Path) -> None:
    """Half-written files and an outdated report, as a kill in the middle of a delivery leaves them."""
    write_themes(tmp_path / "themes", 1)
    assert run_batch(tmp_path, *ARGUMENTS, "-o", "out").returncode == 0
    expected = read_results(tmp_path / "out")
    folder = tmp_path / "out" / "deck-0"
    (folder / "deck-0-cards.pdf").write_bytes(b"%PDF of another version")
    (folder / ".deck-0-cards.pdf.999999.part").write_bytes(b"%PDF ha")
    (tmp_path / "out" / ".batch.json.999999.part").write_bytes(b"{")
    assert "1 done" in run_batch(tmp_path, *ARGUMENTS, "-o", "out").stdout
    assert read_results(tmp_path / "out") == expected
    (folder / "report.json").write_bytes(b'{"inputs": ')
    assert "1 done" in run_batch(tmp_path, *ARGUMENTS, "-o", "out").stdout
    assert read_results(tmp_path / "out") == expected


def test_files_that_a_living_process_writes_stay(tmp_path: Path) -> None:
    """Two batches may share a folder of results: only the dead are swept."""
    write_themes(tmp_path / "themes", 1)
    theirs = tmp_path / "out" / "deck-0" / f".deck-0-cards.pdf.{os.getpid()}.part"
    theirs.parent.mkdir(parents=True)
    theirs.write_bytes(b"%PDF being written")
    assert run_batch(tmp_path, *ARGUMENTS, "-o", "out").returncode == 0
    assert theirs.exists()


def test_a_run_told_to_stop_says_how_far_it_came(tmp_path: Path) -> None:
    """SIGTERM, as a service manager sends it: the table, `batch.json` and the jobs that are left."""
    write_themes(tmp_path / "themes", 6)
    batch = start_batch(tmp_path, "themes", "-o", "out", "-j", 1, "--json", *QUICK)
    assert batch.stdout
    events = []
    with batch:
        for line in batch.stdout:
            events.append(json.loads(line))
            if events[-1]["event"] == "done":
                batch.send_signal(signal.SIGTERM)
    assert batch.returncode == 130
    assert events[-1]["event"] == "end" and events[-1]["left"] >= 1
    told = json.loads((tmp_path / "out" / "batch.json").read_text(encoding="utf-8"))
    assert told["left"] == events[-1]["left"] and len(told["jobs"]) + told["left"] == 6


def test_a_run_without_jobs_keeps_what_the_last_one_told(tmp_path: Path) -> None:
    """An empty hot folder, every minute, must not wipe out the report of the day."""
    write_themes(tmp_path / "hot", 1)
    run_batch(tmp_path, "--watch", "hot", "--once", "-o", "out", *QUICK)
    before = (tmp_path / "out" / "batch.json").read_bytes()
    assert run_batch(tmp_path, "--watch", "hot", "--once", "-o", "out").returncode == 0
    assert run_batch(tmp_path, "--watch", "nowhere", "--once", "-o", "out").returncode == 2
    assert (tmp_path / "out" / "batch.json").read_bytes() == before
