"""The program as a process: what a user types, reads and finds on disk."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dobble_print.errors import ExitCode
from tests.conftest import ROOT, SMALL_THEME, Run

CLASSIC_SYMBOLS = 57


def test_build_prints_only_the_paths_it_wrote(run: Run, small_theme: Path, tmp_path: Path) -> None:
    """Stdout is for scripts: one path a line, each of them there."""
    done = run("build", small_theme)
    assert done.returncode == ExitCode.OK
    paths = done.stdout.splitlines()
    assert {Path(path).name for path in paths} >= {"cards.pdf", "deck.json", "preview.png"}
    assert all((tmp_path / path).is_file() for path in paths)
    assert paths[0] == str(Path("output/small/cards.pdf"))


def test_a_shipped_theme_builds_by_name_from_any_folder(run: Run, tmp_path: Path) -> None:
    """`build classic` needs no file."""
    done = run("build", "classic", "--quality", "draft", "--quiet")
    assert done.returncode == ExitCode.OK
    assert done.stderr == ""
    assert (tmp_path / "output" / "classic" / "cards.pdf").is_file()


def test_two_builds_are_byte_identical(run: Run, small_theme: Path, tmp_path: Path) -> None:
    """Another folder, another hash seed, another day's clock: the same bytes."""
    elsewhere = tmp_path / "some where" / "else"
    elsewhere.mkdir(parents=True)
    (elsewhere / "small.yaml").write_text(SMALL_THEME, encoding="utf-8")
    run("build", small_theme, "-o", "one", "--no-cache", PYTHONHASHSEED="1", TZ="Asia/Tokyo")
    other = {"PYTHONHASHSEED": "2", "OMP_NUM_THREADS": "1", "SOURCE_DATE_EPOCH": "9"}
    run("build", elsewhere / "small.yaml", "-o", "two", "--no-cache", **other)
    names = sorted(path.name for path in (tmp_path / "one" / "small").iterdir())
    assert "cards.pdf" in names
    for name in names:
        assert (tmp_path / "one" / "small" / name).read_bytes() == (tmp_path / "two" / "small" / name).read_bytes(), (
            name
        )


def test_a_second_build_draws_and_places_nothing_anew(run: Run, small_theme: Path, tmp_path: Path) -> None:
    """What the first build kept is used by the second, and by `check`; the bytes are the same."""
    for name in ("one", "two"):
        run("build", small_theme, "-o", name)
    kept = {path: path.stat().st_ino for path in Path(os.environ["XDG_CACHE_HOME"]).rglob("*.kept")}
    assert len(kept) == 15  # seven drawings, seven cards and the lexicon
    assert run("check", small_theme).returncode == ExitCode.OK
    assert {path: path.stat().st_ino for path in Path(os.environ["XDG_CACHE_HOME"]).rglob("*.kept")} == kept
    one, two = ((tmp_path / name / "small" / "cards.pdf").read_bytes() for name in ("one", "two"))
    assert one == two


def test_without_the_cache_nothing_is_kept(run: Run, small_theme: Path) -> None:
    """`--no-cache` neither reads nor writes."""
    assert run("build", small_theme, "--no-cache").returncode == ExitCode.OK
    assert not list(Path(os.environ["XDG_CACHE_HOME"]).rglob("*"))


def test_another_seed_gives_another_deck(run: Run, small_theme: Path, tmp_path: Path) -> None:
    """The seed deals anew."""
    run("build", small_theme, "-o", "one", "--seed", 1)
    run("build", small_theme, "-o", "two", "--seed", 2)
    one, two = (json.loads((tmp_path / n / "small" / "deck.json").read_text(encoding="utf-8")) for n in ("one", "two"))
    assert one["id"] != two["id"]
    assert (one["seed"], two["seed"]) == (1, 2)


def test_options_override_the_theme(run: Run, small_theme: Path, tmp_path: Path) -> None:
    """Cards, paper, shape and size from the command line win."""
    asked = ("--cards", 5, "--paper", "a3", "--shape", "hex", "--size", 60)
    done = run("build", small_theme, *asked, "--json", "--dry-run")
    (result,) = json.loads(done.stdout)["results"]
    assert (result["deck"]["cards"], result["deck"]["paper"]) == (5, "A3")
    run("build", small_theme, *asked)
    record = json.loads((tmp_path / "output" / "small" / "deck.json").read_text(encoding="utf-8"))
    assert record["card"] == {"shape": "hex", "size_mm": 60}


def test_a_dry_run_writes_nothing(run: Run, small_theme: Path, tmp_path: Path) -> None:
    """Everything is done but the writing."""
    done = run("build", small_theme, "--dry-run")
    assert done.returncode == ExitCode.OK
    assert done.stdout == ""
    assert "nothing written" in done.stderr
    assert not (tmp_path / "output").exists()


def test_a_reprint_does_not_touch_the_whole_deck(run: Run, small_theme: Path, tmp_path: Path) -> None:
    """`--only` writes one file of its own."""
    run("build", small_theme)
    before = {path.name: path.read_bytes() for path in (tmp_path / "output" / "small").iterdir()}
    done = run("build", small_theme, "--only", "2,5-6")
    assert done.stdout.split() == [str(Path("output/small/cards-2-5-6.pdf"))]
    after = {path.name: path.read_bytes() for path in (tmp_path / "output" / "small").iterdir()}
    assert set(after) == {*before, "cards-2-5-6.pdf"}
    assert all(after[name] == data for name, data in before.items())


def test_json_tells_everything_a_script_needs(run: Run, small_theme: Path) -> None:
    """One document with a result for each theme, faults included."""
    done = run("build", small_theme, "nowhere.yaml", "--json")
    good, bad = json.loads(done.stdout)["results"]
    assert good["exit_code"] == ExitCode.OK
    assert good["deck"]["cards"] == 7
    assert bad["exit_code"] == ExitCode.USAGE
    assert "nowhere" in bad["faults"][0]["what"]


def broken(tmp_path: Path, name: str, text: str) -> Path:
    """A theme file with that text."""
    (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
    return tmp_path / f"{name}.yaml"


FAILING = {
    ExitCode.THEME: SMALL_THEME.replace("title", "titel"),
    ExitCode.ARTWORK: SMALL_THEME.replace("⚓", "{image: broken.svg, en: broken}"),
    ExitCode.DECK: SMALL_THEME.replace("per_card: 3", "per_card: 7"),
    ExitCode.LAYOUT: SMALL_THEME + "card: {size: 250}\n",
}


@pytest.mark.parametrize("code", FAILING)
def test_every_stage_fails_with_its_own_exit_code(run: Run, tmp_path: Path, code: ExitCode) -> None:
    """A message, no traceback, no result, and the documented code."""
    (tmp_path / "broken.svg").write_text("<svg")
    done = run("build", broken(tmp_path, "bad", FAILING[code]))
    assert done.returncode == code
    assert done.stdout == ""
    assert done.stderr.strip()
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "output").exists()


def test_usage_errors_exit_with_2(run: Run, small_theme: Path) -> None:
    """An unknown option, an unknown theme, an impossible card number."""
    for arguments in (["build", "--no-such-option"], ["build", "clasic"], ["build", small_theme, "--only", "99"]):
        done = run(*arguments)
        assert done.returncode == ExitCode.USAGE
        assert "Traceback" not in done.stderr
    assert 'Did you mean "classic"?' in run("build", "clasic").stderr


def test_an_unwritable_folder_exits_with_7(run: Run, small_theme: Path, tmp_path: Path) -> None:
    """A file where the folder should be."""
    (tmp_path / "output").write_text("")
    done = run("build", small_theme)
    assert done.returncode == ExitCode.OUTPUT
    assert "--output" in done.stderr


def test_some_of_several_failed_exits_with_8(run: Run, small_theme: Path, tmp_path: Path) -> None:
    """One bad theme does not stop the others."""
    done = run("build", broken(tmp_path, "bad", "symbols: 3"), small_theme)
    assert done.returncode == ExitCode.SOME_FAILED
    assert (tmp_path / "output" / "small" / "cards.pdf").is_file()


def test_a_bug_exits_with_1_and_says_so(run: Run, small_theme: Path, tmp_path: Path) -> None:
    """A fault of ours is called a bug; only --debug shows where it arose."""
    (tmp_path / "sitecustomize.py").write_text(
        "from dobble_print.deck import design\ndef boom(*a, **k): raise RuntimeError('boom')\ndesign.make_deck = boom\n"
    )
    path = os.pathsep.join([str(tmp_path), str(ROOT)])
    done = run("build", small_theme, PYTHONPATH=path)
    assert done.returncode == ExitCode.BUG
    assert "This is a bug" in done.stderr
    assert "Traceback" not in done.stderr
    assert "Traceback" in run("build", small_theme, "--debug", PYTHONPATH=path).stderr


def test_a_missing_cairo_library_says_what_to_install(run: Run, small_theme: Path, tmp_path: Path) -> None:
    """One line for the whole theme, not one for each symbol."""
    (tmp_path / "cairocffi.py").write_text("raise OSError('no library called cairo-2 was found')")
    done = run("build", small_theme, PYTHONPATH=os.pathsep.join([str(tmp_path), str(ROOT)]))
    assert done.returncode == ExitCode.ARTWORK
    assert done.stderr.count("apt install libcairo2") == 1


def test_an_interrupt_exits_with_130_and_leaves_nothing(tmp_path: Path) -> None:
    """Ctrl-C in the middle of a long layout: no half-written file."""
    program = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "from dobble_print.cli.app import main; main()",
            "build",
            "classic",
            "--quality",
            "best",
        ],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    kept = Path(os.environ["XDG_CACHE_HOME"])
    while len(list(kept.rglob("*.kept"))) < CLASSIC_SYMBOLS and program.poll() is None:  # the artwork comes first
        time.sleep(0.1)
    program.send_signal(signal.SIGINT)
    _, stderr = program.communicate(timeout=60)
    assert program.returncode == ExitCode.INTERRUPTED
    assert "Traceback" not in stderr
    assert not (tmp_path / "output").exists()


def test_an_interrupt_while_pictures_are_drawn_is_one_too(tmp_path: Path) -> None:
    """A library that swallows it makes a fault of it; the exit code says what it was."""
    (tmp_path / "swallow.py").write_text(
        "import os, signal\nfrom dobble_print.art import gallery\nfrom dobble_print.errors import ArtworkError, Fault\n"
        "from dobble_print.cli.app import main\n"
        "def swallow(*_):\n"
        "    try:\n        os.kill(os.getpid(), signal.SIGINT)\n        signal.pause()\n"
        "    except KeyboardInterrupt:\n        raise ArtworkError(Fault('the drawing cannot be drawn')) from None\n"
        "gallery.open_artwork = swallow\nmain()\n"
    )
    command = [sys.executable, "swallow.py", "build", "classic"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    told = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=60)
    assert told.returncode == ExitCode.INTERRUPTED, told.stderr


def test_a_failed_rebuild_leaves_the_good_result(run: Run, small_theme: Path, tmp_path: Path) -> None:
    """A theme broken later does not cost the deck built before."""
    run("build", small_theme)
    before = {path.name: path.read_bytes() for path in (tmp_path / "output" / "small").iterdir()}
    small_theme.write_text(SMALL_THEME.replace("🚀", "nothing.png"), encoding="utf-8")
    assert run("build", small_theme).returncode == ExitCode.THEME
    assert {path.name: path.read_bytes() for path in (tmp_path / "output" / "small").iterdir()} == before


def test_check_names_every_fault_at_once(run: Run, tmp_path: Path) -> None:
    """Faults of the theme and of its pictures, each with its place, in reading order."""
    (tmp_path / "broken.svg").write_text("<svg")
    text = "languages: [nl]\ncardd: {shape: round}\nsymbols:\n  - {emoji: ⚓, nl: anker}\n"
    text += "  - {image: broken.svg, nl: kapot}\n  - {emoji: 🐱, nl: kat}\n  - {image: gone.png, nl: weg}\n"
    done = run("check", broken(tmp_path, "bad", text))
    lines = done.stderr.splitlines()
    assert done.returncode == ExitCode.THEME
    assert any(line.startswith("bad.yaml:2:1: ") and 'Did you mean "card"?' in line for line in lines)
    assert any(line.startswith("bad.yaml:5:") and "broken" in line for line in lines)
    assert any(line.startswith("bad.yaml:7:") and "gone.png" in line for line in lines)
    places = [int(line.split(":")[1]) for line in lines if line.startswith("bad.yaml:")]
    assert places == sorted(places)


def test_check_explains_the_deck_and_writes_nothing(run: Run, small_theme: Path, tmp_path: Path) -> None:
    """The arithmetic in words, and no file."""
    before = sorted(tmp_path.iterdir())
    done = run("check", small_theme)
    steps = "one fewer would give 4 cards of 3; 6 more would give 13 cards of 4"
    assert done.stdout == f"small: 7 symbols: 7 cards of 3, a full deck; {steps}.\n"
    assert sorted(tmp_path.iterdir()) == before


def test_new_writes_a_theme_that_builds(run: Run, tmp_path: Path) -> None:
    """From nothing to a deck in two commands."""
    done = run("new", "harbour")
    assert done.returncode == ExitCode.OK
    assert (tmp_path / "harbour" / "theme.schema.json").is_file()
    assert "yaml-language-server" in (tmp_path / "harbour" / "theme.yaml").read_text(encoding="utf-8").splitlines()[0]
    assert run("check", "harbour").returncode == ExitCode.OK
    built = run("build", "harbour", "--quality", "draft")
    assert str(Path("output/harbour/cards.pdf")) in built.stdout


def test_new_never_overwrites_a_theme(run: Run, tmp_path: Path) -> None:
    """A second `new` of the same name is refused."""
    run("new", "harbour")
    (tmp_path / "harbour" / "theme.yaml").write_text("mine")
    assert run("new", "harbour").returncode == ExitCode.OUTPUT
    assert (tmp_path / "harbour" / "theme.yaml").read_text() == "mine"


def test_new_from_a_folder_of_pictures_builds(run: Run, tmp_path: Path) -> None:
    """Seven pictures become seven cards."""
    from PIL import Image

    (tmp_path / "pets").mkdir()
    for i, name in enumerate(["red car", "Kat", "my_dog", "zon-1", "élan", "a b", "7"]):
        Image.new("RGB", (300 + i, 300), (40 * i, 240 - 40 * i, 90)).save(tmp_path / "pets" / f"{name}.png")
    (tmp_path / "pets" / "scan.tif").write_bytes(b"")
    done = run("new", "pets", "--from", "pets")
    assert "scan.tif" in done.stderr
    assert "the file names were taken for English" in done.stderr
    assert done.stdout.splitlines()[0] == str(Path("pets/pets.yaml"))
    assert run("check", "pets/pets.yaml").stdout.startswith("pets: 7 symbols: 7 cards of 3")
    assert run("build", "pets/pets.yaml", "--quality", "draft").returncode == ExitCode.OK


@pytest.mark.parametrize(
    ("what", "word"), [("themes", "classic"), ("papers", "SRA3"), ("shapes", "hex"), ("languages", "nl")]
)
def test_list_shows_what_there_is(run: Run, what: str, word: str) -> None:
    """One row each, and the same as JSON."""
    assert word in run("list", what).stdout
    assert word in str(json.loads(run("list", what, "--json").stdout))


def test_schema_is_json_on_stdout(run: Run) -> None:
    """Editors read it as draft 7."""
    assert "draft-07" in json.loads(run("schema").stdout)["$schema"]


def test_version_is_told(run: Run) -> None:
    """The version of the package."""
    from dobble_print import __version__

    assert run("--version").stdout == f"dobble-print {__version__}\n"


def test_no_animation_and_no_colour_in_a_pipe(run: Run, small_theme: Path, tmp_path: Path) -> None:
    """What is captured is plain text."""
    done = run("build", small_theme, broken(tmp_path, "bad", "symbols: 3"), "--verbose")
    assert "\x1b" not in done.stdout + done.stderr
    assert "\r" not in done.stderr


def test_a_terminal_without_unicode_is_no_reason_to_fail(run: Run, small_theme: Path) -> None:
    """Old consoles get escapes instead of an error."""
    done = run("build", small_theme, PYTHONIOENCODING="ascii", PYTHONUTF8="0", LC_ALL="C")
    assert done.returncode == ExitCode.OK


def test_verbose_says_what_resvg_drew(run: Run, tmp_path: Path) -> None:
    """Drawings that need the careful renderer are named."""
    (tmp_path / "soft.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">'
        '<filter id="f"><feGaussianBlur stdDeviation="1"/></filter>'
        '<circle cx="4.5" cy="4.5" r="3" filter="url(#f)"/></svg>'
    )
    done = run("build", broken(tmp_path, "soft", SMALL_THEME.replace("🚀", "{image: soft.svg, en: soft}")), "-v")
    assert "soft has filters: drawn by resvg at 600 dpi" in done.stderr


def test_two_themes_of_one_name_do_not_overwrite_each_other(run: Run, small_theme: Path, tmp_path: Path) -> None:
    """The second is refused with both paths; the first is there."""
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "small.yaml").write_text(SMALL_THEME.replace("🚀", "🐘"), encoding="utf-8")
    done = run("build", "small.yaml", "other/small.yaml", "--no-booklet", "--no-legend")
    assert done.returncode == ExitCode.SOME_FAILED
    assert 'other/small.yaml and small.yaml are both called "small"' in done.stderr
    assert "elephant" not in (tmp_path / "output" / "small" / "deck.json").read_text(encoding="utf-8")


def test_a_reader_that_goes_away_is_no_error(small_theme: Path, tmp_path: Path) -> None:
    """`list words | head -1` ends well, also where a script checks every part of a pipe."""
    program = f"'{sys.executable}' -c 'from dobble_print.cli.app import main; main()' list words | head -1"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {program}"], env=environment, capture_output=True, text=True
    )
    assert done.returncode == ExitCode.OK
    assert done.stderr == ""


def test_a_full_device_is_an_output_error(small_theme: Path) -> None:
    """Results that cannot be told are not called a bug."""
    command = [sys.executable, "-c", "from dobble_print.cli.app import main; main()", "list", "words"]
    with open("/dev/full", "w") as full:
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, env=environment)
    assert done.returncode == ExitCode.OUTPUT
    assert "bug" not in done.stderr


def test_no_booklet_and_no_legend_leave_them_out(run: Run, small_theme: Path, tmp_path: Path) -> None:
    """Those of an earlier build are not touched."""
    run("build", small_theme)
    assert (tmp_path / "output" / "small" / "booklet.pdf").is_file()
    done = run("build", small_theme, "--no-booklet", "--no-legend")
    assert {Path(path).name for path in done.stdout.split()} == {"cards.pdf", "deck.json", "preview.png"}
    assert (tmp_path / "output" / "small" / "legend.pdf").exists()


def test_rules_are_printed_in_the_terminal(run: Run) -> None:
    """In one language or several, with the numbers of a deck."""
    assert "De eekhoorns" in run("rules", "--lang", "nl").stdout
    both = run("rules", "kids", "--lang", "en", "--lang", "fr").stdout
    assert "30" in both
    assert "Les Écureuils" in both
    assert run("rules", "--lang", "xx").returncode == ExitCode.USAGE
