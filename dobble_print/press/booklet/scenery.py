"""Drawing a scene: cards through the sheets' own drawing functions, then rings, arrows and words over them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from dobble_print.press.booklet.pack import Pack
from dobble_print.press.booklet.scene import (
    CAPTION_LEADING,
    PAWN_MM,
    RING_HALO_PT,
    Arrow,
    Capsule,
    Caption,
    CardAt,
    Item,
    Pawn,
    Ring,
    Scene,
)
from dobble_print.press.cards import draw_card, trace_path
from dobble_print.press.typography import BOLD, draw_line, order_visually, text_width_pt
from dobble_print.units import mm_to_pt

MARK = "#e4322b"  # rings and arrows: no deck hides it, thanks to the white line around them
EDGE = "#8a8f98"


def draw_scene(canvas: Any, scene: Scene, pack: Pack, accent: str) -> None:
    """The scene with its lower left corner at the canvas's origin."""
    for item in scene.items:
        canvas.saveState()
        _draw_item(canvas, item, scene, pack, accent)
        canvas.restoreState()


def _draw_item(canvas: Any, item: Item, scene: Scene, pack: Pack, accent: str) -> None:
    match item:
        case CardAt():
            place_card(canvas, item, pack, scene.card_mm)
        case Ring():
            _draw_ring(canvas, item)
        case Arrow():
            _draw_arrow(canvas, item)
        case Capsule():
            _draw_capsule(canvas, item)
        case Pawn(text, x, y):
            _draw_pawn(canvas, text, x, y, accent)
        case Caption():
            _draw_caption(canvas, item)


def place_card(canvas: Any, card: CardAt, pack: Pack, card_mm: float) -> None:
    """A card anywhere, at any size, either side up."""
    look = pack.look
    canvas.saveState()
    canvas.translate(*_pt(card.x_mm, card.y_mm))
    canvas.rotate(card.turn_deg)
    canvas.scale(card_mm / look.shape.width_mm, card_mm / look.shape.width_mm)
    front = pack.front(card.number)
    draw_card(canvas, pack.back if card.down else replace(front, stamps=()) if card.blank else front, look)
    # a thin edge parts a card from the next one under it, and a white card from the page
    canvas.setLineWidth(mm_to_pt(look.shape.width_mm * 0.008))
    canvas.setStrokeColor("#ffffff" if card.down else EDGE)
    canvas.drawPath(trace_path(canvas, look.shape.outline()), stroke=1, fill=0)
    canvas.restoreState()


def draw_centred(canvas: Any, text: str, x_pt: float, y_pt: float, font: str, size_pt: float) -> None:
    """A line with its middle at a point."""
    width = text_width_pt(order_visually(text), font, size_pt)
    draw_line(canvas, x_pt - width / 2, y_pt - size_pt * 0.345, text, font, size_pt)


def _pt(*lengths_mm: float) -> Sequence[float]:
    return tuple(map(mm_to_pt, lengths_mm))


def _draw_ring(canvas: Any, ring: Ring) -> None:
    canvas.translate(*_pt(ring.x_mm, ring.y_mm))
    if ring.outline:
        path = canvas.beginPath()
        path.moveTo(*_pt(*ring.outline[0]))
        for point in ring.outline[1:-1]:
            path.lineTo(*_pt(*point))
        path.close()
        _stroke_twice(canvas, lambda: canvas.drawPath(path, stroke=1, fill=0), ring.breadth_pt)
        return
    canvas.rotate(ring.turn_deg)
    along, across = _pt(ring.radius_mm * ring.flat[0], ring.radius_mm * ring.flat[1])
    _stroke_twice(canvas, lambda: canvas.ellipse(-along, -across, along, across, stroke=1, fill=0))


def _stroke_twice(canvas: Any, stroke: Any, most_pt: float = RING_HALO_PT) -> None:
    """First a broad white line, then the colour: visible on any picture."""
    for color, width in (("#ffffff", most_pt), (MARK, min(1.3, most_pt))):
        canvas.setStrokeColor(color)
        canvas.setLineWidth(width)
        stroke()


def _draw_arrow(canvas: Any, arrow: Arrow) -> None:
    (x0, y0), (x1, y1) = arrow.start, arrow.end
    bend_x, bend_y = -(y1 - y0) * arrow.bend, (x1 - x0) * arrow.bend
    middle = ((x0 + x1) / 2 + bend_x, (y0 + y1) / 2 + bend_y)
    angle = math.atan2(y1 - middle[1], x1 - middle[0])
    neck = (x1 - 2.0 * math.cos(angle), y1 - 2.0 * math.sin(angle))
    _stroke_twice(canvas, lambda: canvas.bezier(*_pt(x0, y0, *middle, *middle, *neck)))
    head = canvas.beginPath()
    head.moveTo(*_pt(x1, y1))
    for side in (2.7, -2.7):
        head.lineTo(*_pt(x1 + 3.0 * math.cos(angle + side), y1 + 3.0 * math.sin(angle + side)))
    head.close()
    canvas.setFillColor(MARK)
    canvas.drawPath(head, stroke=0, fill=1)


def _draw_capsule(canvas: Any, capsule: Capsule) -> None:
    (x0, y0), (x1, y1), r = capsule.start, capsule.end, capsule.radius_mm
    canvas.translate(*_pt(x0, y0))
    canvas.rotate(math.degrees(math.atan2(y1 - y0, x1 - x0)))
    length = math.hypot(x1 - x0, y1 - y0)
    _stroke_twice(canvas, lambda: canvas.roundRect(*_pt(-r, -r, length + 2 * r, 2 * r), mm_to_pt(r * 0.7), stroke=1))


def _draw_caption(canvas: Any, caption: Caption) -> None:
    canvas.setFillColor("#222222")
    pitch = caption.size_pt * CAPTION_LEADING
    top = mm_to_pt(caption.y_mm) + (len(caption.lines) - 1) * pitch / 2
    for i, line in enumerate(caption.lines):
        draw_centred(canvas, line, mm_to_pt(caption.x_mm), top - i * pitch, caption.font, caption.size_pt)


def _draw_pawn(canvas: Any, text: str, x: float, y: float, accent: str) -> None:
    canvas.setFillColor(accent)
    canvas.circle(*_pt(x, y, PAWN_MM), stroke=0, fill=1)
    canvas.setFillColor("#ffffff")
    draw_centred(canvas, text, mm_to_pt(x), mm_to_pt(y), BOLD, 7.0)
