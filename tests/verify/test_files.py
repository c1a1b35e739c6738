"""Proof on paper, on real files: what the press makes is proved, what was tampered with is caught, what fails stays."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image
from typer.testing import CliRunner

from dobble_print.build import Box, DeckOrder, print_deck, print_gang, prove_box
from dobble_print.cli.app import app
from dobble_print.errors import ExitCode
from dobble_print.options import BuildOptions
from dobble_print.theme.options import LayoutOptions
from dobble_print.theme.reader import read_theme
from dobble_print.verify.proof import Proof
from dobble_print.verify.prove import prove_pdf
from tests.conftest import SMALL_THEME
from tests.tools import run_tool
from tests.verify_samples import STAMP, list_stamps, move_stamp, rewrite_card, rewrite_page

QUICK = BuildOptions(booklet=False, legend=False)
PATTERN = "back: {color: navy, pattern: symbols}\n"
FACES = """\
faces: [picture, word:en]
languages: [en]
deck: {symbols_per_card: 3}
layout: {quality: draft}
symbols: [anchor, cat, dog, apple, banana, car, rocket]
"""
LEVELS = """\
deck: {levels: [3, 4]}
layout: {quality: draft}
symbols: [⚓, 🐱, 🐶, 🍎, 🍌, 🚗, 🚀, ⛵, 🐭, 🌵, 🍐, 🍇, 🚌]
"""
Built = Callable[..., Box]


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """Build a small theme with more lines and options."""

    def build_theme(
        lines: str = "",
        options: BuildOptions = QUICK,
        text: str = SMALL_THEME,
        only: tuple[int, ...] = (),
        **asked: object,
    ) -> Box:
        path = tmp_path_factory.mktemp("deck") / "theme.yaml"
        path.write_text(text + lines, encoding="utf-8")
        theme = read_theme(path, BuildOptions(**asked).theme_values())  # type: ignore[arg-type]
        return print_deck(theme, replace(options, only=only))

    return build_theme


@pytest.fixture(scope="module")
def sheets(build: Built) -> bytes:
    """Seven cards of three with a pattern on their backs."""
    return build(PATTERN).files["cards.pdf"]


def broken(proof: Proof) -> list[str]:
    """The claims that are wrong."""
    return [claim.name for claim in proof.claims if claim.verdict == "wrong"]


def test_what_the_press_makes_is_proved(sheets: bytes) -> None:
    """Every claim, backs included."""
    assert [claim.verdict for claim in prove_pdf(sheets).claims] == ["proved"] * 7


def swap_symbol(card: bytes) -> bytes:
    """Its first symbol becomes one that it does not show."""
    mine = list_stamps(card)
    other = next(b"S%d" % i for i in range(7) if b"S%d" % i not in mine)
    return card.replace(b"/" + mine[0] + b" Do", b"/" + other + b" Do")


def drop_symbol(card: bytes) -> bytes:
    """One symbol fewer."""
    return STAMP.sub(b"", card, count=1)


ROOM = {"gap", "margin"}
CARD_DAMAGE: dict[str, tuple[Callable[[bytes], bytes], set[str], set[str]]] = {  # what must be caught, what may be
    "a symbol swapped": (swap_symbol, {"pairs"}, ROOM),
    "a symbol dropped": (drop_symbol, {"cards", "pairs"}, set()),
    "a symbol scaled up": (lambda card: move_stamp(card, 0, 0, 0, 1.6), set(), ROOM),
    "a symbol 5 mm to the right": (lambda card: move_stamp(card, 0, 5, 0), set(), ROOM),
    "a symbol 5 mm to the left": (lambda card: move_stamp(card, 1, -5, 0), set(), ROOM),
    "a symbol 5 mm up": (lambda card: move_stamp(card, 2, 0, 5), set(), ROOM),
    "a symbol far off": (lambda card: move_stamp(card, 0, 300, 0), {"margin"}, set()),
    "a symbol squeezed to nothing": (lambda card: move_stamp(card, 0, 0, 0, 0.001), {"cards"}, {"margin"}),
}


@pytest.mark.parametrize("damage", CARD_DAMAGE)
def test_a_damaged_card_is_caught_by_the_right_claim(sheets: bytes, damage: str) -> None:
    """Nothing but the content stream was changed, and nothing but the right claims notice."""
    change, must, may = CARD_DAMAGE[damage]
    found = set(broken(prove_pdf(rewrite_card(sheets, change))))
    assert found
    assert must <= found <= must | may


def test_a_card_in_place_of_another_is_caught(sheets: bytes) -> None:
    """Card 1 twice, card 2 gone."""

    def copy_first(content: bytes) -> bytes:
        first, second = re.findall(rb"/Card <<.*?>> BDC.*?EMC", content, re.DOTALL)[:2]
        return content.replace(second, first)

    proof = prove_pdf(rewrite_page(sheets, copy_first))
    assert broken(proof) == ["cards", "pairs"]
    assert "card 1 is there twice" in proof.claims[0].what


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (rb"1 0 0 1 ([\d.]+) ([\d.]+) cm\n/Back", rb"0 1 -1 0 \1 \2 cm\n/Back"),
        (rb"1 0 0 1 ([\d.]+) ([\d.]+) cm\n/Back", rb"1 0 0 1 20 \2 cm\n/Back"),
        (rb"(/Back .*?BDC\n)[^\n]* rg", rb"\1 1 0 0 rg"),
        (rb"(?s)/Back .*?EMC", rb""),
    ],
    ids=["turned", "moved", "recoloured", "gone"],
)
def test_a_damaged_back_is_caught(sheets: bytes, old: bytes, new: bytes) -> None:
    """One of six backs is unlike the others."""
    damaged = rewrite_page(sheets, lambda content: re.sub(old, new, content, count=1), page=1)
    assert broken(prove_pdf(damaged)) == ["backs"]


@pytest.mark.parametrize(
    "options",
    [
        ["--linearize"],
        ["--object-streams=disable"],
        ["--object-streams=generate", "--recompress-flate", "--compression-level=9"],
        ["--qdf"],
        ["--coalesce-contents", "--normalize-content=y"],
    ],
    ids=lambda options: options[0],
)
def test_a_file_that_qpdf_went_over_still_proves(sheets: bytes, tmp_path: Path, options: list[str]) -> None:
    """The structure survives, so the proof does, to the last figure."""
    (tmp_path / "cards.pdf").write_bytes(sheets)
    run_tool(["qpdf", *options, str(tmp_path / "cards.pdf"), str(tmp_path / "again.pdf")])
    again = (tmp_path / "again.pdf").read_bytes()
    assert again != sheets
    assert prove_pdf(again).as_dict() == prove_pdf(sheets).as_dict()


def test_a_file_that_ghostscript_redrew_is_never_called_wrong(sheets: bytes, tmp_path: Path) -> None:
    """It forgets which drawing belongs to which card: proved or unknown, and the command says which."""
    (tmp_path / "cards.pdf").write_bytes(sheets)
    command = ["gs", "-q", "-dNOPAUSE", "-dBATCH", "-sDEVICE=pdfwrite", "-o", str(tmp_path / "again.pdf")]
    run_tool([*command, str(tmp_path / "cards.pdf")])
    verdict = prove_pdf((tmp_path / "again.pdf").read_bytes()).verdict
    assert verdict in ("proved", "unknown")
    told = CliRunner().invoke(app, ["verify", str(tmp_path / "again.pdf")])
    assert told.exit_code == {"proved": ExitCode.OK, "unknown": ExitCode.UNPROVED}[verdict]


VARIANTS: dict[str, dict[str, object]] = {
    "X-4 with the cut on the art": {"lines": PATTERN, "profile": "shop-sra3-x4"},
    "X-4 with the cut on its own page": {"lines": PATTERN, "profile": "shop-sra3-x4", "cut_path": "page"},
    "X-1a": {"lines": PATTERN, "profile": "shop-x1a"},
    "folded": {"lines": PATTERN, "duplex": "fold"},
    "turned over the short edge": {"lines": PATTERN, "duplex": "short"},
    "labels": {"profile": "labels-avery-5195"},
    "punched hexagons": {"shape": "hex", "lines": "sheet: {cut_line: none}\n"},
    "touching squares": {"shape": "square", "lines": "card: {corner: 0}\nsheet: {share_edges: true, cut_line: none}\n"},
    "little ink": {"low_ink": True},
    "poster cards": {"lines": "card: {size: 280}\nsheet: {paper: A3}\n"},
    "three copies": {"options": BuildOptions(booklet=False, legend=False, copies=3, mark="color")},
    "two cards again": {"only": (2, 5)},
    "faces": {"text": FACES},
    "levels": {"text": LEVELS},
}


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_kind_of_sheet_is_proved(build: Built, variant: str) -> None:
    """Shop and office files, folds, labels, copies, faces, levels: each proves cards, pairs, sight, gap and margin."""
    options = VARIANTS[variant]
    proofs = prove_box(build(**options))
    assert proofs
    (proof,) = proofs.values()
    verdicts = {claim.name: claim.verdict for claim in proof.claims}
    assert [verdicts[name] for name in ("cards", "pairs", "sight", "gap", "margin")] == ["proved"] * 5
    assert verdicts["backs"] == ("proved" if options.get("lines") == PATTERN else "none")


@pytest.mark.parametrize("profile", ["school-a4", "shop-sra3-x4", "shop-x1a"])
def test_soft_edges_are_no_overlap(tmp_path: Path, profile: str) -> None:
    """Shadows that fade away are the same picture on a press that knows no transparency."""
    stops = '<stop offset="0" stop-opacity=".5"/><stop offset="1" stop-opacity="0"/>'
    fade = f'<defs><radialGradient id="g">{stops}</radialGradient></defs>'
    shade = '<circle cx="50" cy="50" r="48" fill="url(#g)"/>'
    for i in range(7):
        body = f'<rect x="30" y="30" width="{20 + 5 * i}" height="40" fill="teal"/>'
        svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">{fade}{shade}{body}</svg>'
        (tmp_path / f"s{i}.svg").write_text(svg)
    symbols = ", ".join(f"{{image: s{i}.svg}}" for i in range(7))
    (tmp_path / "soft.yaml").write_text(f"card: {{size: 40}}\nlayout: {{quality: draft}}\nsymbols: [{symbols}]\n")
    theme = read_theme(tmp_path / "soft.yaml", BuildOptions(profile=profile).theme_values())
    proof = prove_box(print_deck(theme, QUICK))["cards.pdf"]
    assert proof.verdict == "proved"


def test_photos_are_measured_to_their_true_edges(tmp_path: Path) -> None:
    """Renderers fill the last pixel of a picture whole; that must not make photos larger than they print."""
    for i in range(13):
        Image.new("RGB", (1500, 1100), (i % 3 * 100, i // 3 % 3 * 100, i // 9 * 100)).save(tmp_path / f"{i}.jpg")
    lines = "".join(f"  - {i}.jpg\n" for i in range(13))
    (tmp_path / "theme.yaml").write_text(f"layout: {{quality: draft}}\nsymbols:\n{lines}", encoding="utf-8")
    product = print_deck(read_theme(tmp_path / "theme.yaml"), BuildOptions(booklet=False, legend=False))
    claims = {claim.name: claim.figures for claim in prove_pdf(product.files["cards.pdf"]).claims}
    assert claims["gap"]["least_mm"] > 1.35 and claims["margin"]["least_mm"] > 2.9


def test_backs_in_a_file_of_their_own_are_proved_alike(build: Built) -> None:
    """Two files, two proofs."""
    proofs = prove_box(build(PATTERN, duplex="separate"))
    assert sorted(proofs) == ["backs.pdf", "cards.pdf"]
    assert [claim.verdict for claim in proofs["backs.pdf"].claims] == ["none", "proved"]


def test_a_gang_of_decks_is_proved_deck_by_deck(tmp_path: Path) -> None:
    """Different decks share nothing; a deck that comes twice is two copies."""
    texts = {
        "a": SMALL_THEME,
        "b": SMALL_THEME.replace("⚓, 🐱, 🐶, 🍎, 🍌, 🚗, 🚀", "⛵, 🐭, 🐹, 🍐, 🍇, 🚌, 🚁"),
        "c": SMALL_THEME,
    }
    for name, text in texts.items():
        (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
    (shared,) = print_gang([DeckOrder(read_theme(tmp_path / f"{name}.yaml"), QUICK) for name in texts], box=False)
    proof = prove_box(shared)["cards.pdf"]
    assert proof.claims[1].what == "63 pairs of 21 cards in 3 decks share exactly one symbol"
    decks = proof.claims[0].figures["decks"]
    assert sorted(deck["copy"] for deck in decks) == [1, 1, 2]


@pytest.fixture
def theme_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small theme in a folder where builds may write."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "small.yaml"
    path.write_text(SMALL_THEME, encoding="utf-8")
    return path


BUILD = ["build", "small.yaml", "--no-booklet", "--no-legend"]


def test_build_tells_what_it_proved(theme_file: Path) -> None:
    """In words, and with --json in full."""
    told = CliRunner().invoke(app, BUILD)
    assert told.exit_code == 0
    assert "small: proved: 21 pairs of 7 cards share exactly one symbol" in told.stderr
    report = json.loads(CliRunner().invoke(app, [*BUILD, "--json"]).stdout)["results"][0]
    assert report["proof"]["cards.pdf"]["verdict"] == "proved"


@pytest.mark.parametrize(
    ("only", "words"), [("1,2", ["2 round cards of", "1 pair of 2 cards shares exactly"]), ("3", ["; 1 round card of"])]
)
def test_one_card_and_one_pair_are_told_as_one(theme_file: Path, only: str, words: list[str]) -> None:
    """Whoever prints a lost card anew reads of 1 card."""
    told = CliRunner().invoke(app, [*BUILD, "--only", only])
    assert all(word in told.output for word in words), told.output


def test_build_refuses_a_deck_whose_formula_is_broken(theme_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The mathematics is wrong by one number: the sheets know, and nothing is handed over."""
    monkeypatch.setattr("dobble_print.deck.design.DIFFERENCE_SETS", {3: (0, 1, 2)})
    told = CliRunner().invoke(app, BUILD)
    assert told.exit_code == ExitCode.VERIFY
    assert "small/cards.pdf breaks a promise: cards 1 and 2 share" in told.stderr
    assert not Path("output").exists()


def test_build_refuses_symbols_that_overlap(theme_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever went wrong in the layout: here every symbol is stamped half as large again."""
    from dobble_print.sheets import plan

    make_stamp = plan.make_stamp

    def stamp_large(artwork: object, spot: object) -> plan.Stamp:
        stamp = make_stamp(artwork, spot)  # type: ignore[arg-type]
        a, b, c, d, e, f = stamp.matrix
        return plan.Stamp(stamp.piece, (1.5 * a, 1.5 * b, 1.5 * c, 1.5 * d, e, f))

    monkeypatch.setattr(plan, "make_stamp", stamp_large)
    told = CliRunner().invoke(app, BUILD)
    assert told.exit_code == ExitCode.VERIFY
    assert "overlap" in told.stderr or "mm apart" in told.stderr
    assert not Path("output").exists()


def test_build_refuses_symbols_that_come_too_near(theme_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The layout and its own certificate forget the gap: the sheets do not."""
    from dobble_print.layout import engine

    lay_out_deck = engine.lay_out_deck

    def forget_gap(cards: object, pieces: object, shape: object, options: LayoutOptions, *more: object) -> object:
        return lay_out_deck(cards, pieces, shape, replace(options, gap_mm=0.0), *more)  # type: ignore[arg-type]

    monkeypatch.setattr(engine, "lay_out_deck", forget_gap)
    told = CliRunner().invoke(app, BUILD)
    assert told.exit_code == ExitCode.VERIFY
    assert "mm apart (1.5 needed)" in told.stderr or "overlap" in told.stderr
    assert not Path("output").exists()


def test_an_earlier_result_survives_a_build_that_is_refused(theme_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was proved stays."""
    assert CliRunner().invoke(app, BUILD).exit_code == 0
    before = {path: path.read_bytes() for path in Path("output").rglob("*") if path.is_file()}
    monkeypatch.setattr("dobble_print.deck.design.DIFFERENCE_SETS", {3: (0, 1, 2)})
    assert CliRunner().invoke(app, BUILD).exit_code == ExitCode.VERIFY
    assert {path: path.read_bytes() for path in Path("output").rglob("*") if path.is_file()} == before


@pytest.mark.parametrize("command", ["verify", "preflight"])
def test_a_file_that_is_missing_or_no_whole_pdf_exits_with_2(command: str, sheets: bytes, tmp_path: Path) -> None:
    """As a theme that is not there does; one such file or several."""
    files = {"damaged.pdf": sheets[:2000], "words.csv": b"cat", "empty.pdf": b""}
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    paths = [str(tmp_path / name) for name in (*files, "missing.pdf")]
    for asked in (*([path] for path in paths), paths):
        told = CliRunner().invoke(app, [command, *asked])
        assert told.exit_code == ExitCode.USAGE, told.stderr
        assert [Path(line.split(".pdf")[0].split(".csv")[0]).stem for line in told.stderr.splitlines()] == [
            Path(path).stem for path in asked
        ]


def test_the_command_tells_its_verdict_by_its_exit_code(sheets: bytes, tmp_path: Path) -> None:
    """Proved, wrong and unreadable; several files keep the code of their one kind of failure."""
    good, bad, other = (tmp_path / name for name in ("good.pdf", "bad.pdf", "other.pdf"))
    good.write_bytes(sheets)
    bad.write_bytes(rewrite_card(sheets, swap_symbol))
    other.write_bytes(b"no PDF")
    codes = {path.name: CliRunner().invoke(app, ["verify", str(path)]).exit_code for path in (good, bad, other)}
    assert codes == {"good.pdf": ExitCode.OK, "bad.pdf": ExitCode.VERIFY, "other.pdf": ExitCode.USAGE}
    told = CliRunner().invoke(app, ["verify", str(good), str(bad), "--json"])
    assert told.exit_code == ExitCode.VERIFY
    results = json.loads(told.stdout)["results"]
    assert [result["proof"]["verdict"] for result in results] == ["proved", "wrong"]
    assert CliRunner().invoke(app, ["verify", str(bad), str(other)]).exit_code == ExitCode.SOME_FAILED
    assert CliRunner().invoke(app, ["verify", str(good), "--gap", "40"]).exit_code == ExitCode.VERIFY


def test_the_same_file_gives_the_same_proof(sheets: bytes) -> None:
    """Proofs can be compared."""
    assert prove_pdf(sheets).as_dict() == prove_pdf(sheets).as_dict()
