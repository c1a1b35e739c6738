"""Sheets of cards drawn by hand with shapes of known size, so that every distance is known; and ways to damage files.

The plain deck is the smallest plane: seven cards of three discs, seven symbols, every two cards share one.
"""

from __future__ import annotations

import io
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import pikepdf
from pikepdf import Array, Dictionary, Name, Pdf, Stream, String

from dobble_print.units import Line, mm_to_pt, round_card

WIDE_MM, HIGH_MM = 210.0, 297.0
CARD_MM = 60.0
BLEED_MM = 3.0
PLANE = ((0, 1, 2), (0, 3, 4), (0, 5, 6), (1, 3, 5), (1, 4, 6), (2, 3, 6), (2, 4, 5))
PLACES = ((40.0, 40.0), (110.0, 40.0), (40.0, 110.0), (110.0, 110.0), (40.0, 180.0), (110.0, 180.0), (40.0, 250.0))
SIZES_MM = (12.0, 14.0, 16.0)


@dataclass(frozen=True)
class Spot:
    """A disc on a card: which form, where its middle lies, how large it is and how it is turned."""

    form: int
    x_mm: float
    y_mm: float
    size_mm: float
    turn_deg: float = 0.0

    def moved(self, x_mm: float, y_mm: float) -> Spot:
        """The same elsewhere."""
        return replace(self, x_mm=self.x_mm + x_mm, y_mm=self.y_mm + y_mm)


@dataclass(frozen=True)
class Sample:
    """A card of a sample sheet; the mark is what stands in the file about it."""

    number: int
    spots: tuple[Spot, ...]
    mark: str = "/Deck (d1) /Copy 1 /Gap 1.5 /Margin 3"

    def with_spots(self, *spots: Spot) -> Sample:
        """The same card with other symbols."""
        return replace(self, spots=spots)


@dataclass(frozen=True)
class BackSample:
    """A back: how far it lies off its place, how it is turned, its colour."""

    x_mm: float = 0.0
    y_mm: float = 0.0
    turn_deg: float = 0.0
    color: str = "0.1 0.3 0.6 rg"
    deck: str = "d1"


@dataclass(frozen=True)
class Paper:
    """What is on the sheet besides the cards: names of the forms, and how the cut is told."""

    names: tuple[str, ...] = tuple(f"shape-{i}" for i in range(7))
    cut: str = "line"  # line, spot, trim or nothing
    backs: tuple[BackSample, ...] | None = None
    colors: tuple[int, ...] = tuple(range(7))  # forms with equal numbers look the same
    empty: tuple[int, ...] = field(default=())  # forms that paint nothing


def make_deck(mark: str = "/Deck (d1) /Copy 1 /Gap 1.5 /Margin 3", first_form: int = 0) -> list[Sample]:
    """The seven cards of the plane; a symbol's size follows from its slot, so matches differ."""
    return [
        Sample(number, tuple(_put(first_form + form, slot, number) for slot, form in enumerate(forms)), mark)
        for number, forms in enumerate(PLANE, 1)
    ]


def _put(form: int, slot: int, number: int) -> Spot:
    angle = math.radians(120 * slot + 17 * number)
    return Spot(form, 13 * math.cos(angle), 13 * math.sin(angle), SIZES_MM[(slot + number) % 3], 40.0 * number)


def make_sheet(cards: Sequence[Sample], paper: Paper = Paper()) -> bytes:
    """A page of fronts, and, where there are backs, the page behind it."""
    with Pdf.new() as pdf:
        forms = Dictionary(
            {f"/S{i}": _make_form(pdf, paper, i) for i in range(max(len(paper.names), len(paper.colors)))}
        )
        _add_page(pdf, [_draw_card(card, place, paper) for card, place in zip(cards, PLACES, strict=False)], forms)
        _tell_cut(pdf, paper, len(cards))
        if paper.backs is not None:
            places = [(WIDE_MM - x, y) for x, y in PLACES[: len(cards)]]
            backs = [_draw_back(back, place) for back, place in zip(paper.backs, places, strict=False)]
            _add_page(pdf, backs, forms)
        return save(pdf)


def _make_form(pdf: Pdf, paper: Paper, number: int) -> pikepdf.Object:
    """A disc that fills its box, in a colour of its own."""
    color = paper.colors[number]
    content = "" if number in paper.empty else f"{color / 10:.1f} 0.5 {1 - color / 10:.1f} rg {write_disc(0.5)} f"
    box = {"BBox": Array([0, 0, 1, 1]), "Resources": Dictionary()}
    form = Stream(pdf, f"q 1 0 0 1 0.5 0.5 cm {content} Q".encode(), Type=Name.XObject, Subtype=Name.Form, **box)
    if number < len(paper.names) and paper.names[number]:
        form.Symbol = String(paper.names[number])
    return pdf.make_indirect(form)


def write_disc(radius: float) -> str:
    """A circle around the origin as path operators."""
    outline = round_card(2 * radius).outline()
    steps = [f"{outline.start[0]:.6f} {outline.start[1]:.6f} m"]
    for step in outline.steps:
        assert not isinstance(step, Line)
        numbers = (*step.control0, *step.control1, *step.end)
        steps.append(" ".join(f"{value:.6f}" for value in numbers) + " c")
    return " ".join((*steps, "h"))


def _draw_card(card: Sample, place: tuple[float, float], paper: Paper) -> str:
    line = f"0 G 0.25 w {write_disc(mm_to_pt(CARD_MM / 2))} S" if paper.cut == "line" else ""
    stamps = "\n".join(_draw_spot(spot) for spot in card.spots)
    clip = f"{write_disc(mm_to_pt(CARD_MM / 2 + BLEED_MM))} W n"
    move = f"1 0 0 1 {mm_to_pt(place[0]):.4f} {mm_to_pt(place[1]):.4f} cm"
    return f"q {move}\n/Card <</Number {card.number} {card.mark}>> BDC\n{clip}\n{stamps}\n{line}\nEMC\nQ"


def _draw_spot(spot: Spot) -> str:
    side, turn = mm_to_pt(spot.size_mm), math.radians(spot.turn_deg)
    a, b = math.cos(turn) * side, math.sin(turn) * side
    x, y = mm_to_pt(spot.x_mm) - (a - b) / 2, mm_to_pt(spot.y_mm) - (b + a) / 2
    return f"q {a:.5f} {b:.5f} {-b:.5f} {a:.5f} {x:.5f} {y:.5f} cm /S{spot.form} Do Q"


def _draw_back(back: BackSample, place: tuple[float, float]) -> str:
    turn = math.radians(back.turn_deg)
    cos, sin = math.cos(turn), math.sin(turn)
    x, y = mm_to_pt(place[0] + back.x_mm), mm_to_pt(place[1] + back.y_mm)
    disc = write_disc(mm_to_pt(CARD_MM / 2 + BLEED_MM))
    stamp = _draw_spot(Spot(3, 8.0, 5.0, 10.0))
    move = f"{cos:.6f} {sin:.6f} {-sin:.6f} {cos:.6f} {x:.4f} {y:.4f} cm"
    return f"q {move}\n/Back <</Deck ({back.deck})>> BDC\n{back.color} {disc} f\n{disc} W n\n{stamp}\nEMC\nQ"


def _add_page(pdf: Pdf, drawn: Sequence[str], forms: Dictionary) -> None:
    page = pdf.add_blank_page(page_size=(mm_to_pt(WIDE_MM), mm_to_pt(HIGH_MM)))
    page.obj.Resources = Dictionary(XObject=forms)
    page.obj.Contents = pdf.make_stream("\n".join(drawn).encode())


def _tell_cut(pdf: Pdf, paper: Paper, cards: int) -> None:
    """The cut on a plate of its own, or only as the box around all cuts."""
    page, places = pdf.pages[0], PLACES[:cards]
    if paper.cut == "trim":
        xs, ys = [x for x, _ in places], [y for _, y in places]
        half = CARD_MM / 2
        box = (min(xs) - half, min(ys) - half, max(xs) + half, max(ys) + half)
        page.obj.TrimBox = Array([mm_to_pt(value) for value in box])
    if paper.cut == "spot":
        tint = Dictionary(FunctionType=2, Domain=[0, 1], C0=[0, 0, 0, 0], C1=[0, 1, 0, 0], N=1)
        page.obj.Resources.ColorSpace = Dictionary(K=Array([Name.Separation, Name.DieCut, Name.DeviceCMYK, tint]))
        disc = write_disc(mm_to_pt(CARD_MM / 2))
        lines = [f"q 1 0 0 1 {mm_to_pt(x)} {mm_to_pt(y)} cm /K CS 1 SCN {disc} S Q" for x, y in places]
        page.contents_add("\n".join(lines).encode())


def save(pdf: Pdf) -> bytes:
    """The bytes of a file."""
    sink = io.BytesIO()
    pdf.save(sink, deterministic_id=True)
    return sink.getvalue()


# Damage to files of the press: their content streams are rewritten.

STAMP = re.compile(rb"q ([-0-9. ]+) cm /(S\d+) Do Q")
CARD = re.compile(rb"/Card <<.*?>> BDC.*?EMC", re.DOTALL)


def rewrite_page(data: bytes, change: Callable[[bytes], bytes], page: int = 0) -> bytes:
    """The same file with the content of a page changed; the change must change something."""
    with Pdf.open(io.BytesIO(data)) as pdf:
        pdf.pages[page].contents_coalesce()
        before = pdf.pages[page].Contents.read_bytes()
        after = change(before)
        assert after != before
        pdf.pages[page].Contents.write(after)
        return save(pdf)


def rewrite_card(data: bytes, change: Callable[[bytes], bytes], card: int = 0) -> bytes:
    """The same file with one of the cards of its first page changed."""

    def change_page(content: bytes) -> bytes:
        found = list(CARD.finditer(content))[card]
        return content[: found.start()] + change(found.group()) + content[found.end() :]

    return rewrite_page(data, change_page)


def move_stamp(card: bytes, slot: int, x_mm: float, y_mm: float, scale: float = 1.0) -> bytes:
    """A symbol of a card moved, or scaled about the corner of its box."""
    found = list(STAMP.finditer(card))[slot]
    a, b, c, d, e, f = (float(value) for value in found.group(1).split())
    numbers = (a * scale, b * scale, c * scale, d * scale, e + mm_to_pt(x_mm), f + mm_to_pt(y_mm))
    written = " ".join(f"{value:.4f}" for value in numbers).encode()
    return card[: found.start(1)] + written + card[found.end(1) :]


def list_stamps(card: bytes) -> list[bytes]:
    """The names of the forms that a card draws."""
    return [found.group(2) for found in STAMP.finditer(card)]
