"""Attacks that once broke a promise, each as files in a folder and a command.

`benchmarks/attacks.py` prints what they cost.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pikepdf import Array, Dictionary, Name, Pdf, Stream, String

from tests.batches import QUICK, write_theme
from tests.conftest import ROOT
from tests.hostile.drawings import SQUARE, svg
from tests.hostile.harness import Outcome, run, with_symbol
from tests.verify_samples import make_deck, make_sheet, save

MOST_RSS_KB = 500_000
LONGEST_S = 300.0  # by the clock, on a busy machine: what takes longer waits for something that never comes
Check = Callable[[Path, Outcome], str]  # what is broken, or nothing


@dataclass(frozen=True)
class Attack:
    """What is typed in the folder, what the program must answer, and what else must hold afterwards."""

    arguments: Sequence[object]
    code: int
    says: str = ""
    check: Check = lambda folder, outcome: ""

    def run(self, folder: Path, root: Path = ROOT) -> Outcome:
        """Run it as a user would; `root` is the folder of the program."""
        return run(*self.arguments, cwd=folder, longest_s=LONGEST_S, root=root, homes=choose_homes(folder))

    def judge(self, folder: Path, outcome: Outcome, most_seconds: float) -> list[str]:
        """Return what is broken."""
        told = outcome.out + outcome.err
        problems = [f"exit code {outcome.code}, not {self.code}"] if outcome.code != self.code else []
        problems += [f"it does not say {self.says!r}"] if self.says not in told else []
        problems += [f"{outcome.seconds:.1f} s of processor time"] if outcome.seconds > most_seconds else []
        problems += [f"{outcome.rss_kb} kB of memory"] if outcome.rss_kb > MOST_RSS_KB else []
        problems += [f"{word!r} in what it prints" for word in ("Traceback", "RuntimeWarning", "\x1b") if word in told]
        problems += [broken] if (broken := self.check(folder, outcome)) else []
        return [*problems, told[-2000:]] if problems else []


Maker = Callable[[Path], Attack]


def choose_homes(folder: Path) -> dict[str, str]:
    """Return a cache and settings of its own."""
    return {"XDG_CACHE_HOME": str(folder / "cache"), "XDG_CONFIG_HOME": str(folder / "config")}


def expect(found: bool, otherwise: str) -> str:
    """Return what is broken unless something was found."""
    return "" if found else otherwise


def plant_module(folder: Path) -> Attack:
    """1: `batch` is started in a folder that holds a module of the standard library's name."""
    (folder / "pickle.py").write_text(f"open({str(folder / 'ran')!r}, 'w')", encoding="utf-8")
    write_theme(folder / "zoo.yaml")
    return Attack(["batch", "zoo.yaml", *QUICK], 0, "1 done", lambda at, _: expect(not (at / "ran").exists(), "it ran"))


def plant_done_link(folder: Path) -> Attack:
    """2: `done` of a hot folder leads elsewhere."""
    (folder / "elsewhere").mkdir()
    write_theme(folder / "hot" / "zoo.yaml")
    (folder / "hot" / "done").symlink_to(folder / "elsewhere")

    def check(at: Path, outcome: Outcome) -> str:
        return expect(not list((at / "elsewhere").iterdir()) and (at / "hot" / "zoo.yaml").is_file(), "moved outside")

    return Attack(["batch", "--watch", "hot", "--once", *QUICK], 7, "done is a link", check)


def plant_pipe_in_hot_folder(folder: Path) -> Attack:
    """3: a named pipe is dropped beside a good theme."""
    write_theme(folder / "hot" / "zoo.yaml")
    os.mkfifo(folder / "hot" / "x.zip")
    return Attack(
        ["batch", "--watch", "hot", "--once", *QUICK],
        0,
        "1 done",
        lambda at, _: expect((at / "hot" / "done" / "zoo.yaml").is_file(), "the good theme was not built"),
    )


def write_lookalikes(folder: Path) -> Attack:
    """4: Latin and Cyrillic letters that look the same are two symbols."""
    theme = "symbols: [{text: a}, {text: о}, {text: e}, {text: а}, {text: o}, {text: е}, ⚓]\n"
    (folder / "theme.yaml").write_text(theme, encoding="utf-8")
    return Attack(["check", "theme.yaml"], 4, "prints alike")


def slow_drawing(number: int) -> bytes:
    """A drawing below the limits of counting that keeps a renderer busy for seconds; no two are alike."""
    blur = '<filter id="b" x="-1" y="-1" width="3" height="3"><feGaussianBlur stdDeviation="{}"/></filter>'
    filters = "".join(blur.format(5 + number / 100).replace('"b"', f'"b{i}"') for i in range(8))
    shapes = "".join(f'<g filter="url(#b{i % 8})">' + SQUARE + "</g>" for i in range(400))
    return svg(filters + shapes)


def send_slow_drawings(folder: Path) -> Attack:
    """5: fifty-seven small drawings that take seconds each, and succeed."""
    for number in range(57):
        (folder / f"s{number}.svg").write_bytes(slow_drawing(number))
    listed = "".join(f"  - {{image: s{number}.svg}}\n" for number in range(57))
    (folder / "theme.yaml").write_text("title: T\nsymbols:\n" + listed, encoding="utf-8")
    return Attack(["build", "theme.yaml"], 4, "take too long")


def make_tiled_sheet() -> bytes:
    """A good sheet with a symbol that is filled with tiles that begin every ten-thousandth of its width."""
    with Pdf.open(io.BytesIO(make_sheet(make_deck()))) as pdf:
        tile = Stream(pdf, b"1 0 0 rg 0 0 1 1 re f", Type=Name.Pattern, PatternType=1, PaintType=1, TilingType=1)
        tile.BBox, tile.XStep, tile.YStep = Array([0, 0, 1, 1]), 0.0001, 0.0001
        tile.Resources = Dictionary()
        form = next(iter(pdf.pages[0].Resources.XObject.values()))
        form.Resources = Dictionary(Pattern=Dictionary(P=pdf.make_indirect(tile)))
        form.write(b"/Pattern cs /P scn 0 0 1000 1000 re f")
        pdf.pages[0].trimbox = pdf.pages[0].bleedbox = pdf.pages[0].mediabox
        return save(pdf)


def pad_tiled_sheet(folder: Path) -> Attack:
    """6: a PDF of endless tiles, made large by five megabytes that nothing uses."""
    with Pdf.open(io.BytesIO(make_tiled_sheet())) as pdf:
        pdf.Root.Padding = pdf.make_indirect(Stream(pdf, os.urandom(5_000_000)))
        (folder / "a.pdf").write_bytes(save(pdf))
    return Attack(["preflight", "a.pdf"], 2, "takes too long")


def repeat_page(folder: Path) -> Attack:
    """7a: one page that is listed a hundred thousand times."""
    with Pdf.open(io.BytesIO(make_sheet(make_deck()))) as pdf:
        page = pdf.pages[0].obj
        pdf.Root.Pages.Kids = Array([page] * 100_000)
        pdf.Root.Pages.Count = 100_000
        sink = io.BytesIO()
        pdf.save(sink, fix_metadata_version=False)
        (folder / "a.pdf").write_bytes(sink.getvalue())
    return Attack(["preflight", "a.pdf"], 2, "a.pdf: ")


def repeat_annotation(folder: Path) -> Attack:
    """7b: a page with a hundred thousand annotations."""
    with Pdf.open(io.BytesIO(make_sheet(make_deck()))) as pdf:
        look = pdf.make_indirect(Stream(pdf, b"0 0 1 1 re f", Subtype=Name.Form, BBox=Array([0, 0, 1, 1])))
        box = Array([0, 0, 9, 9])
        note = Dictionary(Type=Name.Annot, Subtype=Name.Stamp, Rect=box, AP=Dictionary(N=look), F=4)
        pdf.pages[0].obj.Annots = Array([pdf.make_indirect(note)] * 100_000)
        (folder / "a.pdf").write_bytes(save(pdf))
    return Attack(["preflight", "a.pdf"], 2, "more than")


def nest_strings(folder: Path) -> Attack:
    """8: ten megabytes of brackets in a mark of a page's content, which are no fault."""
    with Pdf.open(io.BytesIO(make_sheet(make_deck()))) as pdf:
        pdf.pages[0].contents_add(b"/X <</A " + b"[" * 5_000_000 + b"]" * 5_000_000 + b">> BDC EMC")
        sink = io.BytesIO()
        pdf.save(sink, compress_streams=False)
        (folder / "a.pdf").write_bytes(sink.getvalue())
    return Attack(["verify", "a.pdf"], 0, "keeps its promises")


def nest_string(folder: Path) -> Attack:
    """8: ten megabytes of one string of brackets in brackets, and a page's content that never closes one."""
    half = 5_000_000
    with Pdf.open(io.BytesIO(make_sheet(make_deck()))) as pdf:
        pdf.pages[0].contents_add(b"(" * half)
        pdf.Root.Note = String("A" * (2 * half))
        sink = io.BytesIO()
        pdf.save(sink, compress_streams=False)
    (folder / "a.pdf").write_bytes(sink.getvalue().replace(b"A" * (2 * half), b"(" * half + b")" * half))
    return Attack(["verify", "a.pdf"], 0, "keeps its promises")


def pack_zeros(folder: Path) -> Attack:
    """9: zips of zeros that nobody asked for, each with a good theme."""
    for number in range(2):
        with zipfile.ZipFile(folder / f"zoo{number}.zip", "w", zipfile.ZIP_DEFLATED) as packed:
            for zeros in range(3):
                packed.writestr(f"zoo/zeros-{zeros}.png", bytes(95_000_000))
            packed.write(write_theme(folder / "zoo" / "theme.yaml", number), "zoo/theme.yaml")
    zips = [f"zoo{number}.zip" for number in range(2)]
    return Attack(["batch", *zips, "--jobs", 1, *QUICK], 0, "2 done")


def pack_named_zeros(folder: Path) -> Attack:
    """9b: a zip whose theme asks for its zeros."""
    with zipfile.ZipFile(folder / "zoo.zip", "w", zipfile.ZIP_DEFLATED) as packed:
        for zeros in range(3):
            packed.writestr(f"zoo/zeros-{zeros}.png", bytes(95_000_000))
        symbols = "".join(f"  - {{image: zeros-{zeros}.png}}\n" for zeros in range(3))
        packed.writestr("zoo/theme.yaml", f"title: T\nsymbols:\n{symbols}" + "".join(f"  - {e}\n" for e in "🐱🐶🍎🍌"))
    return Attack(["batch", "zoo.zip", *QUICK], 8, "1 failed")


def find_inputs(folder: Path, theme: str) -> str:
    """Return the hash of a job's inputs, as its report tells it."""
    assert run("batch", theme, *QUICK, cwd=folder, homes=choose_homes(folder)).code == 0
    report = json.loads((folder / "output" / Path(theme).stem / "report.json").read_text(encoding="utf-8"))
    return str(report["inputs"])


def plant_escapes(folder: Path) -> Attack:
    """10: a report of an earlier run that would clear the screen."""
    write_theme(folder / "zoo.yaml")
    code = "\x1b[2J\x9b31mgone\u202e"
    fault = {"what": code, "hint": code, "place": {"file": code, "line": 1, "column": 1}}
    report = {"inputs": find_inputs(folder, "zoo.yaml"), "status": "failed", "exit_code": 3, "faults": [fault]}
    (folder / "output" / "zoo" / "report.json").write_text(json.dumps(report), encoding="utf-8")

    def check(at: Path, outcome: Outcome) -> str:
        return expect("\x9b" not in outcome.out + outcome.err and "\u202e" not in outcome.out, "control characters")

    return Attack(["batch", "zoo.yaml", *QUICK], 8, "gone", check)


def plant_brackets(folder: Path) -> Attack:
    """11: a report of two hundred thousand brackets, and one that is a pipe."""
    for number, name in enumerate(("zoo", "sea")):
        write_theme(folder / f"{name}.yaml", number)
        (folder / "output" / name).mkdir(parents=True)
    (folder / "output" / "zoo" / "report.json").write_text("[" * 200_000, encoding="utf-8")
    os.mkfifo(folder / "output" / "sea" / "report.json")
    return Attack(["batch", "zoo.yaml", "sea.yaml", *QUICK], 0, "2 done")


FORGED: Sequence[bytes] = (
    b"",
    b"no message at all",
    b"\0\0\0\0\0\0\0\x1f" + b'{"header": {}, "lengths": [9]}  ',
    b"[" * 100_000,
    b'{"a": 1}',
    b"[[[1]]]",
)


def forge_cache(folder: Path) -> Attack:
    """12: entries of the cache with a valid checksum and something else in them, and one that is a pipe."""
    write_theme(folder / "zoo.yaml")
    assert run("build", "zoo.yaml", *QUICK, "-o", "first", cwd=folder, homes=choose_homes(folder)).code == 0
    entries = sorted((folder / "cache").rglob("*.kept"))
    for number, entry in enumerate(entries):
        content = FORGED[number % len(FORGED)]
        entry.write_bytes(hashlib.sha256(content).digest() + content)
    entries[0].unlink()
    os.mkfifo(entries[0])

    def check(at: Path, outcome: Outcome) -> str:
        first, second = ((at / name / "zoo" / "cards.pdf").read_bytes() for name in ("first", "second"))
        return expect(first == second, "another deck")

    return Attack(["build", "zoo.yaml", *QUICK, "-o", "second"], 0, "", check)


def name_endless_profile(folder: Path) -> Attack:
    """13a: a device as ICC profile."""
    write_theme(folder / "zoo.yaml")
    return Attack(["build", "zoo.yaml", "--profile", "shop-sra3-x4", "--output-profile", "/dev/zero"], 2, "not a file")


def name_pipe_as_profile(folder: Path) -> Attack:
    """13b: a pipe as ICC profile of a batch."""
    write_theme(folder / "zoo.yaml")
    os.mkfifo(folder / "press.icc")
    return Attack(["batch", "zoo.yaml", "--profile", "shop-sra3-x4", "--output-profile", "press.icc"], 2, "not a file")


def examine_pipe(folder: Path) -> Attack:
    """13c: a pipe and a device as PDFs."""
    os.mkfifo(folder / "a.pdf")
    (folder / "b.pdf").symlink_to("/dev/zero")
    return Attack(["verify", "a.pdf", "b.pdf"], 2, "not a file")


def plant_result_link(folder: Path) -> Attack:
    """14: the folder of a deck's results leads elsewhere."""
    write_theme(folder / "zoo.yaml")
    (folder / "elsewhere").mkdir()
    (folder / "out").mkdir()
    (folder / "out" / "zoo").symlink_to(folder / "elsewhere")

    def check(at: Path, outcome: Outcome) -> str:
        return expect(not list((at / "elsewhere").iterdir()), "written through the link")

    return Attack(["build", "zoo.yaml", *QUICK, "-o", "out"], 7, "zoo is a link", check)


def write_formula(folder: Path) -> Attack:
    """15: a title that a spreadsheet program takes for a formula, on a pick list."""
    for number, title in enumerate(("=1+1", "@cmd")):
        write_theme(folder / f"zoo{number}.yaml", number)
        text = (folder / f"zoo{number}.yaml").read_text(encoding="utf-8")
        changed = text.replace(f"title: zoo{number}", f'title: "{title}"')
        (folder / f"zoo{number}.yaml").write_text(changed, encoding="utf-8")

    def check(at: Path, outcome: Outcome) -> str:
        (listed,) = at.rglob("*picklist.csv")
        cells = [cell for line in listed.read_text(encoding="utf-8").splitlines() for cell in line.split(",")]
        return expect(not any(cell.startswith(("=", "@", "+", "-")) for cell in cells), "a formula")

    arguments = ["build", "zoo0.yaml", "zoo1.yaml", "--gang", "--profile", "shop-sra3-x4", *QUICK]
    return Attack(arguments, 0, "", check)


ODD_DRAWINGS = (
    svg('<rect width="9e-30" height="9e-30" fill="red"/>', 'viewBox="0 0 1e-29 1e-29"'),
    svg('<rect width="9e30" height="9e30" fill="red"/>', 'viewBox="0 0 1e31 1e31"'),
    svg('<rect width="9e200" height="9e200" fill="red"/>', 'viewBox="0 0 1e201 1e201"'),
    svg('<path d="M0 0h90v90z" fill="none" stroke="red" stroke-width="9" stroke-dasharray="1e-9 1e-9"/>'),
    svg('<path d="M0 0h90v90z" fill="none" stroke="red" stroke-width="9" stroke-dasharray="1e-320"/>'),
    svg('<circle cx="5e-320" cy="0" r="4e-320"/>', 'viewBox="0 0 9e-320 9e-320"'),
)


def send_odd_sizes(folder: Path) -> Attack:
    """16: view boxes far too small and far too large, and dashes finer than dust."""
    for number, drawing in enumerate(ODD_DRAWINGS):
        (folder / f"d{number}.svg").write_bytes(drawing)
    listed = "".join(f"  - {{image: d{number}.svg}}\n" for number in range(len(ODD_DRAWINGS)))
    theme = with_symbol("⛵").replace("symbols:\n", f"symbols:\n{listed}")
    (folder / "theme.yaml").write_text(theme, encoding="utf-8")
    return Attack(["check", "theme.yaml"], 4, "theme.yaml:")


def name_controls(folder: Path) -> Attack:
    """17: a name that would colour the terminal."""
    return Attack(["new", "a\x1b[31mb\x9bc"], 2, "no name for a theme")


ATTACKS: dict[str, Maker] = {
    "1 a module in the working folder": plant_module,
    "2 done is a link": plant_done_link,
    "3 a pipe in the hot folder": plant_pipe_in_hot_folder,
    "4 letters that look the same": write_lookalikes,
    "5 slow drawings that succeed": send_slow_drawings,
    "6 tiles in a padded PDF": pad_tiled_sheet,
    "7 100,000 equal pages": repeat_page,
    "7 100,000 annotations": repeat_annotation,
    "8 nested arrays in a PDF": nest_strings,
    "8 a nested string in a PDF": nest_string,
    "9 zips of zeros": pack_zeros,
    "9 zeros that are asked for": pack_named_zeros,
    "10 a report with terminal codes": plant_escapes,
    "11 a report of brackets, or a pipe": plant_brackets,
    "12 forged entries of the cache": forge_cache,
    "13 a device as ICC profile": name_endless_profile,
    "13 a pipe as ICC profile": name_pipe_as_profile,
    "13 a pipe and a device as PDFs": examine_pipe,
    "14 results through a link": plant_result_link,
    "15 a title that is a formula": write_formula,
    "16 odd sizes and dashes": send_odd_sizes,
    "17 control characters in a name": name_controls,
}
