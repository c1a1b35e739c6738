"""Batches on a Dask cluster: a real scheduler, real workers, inputs that travel, and a worker killed in the middle."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from distributed import Client

from dobble_print.batch.cluster import _wait_for_workers
from dobble_print.errors import UsageError
from dobble_print.sandbox.limits import make_child_environment
from tests.batches import (
    PROGRAM,
    QUICK,
    environment,
    list_events,
    read_results,
    run_batch,
    start_batch,
    write_theme,
    write_themes,
)

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle cx="4" cy="4" r="4" fill="teal"/></svg>'


PATIENCE_S = 90


class Cluster:
    """A scheduler and workers, each a process, in folders where no theme lies."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{port}"
        self.processes = [self._start("scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard")]

    def add_worker(self) -> subprocess.Popen[bytes]:
        """One more worker, without a nanny that would start it again."""
        options = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--memory-limit", "0")
        self.processes.append(self._start("worker", self.address, *options))
        return self.processes[-1]

    def _start(self, *arguments: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-m", "dask", *arguments],
            cwd=self.folder,
            env=environment(self.folder / "cache"),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def wait_for_workers(self, count: int) -> None:
        """Until the scheduler answers and knows so many workers: on a busy machine that takes its time."""
        with Client(self.address, timeout=PATIENCE_S, set_as_default=False) as client:
            client.wait_for_workers(count, timeout=PATIENCE_S)

    def close(self) -> None:
        """End them all."""
        for process in reversed(self.processes):
            process.kill()
            process.wait()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A cluster with two workers."""
    mine = Cluster(tmp_path_factory.mktemp("cluster"))
    try:
        mine.add_worker()
        mine.add_worker()
        mine.wait_for_workers(2)
        yield mine
    finally:
        mine.close()


def test_the_cluster_makes_the_same_bytes(cluster: Cluster, tmp_path: Path) -> None:
    """Pictures travel with their job, faults name the file that the user knows, results are written here."""
    write_theme(tmp_path / "themes" / "a" / "theme.yaml", 0, "back: {image: back.svg}\n")
    (tmp_path / "themes" / "a" / "back.svg").write_text(SVG)
    write_theme(tmp_path / "themes" / "bad.yaml", 0, "colour: red\n")
    far = run_batch(tmp_path, "themes", "-o", "far", "--cluster", cluster.address, "--json", *QUICK)
    near = run_batch(tmp_path, "themes", "-o", "near", "-j", 2, "--json", *QUICK)
    assert far.returncode == near.returncode == 8, far.stderr
    assert read_results(tmp_path / "far") == read_results(tmp_path / "near")
    bad = json.loads((tmp_path / "far" / "bad" / "report.json").read_text(encoding="utf-8"))
    assert bad["faults"][0]["place"]["file"] == "themes/bad.yaml"


def test_a_worker_killed_in_the_middle_of_a_job_loses_nothing(cluster: Cluster, tmp_path: Path) -> None:
    """The scheduler gives its jobs to the others; every job is done in the end."""
    write_themes(tmp_path / "themes", 4)
    cluster.add_worker()
    cluster.wait_for_workers(3)
    batch = start_batch(tmp_path, "themes", "-o", "out", "--cluster", cluster.address, "--json", *QUICK)
    assert batch.stdout
    killed = False
    events = []
    with batch:
        for line in batch.stdout:
            events.append(json.loads(line))
            if events[-1]["event"] == "step" and events[-1]["step"] == "layout" and not killed:
                killed = True
                os.kill(cluster.processes[1].pid, signal.SIGKILL)
    assert batch.returncode == 0 and killed
    assert sorted(event["job"] for event in events if event["event"] == "done") == [f"deck-{i}" for i in range(4)]
    run_batch(tmp_path, "themes", "-o", "near", "-j", 2, *QUICK)
    assert read_results(tmp_path / "out") == read_results(tmp_path / "near")


def test_a_cluster_started_here(tmp_path: Path) -> None:
    """`--cluster local` needs nothing else; nothing is left running."""
    write_themes(tmp_path / "themes", 2)
    done = run_batch(tmp_path, "themes", "-o", "out", "--cluster", "local", "-j", 2, "--json", *QUICK)
    assert done.returncode == 0, done.stderr
    assert [event["event"] for event in list_events(done.stdout)][-1] == "end"
    assert "Traceback" not in done.stderr and "WARNING" not in done.stderr


def test_a_scheduler_that_does_not_answer_is_told(tmp_path: Path) -> None:
    """Plain words, once patience is at its end."""
    write_themes(tmp_path / "themes", 1)
    impatient = f"from dobble_print.batch import cluster; cluster.CONNECT_S = 0.5; {PROGRAM[-1]}"
    command = [*PROGRAM[:-1], impatient, "batch", "themes", "--cluster", "tcp://127.0.0.1:1"]
    done = subprocess.run(command, cwd=tmp_path, env=environment(tmp_path / "cache"), capture_output=True, text=True)
    assert done.returncode == 2
    assert "no Dask scheduler answers at tcp://127.0.0.1:1" in done.stderr and "Traceback" not in done.stderr


def test_a_scheduler_without_workers_is_told() -> None:
    """Its jobs would wait for ever."""

    class Idle:
        def wait_for_workers(self, count: int, timeout: float) -> None:
            raise TimeoutError

    with pytest.raises(UsageError, match=r"the Dask scheduler at tcp://host:1 has no workers\. Start some with"):
        _wait_for_workers(Idle(), "tcp://host:1")


def test_a_cluster_s_habits_of_memory_stay_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a Dask worker is told about freed memory would make layouts half as slow again."""
    monkeypatch.setenv("MALLOC_TRIM_THRESHOLD_", "65536")
    seen = make_child_environment()
    assert "MALLOC_TRIM_THRESHOLD_" not in seen and seen["OMP_NUM_THREADS"] == "1"
