"""The cache: content-addressed, bounded, shared by many writers, and never seen in a result."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest
from PIL import Image

from dobble_print import cache as cache_room
from dobble_print import cache as fingerprint
from dobble_print.art.artwork import DrawingMaster, make_artwork, open_artwork, pack_artwork, unpack_artwork
from dobble_print.build import print_deck
from dobble_print.cache import Cache, find_cache_folder, make_key, use_cache
from dobble_print.options import BuildOptions
from dobble_print.theme.model import Emoji, ImageFile, Text
from dobble_print.theme.reader import read_theme
from tests.conftest import ROOT, Run

DAY_S = 86_400


def test_what_is_kept_is_recalled(cache: Cache) -> None:
    """Bytes in, the same bytes out; an unknown key is nothing."""
    cache.keep("ab12", b"content")
    assert cache.recall("ab12") == b"content"
    assert cache.recall("ab13") is None


def test_a_damaged_entry_is_ignored_and_goes(cache: Cache) -> None:
    """A checksum guards every entry."""
    cache.keep("ab12", b"content")
    (entry,) = cache.list_entries()
    entry.path.write_bytes(entry.path.read_bytes()[:-1] + b"X")
    assert cache.recall("ab12") is None
    assert cache.list_entries() == []


def test_keys_depend_on_everything_they_are_made_from(monkeypatch: pytest.MonkeyPatch) -> None:
    """Kind, parts, where one part ends, and the program."""
    keys = {
        make_key("a", [b"1", b"2"]),
        make_key("b", [b"1", b"2"]),
        make_key("a", [b"12"]),
        make_key("a", [b"1", b"3"]),
    }
    monkeypatch.setattr(cache_room, "take_fingerprint", lambda: "another program")
    assert len(keys | {make_key("a", [b"1", b"2"])}) == 5


def test_what_was_used_longest_ago_goes_first(tmp_path: Path) -> None:
    """The size stays bounded; recalling counts as use."""
    cache = Cache(tmp_path, most_bytes=10_000)
    for number in range(8):
        cache.keep(f"{number + 1:x}{number:03}", bytes(1500))
    for age, entry in enumerate(sorted(cache.list_entries(), key=lambda entry: entry.path)):
        os.utime(entry.path, (1e9 + age * DAY_S, 1e9 + age * DAY_S))
    cache.recall("1000")
    cache.trim()
    kept = sorted(entry.path.stem for entry in cache.list_entries())
    assert sum(entry.size for entry in cache.list_entries()) <= 10_000
    assert "1000" in kept and "8007" in kept and "2001" not in kept


def test_writing_trims_without_being_asked(tmp_path: Path) -> None:
    """Nobody has to call `trim`: some of the writers do."""
    cache = Cache(tmp_path, most_bytes=100_000)
    for number in range(200):
        cache.keep(make_key("test", [bytes([number])], is_plain=True), bytes(2000))
    assert sum(entry.size for entry in cache.list_entries()) < 200_000


def test_leftovers_of_killed_writers_are_swept(cache: Cache) -> None:
    """Old temporary files go, young ones may belong to a living process."""
    cache.keep("ab12", b"content")
    old, young = (cache.folder / "ab" / f".ab{i}.1.ff.part" for i in range(2))
    for path in (old, young):
        path.write_bytes(b"half")
    os.utime(old, (1e9, 1e9))
    cache.trim()
    assert not old.exists() and young.exists()


def test_a_folder_that_cannot_be_written_costs_nothing(tmp_path: Path) -> None:
    """No cache is no reason to fail."""
    (tmp_path / "file").write_text("in the way")
    cache = Cache(tmp_path / "file" / "cache")
    cache.keep("ab12", b"content")
    cache.trim()
    assert cache.recall("ab12") is None


def test_many_writers_at_once(tmp_path: Path) -> None:
    """Four processes write, read and trim the same entries; none ever sees half of one."""
    code = (
        "import sys; from pathlib import Path; from dobble_print.cache import Cache\n"
        "cache = Cache(Path(sys.argv[1]), most_bytes=300_000)\n"
        "for turn in range(300):\n"
        "    key, content = f'{turn % 40:02x}', bytes([turn % 40]) * 10_000\n"
        "    assert cache.recall(key) in (None, content)\n"
        "    cache.keep(key, content)\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    writers = [subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], env=environment) for _ in range(4)]
    assert [writer.wait() for writer in writers] == [0, 0, 0, 0]
    assert not list(tmp_path.rglob("*.part"))


def test_the_folder_is_the_users_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """XDG_CACHE_HOME is respected."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert find_cache_folder() == tmp_path / "dobble-print"


def test_artwork_survives_packing_to_the_last_bit() -> None:
    """Vectors, outlines, boxes and warnings."""
    for source in (Emoji("🐱"), Emoji("🐱", "openmoji"), Text("3×4", badge=("#ffffff",)), Text("hond")):
        made = make_artwork(source)
        packed = pack_artwork(made)
        assert packed is not None
        again = unpack_artwork(packed, Image.Image)
        assert pack_artwork(again) == packed
        assert again.silhouette.rings[0].tolist() == made.silhouette.rings[0].tolist()
        assert (again.digest, again.width, again.height) == (made.digest, made.width, made.height)


def test_the_second_deck_with_the_same_art_renders_none(
    cache: Cache, small_theme: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All artwork and all placements come from the cache."""
    theme = read_theme(small_theme)
    first = print_deck(theme, BuildOptions(booklet=False, legend=False))

    def refuse(*_: object) -> None:
        raise AssertionError("drawn or placed again")

    monkeypatch.setattr("dobble_print.art.artwork.make_artwork", refuse)
    monkeypatch.setattr("dobble_print.layout.engine.lay_out_deck", refuse)
    again = print_deck(theme, BuildOptions(booklet=False, legend=False))
    assert again.files == first.files


def test_cold_warm_and_no_cache_make_the_same_bytes(cache: Cache, small_theme: Path) -> None:
    """The cache is never seen in a result."""
    theme = read_theme(small_theme)
    cold, warm = print_deck(theme), print_deck(theme)
    assert cache.list_entries()
    use_cache(None)
    assert cold.files == warm.files == print_deck(theme).files


def test_a_changed_picture_is_drawn_anew(cache: Cache, tmp_path: Path) -> None:
    """The key is the content, not the name."""
    path = tmp_path / "art.svg"
    svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><rect width="{}" height="10"/></svg>'
    path.write_text(svg.format(10))
    square = open_artwork(ImageFile(path))
    path.write_text(svg.format(3))
    assert open_artwork(ImageFile(path)).digest != square.digest
    path.write_text(svg.format(10))
    assert open_artwork(ImageFile(path)).digest == square.digest


def test_one_emoji_of_two_sets_is_two_pictures(cache: Cache) -> None:
    """All that a source says counts, not only what it is called."""
    assert open_artwork(Emoji("🐱")).digest != open_artwork(Emoji("🐱", "openmoji")).digest
    plain, red = open_artwork(Text("hond")), open_artwork(Text("hond", color="#ff0000"))
    assert plain.digest != red.digest


def test_a_drawing_that_becomes_pixels_is_kept_as_a_drawing(cache: Cache, tmp_path: Path) -> None:
    """Its size is known only when it is printed; it is rendered then, in the sandbox as before."""
    path = tmp_path / "art.svg"
    path.write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><filter id="f"><feGaussianBlur stdDeviation="1"/>'
        '</filter><circle cx="4.5" cy="4.5" r="3" filter="url(#f)"/></svg>'
    )
    made = open_artwork(ImageFile(path))
    again = open_artwork(ImageFile(path))
    assert isinstance(made.master, DrawingMaster) and isinstance(again.master, DrawingMaster)
    assert (again.master.svg, again.master.pdf, again.master.is_guarded) == (made.master.svg, None, True)
    assert again.notes == made.notes


def test_a_cut_out_photo_is_kept(cache: Cache, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Removing a background is slow; its result is kept to the last pixel, alpha included."""
    from PIL import Image, ImageDraw

    picture = Image.new("RGB", (200, 150), "white")
    ImageDraw.Draw(picture).ellipse((40, 20, 160, 130), fill="#c1121f")
    picture.save(tmp_path / "ball.png")
    source = ImageFile(tmp_path / "ball.png", remove_background=True)
    made = open_artwork(source)
    monkeypatch.setattr("dobble_print.art.artwork.make_artwork", None)
    assert pack_artwork(open_artwork(source)) == pack_artwork(made)


def test_info_and_clear(run: Run, tmp_path: Path) -> None:
    """The command tells what is kept, and lets it go."""
    home = {"XDG_CACHE_HOME": str(tmp_path)}
    Cache(tmp_path / "dobble-print").keep("ab12", bytes(2_000_000))
    told = run("cache", "info", **home)
    assert told.returncode == 0 and "1 file, 2.0 MB of 500 MB at most" in told.stdout
    assert "1 file cleared" in run("cache", "clear", **home).stdout
    assert "0 files" in run("cache", **home).stdout


def test_the_fingerprint_knows_every_library_that_the_program_asks_for() -> None:
    """A drawing kept under an older version of any of them would not be the one made now."""
    table = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = [line for name, extra in table["optional-dependencies"].items() if name != "dev" for line in extra]
    asked = {re.split(r"[<>=\[; ]", line)[0] for line in table["dependencies"] + extras}
    plain = re.compile(r"[._-]+")  # Ruamel.YAML and ruamel-yaml are one
    known = fingerprint._name_libraries()
    assert {plain.sub("-", name).lower() for name in known} == {plain.sub("-", name).lower() for name in asked}


def test_the_fingerprint_changes_with_the_version_of_any_library(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also for a source tree that is not installed, where nothing tells which libraries it asks for."""
    make = fingerprint.take_fingerprint.__wrapped__
    for installed in (True, False):
        if not installed:
            monkeypatch.setattr("importlib.metadata.requires", lambda name: version("no such package"))
        before = make()
        for changed in ("reportlab", "fontpkg-lexend"):
            other = {changed: "0"}
            monkeypatch.setattr(
                "importlib.metadata.version", lambda name, other=other: other.get(name) or version(name)
            )
            assert make() != before
        monkeypatch.setattr("importlib.metadata.version", version)
        assert make() == before
