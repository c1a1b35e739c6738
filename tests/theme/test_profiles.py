"""Profiles: settings for printers and machines, as data."""

from __future__ import annotations

from pathlib import Path

import pytest

from dobble_print.compose import sheet_theme
from dobble_print.errors import ThemeError, UsageError
from dobble_print.options import BuildOptions
from dobble_print.resources import shipped_profiles
from dobble_print.theme.model import Theme
from dobble_print.theme.profiles import list_profiles, read_profile
from dobble_print.theme.reader import examine_theme, read_theme
from tests.conftest import SMALL_THEME

PROMISED = [
    *("school-a4", "school-letter", "punch"),
    *("labels-avery-5195", "labels-avery-5194", "labels-endisch-65000850", "labels-endisch-65000800"),
    *("silhouette-a4", "silhouette-letter", "cricut"),
    *("shop-sra3-x4", "shop-a3-x4", "shop-x1a"),
    *("pod-circle-3.5in", "pod-hex", "tabletop-simulator"),
]


def read(folder: Path, text: str = "", **asked: object) -> Theme:
    """A small theme with more lines, read with options of the command line."""
    path = folder / "theme.yaml"
    path.write_text(SMALL_THEME + text)
    return read_theme(path, BuildOptions(**asked).theme_values())  # type: ignore[arg-type]


def test_every_promised_profile_ships() -> None:
    """The list of profiles is the list we promise."""
    assert sorted(PROMISED) == sorted(list_profiles())


@pytest.mark.parametrize("name", PROMISED)
def test_a_shipped_profile_has_no_fault_and_says_what_it_is_for(name: str) -> None:
    """Profiles are data that anyone may edit: this is what catches a slip."""
    profile, faults = read_profile(shipped_profiles()[name])
    assert not faults
    assert len(profile.about) > 10


@pytest.mark.parametrize("name", PROMISED)
def test_every_profile_gives_a_sheet(tmp_path: Path, name: str) -> None:
    """A plain theme finds room on the paper of every profile."""
    assert sheet_theme(read(tmp_path, profile=name)).nest.centres


def test_what_the_theme_says_counts_more_than_the_profile_it_names(tmp_path: Path) -> None:
    """A theme's own line is the exception to its profile."""
    theme = read(tmp_path, "profile: school-letter\nsheet: {ruler: false}\n")
    assert (theme.sheet.paper.name, theme.sheet.edge_mm, theme.sheet.ruler) == ("Letter", 6.35, False)


def test_a_profile_of_the_command_line_counts_more_than_the_theme(tmp_path: Path) -> None:
    """A shop prints a stranger's theme with its own settings."""
    theme = read(tmp_path, "sheet: {paper: A5, bleed: 1}\nprofile: punch\n", profile="shop-sra3-x4")
    assert (theme.sheet.paper.name, theme.sheet.bleed_mm, theme.press.standard) == ("SRA3", 3.0, "x-4")
    assert theme.profile == "shop-sra3-x4"


def test_options_count_most(tmp_path: Path) -> None:
    """--paper beats --profile."""
    assert read(tmp_path, profile="shop-sra3-x4", paper="A3").sheet.paper.name == "A3"


def test_a_punch_takes_the_nearest_size_it_has(tmp_path: Path) -> None:
    """85 mm is nearer to 88.9 than to 76."""
    assert read(tmp_path, profile="punch").card.size_mm == 88.9
    assert read(tmp_path, "card: {size: 70}\n", profile="punch").card.size_mm == 76
    assert read(tmp_path, profile="punch", size=63.5).card.size_mm == 63.5


def test_a_size_the_machine_has_not_is_refused(tmp_path: Path) -> None:
    """Nobody owns a punch of 80 mm."""
    with pytest.raises(UsageError, match=r"--size: punch takes no cards of 80 mm. It takes 63.5, 76 or 88.9 mm"):
        read(tmp_path, profile="punch", size=80)


def test_labels_are_round_whatever_the_theme_wants(tmp_path: Path) -> None:
    """A theme of hexagons still prints on round labels; asking for hexagons there is refused."""
    theme = read(tmp_path, "card: {shape: hex}\n", profile="labels-avery-5195")
    assert (theme.card.shape, theme.card.size_mm) == ("round", 84.1)
    with pytest.raises(UsageError, match="takes no hex cards"):
        read(tmp_path, profile="labels-avery-5195", shape="hex")


@pytest.mark.parametrize(
    ("name", "first", "step", "grid"),
    [
        ("labels-avery-5195", (16.27 + 42.05, 12.30 + 42.05), (99.22, 85.33), (2, 3)),
        ("labels-endisch-65000850", (15 + 42.5, 11 + 42.5), (95, 95), (2, 3)),
        ("labels-endisch-65000800", (20 + 40, 18.5 + 40), (90, 90), (2, 3)),
        ("labels-avery-5194", (5.33 + 31.75, 10.80 + 31.75), (69.85, 63.88), (3, 4)),
    ],
)
def test_labels_lie_where_their_maker_punched_them(
    tmp_path: Path, name: str, first: tuple[float, float], step: tuple[float, float], grid: tuple[int, int]
) -> None:
    """From the upper left corner, row by row."""
    nest = sheet_theme(read(tmp_path, profile=name)).nest
    wanted = [
        (first[0] + column * step[0], nest.paper.height_mm - first[1] - row * step[1])
        for row in range(grid[1])
        for column in range(grid[0])
    ]
    assert len(nest.centres) == len(wanted)
    for found, place in zip(nest.centres, wanted, strict=True):
        assert found == pytest.approx(place, abs=0.01)


def test_a_profile_of_ones_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A shop writes its machine down once."""
    (tmp_path / "house.yaml").write_text(
        "about: our machine\nsheet: {paper: A3, bleed: 2}\npress: {cut_name: Thru-cut}\n"
    )
    monkeypatch.chdir(tmp_path)
    theme = read(tmp_path, profile="house.yaml")
    assert (theme.sheet.paper.name, theme.sheet.bleed_mm, theme.press.cut_name) == ("A3", 2.0, "Thru-cut")
    assert theme.profile == "house"
    assert read(tmp_path, "profile: house.yaml\n").sheet.paper.name == "A3"


def test_a_fault_in_a_profile_is_named_with_its_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All faults at once, as in a theme."""
    (tmp_path / "house.yaml").write_text("about: ours\nsheet: {papper: A3}\npress: {standard: x-5}\ntitel: x\n")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ThemeError) as caught:
        read(tmp_path, profile="house.yaml")
    assert [str(fault.place) for fault in caught.value.faults] == [
        "house.yaml:2:9",
        "house.yaml:3:19",
        "house.yaml:4:1",
    ]


@pytest.mark.parametrize("written", ["../house.yaml", "/etc/house.yaml", "https://example.org/house.yaml"])
def test_a_theme_names_no_profile_outside_its_folder(tmp_path: Path, written: str) -> None:
    """Themes come from strangers."""
    (tmp_path / "house.yaml").write_text("about: ours\n")
    inner = tmp_path / "inner"
    inner.mkdir()
    path = inner / "theme.yaml"
    path.write_text(SMALL_THEME + f"profile: {written}\n")
    assert len(examine_theme(path)[1]) == 1


def test_an_unknown_profile_is_told_with_its_neighbour(tmp_path: Path) -> None:
    """A misspelt name is a matter of usage."""
    with pytest.raises(UsageError, match=r'there is no profile "shop-sra3". Did you mean "shop-sra3-x4"'):
        read(tmp_path, profile="shop-sra3")
