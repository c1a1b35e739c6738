"""The pipeline: prove, check, deliver, in this order; whose fault it is decides whether files are delivered."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from dobble_print import build
from dobble_print.build import Box, DeckOrder, Result, StepTimer, make, sort_gangs
from dobble_print.cli.console import Console
from dobble_print.cli.make import Builder
from dobble_print.errors import ExitCode, VerifyError
from dobble_print.options import DEFAULTS, BuildOptions
from dobble_print.pdf.report import Finding, Report
from dobble_print.preflight import limits
from dobble_print.preflight.check import examine_pdf
from dobble_print.preflight.limits import OUR_RULES, ShopCheck
from dobble_print.theme.model import Theme
from dobble_print.theme.reader import read_theme
from tests.conftest import SMALL_THEME
from tests.verify_samples import make_deck, make_sheet

SHOP = BuildOptions(profile="shop-sra3-x4")
RULES = tuple(finding.rule for finding in examine_pdf(make_sheet(make_deck())).findings)


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A theme for a print shop, with an older good result; printing and proving it takes no time."""
    path = tmp_path / "small.yaml"
    path.write_text(SMALL_THEME, encoding="utf-8")
    (tmp_path / "out" / "small").mkdir(parents=True)
    (tmp_path / "out" / "small" / "cards.pdf").write_bytes(b"older")

    def print_deck(theme: Theme, *_: object) -> Box:
        return Box(theme, (), "abc", {"cards.pdf": b"newer"})

    monkeypatch.setattr(build, "print_deck", print_deck)
    monkeypatch.setattr(build, "prove_box", lambda box: {})
    return path


def break_rule(monkeypatch: pytest.MonkeyPatch, rule: str) -> None:
    """Let one rule of the preflight fail."""
    findings = tuple(Finding(each, "fail" if each == rule else "pass", "so it is") for each in RULES)
    monkeypatch.setattr(limits, "check_files", lambda *_: ShopCheck({"cards.pdf": Report(findings)}))


def run(theme: Path) -> dict[str, object]:
    """Build the theme as the command line does."""
    options = replace(SHOP, output=theme.parent / "out")
    return Builder(options, False, True, Console(quiet=True)).build(str(theme))


def test_every_rule_of_ours_exists() -> None:
    """A rule that is renamed must not change sides in silence."""
    assert set(RULES) >= OUR_RULES


@pytest.mark.parametrize("rule", sorted(OUR_RULES))
def test_a_fault_of_ours_delivers_nothing(rule: str, shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The older good result stays, and the message says whose fault it is."""
    break_rule(monkeypatch, rule)
    with pytest.raises(VerifyError, match=rf"small/cards\.pdf breaks a rule of the preflight: {rule}: so it is.*a bug"):
        run(shop)
    assert (shop.parent / "out" / "small" / "cards.pdf").read_bytes() == b"older"


@pytest.mark.parametrize("rule", sorted(set(RULES) - OUR_RULES))
def test_a_fault_of_the_customers_pictures_is_delivered(rule: str, shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They can look at it; the exit code says that a rule failed."""
    break_rule(monkeypatch, rule)
    told = run(shop)
    assert told["exit_code"] == ExitCode.PREFLIGHT
    assert (shop.parent / "out" / "small" / "cards.pdf").read_bytes() == b"newer"


def test_a_proof_that_fails_delivers_nothing(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor is anything checked."""

    def refuse(box: Box) -> None:
        raise VerifyError("a promise is broken")

    monkeypatch.setattr(build, "prove_box", refuse)
    with pytest.raises(VerifyError):
        run(shop)
    assert (shop.parent / "out" / "small" / "cards.pdf").read_bytes() == b"older"


def test_each_step_is_named_once_and_measured(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever listens hears them as they begin."""
    break_rule(monkeypatch, "")
    heard: list[str] = []
    timer = StepTimer(heard.append)
    result = make([DeckOrder(read_theme(shop, SHOP.theme_values()), SHOP)], timer.begin)
    timer.stop()
    assert isinstance(result, Result) and result.exit_code == ExitCode.OK
    assert heard == ["proof", "preflight"] == list(timer.seconds)


def test_decks_share_sheets_with_their_like(shop: Path) -> None:
    """In the order in which they come; other papers and other wishes need other sheets."""
    theme = read_theme(shop)
    wide = read_theme(shop, BuildOptions(paper="A3").theme_values())
    orders = [
        DeckOrder(theme),
        DeckOrder(wide),
        DeckOrder(theme, replace(DEFAULTS, copies=3, mark="letter")),
        DeckOrder(theme, replace(DEFAULTS, dated=True)),
    ]
    assert sort_gangs(orders) == [[orders[0], orders[2]], [orders[1]], [orders[3]]]
