"""From arguments to jobs: job lists in CSV and YAML, folders of themes, zips, and what is wrong with them."""

from __future__ import annotations

import os
import stat
import struct
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from dobble_print.batch import inputs as archive
from dobble_print.batch.inputs import collect_inputs, find_theme_inside, make_task, open_archive, unpack_archive
from dobble_print.batch.jobs import InvalidJob, Job, list_jobs, make_id
from dobble_print.cli.batch import list_renamed
from dobble_print.errors import InvalidValue, ThemeError
from dobble_print.options import BuildOptions
from tests.batches import run_batch, write_theme, write_themes

ORDER = BuildOptions(quality="draft", output=Path("out"))


def read(folder: Path, name: str, text: str) -> list[Job | InvalidJob]:
    """The jobs of a list in a folder."""
    (folder / name).write_text(text, encoding="utf-8")
    return list_jobs([str(folder / name)], ORDER)


def faults_of(entries: list[Job | InvalidJob]) -> list[str]:
    """Everything that is wrong, as people read it."""
    return [str(fault) for entry in entries if isinstance(entry, InvalidJob) for fault in entry.faults]


def test_a_csv_becomes_jobs(tmp_path: Path) -> None:
    """Columns in any order, empty cells left to the command line, paths from the list's own folder."""
    write_themes(tmp_path / "art", 2)
    text = (
        "theme;id;languages;copies;seed;profile;output\n"
        "art/deck-0.yaml;class 3b;nl+fr;2;7;shop-sra3-x4;school/north\n"
        "art/deck-1.yaml;;;;;;\n"
        "classic;shipped;;;;;\n"
    )
    first, second, third = read(tmp_path, "jobs.csv", text)
    assert isinstance(first, Job) and isinstance(second, Job) and isinstance(third, Job)
    assert (first.id, first.folder) == ("class-3b", Path("out/school/north/class-3b"))
    asked = replace(ORDER, seed=7, languages=("nl", "fr"), profile="shop-sra3-x4", copies=2)
    assert first.options == asked
    assert (second.id, second.theme, second.options) == ("deck-1", tmp_path / "art" / "deck-1.yaml", ORDER)
    assert third.theme.name == "classic.yaml"


def test_yaml_lists_mean_the_same(tmp_path: Path) -> None:
    """A list, or the key `jobs`; lists of languages; a bare theme."""
    write_themes(tmp_path, 2)
    rows = "- {theme: deck-0.yaml, id: a, languages: [nl, fr], size: 70}\n- deck-1.yaml\n"
    for text in (rows, "jobs:\n" + rows):
        first, second = read(tmp_path, "jobs.yaml", text)
        assert isinstance(first, Job) and isinstance(second, Job)
        assert first.options.languages == ("nl", "fr") and first.options.size == 70
        assert (first.id, second.id) == ("a", "deck-1")


def test_every_bad_row_is_named_and_the_good_ones_stay(tmp_path: Path) -> None:
    """All faults of all rows at once, each with file and row."""
    write_themes(tmp_path, 2)
    text = (
        "id,theme,seed,copies,languages,profile,output\n"
        "good,deck-0.yaml,1,,,,\n"
        "no-theme,,,,,,\n"
        "missing,deck-9.yaml,x,0,,,\n"
        "GOOD,deck-1.yaml,,,,,\n"
        "odd,deck-1.yaml,,,zz,nothing,../up\n"
        "wide,deck-1.yaml,,,,,,,surplus\n"
    )
    entries = read(tmp_path, "jobs.csv", text)
    told = faults_of(entries)
    place = f"{tmp_path}/jobs.csv"
    assert [entry.id for entry in entries if isinstance(entry, Job)] == ["good"]
    assert any(line.startswith(f"{place}:3: the row names no theme") for line in told)
    assert any(line.startswith(f"{place}:4: there is no theme") for line in told)
    assert any(line.startswith(f'{place}:4: seed: "x" is no number') for line in told)
    assert any(line.startswith(f'{place}:5: another job is called "good" already (line 2') for line in told)
    assert any(line.startswith(f'{place}:6: there is no profile "nothing"') for line in told)
    assert any(line.startswith(f'{place}:6: output: "../up" leads out') for line in told)
    assert any(line.startswith(f"{place}:7: the row has more cells") for line in told)


def test_a_bad_heading_is_told_with_what_was_meant(tmp_path: Path) -> None:
    """One fault for the list, not one for every row."""
    (misfit,) = read(tmp_path, "jobs.csv", "id,teme\na,b\n")
    assert isinstance(misfit, InvalidJob)
    assert str(misfit.faults[0]) == f'{tmp_path}/jobs.csv:1: there is no column "teme". Did you mean "theme"?'


def test_a_shops_own_columns_are_passed_on(tmp_path: Path) -> None:
    """Customer and date are nothing to us, but stand in the job's report; a slip of the pen stays a fault."""
    write_theme(tmp_path / "theme.yaml")
    (job,) = read(tmp_path, "jobs.csv", "id,theme,customer,Due date\na,theme.yaml,Ada & Co,2026-12-01\n")
    assert isinstance(job, Job)
    assert job.options.passed_on == (("customer", "Ada & Co"), ("Due date", "2026-12-01"))
    for slip, meant in {"copeis": "copies", "profil": "profile", "sise": "size", "bakc": "back"}.items():
        (misfit,) = read(tmp_path, "jobs.csv", f"id,theme,{slip}\na,theme.yaml,1\n")
        assert isinstance(misfit, InvalidJob) and misfit.faults[0].hint == f'Did you mean "{meant}"?'


def test_keys_of_the_shops_own_are_passed_on_from_yaml_too(tmp_path: Path) -> None:
    """A job list in YAML is read by the same rules."""
    write_theme(tmp_path / "theme.yaml")
    (job,) = read(tmp_path, "jobs.yaml", "- {id: a, theme: theme.yaml, customer: Ada}\n")
    assert isinstance(job, Job) and job.options.passed_on == (("customer", "Ada"),)


def test_a_job_list_names_the_profile_of_the_press(tmp_path: Path) -> None:
    """Its path starts from the list's own folder; a file that is not there is told with its row."""
    write_theme(tmp_path / "theme.yaml")
    (tmp_path / "press.icc").write_bytes(b"")
    good, bad = read(tmp_path, "jobs.csv", "id,theme,icc\na,theme.yaml,press.icc\nb,theme.yaml,other.icc\n")
    assert isinstance(good, Job) and good.options.output_profile == tmp_path / "press.icc"
    assert isinstance(bad, InvalidJob) and 'there is no file "other.icc"' in bad.faults[0].what


def test_a_zip_may_hold_a_folder_in_a_folder(tmp_path: Path) -> None:
    """As people pack what they have unpacked before."""
    with zipfile.ZipFile(tmp_path / "deep.zip", "w") as packed:
        packed.writestr("order-17/zoo/theme.yaml", "title: Zoo\n")
        packed.writestr("order-17/zoo/pictures/lion.png", b"")
    assert sorted(unpack_all(tmp_path / "deep.zip")) == ["pictures/lion.png", "theme.yaml"]


def test_a_list_that_is_too_long_is_told(tmp_path: Path) -> None:
    """With advice that fits a list of jobs."""
    (misfit,) = read(tmp_path, "jobs.csv", "id,theme\n" + "a,b\n" * 1200)
    assert isinstance(misfit, InvalidJob) and "more than 1000 rows" in misfit.faults[0].what
    assert misfit.faults[0].hint == "Split the list; several can be given at once."


def test_bad_rows_fail_the_run_with_code_8(tmp_path: Path) -> None:
    """On the command line: the row is named, exit code 8, no traceback."""
    (tmp_path / "jobs.csv").write_text("id,theme\nx,nowhere.yaml\n")
    done = run_batch(tmp_path, "jobs.csv", "-o", "out")
    assert done.returncode == 8
    assert "jobs.csv:2: there is no theme" in done.stderr and "Traceback" not in done.stderr
    assert "1 failed" in done.stdout


def test_a_folder_of_themes_is_a_batch(tmp_path: Path) -> None:
    """YAML files, zips, and folders with a theme.yaml; job lists and hidden files are none."""
    write_theme(tmp_path / "b.yaml")
    write_theme(tmp_path / "a" / "theme.yaml")
    write_theme(tmp_path / ".hidden.yaml")
    (tmp_path / "jobs.yaml").write_text("- b.yaml\n")
    with zipfile.ZipFile(tmp_path / "c.zip", "w") as packed:
        packed.write(tmp_path / "b.yaml", "theme.yaml")
    assert [entry.id for entry in list_jobs([str(tmp_path)], ORDER)] == ["a", "b", "c"]
    (tmp_path / "empty").mkdir()
    assert "holds no themes" in faults_of(list_jobs([str(tmp_path / "empty")], ORDER))[0]


def test_two_themes_of_one_name_are_told_apart_by_a_fault(tmp_path: Path) -> None:
    """Their results would overwrite each other."""
    write_theme(tmp_path / "x" / "zoo.yaml")
    write_theme(tmp_path / "y" / "Zoo.yaml")
    entries = list_jobs([str(tmp_path / "x"), str(tmp_path / "y")], ORDER)
    assert "another job is called" in faults_of(entries)[0] and isinstance(entries[0], Job)


@pytest.mark.parametrize(
    ("text", "plain"),
    [("Class 3/b", "Class-3-b"), ("café", "café"), ("../../etc", "etc"), ("a" * 99, "a" * 60), ("x.y_z-1", "x.y_z-1")],
)
def test_ids_are_file_names(text: str, plain: str) -> None:
    """On every system, and inside one folder."""
    assert make_id(text) == plain


@pytest.mark.parametrize("text", ["", "...", "/", "CON", "gang", "Gang-2"])
def test_some_ids_are_refused(text: str) -> None:
    """Empty ones, those of devices, and the program's own."""
    with pytest.raises(InvalidValue):
        make_id(text)


def test_inputs_are_what_the_theme_names_and_nothing_else(tmp_path: Path) -> None:
    """Pictures, profiles and what those name; never a file outside the folder, by whatever path or link."""
    folder = tmp_path / "theme"
    (tmp_path / "secret.svg").write_text("<svg/>")
    write_theme(folder / "theme.yaml", 0, "profile: mine.yaml\nback: {image: ../secret.svg}\nfont: link.ttf\n")
    (folder / "mine.yaml").write_text("back: {image: art/back.svg}\n")
    (folder / "art").mkdir()
    (folder / "art" / "back.svg").write_text("<svg/>")
    (folder / "art" / "unused.svg").write_text("<svg/>")
    os.symlink(tmp_path / "secret.svg", folder / "link.ttf")
    with (folder / "theme.yaml").open("a", encoding="utf-8") as file:
        file.write(f"credits: [{folder}/art/unused.svg, art/../art/unused.svg]\n")
    assert list(collect_inputs(folder / "theme.yaml")) == ["art/back.svg", "mine.yaml", "theme.yaml"]


def test_inputs_travel_as_bytes(tmp_path: Path) -> None:
    """All that another machine needs, and a limit to it."""
    theme = write_theme(tmp_path / "a.yaml", 0, "back: {image: back.svg}\n")
    (tmp_path / "back.svg").write_text("<svg/>")
    task = make_task(Job("a", theme, ORDER), None, travels=True)
    assert task.files == {"a.yaml": theme.read_bytes(), "back.svg": b"<svg/>"} and task.theme == "a.yaml"
    assert make_task(Job("a", theme, ORDER), None, travels=False).inputs == task.inputs


def pack(path: Path, **members: bytes) -> Path:
    """A zip with members of these names."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, data in members.items():
            packed.writestr(name, data)
    return path


def unpack_all(path: Path) -> dict[str, bytes]:
    """Every file of a zip, whether its theme names it or not."""
    with open_archive(path) as archive:
        return {name: b"".join(archive.unpack(name)) for name in archive}


def test_only_what_the_theme_names_is_unpacked(tmp_path: Path) -> None:
    """Its profile and what that names, too; all else may be as large as it likes."""
    files = {
        "zoo/theme.yaml": "symbols: [./art/a.svg, {image: été.png}]\nprofile: mine.yaml\n".encode(),
        "zoo/mine.yaml": b"about: x\nback: {image: back.svg}\n",
        **{f"zoo/{name}": b"<svg/>" for name in ("art/a.svg", "back.svg", "e\u0301te\u0301.png", "other.svg")},
        "zoo/zeros.bin": bytes(90_000_000),
    }
    path = pack(tmp_path / "zoo.zip", **files)
    (tmp_path / "here").mkdir()
    assert unpack_archive(path, tmp_path / "here") == "theme.yaml"
    named = ["art/a.svg", "back.svg", "e\u0301te\u0301.png", "mine.yaml", "theme.yaml"]
    found = (each for each in (tmp_path / "here").rglob("*") if each.is_file())
    assert sorted(each.relative_to(tmp_path / "here").as_posix() for each in found) == named
    assert sorted(collect_inputs(path)) == named


def test_a_zip_with_an_endless_list_of_files_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before that list is read into memory."""
    monkeypatch.setattr(archive, "MOST_LIST_BYTES", 100_000)
    with pytest.raises(ThemeError, match="no zip that can be read"):
        unpack_all(pack(tmp_path / "a.zip", **{f"{number:060}.svg": b"" for number in range(1000)}))


def test_a_zip_holds_one_theme_perhaps_in_a_folder(tmp_path: Path) -> None:
    """As the usual programs pack it, clutter and all."""
    files = {"zoo/theme.yaml": b"symbols: []", "zoo/art/a.svg": b"<svg/>", "__MACOSX/zoo/._theme.yaml": b"?"}
    read_files = unpack_all(pack(tmp_path / "a.zip", **files))
    assert sorted(read_files) == ["art/a.svg", "theme.yaml"]
    assert find_theme_inside(read_files, "a.zip") == "theme.yaml"
    with pytest.raises(ThemeError, match="holds 2 themes"):
        find_theme_inside({"a.yaml": b"", "b.yaml": b""}, "a.zip")
    with pytest.raises(ThemeError, match="holds no theme"):
        find_theme_inside({"a.svg": b""}, "a.zip")


@pytest.mark.parametrize(
    "name", ["../evil.yaml", "/etc/evil.yaml", "a/../../evil.yaml", "..\\evil.yaml", "C:/evil.yaml", "a/b.png:c.png"]
)
def test_zips_cannot_write_elsewhere(tmp_path: Path, name: str) -> None:
    """A name that leads out is refused, whatever system it is meant for."""
    with pytest.raises(ThemeError, match="leads out of the folder"):
        unpack_all(pack(tmp_path / "a.zip", **{name: b"x"}))


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (["a/x.png", "a//x.png"], "stands in it twice"),
        (["x.png", "./x.png"], "stands in it twice"),
        (["x.png", "X.PNG"], "stands in it twice"),
        (["a", "a/x.png"], "both a file and a folder"),
        (["art/NUL.png"], "name of a device"),
        (["a\x1b[2J.png"], "invisible characters"),
        (["a\u202egnp.exe"], "invisible characters"),
        (["a" * 300 + ".png"], "too long"),
        (["a/" * 1500 + "x.png"], "too long"),
    ],
)
def test_zips_hold_only_plain_names(tmp_path: Path, names: list[str], words: str) -> None:
    """What two systems would unpack differently, or one not at all, is refused before anything is unpacked."""
    with pytest.raises(ThemeError, match=words):
        unpack_all(pack(tmp_path / "a.zip", **dict.fromkeys(names, b"x")))


def test_zips_hold_no_links(tmp_path: Path) -> None:
    """A link in a zip could point anywhere."""
    link = zipfile.ZipInfo("theme.yaml")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as packed:
        packed.writestr(link, "/etc/passwd")
    with pytest.raises(ThemeError, match="is a link"):
        unpack_all(tmp_path / "a.zip")


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_zips_are_packed_as_every_system_packs_them(method: int, tmp_path: Path) -> None:
    """Other ways are hardly ever meant honestly, and each has its own way to break."""
    with zipfile.ZipFile(tmp_path / "a.zip", "w", method) as packed:
        packed.writestr("theme.yaml", "symbols: []")
    with pytest.raises(ThemeError, match="packed in an unusual way"):
        unpack_all(tmp_path / "a.zip")


def test_zip_bombs_are_refused_by_what_comes_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sizes that a zip claims are not believed."""
    monkeypatch.setattr(archive, "MOST_BYTES", 1_000_000)
    path = pack(tmp_path / "a.zip", **{"theme.yaml": bytes(3_000_000)})
    with pytest.raises(ThemeError, match="unpacks to far more than it seems"):
        unpack_all(path)
    data = bytearray(path.read_bytes())
    where = data.rindex(b"PK\x01\x02") + 24
    data[where : where + 4] = struct.pack("<I", 10)  # the list now claims ten bytes
    path.write_bytes(data)
    with pytest.raises(ThemeError):
        unpack_all(path)
    monkeypatch.setattr(archive, "MOST_FILES", 3)
    with pytest.raises(ThemeError, match="more than 3 files"):
        unpack_all(pack(tmp_path / "b.zip", **{f"{number}.svg": b"" for number in range(4)}))


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", b"PK\x05\x06" + bytes(18), b"no zip at all", bytes(5000)])
def test_broken_zips_are_told(tmp_path: Path, data: bytes) -> None:
    """Half-copied and mistaken files: plain words, no traceback."""
    (tmp_path / "a.zip").write_bytes(data)
    (entry,) = list_jobs([str(tmp_path / "a.zip")], ORDER)
    assert isinstance(entry, Job)
    with pytest.raises(ThemeError):
        make_task(entry, None, travels=False)


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("batch.json,classic", "needs itself"),
        ("batch-1of2.json,classic", "needs itself"),
        (f"a,{'A' * 5000}.zip", "is no file name"),
        ("a,notes.txt", '"notes.txt" is no theme'),
    ],
)
def test_a_row_that_leads_astray_is_named(row: str, words: str, tmp_path: Path) -> None:
    """The batch's own files are no ids, no name is too long to be told, and only themes are opened."""
    (tmp_path / "notes.txt").write_text("secret: of: mine")
    (entry,) = read(tmp_path, "jobs.csv", f"id,theme\n{row}\n")
    assert isinstance(entry, InvalidJob)
    assert (
        words in str(entry.faults[0]) and "jobs.csv:2" in str(entry.faults[0]) and "secret" not in str(entry.faults[0])
    )


@pytest.mark.parametrize(("name", "text"), [("jobs.csv", "id,theme\n"), ("jobs.yaml", "jobs: []\n")])
def test_a_list_without_jobs_is_told(name: str, text: str, tmp_path: Path) -> None:
    """An export gone wrong must not pass as a day without work."""
    (entry,) = read(tmp_path, name, text)
    assert isinstance(entry, InvalidJob) and "lists no jobs" in str(entry.faults[0])


def test_a_list_that_is_not_there_is_told_as_a_file() -> None:
    """Nobody meant a theme of that name."""
    (entry,) = list_jobs(["nowhere.csv"], ORDER)
    assert isinstance(entry, InvalidJob) and "there is no file nowhere.csv" in str(entry.faults[0])


def test_an_id_that_had_to_change_is_told(tmp_path: Path) -> None:
    """Whoever ordered it looks for the id they gave."""
    jobs = read(tmp_path, "jobs.csv", "id,theme\na/b,classic\nclass-3b,kids\n")
    (remark,) = list_renamed(jobs)
    assert str(remark).endswith('jobs.csv:2: the id "a/b" becomes "a-b".')
