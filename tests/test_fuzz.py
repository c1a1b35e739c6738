"""Random inputs: whatever a theme or a drawing is made of, it is understood or refused in plain words; never a crash.

`make fuzz` runs these with many more inputs (`FUZZ_INPUTS` for each test) within a bounded time (`FUZZ_SECONDS`).
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
import re
import time
import warnings
import xml.etree.ElementTree as ElementTree
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from dobble_print.art import guarded
from dobble_print.art.artwork import make_artwork, pack_artwork, unpack_artwork
from dobble_print.art.svg.sanitizer import admit_svg
from dobble_print.art.text.plates import draw_text
from dobble_print.batch.inputs import collect_inputs
from dobble_print.batch.jobs import Job, Task
from dobble_print.batch.reports import find_finished
from dobble_print.cache import Cache
from dobble_print.cli.batch import write_table
from dobble_print.errors import ArtworkError, DobbleError, ThemeError
from dobble_print.fonts import find_font
from dobble_print.importing.tables import _check_archive, read_packed
from dobble_print.messages import write_plain
from dobble_print.options import BuildOptions
from dobble_print.preflight.check import examine_pdf
from dobble_print.prepress.inks import load_output_profile
from dobble_print.resources import find_template
from dobble_print.theme.model import Text, TextStyle
from dobble_print.theme.options import THEME, Section
from dobble_print.theme.reader import examine_theme
from dobble_print.verify.prove import prove_pdf
from tests.hostile import drawings
from tests.hostile.pixels import encode, make_png
from tests.hostile.test_drawings import HARMLESS
from tests.hostile.test_formats import make_heic
from tests.verify_samples import make_deck, make_sheet

INPUTS = int(os.environ.get("FUZZ_INPUTS", "150"))
SECONDS = float(os.environ.get("FUZZ_SECONDS", "600"))
PLACES = 8
RARE = 5  # for files that are opened in processes of their own, or by slower libraries
Record = Callable[[str, object], None]


def fuzz(
    places: int = 1, rarity: int = 1, **strategies: st.SearchStrategy[Any]
) -> Callable[[Callable[..., None]], Callable[[Record], None]]:
    """A test over many random inputs; those that come after the time is up pass by, and the report says how many.

    With `places`, each input is tried in so many ways; with `rarity`, there are as many times fewer of them.
    """

    def decorate(test: Callable[..., None]) -> Callable[[Record], None]:
        def run(record_property: Record) -> None:
            start, tried = time.monotonic(), 0

            def check(**values: Any) -> None:
                nonlocal tried
                if time.monotonic() - start < SECONDS:
                    tried += places
                    test(**values)

            check.__name__ = test.__name__  # what fails is kept under this name and tried first in the next run
            most = max(20 if rarity > 1 else 1, INPUTS // (places * rarity))
            settings(max_examples=most, deadline=None)(given(**strategies)(check))()
            record_property("random inputs", f"{tried} in {test.__name__}")
            assert tried

        run.__name__, run.__doc__ = test.__name__, test.__doc__
        return run

    return decorate


# --- themes -----------------------------------------------------------------------------------------------------

KEYS = [part.key for part in THEME]
INNER = [field.key for part in THEME if isinstance(part, Section) for field in part.fields]
VALUES = [
    "", "~", "null", "1", "-1", "85", "1e9", ".inf", "010", "0x1F", "true", "no", "auto", "all", "none", "red",
    '"#ff0000"', "#ff0000", "A4", "round", "nl", "[nl, fr]", "lexicon", "animals", "picture", "word:nl", "cat",
    "🐱", "🐱🐱", "❤️", "👩🏽‍🚀", "art/a.png", "../a.png", "/a.png", "C:\\a", "a\\b.png", "http://x/y.png",
    '"\\0"', '"\\ud800"',
    '"\u202ea"', "x" * 200, "a: b", "- a", "*a", "&a b", "!t b", "<<", "? x", "%a", "@a", "`a", "'", '"', "{", "}",
    "[", "]", ",", "|", ">", "{en: a, nl: b}", "{emoji: 🐱, en: cat}", "{text: 3 × 4}", "{image: a.svg}",
    "{word: cat, faces: [cat, word:nl]}", "{text: ½, badge: [red, blue]}", "e\u0301" * 9, "\u0301" * 20, "\u200b",
    "[]", "{}", "[[[]]]", "{a: {b: {c: d}}}", "3.5 mm", "7,5", "١٢", "५", "x-4", "shop-sra3-x4", "long",
]  # fmt: skip
SYMBOLS = [value for value in VALUES if "\n" not in value]
PLAIN = "⚓🐱🐶🍎🍌🚗🚀"


def write_value(value: object) -> str:
    """A value as YAML in one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {write_value(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(write_value, value)) + "]"
    return str(value)


values = st.recursive(
    st.sampled_from(VALUES),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from([*KEYS, *INNER, "a", "en"]), inner, max_size=4)
    ),
    max_leaves=6,
)
structures = st.fixed_dictionaries(
    {
        "top": st.lists(st.tuples(st.sampled_from([*KEYS, "colour", "Titel"]), values), max_size=5),
        "symbols": st.lists(st.sampled_from([*PLAIN, *SYMBOLS]) | values.map(write_value), max_size=9),
    }
)


def examine(data: bytes, folder: Path) -> None:
    """Read a theme; anything but an understood theme or a fault in words is a crash."""
    path = folder / "theme.yaml"
    path.write_bytes(data)
    try:
        _, faults = examine_theme(path)
    except DobbleError as error:
        faults = list(error.faults)
    for fault in faults:
        assert fault.what and "\n" not in str(fault)
        assert fault.place is None or fault.place.line >= 1


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A theme's folder with a picture and a drawing."""
    path = tmp_path_factory.mktemp("fuzz")
    (path / "art").mkdir()
    (path / "art" / "a.png").write_bytes(make_png(9, 9))
    (path / "a.svg").write_bytes(drawings.svg(drawings.SQUARE))
    global _folder
    _folder = path
    return path


_folder = Path()


@pytest.mark.usefixtures("folder")
@fuzz(parts=structures)
def test_any_structure_is_a_theme_or_a_fault(parts: dict[str, Any]) -> None:
    """Known keys with values they were not made for, and symbols of every kind."""
    lines = [f"{key}: {write_value(value)}" for key, value in parts["top"]]
    lines += ["symbols:", *(f"  - {symbol}" for symbol in parts["symbols"])]
    examine("\n".join(lines).encode("utf-8", "replace"), _folder)


SAMPLES = [path.read_bytes() for path in sorted(Path(__file__).parent.parent.glob("themes/*.yaml"))]
edits = st.lists(
    st.tuples(
        st.floats(0, 1),
        st.integers(0, 40),
        st.sampled_from([value.encode("utf-8", "replace") for value in VALUES])
        | st.binary(max_size=4)
        | st.sampled_from([b"\n", b"  ", b"\t", b": ", b"- ", b"\r\n", b"\xff", b"\xef\xbb\xbf"]),
    ),
    max_size=6,
)


def edit(data: bytes, changes: list[tuple[float, int, bytes]], place: int = 0) -> bytes:
    """Replace pieces of a file; each `place` is another eighth of it to begin with."""
    for where, length, piece in changes:
        start = int((where + place / PLACES) % 1 * len(data))
        data = data[:start] + piece + data[start + length :]
    return data


@pytest.mark.usefixtures("folder")
@fuzz(PLACES, sample=st.sampled_from([data[:1500] for data in SAMPLES]), changes=edits)
def test_any_edit_of_a_theme_is_a_theme_or_a_fault(sample: bytes, changes: list[tuple[float, int, bytes]]) -> None:
    """Shipped themes with pieces cut out, pasted in and swapped."""
    for place in range(PLACES):
        examine(edit(sample, changes, place), _folder)


# --- drawings ---------------------------------------------------------------------------------------------------

TAGS = re.findall(
    r"\S+",
    "g svg defs symbol use switch a style path rect circle line polyline polygon image text tspan textPath tref "
    "linearGradient radialGradient stop clipPath mask pattern marker filter feGaussianBlur feImage feTurbulence "
    "feMerge feMergeNode script foreignObject animate set title metadata x:y",
)
NAMES = re.findall(
    r"\S+",
    "id href xlink:href class style fill stroke mask filter clip-path marker marker-mid width height x y d points "
    "viewBox transform opacity font-size stroke-dasharray numOctaves onload xml:base xml:space x:z systemLanguage",
)
TEXTS = [
    "a", "b", "#a", "#b", "url(#a)", "url(#b)", "url( '#a' )", "url(http://x/y#z)", "u\\72l(#a)", "u\\72l(x.svg#a)",
    "fill:url(#a);stroke:url(#b)", "fill:u\\72l(//x)", "none", "red", "10", "-1", "1e999", "nan", "50%", "0 0 9 9",
    "M0 0h9v9z", "M0,0 L9 9 1e9-3", "scale(0)", "rotate(9,9)", "http://x/y", "file:///etc/passwd", "../x.png",
    "data:image/png;base64,AAAA", "data:image/svg+xml,&lt;svg/&gt;", "javascript:1", "", " ", "&amp;", "é🐱", "x" * 300,
    "*{fill:url(#a)}", "#a>*{mask:url(#b)!important}", "@import 'x';", "a b c d{fill:red}", "}", "{", "/*", "\\", "(",
]  # fmt: skip

elements = st.lists(
    st.tuples(
        st.sampled_from(TAGS),
        st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from(TEXTS)), max_size=4),
        st.sampled_from(["", *TEXTS]),
        st.integers(-2, 1),
    ),
    max_size=14,
)


def write_drawing(parts: list[tuple[str, list[tuple[str, str]], str, int]]) -> bytes:
    """Elements in each other or after each other: the last number says how many levels to go up, or to stay."""
    open_tags: list[str] = []
    text = []
    for tag, attributes, inside, step in parts:
        quoted = "".join(f' {name}="{value}"' for name, value in dict(attributes).items() if "<" not in value)
        text.append(f"<{tag}{quoted}>{inside}")
        open_tags.append(tag)
        for _ in range(min(len(open_tags), 1 - step)):
            text.append(f"</{open_tags.pop()}>")
    text += [f"</{tag}>" for tag in reversed(open_tags)]
    return drawings.svg("".join(text), 'xmlns:x="urn:x" viewBox="0 0 9 9"')


ADDRESS = re.compile(r"url\(\s*['\"]?([^'\")]*)", re.IGNORECASE)


def list_leaks(data: bytes) -> list[str]:
    """Everything in a drawing that leads out of it or would run, found anew and by other means than the gate's."""
    leaks = []
    for element in ElementTree.fromstring(data).iter():
        tag = element.tag.rpartition("}")[2]
        leaks += [tag] if tag in ("script", "foreignObject", "animate", "set", "tref") else []
        texts = [*element.attrib.values(), element.text or ""] if tag == "style" else list(element.attrib.values())
        leaks += [found for text in texts for found in ADDRESS.findall(text) if not found.strip().startswith("#")]
        leaks += ["@"] if tag == "style" and re.search(r"@[\\\w]", element.text or "") else []
        for name, value in element.attrib.items():
            is_inner = value.startswith(("#", "data:image/png;base64,", "data:image/jpeg;base64,"))
            leaks += [value] if name.endswith("href") and not is_inner else []
            leaks += [name] if name.startswith("on") or name.endswith("base") else []
    return leaks


def admit(data: bytes) -> None:
    """Pass the gate or be refused in words; what passes names nothing outside itself, and passes again unchanged."""
    try:
        admitted = admit_svg(data)
    except ArtworkError as error:
        assert all(fault.what for fault in error.faults)
        return
    assert not list_leaks(admitted.data)
    again = admit_svg(admitted.data)
    assert again.dropped == () and again.hard_features == admitted.hard_features


@fuzz(parts=elements)
def test_any_elements_pass_the_gate_or_are_refused(parts: list[tuple[str, list[tuple[str, str]], str, int]]) -> None:
    """Known elements with attributes they were not made for."""
    admit(write_drawing(parts))


BOMBS = [value for name, value in vars(drawings).items() if name.endswith("_BOMB")]
DRAWINGS = [*HARMLESS.values(), *map(drawings.svg, BOMBS), drawings.svg("&l3;", before=drawings.LAUGHS)]
DRAWINGS = [data for data in DRAWINGS if len(data) < 9000]
pieces = st.lists(
    st.tuples(
        st.floats(0, 1),
        st.integers(0, 30),
        st.binary(max_size=4)
        | st.sampled_from([text.encode() for text in TEXTS])
        | st.sampled_from([b"<", b">", b"/>", b"</g>", b"<g>", b'"', b"&", b"]]>", b"<![CDATA[", b"<!--", b"\0"]),
    ),
    max_size=5,
)


@fuzz(PLACES, sample=st.sampled_from(DRAWINGS), changes=pieces)
def test_any_edit_of_a_drawing_passes_or_is_refused(sample: bytes, changes: list[tuple[float, int, bytes]]) -> None:
    """Honest drawings and bombs with pieces cut out, pasted in and swapped."""
    for place in range(PLACES):
        admit(edit(sample, changes, place))


# --- opened in the sandbox: slower, so fewer of them ------------------------------------------------------------


def open_in_sandbox(job: Callable[[bytes], object], data: bytes) -> None:
    """Open a picture; whatever it does to the libraries, the program meets an `ArtworkError`."""
    guarded.BUDGET.start()  # each is a theme of its own
    try:
        job(data)
    except ArtworkError as error:
        assert all(fault.what and "\n" not in fault.what for fault in error.faults)


@fuzz(rarity=RARE, parts=elements)
def test_any_elements_are_drawn_or_refused(parts: list[tuple[str, list[tuple[str, str]], str, int]]) -> None:
    """By both renderers."""
    open_in_sandbox(guarded.open_guarded, write_drawing(parts))


def _list_pictures() -> list[bytes]:
    from PIL import Image

    red = Image.new("RGB", (20, 12), "red")
    frames = {"save_all": True, "append_images": [Image.new("RGB", (20, 12), "blue")]}
    files = [encode(red, kind) for kind in ("PNG", "JPEG", "WEBP", "GIF")]
    more = (encode(red, kind, **frames) for kind in ("PNG", "WEBP"))
    return [*files, make_heic(), encode(red, "JPEG", progressive=True), *more]


PICTURES = _list_pictures()


@fuzz(rarity=RARE, sample=st.sampled_from(PICTURES), changes=pieces)
def test_any_edit_of_a_picture_is_read_or_refused(sample: bytes, changes: list[tuple[float, int, bytes]]) -> None:
    """Damaged files of every kind that is read."""
    open_in_sandbox(guarded.read_pixels_guarded, edit(sample, changes))


ARCHIVE = io.BytesIO()
with zipfile.ZipFile(ARCHIVE, "w", zipfile.ZIP_DEFLATED) as packed:
    packed.writestr("zoo/theme.yaml", SAMPLES[0])
    packed.writestr("zoo/art/a.png", make_png(9, 9))


@pytest.mark.usefixtures("folder")
@fuzz(PLACES, RARE, changes=pieces)
def test_any_edit_of_a_zip_is_read_or_refused(changes: list[tuple[float, int, bytes]]) -> None:
    """Themes come packed, too."""
    path = _folder / "zoo.zip"
    for place in range(PLACES):
        path.write_bytes(edit(ARCHIVE.getvalue(), changes, place))
        with contextlib.suppress(ThemeError):
            collect_inputs(path)


@pytest.mark.usefixtures("folder")
@fuzz(rarity=RARE, changes=st.lists(st.tuples(st.floats(0, 1), st.binary(min_size=1, max_size=4)), max_size=8))
def test_any_damaged_font_draws_or_is_refused(changes: list[tuple[float, bytes]]) -> None:
    """Bytes changed in place anywhere in a font, so that its tables stay where they were."""
    data = bytearray(find_font("school").data)
    for where, piece in changes:
        start = int(where * (len(data) - len(piece)))
        data[start : start + len(piece)] = piece
    name = f"font-{hashlib.sha256(data).hexdigest()[:16]}.ttf"  # fonts are remembered by their names
    (_folder / name).write_bytes(data)
    with contextlib.suppress(ArtworkError):
        draw_text(Text("Boot ¾ fi", style=TextStyle(font=name, folder=_folder)))
    (_folder / name).unlink()


# --- files of other kinds that strangers send or plant ----------------------------------------------------------

SHEET = make_sheet(make_deck())
EXAMINATIONS: tuple[Callable[[bytes], object], ...] = (prove_pdf, examine_pdf)


@fuzz(rarity=RARE, changes=pieces, place=st.integers(0, PLACES), examination=st.sampled_from(EXAMINATIONS))
def test_any_edit_of_a_pdf_is_examined_or_refused(
    changes: list[tuple[float, int, bytes]], place: int, examination: Callable[[bytes], object]
) -> None:
    """By `verify` and by `preflight`."""
    with contextlib.suppress(DobbleError):
        examination(edit(SHEET, changes, place))


def _make_workbook() -> bytes:
    from openpyxl import Workbook

    book, sink = Workbook(), io.BytesIO()
    for row, cells in enumerate((("word", "nl"), ("cat", "kat"), ("half", 0.5), (True, 3)), 1):
        for column, cell in enumerate(cells, 1):
            book.active.cell(row, column, cell)
    book.save(sink)
    return sink.getvalue()


def _repack(data: bytes, change: Callable[[bytes], bytes]) -> bytes:
    """A zip whose parts are changed before they are packed: what is packed already is seldom damaged on purpose."""
    sink = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as whole, zipfile.ZipFile(sink, "w") as other:
        for name in whole.namelist():
            other.writestr(name, change(whole.read(name)) if name.startswith("xl/") else whole.read(name))
    return sink.getvalue()


WORKBOOK = _make_workbook()


@fuzz(rarity=RARE, changes=pieces, place=st.integers(0, PLACES), inside=st.booleans())
def test_any_edit_of_a_workbook_is_read_or_refused(
    changes: list[tuple[float, int, bytes]], place: int, inside: bool
) -> None:
    """Its bytes, and those of its parts."""
    data = _repack(WORKBOOK, lambda part: edit(part, changes, place)) if inside else edit(WORKBOOK, changes, place)
    with contextlib.suppress(ThemeError):
        _check_archive(data, "a.xlsx")
        read_packed(data, "a.xlsx")


PROFILE = find_template("color/coated.icc").read_bytes()
profile_edits = st.lists(
    st.tuples(st.integers(0, 600) | st.integers(0, len(PROFILE) - 8), st.binary(min_size=1, max_size=8)), max_size=6
)


@pytest.mark.usefixtures("folder")
@fuzz(rarity=RARE, changes=profile_edits, length=st.just(len(PROFILE)) | st.integers(0, len(PROFILE)))
def test_any_edit_of_a_colour_profile_is_taken_or_refused(changes: list[tuple[int, bytes]], length: int) -> None:
    """Most changes are made to its head and its table of tags."""
    data = bytearray(PROFILE[:length])
    for where, piece in changes:
        data[where : where + len(piece)] = piece
    (_folder / "press.icc").write_bytes(data)
    with contextlib.suppress(DobbleError):
        load_output_profile(_folder / "press.icc")


plain = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from([*TEXTS, "../a", "cards.pdf", "a" * 64])
)
told = st.recursive(
    plain,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["name", "sha256", "what", "hint", "place", "file", "line"]), inner, max_size=4
        )
    ),
    max_leaves=8,
)
reports = st.fixed_dictionaries(
    {"inputs": st.just("i") | told, "status": st.sampled_from(["done", "failed"]) | told},
    optional=dict.fromkeys(("exit_code", "faults", "files", "deck", "warnings", "times"), told),
)


@pytest.mark.usefixtures("folder")
@fuzz(report=reports, changes=st.just([]) | pieces)
def test_any_report_is_believed_or_not(report: dict[str, Any], changes: list[tuple[float, int, bytes]]) -> None:
    """What an earlier run left, or somebody else; what it says can be printed."""
    job = Job("job", _folder / "theme.yaml", BuildOptions(output=_folder / "out"))
    job.folder.mkdir(parents=True, exist_ok=True)
    (job.folder / "report.json").write_bytes(edit(json.dumps(report).encode(), changes))
    for retry in (False, True):
        outcome = find_finished(Task(job, "", "i", "", ""), retry)
        assert outcome is None or (write_plain(outcome.as_dict()) and write_table([outcome]))


@pytest.mark.usefixtures("folder")
@fuzz(PLACES, changes=pieces)
def test_any_entry_of_the_cache_is_understood_or_made_again(changes: list[tuple[float, int, bytes]]) -> None:
    """Even one that is signed."""
    cache = Cache(_folder / "cache")
    for place in range(PLACES):
        cache.keep("ab", edit(ENTRY, changes, place))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of numbers that are none
            cache.recall_as("ab", lambda data: unpack_artwork(data, lambda: Image.new("RGBA", (9, 9))))


ENTRY = pack_artwork(make_artwork(Text("hond"))) or b""
