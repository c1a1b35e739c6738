"""Jobs: what they are, how they went, and how job lists, folders and command lines become jobs."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from dobble_print.cache import Cache
from dobble_print.errors import DobbleError, ExitCode, Fault, InvalidValue, Place, ThemeError, UsageError
from dobble_print.files import is_device_name
from dobble_print.importing.tables import LIST_ENDINGS, Row, read_table_file
from dobble_print.messages import is_slip, quote, suggest
from dobble_print.options import BuildOptions, list_options
from dobble_print.resources import THEME_ENDINGS, THEME_FILE, shipped_themes
from dobble_print.sandbox.protocol import Message
from dobble_print.theme.profiles import find_profile
from dobble_print.theme.reader import find_theme, show_path
from dobble_print.theme.source import ListNode, MapNode, Node, TextNode, read_tree

Status = Literal["done", "skipped", "failed"]


@dataclass(frozen=True)
class Job:
    """One deck to make: its id names folder and files; `theme` is a theme file or a zip; `group` a folder above it.

    `options.output` is the folder of the whole batch. `place` is the row of the job list, where there is one, and
    `asked` the id as it stands there: no file can be called by some of its letters.
    """

    id: str
    theme: Path
    options: BuildOptions
    group: str = ""
    place: Place | None = None
    asked: str = ""

    @property
    def folder(self) -> Path:
        """Where its results go."""
        return self.options.output / self.group / self.id


@dataclass(frozen=True)
class InvalidJob:
    """A row or an argument that is no job, and why."""

    id: str
    faults: tuple[Fault, ...]


@dataclass(frozen=True, eq=False)
class Task:
    """A job on its way to a worker. Without `files` the worker reads the theme where it lies.

    `files` are the bytes of all inputs by their path below the theme's folder, `theme` is the path of the theme file
    (among them, if they travel), `shown` what faults call it. `inputs` is the hash that the result will stand for.
    With `only_box`, the cards are printed elsewhere, on sheets shared with other jobs. The task that prints them has
    those of these jobs as its `gang`, and as `absent` the ids of jobs that failed and are missing from the sheets.
    """

    job: Job
    program: str
    inputs: str
    theme: str
    shown: str
    files: Mapping[str, bytes] | None = None
    profile: tuple[str, Mapping[str, bytes]] | None = None
    output_profile: bytes | None = None
    cache: Cache | None = None
    only_box: bool = False
    gang: tuple[Task, ...] = ()
    absent: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class TaskResult:
    """What a worker hands back: faults, files, the report without faults and times, and lines for the log."""

    code: ExitCode
    faults: tuple[Fault, ...] = ()
    files: Mapping[str, bytes] = field(default_factory=dict)
    obsolete: Sequence[str] = ()
    report: Mapping[str, Any] = field(default_factory=dict)
    log: Sequence[str] = ()
    times: Mapping[str, Any] = field(default_factory=dict)

    def pack(self) -> Message:
        """Return the result as a message, which a worker sends."""
        return asdict(self) | {"files": list(self.files)}, list(self.files.values())

    @classmethod
    def unpack(cls, message: Message) -> TaskResult:
        """Return the result that `pack` made a message of."""
        values, blocks = message
        files = dict(zip(values["files"], blocks, strict=True))
        code, faults = ExitCode(values["code"]), tuple(map(Fault.from_dict, values["faults"]))
        return cls(**values | {"code": code, "faults": faults, "files": files})


@dataclass(frozen=True, eq=False)
class Outcome:
    """How a job went: done, skipped because nothing changed, or failed and why."""

    id: str
    status: Status
    folder: str = ""
    files: tuple[str, ...] = ()
    faults: tuple[Fault, ...] = ()
    code: ExitCode = ExitCode.OK
    deck: Mapping[str, Any] = field(default_factory=dict)
    warnings: int = 0
    times: Mapping[str, float] = field(default_factory=lambda: {"seconds": 0.0, "cpu_s": 0.0, "peak_mb": 0.0})
    is_remembered: bool = False  # it failed in an earlier run, and nothing has changed since

    @property
    def reason(self) -> str:
        """The first fault in a line."""
        if not self.faults:
            return ""
        more = f" (and {len(self.faults) - 1} more)" if len(self.faults) > 1 else ""
        again = "; unchanged, so not tried again: --retry-failed" if self.is_remembered else ""
        return f"{self.faults[0]}{more}{again}"

    def as_dict(self) -> dict[str, Any]:
        """Return what is told of the job besides its id, how it went, and what it took."""
        if self.status == "failed":
            told = {"exit_code": int(self.code), "faults": [fault.as_dict() for fault in self.faults]}
        else:
            told = {"files": list(self.files), "deck": dict(self.deck), "warnings": self.warnings}
        return {"folder": self.folder, **told}


@dataclass(frozen=True, kw_only=True)
class BatchOptions:
    """How a batch is run, and what is asked of all its jobs; with `build.gang`, their cards share sheets."""

    build: BuildOptions
    workers: int | None = None
    timeout_s: float | None = None
    force: bool = False
    retry_failed: bool = False
    use_cache: bool = False
    cluster: str | None = None
    shard: str | None = None


LONGEST_ID = 60
ARCHIVE = ".zip"
OPTIONS = {name: option for name, option in list_options().items() if option.has_column}
COLUMNS = ("id", "theme", "output", *OPTIONS)
OTHER_SPELLINGS = {"lang": "languages", "language": "languages", "name": "id", "job": "id", "folder": "output"}
OTHER_SPELLINGS |= {"copy": "copies", "icc": "output_profile", "icc_profile": "output_profile"}
_OWN = re.compile(r"gang(-\d+)?|batch(-\d+of\d+)?\.json")  # folders and files of the batch itself


def find_column(heading: str) -> str:
    """Return the column meant by a heading, or the heading itself where it is the shop's own; raise `InvalidValue`.

    What is one slip away from a column of ours is a mistake.
    """
    plain = re.sub(r"[\s-]+", "_", heading.strip().casefold())
    plain = OTHER_SPELLINGS.get(plain, plain)
    if plain in COLUMNS:
        return plain
    meant = [known for known in (*COLUMNS, *OTHER_SPELLINGS) if is_slip(plain, known)]
    if meant or not plain:
        hint = suggest(plain, meant) or f"Columns of ours are: {', '.join(COLUMNS)}."
        raise InvalidValue(f"there is no column {quote(heading)}", hint)
    return heading.strip()


def make_job(cells: Mapping[str, str], base: BuildOptions, folder: Path, place: Place) -> Job:
    """Return the job of a row; paths start from the list's own folder. Raise all that is wrong at once."""
    faults = list[Fault]()
    theme = _read(faults, _find_theme, cells.get("theme", ""), folder)
    name = _read(faults, make_id, cells.get("id") or (derive_name(theme) if theme else ""))
    group = _read(faults, _read_group, cells.get("output", ""))
    options = _read(faults, _read_options, cells, base, folder)
    UsageError.raise_any(replace(fault, place=fault.place or place) for fault in faults)
    assert theme is not None and options is not None
    return Job(name or "", theme, options, group or "", place, cells.get("id", ""))


def _read(faults: list[Fault], read: Any, *given: Any) -> Any:
    try:
        return read(*given)
    except InvalidValue as refusal:
        faults.append(Fault(refusal.what, refusal.hint))
    except DobbleError as error:
        faults += [replace(fault, what=fault.what.removeprefix("--")) for fault in error.faults]
    except OSError as error:  # a name so long that nobody can even look it up
        faults.append(Fault(f"{quote(given[0])[:80]} is no file name ({error.strerror})"))
    return None


def _find_theme(text: str, folder: Path) -> Path:
    if not text:
        hint = "Give a theme file, a folder, a zip, or the name of a shipped theme."
        raise InvalidValue("the row names no theme", hint)
    path = folder / text
    if path.is_file() and path.suffix.lower() == ARCHIVE:
        return path
    if path.is_file() and path.suffix.lower() not in THEME_ENDINGS:
        raise InvalidValue(f"{quote(text)} is no theme", f"A theme ends in {' or '.join(THEME_ENDINGS)}, or is a zip.")
    return find_theme(text if text in shipped_themes() and not path.exists() else str(path))


def derive_name(theme: Path) -> str:
    """Return what a theme is called where no id is given: its file, or its folder."""
    return theme.resolve().parent.name if theme.name == THEME_FILE else theme.stem


def make_id(text: str) -> str:
    """Return an id that is a file name on every system: letters, digits, dots, hyphens and underscores."""
    plain = re.sub(r"[^\w.-]+", "-", unicodedata.normalize("NFC", text)).strip("-._")[:LONGEST_ID].rstrip("-._")
    if not plain:
        raise InvalidValue(f"{quote(text)} is no id" if text else "the row has no id", "Use letters and digits.")
    if is_device_name(plain) or _OWN.fullmatch(plain.casefold()):
        raise InvalidValue(f"{quote(text)} is an id that the program or the system needs itself", "Choose another.")
    return plain


def _read_group(text: str) -> str:
    """Return a folder below that of the batch, perhaps some levels deep."""
    if text.startswith(("/", "\\", "~")) or ":" in text or "\\" in text or ".." in Path(text).parts:
        raise InvalidValue(f"output: {quote(text)} leads out of the folder of results", "Give a folder's name.")
    return "/".join(make_id(part) for part in Path(text).parts)


def _read_options(cells: Mapping[str, str], base: BuildOptions, folder: Path) -> BuildOptions:
    asked = {name: option.read_cell(cells[name]) for name, option in OPTIONS.items() if cells.get(name)}
    asked["passed_on"] = tuple((name, text) for name, text in cells.items() if name not in COLUMNS)
    if "profile" in asked:
        path = find_profile(asked["profile"], folder)
        shipped = path.stem == asked["profile"].casefold()
        asked["profile"] = path.stem if shipped else str(path)
    if "output_profile" in asked:
        asked["output_profile"] = folder / asked["output_profile"]
        if not asked["output_profile"].is_file():
            what = f"output_profile: there is no file {quote(cells['output_profile'])}"
            raise InvalidValue(what, "Paths start from the list's own folder.")
    options = replace(base, **asked)
    options.theme_values()
    options.check()
    return options


def is_job_list(path: Path) -> bool:
    """Whether a YAML file lists jobs: it is a list, or has the key `jobs`."""
    try:
        tree, _ = read_tree(path, path.name)
    except ThemeError:  # whoever takes it for a theme says what is wrong with it
        return False
    return isinstance(tree, ListNode) or (not isinstance(tree, TextNode) and tree.get("jobs") is not None)


Entry = Job | InvalidJob


def list_jobs(names: Sequence[str], options: BuildOptions) -> list[Entry]:
    """Every job that the arguments name; a second job with an id that is taken is none."""
    found: list[Entry] = []
    for name in names:
        try:
            found += _open(name, options)
        except DobbleError as error:
            found.append(InvalidJob(name, error.faults))
    return _refuse_twins(found)


def _open(name: str, options: BuildOptions) -> Iterator[Entry]:
    path = Path(name)
    ending = path.suffix.lower()
    if path.is_dir() and not (path / THEME_FILE).is_file():
        yield from _open_folder(path, options)
    elif path.is_file() and ending in LIST_ENDINGS:
        yield from _read_sheet(path, options)
    elif path.is_file() and ending in THEME_ENDINGS and is_job_list(path):
        yield from _read_yaml(path, options)
    elif not path.exists() and ending in (*LIST_ENDINGS, ARCHIVE):
        raise UsageError(Fault(f"there is no file {show_path(path)}", "Check its name and folder."))
    else:
        theme = path if path.is_file() and ending == ARCHIVE else find_theme(name)
        yield make_plain_job(theme, options)


def make_plain_job(theme: Path, options: BuildOptions, name: str = "") -> Job:
    """Return the job of a theme alone, called by the name given or that of its file or folder."""
    try:
        return Job(make_id(name or derive_name(theme)), theme, options)
    except InvalidValue as refusal:
        raise UsageError(Fault(refusal.what, f"Rename {show_path(theme)}.")) from None


def list_themes(folder: Path) -> list[Path]:
    """Return the themes in a folder: YAML files, zips, and folders with a `theme.yaml`; hidden ones do not count."""
    found = []
    for path in sorted(folder.iterdir()):
        if path.name.startswith("."):
            continue
        if path.is_file() and path.suffix.lower() in (*THEME_ENDINGS, ARCHIVE):
            found.append(path)
        elif (path / THEME_FILE).is_file():
            found.append(path / THEME_FILE)
    return found


def _open_folder(folder: Path, options: BuildOptions) -> Iterator[Entry]:
    try:
        themes = [path for path in list_themes(folder) if path.suffix == ARCHIVE or not is_job_list(path)]
    except OSError as error:
        raise UsageError(Fault(f"the folder {folder} cannot be read ({error.strerror})")) from None
    if not themes:
        raise UsageError(Fault(f"the folder {folder} holds no themes", "Give a folder of .yaml files or of folders."))
    for theme in themes:
        try:
            yield make_plain_job(theme, options)
        except DobbleError as error:
            yield InvalidJob(show_path(theme), error.faults)


def _read_sheet(path: Path, options: BuildOptions) -> Iterator[Entry]:
    """Read a job list from a spreadsheet or text file: the first row names the columns."""
    headings, *rows = _read_rows(path) or (None,)
    if headings is None:
        raise UsageError(Fault(f"{show_path(path)} is empty", "Its first row names the columns: id, theme, profile."))
    columns = _read_headings(headings.cells, headings.place)
    if not rows:
        raise UsageError(Fault(f"{show_path(path)} lists no jobs", "Each row below the first is a job."))
    for row in rows:
        extra = Fault("the row has more cells than the first row has headings", "Remove them.", row.place)
        faults = [extra] if len(row.cells) > len(columns) else []
        yield _make(dict(zip(columns, row.cells, strict=False)), options, path, row.place, faults)


def _read_rows(path: Path) -> tuple[Row, ...]:
    """Return the rows of a list; the table reader thinks of words, so its advice about long ones is not for us."""
    try:
        return read_table_file(path).rows
    except ThemeError as error:
        advice = "Split the list; several can be given at once."
        told = (replace(fault, hint=advice) if "more than" in fault.what else fault for fault in error.faults)
        raise UsageError(*told) from None


def _read_headings(cells: Sequence[str], place: Place) -> list[str]:
    faults = list[Fault]()
    columns = [column for cell in cells if (column := _read(faults, find_column, cell))]
    if not faults and "theme" not in columns:
        faults.append(Fault('no column is called "theme"', "The first row names the columns: id, theme, …"))
    if len(set(columns)) < len(columns):
        faults.append(Fault("two columns mean the same", "Remove one."))
    UsageError.raise_any(replace(fault, place=place) for fault in faults)
    return columns


def _read_yaml(path: Path, options: BuildOptions) -> Iterator[Entry]:
    """Read a job list in YAML: a list of jobs, or the key `jobs` with one."""
    tree, faults = read_tree(path, show_path(path))
    UsageError.raise_any(faults)
    rows = tree.get("jobs") if isinstance(tree, MapNode) else tree
    if not isinstance(rows, ListNode):
        raise UsageError(Fault("jobs: must be a list", "Start each job with a hyphen.", tree.place))
    if not rows.items:
        raise UsageError(Fault(f"{show_path(path)} lists no jobs", "Start each job with a hyphen."))
    for row in rows.items:
        cells = {"theme": row.text} if isinstance(row, TextNode) else dict[str, str]()
        wrong = list[Fault]()
        for key, value in row.entries if isinstance(row, MapNode) else ():
            try:
                cells[find_column(key.text)] = _join_text(value)
            except InvalidValue as refusal:
                wrong.append(Fault(refusal.what, refusal.hint, key.place))
        yield _make(cells, options, path, row.place, wrong)


def _join_text(node: Node) -> str:
    if isinstance(node, TextNode):
        return "" if node.empty else node.text
    if isinstance(node, ListNode) and all(isinstance(item, TextNode) for item in node.items):
        return ",".join(_join_text(item) for item in node.items)
    raise InvalidValue("a job's keys hold a text or a list of texts")


def _make(cells: dict[str, str], options: BuildOptions, path: Path, place: Place, faults: list[Fault]) -> Entry:
    try:
        UsageError.raise_any(faults)
        return make_job(cells, options, path.parent, place)
    except DobbleError as error:
        return InvalidJob(cells.get("id") or f"row {place.line}", error.faults)


def _refuse_twins(entries: list[Entry]) -> list[Entry]:
    """Ids name folders: two that differ in capitals only would be one on some disks."""
    first: dict[str, Job] = {}
    checked: list[Entry] = []
    for entry in entries:
        if isinstance(entry, Job):
            twin = first.setdefault(entry.id.casefold(), entry)
            if twin is not entry:
                where = f"line {twin.place.line} of {twin.place.file}" if twin.place else show_path(twin.theme)
                who = "" if entry.place else f"{show_path(entry.theme)}: "
                what = f'{who}another job is called "{twin.id}" already ({where})'
                fault = Fault(what, "Give each job an id of its own.", entry.place)
                entry = InvalidJob(f"{entry.id} (again)", (fault,))
        checked.append(entry)
    return checked
