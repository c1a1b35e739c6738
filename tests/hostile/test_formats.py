"""Formats that can say more than anybody needs: photos of phones, variable fonts, colour profiles, linked workbooks."""

from __future__ import annotations

import io
import json
import random
import struct
import zipfile
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from typing import Any

import pillow_heif
import pytest
from PIL import Image

from dobble_print.art import guarded
from dobble_print.art.raster import open_picture
from dobble_print.art.text.plates import draw_text
from dobble_print.batch.jobs import TaskResult
from dobble_print.batch.reports import make_report, verify_answer
from dobble_print.batch.scheduler import _take
from dobble_print.errors import ArtworkError, ExitCode, ThemeError, UsageError
from dobble_print.fonts import find_font
from dobble_print.importing.tables import read_table_file
from dobble_print.prepress.inks import load_output_profile
from dobble_print.resources import find_template
from dobble_print.sandbox.limits import Limits
from dobble_print.sandbox.pool import run_once
from dobble_print.sandbox.protocol import Message
from dobble_print.theme.model import Text, TextStyle


def make_heic(width: int = 64, height: int = 48) -> bytes:
    """A photo as phones send it."""
    sink = io.BytesIO()
    pillow_heif.register_heif_opener()
    Image.effect_noise((width, height), 60).convert("RGB").save(sink, "HEIF")
    return sink.getvalue()


def try_files(data: bytes, secret: Path) -> Message:
    """Open a photo, and then a file."""
    size = open_picture(data).size
    try:
        secret.read_bytes()
    except OSError as error:
        return {"size": size, "refused": error.strerror}, []
    return {"size": size, "refused": ""}, []


def test_a_photo_of_a_phone_is_opened_where_no_file_can_be(tmp_path: Path) -> None:
    """The decoder needs none, and whatever takes it over gets none."""
    (tmp_path / "secret").write_text("secret")
    limits = Limits(10.0, guarded.PHONE_MEMORY_BYTES, may_open_files=False)
    arguments = (make_heic(), tmp_path / "secret")
    said, _ = run_once(f"{__name__}:try_files", arguments, limits, "dobble_print.art.guarded:load_libraries")
    assert said == {"size": [64, 48], "refused": "Too many open files"}


def test_damaged_photos_of_phones_are_refused_or_read() -> None:
    """Cut off anywhere, with a size that is a lie, with pieces changed: a fault in words."""
    data, dice = make_heic(), random.Random(5)
    where = data.index(b"ispe") + 8
    bad = [data[: len(data) * part // 6] for part in range(1, 6)]
    bad += [data[:where] + struct.pack(">II", 1 << width, 1 << width) + data[where + 8 :] for width in (4, 14, 20, 31)]
    for _ in range(8):
        at = dice.randrange(len(data))
        bad.append(data[:at] + dice.randbytes(3) + data[at + 3 :])
    refused = 0
    for each in bad:
        try:
            guarded.read_pixels_guarded(each)
        except ArtworkError as error:
            refused += 1
            assert all(fault.what and "\n" not in fault.what for fault in error.faults)
        guarded.BUDGET.start()
    assert refused >= 8


def make_variable_font(endless: bool) -> bytes:
    """A font with an axis; with `endless`, its letters move by more than there is paper."""
    from fontTools.ttLib import TTFont, newTable
    from fontTools.ttLib.tables._f_v_a_r import Axis
    from fontTools.ttLib.tables.TupleVariation import TupleVariation

    font = TTFont(io.BytesIO(find_font("school").data))
    font["fvar"], font["gvar"] = newTable("fvar"), newTable("gvar")
    axis = Axis()
    axis.axisTag, axis.axisNameID = "wght", 256
    axis.minValue, axis.defaultValue, axis.maxValue = (-32768.0, 0.0, 32767.0) if endless else (100.0, 400.0, 900.0)
    font["fvar"].axes = [axis]
    font["fvar"].instances = []
    variations = {}
    for name in font.getGlyphOrder():
        glyph = font["glyf"][name]
        count = len(glyph.getCoordinates(font["glyf"])[0]) + 4
        moved = [(32767, -32768) if endless else (1, 1)] * count
        variations[name] = [TupleVariation({"wght": (0.0, 1.0, 1.0)}, moved)]
    font["gvar"].version, font["gvar"].reserved, font["gvar"].variations = 1, 0, variations
    sink = io.BytesIO()
    font.save(sink)
    return sink.getvalue()


def make_cff2_font() -> bytes:
    """A font whose outlines are those of CFF2."""
    from fontTools.fontBuilder import FontBuilder
    from fontTools.pens.t2CharStringPen import T2CharStringPen

    pen = T2CharStringPen(None, None, CFF2=True)
    pen.moveTo((0, 0))
    for corner in ((0, 500), (500, 500), (500, 0)):
        pen.lineTo(corner)
    pen.closePath()
    letter = pen.getCharString()
    builder = FontBuilder(1000, isTTF=False)
    builder.setupGlyphOrder([".notdef", "a", "b"])
    builder.setupCharacterMap({ord("a"): "a", ord("b"): "b"})
    builder.setupCFF2(dict.fromkeys([".notdef", "a", "b"], letter))
    builder.setupHorizontalMetrics(dict.fromkeys([".notdef", "a", "b"], (600, 0)))
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupOS2(sTypoAscender=800, sxHeight=500)
    builder.setupNameTable({"familyName": "Odd", "styleName": "Regular"})
    builder.setupPost()
    sink = io.BytesIO()
    builder.save(sink)
    return sink.getvalue()


@pytest.mark.parametrize(
    "make", [lambda: make_variable_font(False), lambda: make_variable_font(True), make_cff2_font], ids=["1", "2", "3"]
)
def test_variable_fonts_draw_or_are_refused(tmp_path: Path, make: object) -> None:
    """Whole, and with bytes changed in the tables that say how they vary."""
    data, dice = make(), random.Random(7)  # type: ignore[operator]
    for number in range(6):
        damaged = bytearray(data)
        for tag in (b"gvar", b"fvar", b"CFF2", b"HVAR") if number else ():
            at = data.find(tag, 12, 12 + 16 * 30)
            if at >= 0:
                offset, length = struct.unpack_from(">LL", data, at + 8)
                for _ in range(number):
                    damaged[offset + dice.randrange(length)] = dice.randrange(256)
        name = f"odd-{number}.ttf"
        (tmp_path / name).write_bytes(damaged)
        try:
            drawn = draw_text(Text("ab", style=TextStyle(font=name, folder=tmp_path)))
            assert drawn.startswith(b"<svg") and len(drawn) < 1_000_000
        except ArtworkError as error:
            assert all(fault.what for fault in error.faults)


def make_profiles() -> dict[str, bytes]:
    """The shipped profile with a table of tags that is absurd in one way or another."""
    data = find_template("color/coated.icc").read_bytes()
    count = struct.unpack_from(">L", data, 128)[0]
    tables = 132 + 12 * count

    def put(at: int, *numbers: int) -> bytes:
        return data[:at] + struct.pack(f">{len(numbers)}L", *numbers) + data[at + 4 * len(numbers) :]

    return {
        "four billion tags": put(128, 0xFFFFFFFF),
        "a hundred thousand tags": put(128, 100_000),
        "no tags": put(128, 0),
        "tags beyond its end": b"".join(
            (data[:132], *(struct.pack(">4sLL", b"A2B0", 1 << 31, 1 << 30),) * count, data[tables:])
        ),
        "tags in each other": b"".join(
            (data[:132], *(struct.pack(">4sLL", b"desc", 128, len(data) - 128),) * count, data[tables:])
        ),
        "a size that is a lie": put(0, 0xFFFFFFFF),
        "only a head": data[:128],
        "half of it": data[: len(data) // 2],
        "zeros after its head": data[:128] + bytes(50_000),
    }


@pytest.mark.parametrize("name", make_profiles())
def test_profiles_with_absurd_tags_are_refused_in_words(tmp_path: Path, name: str) -> None:
    """Or taken, where the tags that count are whole."""
    (tmp_path / "press.icc").write_bytes(make_profiles()[name])
    try:
        assert load_output_profile(tmp_path / "press.icc").name
    except UsageError as error:
        assert "press.icc" in str(error)


def test_links_of_a_workbook_are_not_followed(tmp_path: Path, visitors: tuple[str, list[str]]) -> None:
    """Cells that take their value from another workbook have none until a person worked them out."""
    from openpyxl import Workbook

    server, seen = visitors
    book = Workbook()
    for row, word in enumerate(("cat", "dog", f'=WEBSERVICE("{server}/a")', f"='{server}/[b.xlsx]S'!A1"), 1):
        book.active.cell(row, 1, word)
    book.save(tmp_path / "plain.xlsx")
    target = f'Target="{server}/b.xlsx" TargetMode="External"'
    kind = 'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/externalLinkPath"'
    relations = "http://schemas.openxmlformats.org/package/2006/relationships"
    with zipfile.ZipFile(tmp_path / "plain.xlsx") as plain, zipfile.ZipFile(tmp_path / "linked.xlsx", "w") as linked:
        for each in plain.namelist():
            linked.writestr(each, plain.read(each))
        linked.writestr(
            "xl/externalLinks/_rels/externalLink1.xml.rels",
            f'<Relationships xmlns="{relations}"><Relationship Id="rId1" {kind} {target}/></Relationships>',
        )
        linked.writestr("xl/externalLinks/externalLink1.xml", "<externalLink/>")
    with pytest.raises(ThemeError, match="a formula that was never worked out"):
        read_table_file(tmp_path / "linked.xlsx")
    assert not seen


def answer(files: dict[str, bytes], listed: dict[str, str] | None = None, obsolete: tuple[str, ...] = ()) -> TaskResult:
    """What a worker might say; without a list of its own, it names its files truthfully."""
    import hashlib

    sums = {name: hashlib.sha256(data).hexdigest() for name, data in files.items()} if listed is None else listed
    report = {"files": [{"name": name, "sha256": digest} for name, digest in sums.items()]}
    return TaskResult(ExitCode.OK, (), files, obsolete, report)


@pytest.mark.parametrize(
    "name", ["../a.pdf", "/etc/a", "a/../../b", "a/b/c.pdf", "..", ".a", "a\\b.pdf", "x/.b", "a\nb", ""]
)
def test_a_worker_cannot_write_elsewhere(name: str) -> None:
    """Nor hide a file, nor have one removed elsewhere: its answer is no result."""
    with pytest.raises(ValueError, match="a file called"):
        verify_answer(answer({name: b"x"}))
    with pytest.raises(ValueError, match="a file called"):
        verify_answer(answer({}, obsolete=(name,)))


def test_a_worker_hands_over_the_files_that_it_measured() -> None:
    """Not others, not more, and nothing that is no result."""
    for wrong in ({"a.pdf": "0" * 64}, {}):
        with pytest.raises(ValueError, match="other files"):
            verify_answer(answer({"a.pdf": b"x"}, wrong))
    good = answer({"zoo-cards.pdf": b"x", "cards/été 1.png": b"y"}, obsolete=("zoo-cut.*", "cards/*.png"))
    odd_parts: tuple[dict[str, Any], ...] = ({"faults": ("x",)}, {"times": None}, {"code": 0})
    for odd in ({"code": 0}, *(replace(good, **parts) for parts in odd_parts)):
        with pytest.raises(ValueError, match="no result"):
            verify_answer(odd)
    assert verify_answer(good) is good


def test_a_worker_does_not_write_over_what_the_program_knows() -> None:
    """Its report would make a failed job a done one, or spare it the next run."""
    lying = replace(answer({}), report={"status": "done", "inputs": "x", "job": "other", "deck": {"cards": 7}})
    report = json.loads(make_report("zoo", "zoo.yaml", "abc", replace(lying, code=ExitCode.ARTWORK)))
    assert (report["job"], report["status"], report["inputs"], report["deck"]) == ("zoo", "failed", "abc", {"cards": 7})


def test_a_job_fails_whose_worker_answers_something_else() -> None:
    """Nothing of the answer is delivered, and the batch goes on."""
    future: Future[TaskResult] = Future()
    future.set_result(answer({"../a.pdf": b"x"}))
    taken = _take(future)
    assert taken.code == ExitCode.SOME_FAILED and not taken.files and "a file called ../a.pdf" in taken.faults[0].what
