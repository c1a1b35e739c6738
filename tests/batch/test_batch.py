"""A batch: many jobs, each on its own; what is unchanged is skipped; one bad job never stops the others."""

from __future__ import annotations

import csv
import json
import os
import resource
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from dobble_print.batch import scheduler as conduct
from dobble_print.batch.cluster import PRELOAD, Workers, listen_to_jobs, run_isolated
from dobble_print.batch.inputs import make_task
from dobble_print.batch.jobs import BatchOptions, InvalidJob, Job, Task
from dobble_print.batch.scheduler import shard_jobs
from dobble_print.options import BuildOptions
from dobble_print.sandbox.pool import WorkerPool
from tests.batches import (
    PROGRAM,
    QUICK,
    environment,
    find_processes,
    list_events,
    read_report,
    read_results,
    run_batch,
    start_batch,
    write_theme,
    write_themes,
)
from tests.conftest import ENDLESS_S, Run


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which a batch of two good themes and two bad ones was run, for an office printer and for a shop.

    Four jobs are many enough for the workers to be born from a rehearsed server.
    """
    folder = tmp_path_factory.mktemp("batch")
    write_theme(folder / "themes" / "deck-0.yaml", 0, "languages: [en]\n")
    write_theme(folder / "themes" / "deck-1.yaml", 1, "languages: [en]\nprofile: shop-sra3-x4\n")
    write_theme(folder / "themes" / "bad.yaml", 0, "colour: red\n")
    write_theme(folder / "themes" / "worse.yaml", 12)
    done = run_batch(folder, "themes", "-o", "out", "-j", 2, "--quality", "draft")
    (folder / "stdout.txt").write_text(done.stdout, encoding="utf-8")
    assert done.returncode == 8, done.stderr
    return folder


def test_every_job_has_a_folder_with_its_files_named_after_it(finished: Path) -> None:
    """The id is in folder and file names, so that files can leave the folder."""
    made = {path.name for path in (finished / "out" / "deck-0").iterdir()}
    plain = {"cards.pdf", "deck.json", "preview.png", "booklet.pdf", "booklet-print.pdf", "legend.pdf"}
    assert made == {f"deck-0-{name}" for name in plain} | {"report.json", "log.txt"}


def test_the_slug_of_every_sheet_names_the_job(finished: Path) -> None:
    """A sheet that lies around tells whose it is."""
    path = finished / "out" / "deck-1" / "deck-1-cards.pdf"
    text = subprocess.run(["pdftotext", path, "-"], capture_output=True, text=True, check=True).stdout
    assert "job deck-1 · SRA3 · shop-sra3-x4" in text


def test_the_report_tells_what_was_made_and_how_it_was_judged(finished: Path) -> None:
    """Inputs, deck, pages, boxes, dpi, fonts, ink, verdict, times and warnings."""
    report = read_report(finished / "out" / "deck-1")
    cards = next(each for each in report["files"] if each["name"] == "deck-1-cards.pdf")
    assert report["status"] == "done" and len(report["inputs"]) == 64
    assert report["deck"]["cards"] == 7 and report["deck"]["paper"] == "SRA3"
    assert cards["pages"] >= 1 and cards["dpi"] == "no images" and cards["fonts"] == ["FiraGO-Regular"]
    (boxes,) = cards["boxes_mm"]
    assert boxes["MediaBox"] in ([0.0, 0.0, 320.0, 450.0], [0.0, 0.0, 450.0, 320.0])
    assert boxes["TrimBox"][0] > boxes["BleedBox"][0] > 0
    assert report["preflight"]["passed"] and report["ink"].startswith("at most ")
    assert report["times"]["cpu_s"] > 0 and report["times"]["peak_mb"] < 400 and "layout" in report["times"]["seconds"]
    (warning,) = report["warnings"]
    assert warning.startswith("the theme names no back: the other side of the cards stays white.")
    assert "7 cards of 3" in (finished / "out" / "deck-1" / "log.txt").read_text(encoding="utf-8")


def test_a_bad_job_fails_alone_with_its_reason(finished: Path) -> None:
    """The others are made; report and table say why this one was not."""
    report = read_report(finished / "out" / "bad")
    assert report["status"] == "failed" and report["exit_code"] == 3
    assert report["faults"][0]["place"] == {"file": "themes/bad.yaml", "line": 3, "column": 1}
    table = (finished / "stdout.txt").read_text(encoding="utf-8")
    assert 'themes/bad.yaml:3:1: unknown key "colour"' in table
    assert "2 done, 0 skipped (unchanged), 2 failed" in table


def test_batch_json_sums_up(finished: Path) -> None:
    """One document for programs, jobs in the order of the list."""
    whole = json.loads((finished / "out" / "batch.json").read_text(encoding="utf-8"))
    assert (whole["done"], whole["skipped"], whole["failed"]) == (2, 0, 2)
    assert [(job["id"], job["status"]) for job in whole["jobs"]] == [
        ("bad", "failed"),
        ("deck-0", "done"),
        ("deck-1", "done"),
        ("worse", "failed"),
    ]


def test_the_files_are_those_of_build(finished: Path, run: Run, tmp_path: Path) -> None:
    """Workers make what the build command makes, byte for byte."""
    run("build", finished / "themes" / "deck-0.yaml", "-o", "one", "--quality", "draft")
    for name in ("deck.json", "preview.png", "booklet.pdf", "booklet-print.pdf", "legend.pdf"):
        built = (tmp_path / "one" / "deck-0" / name).read_bytes()
        assert (finished / "out" / "deck-0" / f"deck-0-{name}").read_bytes() == built, name


def test_unchanged_jobs_are_skipped_and_failures_are_remembered(tmp_path: Path) -> None:
    """Until --retry-failed or --force; a result that somebody touched is made again."""
    write_theme(tmp_path / "themes" / "a.yaml", 0)
    write_theme(tmp_path / "themes" / "bad.yaml", 0, "colour: red\n")

    def outcomes(*options: str) -> list[str]:
        events = list_events(run_batch(tmp_path, "themes", "-o", "out", "-j", 1, "--json", *QUICK, *options).stdout)
        return [event["event"] for event in events if event["event"] in ("done", "skipped", "failed", "queued")]

    assert sorted(outcomes()) == ["done", "failed", "queued", "queued"]
    assert outcomes() == ["skipped", "failed"]
    assert outcomes("--retry-failed") == ["skipped", "queued", "failed"]
    (tmp_path / "out" / "a" / "a-cards.pdf").write_bytes(b"somebody touched it")
    assert sorted(outcomes("--force")) == ["done", "failed", "queued", "queued"]
    assert (tmp_path / "out" / "a" / "a-cards.pdf").read_bytes().startswith(b"%PDF")


def test_everything_a_result_depends_on_is_in_its_hash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Theme, pictures, profiles, options, id and program; not where results go."""
    extra = "back: {image: art/back.svg}\nprofile: mine.yaml\n"
    theme = write_theme(tmp_path / "a.yaml", 0, extra)
    (tmp_path / "art").mkdir()
    (tmp_path / "art" / "back.svg").write_text("<svg/>")
    (tmp_path / "mine.yaml").write_text("about: mine\n")
    order = BuildOptions(output=tmp_path / "out")
    job = Job("a", theme, order)
    hashes = [_hash(job)]
    assert _hash(replace(job, options=replace(order, output=tmp_path / "elsewhere"))) == hashes[0]
    for other in (
        replace(job, id="b"),
        replace(job, options=replace(order, copies=2)),
        replace(job, options=replace(order, seed=2)),
    ):
        hashes.append(_hash(other))
    for path in (theme, tmp_path / "art" / "back.svg", tmp_path / "mine.yaml"):
        path.write_text(path.read_text(encoding="utf-8") + "\n", encoding="utf-8")
        hashes.append(_hash(job))
    monkeypatch.setattr("dobble_print.batch.inputs.take_fingerprint", lambda: "another program")
    hashes.append(_hash(job))
    assert len(set(hashes)) == len(hashes)


def _hash(job: Job) -> str:
    return make_task(job, None, travels=False).inputs


@pytest.fixture
def pool(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Workers for jobs that this very process sends."""
    mine = WorkerPool(PRELOAD)
    monkeypatch.setattr("dobble_print.batch.cluster.POOL", mine)
    yield
    listen_to_jobs(lambda job, step: None)
    mine.close()


@pytest.mark.usefixtures("pool")
def test_a_job_that_hangs_is_ended_and_one_that_dies_is_told(tmp_path: Path) -> None:
    """The time limit holds whatever a job does; a death is no more than a failure; the next job is none the worse."""
    order = BuildOptions(quality="draft", output=tmp_path / "out", booklet=False, legend=False)
    task = make_task(Job("a", write_theme(tmp_path / "a.yaml"), order), None, travels=False)

    def interfere(number: signal.Signals) -> Callable[[str, str], None]:
        def act(job: str, step: str) -> None:
            if step == "artwork":
                for worker in list_children(list_children(os.getpid(), "sandbox.server")[0]):
                    os.kill(worker, number)

        return act

    listen_to_jobs(interfere(signal.SIGSTOP))
    since = time.monotonic()
    (fault,) = run_isolated(task, 4.0).faults
    assert fault.what == "it took longer than 4 s and was ended" and time.monotonic() - since < ENDLESS_S
    listen_to_jobs(interfere(signal.SIGKILL))
    (fault,) = run_isolated(task, 60.0).faults
    assert fault.what == "its worker died (SIGKILL)" and "memory" in fault.hint
    listen_to_jobs(lambda job, step: None)
    good = run_isolated(task, 60.0)
    assert not good.faults and "a-cards.pdf" in good.files
    assert list_children(list_children(os.getpid(), "sandbox.server")[0]) == []


def list_children(process: int, named: str = "") -> list[int]:
    """The children of all threads of a process, perhaps only those whose command line has a word."""
    words = [word for path in Path(f"/proc/{process}/task").glob("*/children") for word in path.read_text().split()]
    return [int(word) for word in words if named in Path(f"/proc/{word}/cmdline").read_text()]


def test_ctrl_c_leaves_nothing_running_and_nothing_half(tmp_path: Path) -> None:
    """Exit code 130, workers gone, no temporary file, and the next run finishes the work."""
    write_themes(tmp_path / "themes", 3)
    batch = start_batch(tmp_path, "themes", "-o", "out", "-j", 2, "--json", *QUICK)
    assert batch.stdout
    for line in batch.stdout:
        if json.loads(line)["event"] == "step":
            break
    os.kill(batch.pid, signal.SIGINT)
    batch.communicate(timeout=ENDLESS_S)
    assert batch.returncode == 130
    assert _wait_for_end(tmp_path)
    assert not list((tmp_path / "out").rglob("*.part"))


def _wait_for_end(folder: Path) -> bool:
    until = time.monotonic() + ENDLESS_S
    while find_processes(folder) and time.monotonic() < until:
        time.sleep(0.05)
    return not find_processes(folder)


def test_two_batches_at_once_on_one_cache(tmp_path: Path) -> None:
    """They share the cache and disturb each other in nothing."""
    write_themes(tmp_path / "themes", 2)
    both = [start_batch(tmp_path, "themes", "-o", f"out-{i}", "-j", 1, *QUICK) for i in range(2)]
    assert [batch.communicate(timeout=60) and batch.returncode for batch in both] == [0, 0]
    assert read_results(tmp_path / "out-0") == read_results(tmp_path / "out-1")
    run_batch(tmp_path, "themes", "-o", "out-2", "-j", 1, "--no-cache", *QUICK)
    assert read_results(tmp_path / "out-2") == read_results(tmp_path / "out-0")


def test_a_read_only_folder_is_told_before_any_work(tmp_path: Path) -> None:
    """Hours of work must have a place to go; no traceback, exit code 7."""
    theme = write_theme(tmp_path / "a.yaml")
    (tmp_path / "out").mkdir(mode=0o555)
    if os.geteuid() == 0:  # whoever may do everything cannot be refused by a mode
        (tmp_path / "out").rmdir()
        (tmp_path / "out").write_text("a file in the way")
    done = run_batch(tmp_path, theme, "-o", "out")
    assert done.returncode == 7
    assert "cannot write to out" in done.stderr and "Traceback" not in done.stderr


def test_a_full_disk_fails_jobs_in_plain_words(tmp_path: Path) -> None:
    """What does not fit is told, nothing half-written stays, and the run with more room makes it whole."""
    write_themes(tmp_path / "themes", 1)

    def keep_files_small() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # as on a full disk, writing fails instead
        resource.setrlimit(resource.RLIMIT_FSIZE, (8_000, resource.RLIM_INFINITY))

    command = [*PROGRAM, "batch", "themes", "-o", "out", "-j", "1", *QUICK]
    options = {"cwd": tmp_path, "env": environment(tmp_path / "cache"), "capture_output": True, "text": True}
    done = subprocess.run(command, preexec_fn=keep_files_small, **options)  # type: ignore[call-overload]
    assert done.returncode == 8
    assert "cannot write to out/deck-0" in done.stdout and "Traceback" not in done.stderr
    assert not list((tmp_path / "out").rglob("*.part")) and not list((tmp_path / "out").rglob("*.pdf"))
    assert run_batch(tmp_path, "themes", "-o", "out", "-j", 1, *QUICK).returncode == 0


def test_shards_are_a_partition(tmp_path: Path) -> None:
    """Machines without any engine make every job once."""
    jobs = [InvalidJob(str(number), ()) for number in range(11)]
    parts = [shard_jobs(jobs, part, 3) for part in (1, 2, 3)]
    assert sorted(job.id for part in parts for job in part) == sorted(job.id for job in jobs)
    assert {len(part) for part in parts} <= {3, 4}
    write_themes(tmp_path / "themes", 3)
    done = run_batch(tmp_path, "themes", "-o", "out", "-j", 1, "--shard", "2/2", "--json", *QUICK)
    assert [event["job"] for event in list_events(done.stdout) if event["event"] == "done"] == ["deck-1"]
    assert (tmp_path / "out" / "batch-2of2.json").is_file()
    assert "--shard" in run_batch(tmp_path, "themes", "--shard", "3/2").stderr


def test_cards_of_several_jobs_share_sheets(tmp_path: Path) -> None:
    """Twenty-one cards on two sheets; slug lines and a pick list tell whose they are, a job at fault is named."""
    write_themes(tmp_path / "themes", 2)
    Image.new("RGB", (30, 40), "red").save(tmp_path / "themes" / "coarse.png")
    (tmp_path / "themes" / "coarse.yaml").write_text(
        "symbols: [coarse.png, 🐶, 🐱, 🐭, 🐹, 🐰, 🦊]\nback: navy\n", encoding="utf-8"
    )
    rows = [
        ["id", "theme", "copies", "customer"],
        ["red-3b", "themes/deck-0.yaml", "2", "Ada"],
        ["coarse", "themes/coarse.yaml", "", "Eve"],
        ["blue", "themes/deck-1.yaml", "", "Bo"],
    ]
    with (tmp_path / "jobs.csv").open("w", newline="") as file:
        csv.writer(file).writerows(rows)
    arguments = ("jobs.csv", "-o", "out", "-j", 2, "--gang", "--profile", "shop-sra3-x4", *QUICK)
    done = run_batch(tmp_path, *arguments)
    assert done.returncode == 8 and 'the column "customer" is none of ours' in done.stderr
    gang = tmp_path / "out" / "gang"
    # whose pictures are too coarse fails alone, as it does without a gang, and is missing from the sheets
    coarse = read_report(tmp_path / "out" / "coarse")
    assert coarse["status"] == "failed" and coarse["exit_code"] == 9 and "dpi" in coarse["faults"][0]["what"]
    assert coarse["columns"] == {"customer": "Eve"} and "columns" not in read_report(gang)
    assert "build the job alone" in coarse["faults"][0]["hint"]
    assert read_report(gang)["status"] == "done"
    assert read_report(gang)["warnings"] == ["coarse is not on these sheets: it failed"]
    with (gang / "gang-picklist.csv").open(encoding="utf-8") as file:
        places = list(csv.DictReader(file))
    assert len(places) == 2 * 7 + 7 and {row["sheet"] for row in places} == {"1", "2"}
    assert sum(row["deck"].startswith("red-3b · ") for row in places) == 14
    assert {(row["deck"].split(" · ")[0], row["customer"]) for row in places} == {("red-3b", "Ada"), ("blue", "Bo")}
    text = subprocess.run(
        ["pdftotext", gang / "gang-cards.pdf", "-"], capture_output=True, text=True, check=True
    ).stdout
    assert "red-3b · deck-0" in text and "blue · deck-1" in text
    assert read_report(gang)["preflight"]["gang"]["passed"]
    assert read_report(gang)["gangs"] == {"gang": ["red-3b", "blue"]}  # in the order of the list
    assert [row["copy"] for row in places if row["card"] == "1"] == ["1", "2", "1"]
    assert read_report(gang)["proof"]["gang-cards.pdf"]["verdict"] == "proved"
    assert read_report(gang)["deck"] == {"cards": 21, "sheets": 2}
    assert "proved: " in (gang / "log.txt").read_text(encoding="utf-8")
    assert not (tmp_path / "out" / "blue" / "blue-cards.pdf").exists()
    before = read_results(tmp_path / "out")
    assert "3 skipped (unchanged), 1 failed" in run_batch(tmp_path, *arguments).stdout
    assert read_results(tmp_path / "out") == before


def test_a_theme_that_breaks_its_reader_fails_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even what nobody foresaw is a fault of one job, in words, with a report."""

    def break_down(*_: object) -> Task:
        raise RuntimeError("no idea")

    monkeypatch.setattr(conduct, "make_task", break_down)
    order = BuildOptions(output=tmp_path)
    events: list[conduct.Event] = []
    with ThreadPoolExecutor(1) as executor:
        crew = Workers(executor, 1, run_isolated, travels=False)
        conduct.Scheduler(crew, BatchOptions(build=order), events.append).run(
            [Job(name, tmp_path / f"{name}.yaml", order) for name in ("one", "two")]
        )
    ended = [event for event in events if "exit_code" in event]
    assert [(event["job"], event["exit_code"]) for event in ended] == [("one", 1), ("two", 1)]
    assert "something went wrong inside (RuntimeError: no idea)" in ended[0]["faults"][0]["what"]
    assert json.loads((tmp_path / "two" / "report.json").read_text(encoding="utf-8"))["status"] == "failed"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--output-profile", "nope.icc"), "--output-profile: nope.icc cannot be read"),
        (("--profile", "nope"), '--profile: there is no profile "nope"'),
        (("--once",), "--once goes with --watch"),
    ],
)
def test_what_the_command_line_gets_wrong_is_told_before_any_job(
    options: tuple[str, ...], words: str, tmp_path: Path
) -> None:
    """Unchanged jobs must not hide it either."""
    write_theme(tmp_path / "one.yaml")
    done = run_batch(tmp_path, "one.yaml", "-o", "out", *options)
    assert done.returncode == 2 and words in done.stderr
    assert not list(tmp_path.glob("out/*"))


@pytest.mark.usefixtures("pool")
def test_a_server_that_dies_costs_no_job(tmp_path: Path) -> None:
    """Where its workers die with it, through no fault of their own, they are tried once more."""
    theme = write_theme(tmp_path / "one.yaml")
    task = make_task(Job("one", theme, BuildOptions(quality="draft", output=tmp_path)), None, travels=False)
    steps: list[str] = []

    def kill_once(_: str, step: str) -> None:
        steps.append(step)
        if len(steps) == 2:
            server = list_children(os.getpid(), "sandbox.server")[0]
            for process in (*list_children(server), server):
                os.kill(process, signal.SIGSTOP)
            for process in (server, *list_children(server)):
                os.kill(process, signal.SIGKILL)

    listen_to_jobs(kill_once)
    assert run_isolated(task, 60.0).files
    assert steps.count("theme") == 2


def test_a_summary_that_cannot_be_written_is_a_failure(tmp_path: Path) -> None:
    """A script must not take the last run's summary for this one's."""
    write_theme(tmp_path / "one.yaml")
    (tmp_path / "out" / "batch.json").mkdir(parents=True)
    done = run_batch(tmp_path, "one.yaml", "-o", "out", "-j", 1, *QUICK)
    assert done.returncode == 7 and "1 done" in done.stdout


def test_earlier_results_beside_a_failure_are_told_as_such(tmp_path: Path) -> None:
    """They stay, but nobody should print them unawares; unchanged, the failure says that it was not tried again."""
    write_theme(tmp_path / "one.yaml")
    run_batch(tmp_path, "one.yaml", "-o", "out", "-j", 1, *QUICK)
    write_theme(tmp_path / "one.yaml", 0, "colour: red\n")
    run_batch(tmp_path, "one.yaml", "-o", "out", "-j", 1, *QUICK)
    assert "from an earlier run" in (tmp_path / "out" / "one" / "log.txt").read_text(encoding="utf-8")
    assert "unchanged, so not tried again" in run_batch(tmp_path, "one.yaml", "-o", "out", "-j", 1, *QUICK).stdout


def test_a_gang_of_one_deck_in_two_colours_is_proved_and_tells_who_is_missing(tmp_path: Path) -> None:
    """Two schools may have the same deck with backs of their own; a job that failed is named."""
    for color in ("red", "blue"):
        write_theme(tmp_path / f"{color}.yaml", 0, f"back: {{color: {color}}}\n")
    write_theme(tmp_path / "white.yaml", 1, "back: none\n")
    write_theme(tmp_path / "bad.yaml", 0, "colour: red\n")
    done = run_batch(
        tmp_path, *(f"{name}.yaml" for name in ("red", "blue", "white", "bad")), "-o", "out", "-j", 2, "--gang", *QUICK
    )
    report = read_report(tmp_path / "out" / "gang")
    assert done.returncode == 8 and report["status"] == "done"
    assert report["warnings"] == ["bad is not on these sheets: it failed"]
    backs = next(c for c in report["proof"]["gang-cards.pdf"]["claims"] if c["claim"] == "backs")
    assert backs["what"] == "21 backs (7 of them white) are alike in each deck, one behind every front"
