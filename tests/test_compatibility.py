"""What people have from release 0.1 keeps working: theme files, profiles, flags, job lists, printers and exit codes."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml

from dobble_print.errors import ExitCode
from tests.conftest import ROOT, Run

RELEASE = ROOT / "tests" / "release_0_1"
OFFERED: dict[str, Any] = yaml.safe_load((RELEASE / "interface.yaml").read_text(encoding="utf-8"))
PRINTER = "# Written by dobble-print.\ndx_mm: 0.5\ndy_mm: -0.25\nscale: 1.002\n"


@pytest.fixture
def release(tmp_path: Path) -> Path:
    """The files that somebody made with release 0.1, in the working folder."""
    shutil.copytree(RELEASE, tmp_path, dirs_exist_ok=True)
    return tmp_path


@pytest.mark.parametrize("command", OFFERED["flags"])
def test_every_flag_is_still_there(command: str, run: Run) -> None:
    """A script that calls the program need not change."""
    words = run(command, "--help", COLUMNS="200").stdout.replace(",", " ").split()
    assert set(OFFERED["flags"][command].split()) <= set(words)


def test_exit_codes_mean_what_they_meant() -> None:
    """Scripts decide by them."""
    assert {code.name: int(code) for code in ExitCode}.items() >= OFFERED["exit_codes"].items()


@pytest.mark.parametrize("what", ["themes", "profiles", "papers", "shapes"])
def test_everything_on_the_lists_is_still_there(what: str, run: Run) -> None:
    """Whoever named a profile or a paper finds it again."""
    listed = json.loads(run("list", what, "--json").stdout)
    assert set(OFFERED[what].split()) <= {row["name"] for row in listed}


def list_keys(schema: dict[str, Any], before: str = "") -> set[str]:
    """Return the dotted names of all keys that a schema knows."""
    found: set[str] = set()
    for key, part in schema.get("properties", {}).items():
        items = part.get("items", {}) if isinstance(part.get("items"), dict) else {}
        found |= {before + key} | list_keys(part, f"{before}{key}.") | list_keys(items, f"{before}{key}[].")
        for other in [*part.get("anyOf", []), *part.get("oneOf", [])]:
            found |= list_keys(other, f"{before}{key}.")
        for other in [*items.get("anyOf", []), *items.get("oneOf", [])]:
            found |= list_keys(other, f"{before}{key}[].")
    return found


def test_every_key_of_a_theme_is_still_known(run: Run) -> None:
    """No editor marks a theme that was right."""
    assert set(OFFERED["theme_keys"].split()) <= list_keys(json.loads(run("schema").stdout))


def test_a_theme_with_every_key_builds(release: Path, run: Run) -> None:
    """Nothing in it is a fault, and the record names the program and the deck."""
    told = run("build", "everything.yaml", "-q", "--no-booklet")
    assert told.returncode == 0, told.stderr
    record = json.loads((release / "output" / "everything" / "deck.json").read_text(encoding="utf-8"))
    assert record["id"] and record["program"].startswith("dobble-print ")


def test_a_profile_that_a_shop_wrote_still_reads(release: Path, run: Run) -> None:
    """A profile beside the theme is taken by its path."""
    told = run("build", "everything.yaml", "-q", "--no-booklet", "--no-legend", "--profile", "./our-cutter.yaml")
    assert told.returncode == 0, told.stderr


def test_a_job_list_still_runs(release: Path, run: Run) -> None:
    """All columns, semicolons, and the other spelling of languages."""
    told = run("batch", "jobs.csv", "-j", "1", "-q", "--no-booklet", "--no-legend")
    assert told.returncode == 0, told.stderr
    assert (release / "output" / "second" / "second-cards.pdf").is_file()


def test_every_column_is_still_known(release: Path, run: Run) -> None:
    """Headings are read before any job is; one that nobody knows would be a fault."""
    columns = OFFERED["columns"].split()
    (release / "plain.csv").write_text(",".join(columns[:19]) + "\n", encoding="utf-8")
    (release / "other.csv").write_text("theme," + ",".join(columns[19:]) + "\n", encoding="utf-8")
    told = run("batch", "plain.csv", "other.csv", "-j", "1")
    assert "there is no column" not in told.stdout + told.stderr


def test_a_printer_that_was_saved_is_still_known(release: Path, run: Run) -> None:
    """Its correction was measured with care."""
    (release / "config" / "dobble-print" / "printers").mkdir(parents=True)
    (release / "config" / "dobble-print" / "printers" / "office.yaml").write_text(PRINTER, encoding="utf-8")
    listed = json.loads(run("list", "printers", "--json", XDG_CONFIG_HOME=str(release / "config")).stdout)
    assert [row["name"] for row in listed] == ["office"]
