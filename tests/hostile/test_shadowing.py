"""Modules planted in the working folder and beside the theme: no process of the program runs any of them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy
import pytest
from PIL import Image

from dobble_print.sandbox.limits import make_child_command, make_child_environment
from tests.conftest import ROOT

PLANTED = [
    *("sitecustomize", "usercustomize", "dobble_print"),
    *("pickle", "json", "socket", "struct", "re", "zlib", "random", "typing", "dataclasses", "contextlib", "selectors"),
    *("signal", "tempfile", "subprocess", "multiprocessing", "importlib", "pathlib", "copyreg", "enum", "heapq"),
    *("numpy", "PIL", "yaml", "lxml", "pikepdf", "openpyxl", "distributed", "cloudpickle"),
    *("reportlab_settings", "reportlab_mods", "brotli", "colorama"),  # libraries ask for them without needing them
]
PLANT = "open({mark!r}, 'w').close()\n"

# As an installer writes it: Python then looks in the folder of the script, not in the working folder. The path comes
# last and from the script alone, so that a source tree does as well as an installed package.
SCRIPT = """\
import sys
sys.path.append({root!r})
from dobble_print.cli.app import main
if __name__ == "__main__":
    main()
"""
FRESH = "from dobble_print.sandbox import pool\npool.can_fork = lambda: False\n"

THEME = """\
title: Own pictures
deck: {symbols_per_card: 3}
layout: {quality: draft}
symbols: [p0.svg, p1.svg, p2.svg, p3.svg, p4.svg, p5.svg, p6.png]
"""
SHAPE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path fill="{color}" d="{d}"/></svg>'
OUTLINES = ["M0 0H9V9H0z", "M0 9L4 0L9 9z", "M0 0H9V3H0z", "M0 0H9L0 9z", "M3 0H6V9H3z", "M0 4L4 0L9 4L4 9z"]


class Workplace:
    """A working folder and a folder of themes, both full of planted modules, and the program as it is installed."""

    def __init__(self, folder: Path) -> None:
        self.here, self.themes, self.marks = folder / "here", folder / "themes", folder / "marks"
        self.script, self.fresh_script = folder / "bin" / "dobble-print", folder / "bin" / "dobble-print-fresh"
        for each in (self.here, self.themes, self.marks, self.script.parent):
            each.mkdir()
        script = SCRIPT.format(root=str(ROOT))
        self.script.write_text(script, encoding="utf-8")
        self.fresh_script.write_text(script.replace("if __name__", FRESH + "if __name__"), encoding="utf-8")
        self._draw()
        for place in (self.here, self.themes):
            for name in PLANTED:
                mark = str(self.marks / f"{place.name}-{name}")
                (place / f"{name}.py").write_text(PLANT.format(mark=mark), encoding="utf-8")

    def _draw(self) -> None:
        colors = ["teal", "navy", "maroon", "olive", "purple", "black"]
        for number, (color, outline) in enumerate(zip(colors, OUTLINES, strict=True)):
            (self.themes / f"p{number}.svg").write_text(SHAPE.format(color=color, d=outline), encoding="utf-8")
        Image.new("RGB", (1500, 1000), "orange").save(self.themes / "p6.png")
        for name in ("one", "two", "three"):
            (self.themes / f"{name}.yaml").write_text(THEME.replace("Own", name), encoding="utf-8")

    def run(self, *arguments: object, fresh: bool = False) -> None:
        """Run the program in the working folder; it must succeed, and nothing planted may run."""
        script = self.fresh_script if fresh else self.script
        done = subprocess.run(
            [sys.executable, script, *map(str, arguments)],
            cwd=self.here,
            env={name: value for name, value in os.environ.items() if not name.startswith("PYTHON")},
            capture_output=True,
            text=True,
            timeout=180,
        )
        assert not self.list_marks(), done.stderr
        assert done.returncode == 0, done.stderr + done.stdout

    def list_marks(self) -> list[str]:
        """Which planted modules were executed."""
        return sorted(path.name for path in self.marks.iterdir())


@pytest.fixture
def workplace(tmp_path: Path) -> Workplace:
    """Folders full of planted modules."""
    return Workplace(tmp_path)


def test_planted_modules_do_run_where_python_looks(workplace: Workplace) -> None:
    """The trap itself works: an ordinary interpreter in that folder falls into it."""
    program = "import json, numpy, reportlab_settings"
    subprocess.run([sys.executable, "-c", program], cwd=workplace.here, check=True, timeout=60)
    assert workplace.list_marks() == ["here-json", "here-numpy", "here-reportlab_settings"]


@pytest.mark.parametrize("fresh", [False, True], ids=["copied sandbox", "fresh sandbox"])
def test_one_deck(workplace: Workplace, fresh: bool) -> None:
    """Checked, built, proved and examined; the sandbox is a copy of the process, or a new one as on Windows."""
    theme = workplace.themes / "one.yaml"
    workplace.run("check", theme, fresh=fresh)
    workplace.run("build", theme, "--profile", "shop-sra3-x4", "--no-booklet", fresh=fresh)
    (sheets,) = workplace.here.glob("output/one/cards*.pdf")
    workplace.run("verify", sheets, fresh=fresh)
    workplace.run("preflight", sheets, "--profile", "shop-sra3-x4", fresh=fresh)


@pytest.mark.parametrize(
    "settings", [b"no section at all\n", b"\xff\xfe[\0", b"[core]\nLOG_UNPROCESSED_TAGS = maybe\nDISABLE_C_EXT = 1\n"]
)
def test_settings_of_a_library_are_not_read(workplace: Workplace, settings: bytes) -> None:
    """The writer of cut files looks for its own in the working folder; whatever lies there changes nothing."""
    (workplace.here / "ezdxf.ini").write_bytes(settings)
    workplace.run("build", workplace.themes / "one.yaml", "--profile", "silhouette-a4", "--no-booklet")
    assert list(workplace.here.glob("output/one/cut*.dxf"))


@pytest.mark.parametrize("options", [(), ("--gang",), ("--cluster", "local")], ids=["jobs", "gang", "cluster"])
def test_many_decks(workplace: Workplace, options: tuple[str, ...]) -> None:
    """Workers here, and those that Dask starts for us."""
    workplace.run("batch", workplace.themes, "--jobs", 2, *options)


def test_new_themes(workplace: Workplace) -> None:
    """From a workbook and from pictures that lie among planted modules."""
    shutil.copy(ROOT / "tests" / "data" / "woorden.xlsx", workplace.here)
    workplace.run("new", "words", "--from", "woorden.xlsx")
    workplace.run("new", "pictures", "--from", workplace.themes)


def run_child(module: str) -> subprocess.CompletedProcess[str]:
    """Run a module as the program runs its own."""
    command, environment = make_child_command(module), make_child_environment()
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)


def test_a_child_finds_what_its_parent_finds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Folders of the user's PYTHONPATH too; but the working folder never, whatever its name on the path is."""
    mine, here, link = tmp_path / "mine", tmp_path / "here", tmp_path / "link"
    for each in (mine, here):
        each.mkdir()
        (each / "json.py").write_text(f"place = {each.name!r}", encoding="utf-8")
    link.symlink_to(here)
    program = "import json, dobble_print\ndef main(): print(json.place, dobble_print.__file__)\n"
    (mine / "probe.py").write_text(program, encoding="utf-8")
    monkeypatch.chdir(here)
    monkeypatch.setenv("PYTHONPATH", str(here))
    monkeypatch.setattr(sys, "path", ["", ".", str(here), str(link), str(mine), *sys.path])
    assert run_child("probe").stdout.strip() == f"mine {ROOT / 'dobble_print' / '__init__.py'}"


def test_a_child_works_where_the_packages_themselves_lie(monkeypatch: pytest.MonkeyPatch) -> None:
    """A working folder that every interpreter searches anyway is not left out."""
    monkeypatch.chdir(Path(numpy.__file__).parent.parent)
    assert "module 'numpy' has no attribute 'main'" in run_child("numpy").stderr


def test_there_is_one_place_that_starts_interpreters() -> None:
    """Whoever writes another command for Python writes it without the guards."""
    package = ROOT / "dobble_print"
    texts = {path: path.read_text(encoding="utf-8") for path in package.rglob("*.py")}
    commands = [path for path, text in texts.items() if re.search(r"[\[(]\s*sys\.executable\s*,", text)]
    assert commands == [package / "sandbox" / "limits.py"]
    starters = [path for path, text in texts.items() if re.search(r"\b(subprocess|Popen|posix_spawn|os\.exec)", text)]
    assert not [path for path in starters if "sys.executable" in texts[path] and path not in commands]
