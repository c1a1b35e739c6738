"""Reading a printed PDF back, trusting nothing but its content streams: cards, symbols, cut lines."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pikepdf
import pypdfium2
from pikepdf import Array, Dictionary, Name, Pdf

MM_PER_PT = 25.4 / 72
Matrix = tuple[float, float, float, float, float, float]
Mask = npt.NDArray[np.bool_]


@dataclass
class PrintedCard:
    """A card found on paper: its number, its page, its centre in mm, and the forms drawn on it with their matrices."""

    number: int
    page: int
    centre: tuple[float, float]
    symbols: list[tuple[str, Matrix]] = field(default_factory=list)
    cut: list[tuple[float, float]] = field(default_factory=list)


def multiply(a: Matrix, b: Matrix) -> Matrix:
    """First a, then b."""
    return (
        a[0] * b[0] + a[1] * b[2],
        a[0] * b[1] + a[1] * b[3],
        a[2] * b[0] + a[3] * b[2],
        a[2] * b[1] + a[3] * b[3],
        a[4] * b[0] + a[5] * b[2] + b[4],
        a[4] * b[1] + a[5] * b[3] + b[5],
    )


def read_cards(path: Path) -> list[PrintedCard]:
    """Every card of every page, in reading order."""
    with Pdf.open(path) as pdf:
        return [card for number, page in enumerate(pdf.pages) for card in _read_page(page, number)]


def _walk(page: pikepdf.Page) -> Iterator[tuple[str, list[Any], Matrix]]:
    """Every operator of a page with its operands and the matrix in force."""
    matrix: Matrix = (1, 0, 0, 1, 0, 0)
    stack: list[Matrix] = []
    for instruction in pikepdf.parse_content_stream(page):
        operator, operands = str(instruction.operator), list(instruction.operands)
        if operator == "q":
            stack.append(matrix)
        elif operator == "Q":
            matrix = stack.pop()
        elif operator == "cm":
            a, b, c, d, e, f = (float(value) for value in operands)
            matrix = multiply((a, b, c, d, e, f), matrix)
        yield operator, operands, matrix


def _read_page(page: pikepdf.Page, page_number: int) -> list[PrintedCard]:
    cards: list[PrintedCard] = []
    inside = False
    path: list[tuple[float, float]] = []
    for operator, operands, matrix in _walk(page):
        match operator:
            case "BDC" if operands[0] == Name("/Card"):
                centre = (matrix[4] * MM_PER_PT, matrix[5] * MM_PER_PT)
                cards.append(PrintedCard(int(operands[1].Number), page_number, centre))
                inside = True
            case "EMC":
                inside = False
            case "Do" if inside:
                cards[-1].symbols.append((str(operands[0]), matrix))
            case "m" | "l" | "c":
                path.append(_apply(matrix, operands))
            case "S" | "s" | "f" | "f*" | "n" | "B" | "b":
                if inside and operator in "Ss":
                    cards[-1].cut = [(x * MM_PER_PT, y * MM_PER_PT) for x, y in path]
                path = []
    return cards


def read_backs(path: Path, page: int) -> list[tuple[float, float]]:
    """The middles of all filled shapes of a page, in mm."""
    points: list[tuple[float, float]] = []
    middles = []
    with Pdf.open(path) as pdf:
        for operator, operands, matrix in _walk(pdf.pages[page]):
            if operator in ("m", "l", "c"):
                points.append(_apply(matrix, operands))
            elif operator in ("f", "f*", "n", "S"):
                if operator.startswith("f"):
                    xs, ys = [x for x, _ in points], [y for _, y in points]
                    middles.append(((min(xs) + max(xs)) / 2 * MM_PER_PT, (min(ys) + max(ys)) / 2 * MM_PER_PT))
                points = []
    return middles


def _apply(matrix: Matrix, operands: list[Any]) -> tuple[float, float]:
    x, y = (float(value) for value in operands[-2:])
    return x * matrix[0] + y * matrix[2] + matrix[4], x * matrix[1] + y * matrix[3] + matrix[5]


def render_symbols(path: Path, card: PrintedCard, dpi: float, half_mm: float) -> list[Mask]:
    """Each symbol of a card alone, exactly where it is printed, as a mask centred on the card."""
    scale = 1 / MM_PER_PT
    size = 2 * half_mm * scale
    shift: Matrix = (1, 0, 0, 1, (half_mm - card.centre[0]) * scale, (half_mm - card.centre[1]) * scale)
    with Pdf.open(path) as pdf, Pdf.new() as alone:
        forms = pdf.pages[card.page].Resources.XObject
        for name, matrix in card.symbols:
            page = alone.add_blank_page(page_size=(size, size))
            page.obj.Resources = Dictionary(XObject=Dictionary({name: alone.copy_foreign(forms[name])}))
            numbers = " ".join(f"{value:.5f}" for value in multiply(matrix, shift))
            page.obj.Contents = alone.make_stream(f"q {numbers} cm {name} Do Q".encode())
            page.obj.Group = Dictionary(S=Name.Transparency, CS=Name.DeviceRGB)
            page.obj.MediaBox = Array([0, 0, size, size])
        sink = io.BytesIO()
        alone.save(sink)
    return [mask > 127 for mask in render_alpha(sink.getvalue(), dpi)]


def forms_of(page: pikepdf.Page) -> dict[str, pikepdf.Stream]:
    """What a page can draw, by name."""
    return dict(page.Resources.XObject.items())  # type: ignore[arg-type]


def streams(pdf: Pdf, subtype: str) -> list[pikepdf.Stream]:
    """Every stream of a kind in the whole file."""
    return [o for o in pdf.objects if isinstance(o, pikepdf.Stream) and o.get("/Subtype") == subtype]


def render_alpha(pdf: bytes, dpi: float) -> list[npt.NDArray[np.uint8]]:
    """The opacity of every page."""
    document = pypdfium2.PdfDocument(pdf)
    try:
        return [
            np.asarray(page.render(scale=dpi / 72, fill_color=(0, 0, 0, 0), maybe_alpha=True).to_pil().getchannel("A"))
            for page in document
        ]
    finally:
        document.close()


def render_rgb(path: Path, page: int, dpi: float) -> npt.NDArray[np.uint8]:
    """A page as it prints, in RGB, row 0 at the top."""
    document = pypdfium2.PdfDocument(path)
    try:
        return np.asarray(document[page].render(scale=dpi / 72).to_pil().convert("RGB"))
    finally:
        document.close()
