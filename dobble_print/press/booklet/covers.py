"""The covers: a panel of the deck's colour with a fan of its real cards in front, a card's back behind.

Invariant: for an office printer nothing is printed closer to the edge than it reaches, so a cover needs no trimming;
for a press the colour runs over the edge by the bleed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from dobble_print.press.booklet.format import BookFormat
from dobble_print.press.booklet.pack import Pack
from dobble_print.press.booklet.scene import CardAt
from dobble_print.press.booklet.scenery import draw_centred, place_card
from dobble_print.press.typography import BOLD, REGULAR, break_lines, order_visually, text_width_pt
from dobble_print.rules.rulebook import Rulebook
from dobble_print.units import PT_PER_MM, mm_to_pt

PANEL_INSET = 0.06  # of the page's width
FAN = 5
FAN_DEG = 13.0
TITLES_HEIGHT = 0.25  # of the page's height
TITLE_PITCH = 1.18  # of the type size


def paint_front(canvas: Any, books: Sequence[Rulebook], pack: Pack, page: BookFormat) -> None:
    """Titles on top, the fan in the middle, what it is at the foot."""
    _paint_panel(canvas, page)
    canvas.setFillColor("#ffffff")
    titles = list(dict.fromkeys(book.title for book in books))
    foot = _paint_titles(canvas, titles, page)
    middle = (foot + page.height_mm * 0.17) / 2
    _paint_fan(canvas, pack, page, min(middle, page.height_mm * 0.46))
    canvas.setFillColor("#ffffff")
    words = " · ".join(dict.fromkeys(book.labels["rules"] for book in books[:3]))
    _paint_line(canvas, words, page, page.height_mm * 0.125, BOLD, 0.05)
    _paint_line(canvas, " · ".join(_codes(books)), page, page.height_mm * 0.085, REGULAR, 0.034)


def _codes(books: Sequence[Rulebook]) -> list[str]:
    return [book.language.upper() for book in books]


def paint_back(canvas: Any, pack: Pack, page: BookFormat, lines: Sequence[str]) -> None:
    """A card face down (or face up, when its back shows nothing), and what is in the box."""
    _paint_panel(canvas, page)
    card = CardAt(pack.numbers[0], page.width_mm / 2, page.height_mm * 0.56, 0.0, down=bool(pack.back.stamps))
    place_card(canvas, card, pack, page.width_mm * 0.46)
    canvas.setFillColor("#ffffff")
    for i, line in enumerate(lines):
        font = REGULAR if i else BOLD
        _paint_line(canvas, line, page, page.height_mm * (0.2 - 0.042 * i), font, 0.034 if i else 0.045)


def _paint_panel(canvas: Any, page: BookFormat) -> None:
    canvas.setFillColor(page.accent)
    if page.bleed_mm:
        more = 2 * page.bleed_mm
        box = (-page.bleed_mm, -page.bleed_mm, page.width_mm + more, page.height_mm + more)
        canvas.rect(*map(mm_to_pt, box), stroke=0, fill=1)
        return
    inset = page.width_mm * PANEL_INSET
    box = (inset, inset, page.width_mm - 2 * inset, page.height_mm - 2 * inset)
    canvas.roundRect(*map(mm_to_pt, box), mm_to_pt(page.width_mm * 0.045), stroke=0, fill=1)


def _paint_titles(canvas: Any, titles: Sequence[str], page: BookFormat) -> float:
    """The titles under each other, as large as they fit; returns where the last one ends."""
    lines, size = _fit_titles(titles, page)
    top = mm_to_pt(page.height_mm * (1 - PANEL_INSET) - page.width_mm * 0.07) - size * 0.55
    for i, line in enumerate(lines):
        draw_centred(canvas, line, mm_to_pt(page.width_mm / 2), top - i * size * TITLE_PITCH, BOLD, size)
    return (top - (len(lines) - 0.4) * size * TITLE_PITCH) / PT_PER_MM


def _fit_titles(titles: Sequence[str], page: BookFormat) -> tuple[list[str], float]:
    """The largest type at which the titles leave room for the fan; several titles keep to a line each."""
    room, height = mm_to_pt(page.width_mm * 0.78), mm_to_pt(page.height_mm * TITLES_HEIGHT)
    size, least = mm_to_pt(page.width_mm * 0.13), mm_to_pt(page.width_mm * 0.03)
    while True:
        broken = [break_lines(title, BOLD, size, room) for title in titles]
        lines = [line for title in broken for line in title]
        wide = any(text_width_pt(order_visually(line), BOLD, size) > room for line in lines)
        spills = len(titles) > 1 and len(lines) > len(titles)
        if size < least or not (wide or spills or len(lines) * size * TITLE_PITCH > height):
            return lines, size
        size *= 0.96


def _paint_line(canvas: Any, text: str, page: BookFormat, y_mm: float, font: str, part: float) -> None:
    """A centred line, smaller when it is long."""
    size, room = mm_to_pt(page.width_mm * part), mm_to_pt(page.width_mm * 0.8)
    size *= min(1.0, room / max(1.0, text_width_pt(order_visually(text), font, size)))
    draw_centred(canvas, text, mm_to_pt(page.width_mm / 2), mm_to_pt(y_mm), font, size)


def _paint_fan(canvas: Any, pack: Pack, page: BookFormat, y_mm: float) -> None:
    """Real cards held like a hand of cards; the last one lies on top."""
    card_mm, reach = page.width_mm * 0.41, page.width_mm * 0.5
    step = max(1, len(pack.numbers) // FAN)
    count = min(FAN, len(pack.numbers))
    for i in range(count):
        turn = FAN_DEG * ((count - 1) / 2 - i)
        angle = math.radians(90 + turn)
        x = page.width_mm / 2 + reach * math.cos(angle)
        y = y_mm - reach * 0.97 + reach * math.sin(angle)
        place_card(canvas, CardAt(pack.numbers[i * step], x, y, turn), pack, card_mm)
