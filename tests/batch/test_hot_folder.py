"""The hot folder: what is dropped into it is built, and moves to `done` or `failed` with its report."""

from __future__ import annotations

import json
import os
import signal
import time
import zipfile
from pathlib import Path

import pytest

from dobble_print.batch.hot_folder import HALF_S, HotFolder, look_at
from dobble_print.options import BuildOptions
from tests.batches import QUICK, list_events, run_batch, start_batch, write_theme
from tests.conftest import ENDLESS_S


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A hot folder after everything in it was built once: a file, a folder, a zip, a bad theme, an evil zip, a link."""
    folder = tmp_path_factory.mktemp("watch")
    hot = folder / "hot"
    write_theme(hot / "one.yaml", 0)
    write_theme(hot / "two" / "theme.yaml", 1)
    write_theme(folder / "three.yaml", 2)
    write_theme(hot / "bad.yaml", 0, "colour: red\n")
    with zipfile.ZipFile(hot / "three.zip", "w") as packed:
        packed.write(folder / "three.yaml", "three/theme.yaml")
    with zipfile.ZipFile(hot / "evil.zip", "w") as packed:
        packed.writestr("../../evil.yaml", "symbols: []")
    os.symlink(folder / "three.yaml", hot / "link.yaml")
    (hot / "notes.txt").write_text("not a theme")
    done = run_batch(folder, "--watch", "hot", "--once", "-o", "out", "-j", 2, *QUICK)
    assert done.returncode == 8 and "Traceback" not in done.stderr, done.stderr
    return folder


def test_good_themes_are_done_with_their_report(watched: Path) -> None:
    """Files, folders and zips alike."""
    done = watched / "hot" / "done"
    names = {"one.yaml", "two", "three.zip"}
    assert {path.name for path in done.iterdir()} == names | {f"{name}.report.json" for name in names}
    assert json.loads((done / "three.zip.report.json").read_text(encoding="utf-8"))["deck"]["cards"] == 7
    for name in ("one", "two", "three"):
        assert (watched / "out" / name / f"{name}-cards.pdf").is_file()


def test_bad_themes_fail_with_the_reason(watched: Path) -> None:
    """Nothing of an evil zip is unpacked, no link is followed; what is no theme stays where it is."""
    failed = watched / "hot" / "failed"
    reasons = {
        path.name.removesuffix(".report.json"): json.loads(path.read_text(encoding="utf-8"))["faults"][0]["what"]
        for path in failed.glob("*.report.json")
    }
    assert 'unknown key "colour"' in reasons["bad.yaml"]
    assert "leads out of the folder" in reasons["evil.zip"]
    assert "is a link" in reasons["link.yaml"]
    assert all((failed / name).is_symlink() or (failed / name).exists() for name in reasons)
    assert [path.name for path in (watched / "hot").iterdir() if path.is_file()] == ["notes.txt"]
    assert not list(watched.parent.rglob("evil.yaml"))


def test_all_reports_begin_alike(watched: Path) -> None:
    """Whether it was built, refused by its worker, or never was a job; nothing speaks for an earlier drop."""
    reports = [json.loads(path.read_text(encoding="utf-8")) for path in (watched / "hot").glob("*/*.report.json")]
    beginnings = {tuple(report)[:6] for report in reports}
    assert len(reports) == 6 and beginnings == {("job", "status", "exit_code", "theme", "program", "inputs")}
    failed = {report["job"] for report in reports if report["exit_code"] and report["status"] == "failed"}
    assert failed == {"bad", "evil", "link.yaml"}
    assert json.loads((watched / "out" / "evil" / "report.json").read_text(encoding="utf-8"))["status"] == "failed"


def test_it_waits_for_drops_and_stops_on_ctrl_c(tmp_path: Path) -> None:
    """A theme dropped while it watches is built; the same name again does not overwrite the first; then Ctrl-C."""
    (tmp_path / "hot" / "done").mkdir(parents=True)
    (tmp_path / "hot" / "done" / "late.yaml").write_text("an earlier one")
    batch = start_batch(tmp_path, "--watch", "hot", "-o", "out", "-j", 1, "--json", *QUICK)
    time.sleep(1.0)
    write_theme(tmp_path / "hot" / "late.yaml")
    assert batch.stdout
    events = []
    for line in batch.stdout:
        events.append(json.loads(line)["event"])
        if events[-1] == "done":
            break
    until = time.monotonic() + ENDLESS_S
    while not (tmp_path / "hot" / "done" / "late-2.yaml").exists() and time.monotonic() < until:
        time.sleep(0.05)
    os.kill(batch.pid, signal.SIGINT)
    rest = batch.communicate(timeout=ENDLESS_S)[0]
    assert batch.returncode == 130 and list_events(rest)[-1]["event"] == "end"
    assert (tmp_path / "hot" / "done" / "late-2.yaml").is_file()
    assert (tmp_path / "hot" / "done" / "late-2.yaml.report.json").is_file()


def test_what_is_still_being_copied_looks_different_each_time(tmp_path: Path) -> None:
    """Any file of a dropped folder that grows or comes makes it unsettled."""
    theme = write_theme(tmp_path / "zoo" / "theme.yaml")
    first = look_at(tmp_path / "zoo")
    assert look_at(tmp_path / "zoo") == first
    (tmp_path / "zoo" / "art").mkdir()
    (tmp_path / "zoo" / "art" / "cat.png").write_bytes(b"half")
    second = look_at(tmp_path / "zoo")
    (tmp_path / "zoo" / "art" / "cat.png").write_bytes(b"half and half")
    assert len({first, second, look_at(tmp_path / "zoo"), look_at(theme)}) == 4


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    """And jobs beside --watch make no sense."""
    assert "there is no folder nowhere to watch" in run_batch(tmp_path, "--watch", "nowhere").stderr
    assert "--watch takes its jobs" in run_batch(tmp_path, "classic", "--watch", ".").stderr


def test_a_second_theme_of_one_name_spares_the_results_of_the_first(tmp_path: Path) -> None:
    """One customer's deck never overwrites another's; the very same theme is not built twice."""
    hot, runs = tmp_path / "hot", []
    for first in (0, 1, 1):
        write_theme(tmp_path / "hot" / "theme.yaml", first)
        done = run_batch(tmp_path, "--watch", "hot", "--once", "-o", "out", "-j", 1, "--json", *QUICK)
        runs.append([(event["event"], event["job"]) for event in list_events(done.stdout) if "folder" in event])
    assert runs == [[("done", "theme")], [("done", "theme-2")], [("skipped", "theme-2")]]
    assert (tmp_path / "out" / "theme" / "theme-cards.pdf").is_file()
    assert len(list((hot / "done").glob("*.report.json"))) == 3


def test_what_is_no_theme_is_told_once_and_stays(tmp_path: Path) -> None:
    """Nobody waits for ever for the deck of a job list or of a folder without a theme; names may be any bytes."""
    write_theme(tmp_path / "hot" / "two" / "a.yaml")
    (tmp_path / "hot" / "list.csv").write_text("theme\n")
    Path(os.fsdecode(bytes(tmp_path / "hot") + b"/\xff\xfe.yaml")).write_text("symbols: []")
    done = run_batch(tmp_path, "--watch", "hot", "--once", "-o", "out", "-j", 1, *QUICK)
    assert done.returncode == 8 and "something went wrong" not in done.stderr
    assert done.stderr.count("list.csv: ignored; it is no theme") == done.stderr.count("two: ignored;") == 1
    assert "is no id" in done.stderr and (tmp_path / "hot" / "list.csv").is_file()


def test_a_zip_without_an_end_is_waited_for(tmp_path: Path) -> None:
    """A slow copy may pause longer than a look; only after a while it counts as broken."""
    hot, path = HotFolder(tmp_path, BuildOptions(output=tmp_path), lambda event: None), tmp_path / "a.zip"
    path.write_bytes(b"PK\x03\x04 and no end")
    looks = look_at(path)
    assert not hot._is_settled(path, looks)
    hot.seen[path] = looks
    assert not hot._is_settled(path, looks)
    hot.since[path] -= HALF_S + 1
    assert hot._is_settled(path, looks)
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("theme.yaml", "symbols: []")
    assert not hot._is_settled(path, look_at(path))
    hot.seen[path] = look_at(path)
    assert hot._is_settled(path, look_at(path))
