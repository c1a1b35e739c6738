from __future__ import annotations

import os
from pathlib import Path

import platformdirs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from platformdirs.macos import MacOS
from typer.testing import CliRunner

from dobble_print.cli.app import app
from dobble_print.errors import OutputError, UsageError
from dobble_print.press import printers
from dobble_print.press.printers import list_printers, load_printer, parse_offset, parse_scale, save_printer
from dobble_print.units import Correction


@pytest.fixture(autouse=True)
def settings_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Settings of nobody: the tests never touch a real home."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return tmp_path / "config" / "dobble-print" / "printers"


def write(folder: Path, name: str, text: str) -> Path:
    """A printer's file as a user left it."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_calibrating_again_adds_the_offset_and_takes_the_scale_of_the_page(tmp_path: Path) -> None:
    """The gauges of a page printed for a printer show what is left; its table has the kept scale counted in already."""
    save_printer("office", Correction(0.7, -0.3, 1.0101))
    again = ["calibrate", "--printer", "office", "--output", str(tmp_path)]
    assert CliRunner().invoke(app, [*again, "--back-offset", "0.1,0"]).exit_code == 0
    assert load_printer("office") == Correction(0.8, -0.3, 1.0101)
    assert CliRunner().invoke(app, [*again, "--scale", "1.0203"]).exit_code == 0
    assert load_printer("office") == Correction(0.8, -0.3, 1.0203)


@pytest.mark.parametrize("correction", [Correction(), Correction(0.7, -0.3, 1.008), Correction(-20, 20, 0.9)])
def test_what_is_saved_is_loaded(settings_folder: Path, correction: Correction) -> None:
    """A correction comes back as it was, from a file in the user's settings."""
    path = save_printer("office", correction)
    assert path == settings_folder / "office.yaml"
    assert load_printer("office") == correction
    assert [p.name for p in settings_folder.iterdir()] == ["office.yaml"]


def test_the_file_is_plain_and_always_the_same(settings_folder: Path) -> None:
    """Three keys a person can change, and no negative zero."""
    text = save_printer("a", Correction(-0.0, 0.1 + 0.2, 1.0)).read_text(encoding="utf-8")
    assert [line for line in text.splitlines() if not line.startswith("#")] == ["dx_mm: 0", "dy_mm: 0.3", "scale: 1"]
    assert save_printer("a", Correction(0.0, 0.3, 1.0)).read_text(encoding="utf-8") == text


def test_saving_again_replaces(settings_folder: Path) -> None:
    """The last correction counts."""
    save_printer("office", Correction(1, 1, 1))
    save_printer("office", Correction(2, 2, 1))
    assert list_printers() == {"office": Correction(2, 2, 1)}


def test_printers_are_listed_by_name(settings_folder: Path) -> None:
    """In alphabetical order; files that are no printers are left alone."""
    assert list_printers() == {}
    save_printer("zoo", Correction(1))
    save_printer("art-room", Correction(2))
    write(settings_folder, "a b", "nonsense")
    assert list(list_printers()) == ["art-room", "zoo"]


def test_an_unknown_printer_is_told_with_the_known_ones(settings_folder: Path) -> None:
    """A slip of the finger finds its printer."""
    with pytest.raises(UsageError, match=r"no printer \"office\"\. None is saved yet"):
        load_printer("office")
    save_printer("office", Correction())
    save_printer("school", Correction())
    with pytest.raises(UsageError, match=r'"ofice"\. Did you mean "office"\? Saved are: office and school\.'):
        load_printer("ofice")


@pytest.mark.parametrize("name", ["", "../etc", "a/b", "a b", ".hidden", "-x", "é", "x" * 41, "NUL", "com1", "a\0b"])
def test_names_cannot_leave_the_folder(settings_folder: Path, name: str) -> None:
    """Only short names of letters, digits, - and _ are files on every system."""
    with pytest.raises(UsageError, match="cannot be called"):
        save_printer(name, Correction())
    with pytest.raises(UsageError, match="there is no printer"):
        load_printer(name)
    assert not settings_folder.exists()


def test_a_bad_name_gets_a_better_one() -> None:
    """The hint can be typed as it stands."""
    with pytest.raises(UsageError, match='such as "Art-room-2"'):
        save_printer("Art room #2", Correction())


def test_a_broken_file_is_told_with_every_line(settings_folder: Path) -> None:
    """All faults at once, at their places, with the remedy."""
    path = write(settings_folder, "office", "dx_mm: much\ndymm: 1\nscale: 2\ndy_mm: [1]\n")
    with pytest.raises(UsageError) as caught:
        load_printer("office")
    told = str(caught.value).splitlines()
    assert [line.split(": ")[0] for line in told] == [f"{path}:{place}" for place in ("1:8", "2:1", "3:8", "4:8")]
    assert 'Did you mean "dy_mm"?' in told[1]
    assert "Give 0.9 to 1.1." in told[2]
    assert all("save the printer anew" in line for line in told)


@pytest.mark.parametrize("text", ["", "dx_mm: 1\ndx_mm: 2\n", "- 1\n", "dx_mm: {\n", "dx_mm: nan\n", "a: &x 1\n", "\0"])
def test_no_file_breaks_the_program(settings_folder: Path, text: str) -> None:
    """Whatever stands in a file, the answer is a fault that names the file and speaks of no theme."""
    path = write(settings_folder, "office", text)
    for read in (lambda: load_printer("office"), list_printers):
        with pytest.raises(UsageError) as caught:
            read()
        assert str(path) in str(caught.value)
        assert "theme" not in str(caught.value)


def test_a_key_left_out_keeps_its_default(settings_folder: Path) -> None:
    """A file by hand may hold only what matters; a decimal comma will do."""
    write(settings_folder, "office", "dx_mm: 0,7 mm\n")
    assert load_printer("office") == Correction(0.7, 0.0, 1.0)


@pytest.mark.parametrize(
    "correction", [Correction(20.1), Correction(0, -21), Correction(scale=1.2), Correction(float("nan"))]
)
def test_no_printer_is_that_far_off(settings_folder: Path, correction: Correction) -> None:
    """A slip such as 7 for 0.7 on a scale is refused before it is kept."""
    with pytest.raises(UsageError, match="cannot be"):
        save_printer("office", correction)
    assert not settings_folder.exists()


def test_what_no_printer_needs_is_told_with_the_limits_once() -> None:
    """The limits, and what is likely wrong instead."""
    with pytest.raises(UsageError) as caught:
        parse_scale("1.5")
    told = "Give 0.9 to 1.1; a printer further off prints at another size than 100 %, or on other paper."
    assert str(caught.value) == f"the scale cannot be 1.5. {told}"


def test_a_folder_that_cannot_be_written_is_told(settings_folder: Path) -> None:
    """The remedy is another than for a deck's own files."""
    settings_folder.parent.mkdir(parents=True)
    settings_folder.write_text("a file in the way")
    with pytest.raises(OutputError, match=r"cannot write.*--back-offset"):
        save_printer("office", Correction())


def test_each_system_has_its_own_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """XDG's folder unless it is relative, Application Support on a Mac; without a home there is none."""
    monkeypatch.setenv("XDG_CONFIG_HOME", "relative")
    assert printers.find_folder() == tmp_path / "home/.config/dobble-print/printers"
    with monkeypatch.context() as mac:
        mac.setattr(platformdirs, "PlatformDirs", MacOS)
        assert printers.find_folder() == tmp_path / "home/Library/Application Support/dobble-print/printers"
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)
    with pytest.raises(UsageError, match="no home folder"):
        printers.find_folder()


@pytest.mark.parametrize(
    ("text", "offset"),
    [
        ("0.7,-0.3", (0.7, -0.3)),
        ("0.7 -0.3", (0.7, -0.3)),
        ("0.7, -0.3", (0.7, -0.3)),
        ("0.7 , -0.3", (0.7, -0.3)),
        ("0,7;-0,3", (0.7, -0.3)),
        ("0,7; -0,3", (0.7, -0.3)),
        ("0,7 -0,3", (0.7, -0.3)),
        ("+0.7,\u22120.3", (0.7, -0.3)),
        ("0.7mm,-0.3 mm", (0.7, -0.3)),
        ("1.0,2", (1.0, 2.0)),
        ("-0.0,0", (0.0, 0.0)),
        ("0,7,-0,3", (0.7, -0.3)),
        (" 20,-20 ", (20.0, -20.0)),
    ],
)
def test_offsets_are_read_as_people_write_them(text: str, offset: tuple[float, float]) -> None:
    """With a point or a comma, parted by comma, gap or semicolon."""
    assert parse_offset(text) == offset


@pytest.mark.parametrize("text", ["", "1", "1,2,3", "1;2;3", "a b c"])
def test_an_offset_is_two_numbers(text: str) -> None:
    """Anything else is told with an example of both ways to write it."""
    with pytest.raises(UsageError, match=r"such as 0\.7,-0\.3 \(with decimal commas, in quotes"):
        parse_offset(text)


@pytest.mark.parametrize("text", ["0,7", "1,2", "-1,5"])
def test_one_comma_between_whole_numbers_is_asked_about(text: str) -> None:
    """Half the world would mean one number by it, and seven millimetres ruin every back."""
    with pytest.raises(UsageError, match="can be read in two ways"):
        parse_offset(text)


def test_both_numbers_of_an_offset_are_judged() -> None:
    """Two mistakes, two faults, each with its direction and the limits."""
    with pytest.raises(UsageError) as caught:
        parse_offset("21,x")
    right, up = map(str, caught.value.faults)
    assert right == 'the offset to the right: "21" is too large. Give -20 to 20 mm.'
    assert up == 'the offset up: "x" is not a number. Give -20 to 20 mm.'


@pytest.mark.parametrize(
    ("text", "scale"),
    [("1.008", 1.008), ("1,008", 1.008), ("100/99.2", 1.008065), (" 100 / 99,2 ", 1.008065), ("1", 1)],
)
def test_scales_are_read_as_people_write_them(text: str, scale: float) -> None:
    """As a number, or as what was wanted and what was measured."""
    assert parse_scale(text) == scale


@pytest.mark.parametrize("text", ["", "x", "100/0", "1/2/3", "100/", "nan", "1e0", "2", "100/80", "-1", "0"])
def test_a_scale_is_near_one(text: str) -> None:
    """Anything else is refused with words, never with a traceback."""
    with pytest.raises(UsageError, match="scale"):
        parse_scale(text)


@given(st.text(max_size=12))
def test_no_text_breaks_the_parsers(text: str) -> None:
    """Every text is a value within its limits or a fault."""
    for parse in (parse_offset, parse_scale):
        try:
            value = parse(text)
        except UsageError as error:
            assert all(fault.hint for fault in error.faults)
        else:
            assert all(-20 <= number <= 20 for number in (value if isinstance(value, tuple) else (value,)))
