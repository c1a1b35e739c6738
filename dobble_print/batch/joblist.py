"""From what the command line names to jobs: theme files, folders of themes, zips and job lists.

Invariant: every row and every argument becomes a job or a `Misfit` that says why not, in the order given; no two jobs
have one id.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from dobble_print.batch.columns import ARCHIVE, derive_name, find_column, make_id, make_job
from dobble_print.batch.inputs import is_job_list
from dobble_print.batch.model import Job, Misfit
from dobble_print.errors import DobbleError, Fault, Place, Refusal, ThemeError, UsageError
from dobble_print.importing.tables import LIST_ENDINGS, Row, read_table_file
from dobble_print.jobs import BuildOrder
from dobble_print.resources import THEME_ENDINGS, THEME_FILE
from dobble_print.theme.reader import find_theme, show_path
from dobble_print.theme.source import ListNode, MapNode, Node, TextNode, read_tree

Entry = Job | Misfit


def list_jobs(names: Sequence[str], order: BuildOrder) -> list[Entry]:
    """Every job that the arguments name; a second job with an id that is taken is none."""
    found: list[Entry] = []
    for name in names:
        try:
            found += _open(name, order)
        except DobbleError as error:
            found.append(Misfit(name, error.faults))
    return _refuse_twins(found)


def _open(name: str, order: BuildOrder) -> Iterator[Entry]:
    path = Path(name)
    ending = path.suffix.lower()
    if path.is_dir() and not (path / THEME_FILE).is_file():
        yield from _open_folder(path, order)
    elif path.is_file() and ending in LIST_ENDINGS:
        yield from _read_sheet(path, order)
    elif path.is_file() and ending in THEME_ENDINGS and is_job_list(path):
        yield from _read_yaml(path, order)
    elif not path.exists() and ending in (*LIST_ENDINGS, ARCHIVE):
        raise UsageError(Fault(f"there is no file {show_path(path)}", "Check its name and folder."))
    else:
        theme = path if path.is_file() and ending == ARCHIVE else find_theme(name)
        yield make_plain_job(theme, order)


def make_plain_job(theme: Path, order: BuildOrder, name: str = "") -> Job:
    """The job of a theme alone, called by the name given or that of its file or folder."""
    try:
        return Job(make_id(name or derive_name(theme)), theme, order)
    except Refusal as refusal:
        raise UsageError(Fault(refusal.what, f"Rename {show_path(theme)}.")) from None


def list_themes(folder: Path) -> list[Path]:
    """The themes in a folder: YAML files, zips, and folders that hold a `theme.yaml`; hidden ones do not count."""
    found = []
    for path in sorted(folder.iterdir()):
        if path.name.startswith("."):
            continue
        if path.is_file() and path.suffix.lower() in (*THEME_ENDINGS, ARCHIVE):
            found.append(path)
        elif (path / THEME_FILE).is_file():
            found.append(path / THEME_FILE)
    return found


def _open_folder(folder: Path, order: BuildOrder) -> Iterator[Entry]:
    try:
        themes = [path for path in list_themes(folder) if path.suffix == ARCHIVE or not is_job_list(path)]
    except OSError as error:
        raise UsageError(Fault(f"the folder {folder} cannot be read ({error.strerror})")) from None
    if not themes:
        raise UsageError(Fault(f"the folder {folder} holds no themes", "Give a folder of .yaml files or of folders."))
    for theme in themes:
        try:
            yield make_plain_job(theme, order)
        except DobbleError as error:
            yield Misfit(show_path(theme), error.faults)


def _read_sheet(path: Path, order: BuildOrder) -> Iterator[Entry]:
    """A job list from a spreadsheet or text file: the first row names the columns."""
    headings, *rows = _read_rows(path) or (None,)
    if headings is None:
        raise UsageError(Fault(f"{show_path(path)} is empty", "Its first row names the columns: id, theme, profile."))
    columns = _read_headings(headings.cells, headings.place)
    if not rows:
        raise UsageError(Fault(f"{show_path(path)} lists no jobs", "Each row below the first is a job."))
    for row in rows:
        faults = []
        if len(row.cells) > len(columns):
            faults = [Fault("the row has more cells than the first row has headings", "Remove them.", row.place)]
        cells = dict(zip(columns, row.cells, strict=False))
        yield _make(cells, order, path, row.place, faults)


def _read_rows(path: Path) -> tuple[Row, ...]:
    """The rows of a list; the table reader thinks of words, so its advice about long ones is not for us."""
    try:
        return read_table_file(path).rows
    except ThemeError as error:
        advice = "Split the list; several can be given at once."
        raise UsageError(
            *(replace(fault, hint=advice) if "more than" in fault.what else fault for fault in error.faults)
        ) from None


def _read_headings(cells: Sequence[str], place: Place) -> list[str]:
    columns: list[str] = []
    faults: list[Fault] = []
    for cell in cells:
        try:
            columns.append(find_column(cell))
        except Refusal as refusal:
            faults.append(Fault(refusal.what, refusal.hint, place))
    if not faults and "theme" not in columns:
        faults.append(Fault('no column is called "theme"', "The first row names the columns: id, theme, …", place))
    if len(set(columns)) < len(columns):
        faults.append(Fault("two columns mean the same", "Remove one.", place))
    UsageError.raise_any(faults)
    return columns


def _read_yaml(path: Path, order: BuildOrder) -> Iterator[Entry]:
    """A job list in YAML: a list of jobs, or the key `jobs` with one."""
    tree, faults = read_tree(path, show_path(path))
    UsageError.raise_any(faults)
    rows = tree.get("jobs") if isinstance(tree, MapNode) else tree
    if not isinstance(rows, ListNode):
        raise UsageError(Fault("jobs: must be a list", "Start each job with a hyphen.", tree.place))
    if not rows.items:
        raise UsageError(Fault(f"{show_path(path)} lists no jobs", "Start each job with a hyphen."))
    for row in rows.items:
        if isinstance(row, MapNode):
            cells, wrong = _read_map(row)
            yield _make(cells, order, path, row.place, wrong)
        else:
            text = row.text if isinstance(row, TextNode) else ""
            yield _make({"theme": text}, order, path, row.place, [])


def _read_map(row: MapNode) -> tuple[dict[str, str], list[Fault]]:
    cells: dict[str, str] = {}
    faults: list[Fault] = []
    for key, value in row.entries:
        try:
            cells[find_column(key.text)] = _join_text(value)
        except Refusal as refusal:
            faults.append(Fault(refusal.what, refusal.hint, key.place))
    return cells, faults


def _join_text(node: Node) -> str:
    if isinstance(node, TextNode):
        return "" if node.empty else node.text
    if isinstance(node, ListNode) and all(isinstance(item, TextNode) for item in node.items):
        return ",".join(_join_text(item) for item in node.items)
    raise Refusal("a job's keys hold a text or a list of texts")


def _make(cells: dict[str, str], order: BuildOrder, path: Path, place: Place, faults: list[Fault]) -> Entry:
    try:
        UsageError.raise_any(faults)
        return make_job(cells, order, path.parent, place)
    except DobbleError as error:
        return Misfit(cells.get("id") or f"row {place.line}", error.faults)


def _refuse_twins(entries: list[Entry]) -> list[Entry]:
    """Ids name folders: two that differ in capitals only would be one on some disks."""
    first: dict[str, Job] = {}
    checked: list[Entry] = []
    for entry in entries:
        if isinstance(entry, Job):
            twin = first.setdefault(entry.id.casefold(), entry)
            if twin is not entry:
                entry = Misfit(f"{entry.id} (again)", (_twin_fault(entry, twin),))
        checked.append(entry)
    return checked


def _twin_fault(entry: Job, twin: Job) -> Fault:
    where = f"line {twin.place.line} of {twin.place.file}" if twin.place else show_path(twin.theme)
    what = f'another job is called "{twin.id}" already ({where})'
    what = what if entry.place else f"{show_path(entry.theme)}: {what}"
    return Fault(what, "Give each job an id of its own.", entry.place)
