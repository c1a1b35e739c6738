"""Lists of words that cost far more than they weigh: the program ends them and says what to do."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

from dobble_print.errors import ExitCode
from tests.hostile.endless import write_hang
from tests.hostile.harness import MOST_INPUT_BYTES, Outcome, find_excesses, run

_SPREADSHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"


def pack_workbook(strings: bytes, strings_file: str = "xl/sharedStrings.xml") -> bytes:
    """A workbook with one sheet and these shared strings, in a part of that name."""
    package = "http://schemas.openxmlformats.org/package/2006"
    parts = {
        "[Content_Types].xml": f'''<Types xmlns="{package}/content-types">
            <Override PartName="/xl/workbook.xml" ContentType="{_SPREADSHEET}.sheet.main+xml"/>
            <Override PartName="/xl/worksheets/sheet1.xml" ContentType="{_SPREADSHEET}.worksheet+xml"/>
            <Override PartName="/{strings_file}" ContentType="{_SPREADSHEET}.sharedStrings+xml"/></Types>''',
        "_rels/.rels": f'''<Relationships xmlns="{package}/relationships">
            <Relationship Id="a" Type="{_RELATION}/officeDocument" Target="xl/workbook.xml"/></Relationships>''',
        "xl/workbook.xml": f'''<workbook xmlns="{_MAIN}" xmlns:r="{_RELATION}">
            <sheets><sheet name="S" sheetId="1" r:id="a"/></sheets></workbook>''',
        "xl/_rels/workbook.xml.rels": f'''<Relationships xmlns="{package}/relationships">
            <Relationship Id="a" Type="{_RELATION}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>''',
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{_MAIN}"><sheetData/></worksheet>',
    }
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
        archive.writestr(strings_file, strings)
    return data.getvalue()


def make_strings(one: bytes, count: int) -> bytes:
    """The table of shared strings with one of them, many times."""
    return b'<sst xmlns="%s">' % _MAIN.encode() + one * count + b"</sst>"


def make_theme(folder: Path, name: str, data: bytes, prelude: str = "") -> Outcome:
    """What making a theme from a list of that name comes to; it may cost no more than any bad input."""
    assert len(data) <= MOST_INPUT_BYTES
    (folder / name).write_bytes(data)
    outcome = run("new", "made", "--from", name, cwd=folder, prelude=prelude)
    assert not find_excesses(outcome)
    return outcome


@pytest.mark.parametrize("file", ["xl/sharedStrings.xml", "xl/sharedStrings.bin"])
def test_millions_of_texts_in_a_small_workbook_are_not_waited_for(file: str, tmp_path: Path) -> None:
    """Each of them is empty, and so is quickly packed but slowly read; there is no word in it, read or not."""
    strings = make_strings(b"<si/>", 5_500_000)
    outcome = make_theme(tmp_path, "w.xlsx", pack_workbook(strings, file))
    assert outcome.code == ExitCode.THEME
    assert not (tmp_path / "made").exists()


def test_a_workbook_that_never_ends_is_ended(tmp_path: Path) -> None:
    """A reader that hangs on it: the user is told another way."""
    workbook = pack_workbook(make_strings(b"<si/>", 1), "xl/sharedStrings.xml")
    outcome = make_theme(tmp_path, "w.xlsx", workbook, write_hang("openpyxl", "load_workbook"))
    assert outcome.code == ExitCode.THEME
    assert "w.xlsx: the file takes too long to read. In your spreadsheet program" in outcome.err
    assert "CSV (.csv)" in outcome.err
    assert not (tmp_path / "made").exists()


@pytest.mark.parametrize("word", ["a ", "word ", "(", "- ", "1+", "𒀀"])
def test_a_cell_of_a_thousand_words_is_no_heading(word: str, tmp_path: Path) -> None:
    """Nothing is looked for word by word in a text that long; the list is used or refused, but never a crash."""
    cell = (word * 1100).strip()
    outcome = make_theme(tmp_path, "mini.csv", f"{cell}\ncow\npig\n".encode())
    assert outcome.code in (ExitCode.OK, ExitCode.THEME), outcome.err
    assert "mini.csv:1" in outcome.err
