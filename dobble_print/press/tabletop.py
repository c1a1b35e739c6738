"""A deck for a virtual table: sheets of card fronts, a back, and the saved object that puts them together.

The object is the one Tabletop Simulator saves: `CustomDeck` names the sheets, a card is sheet * 100 + its place there.
Invariant: a card's front fills its cell to the cut, in reading order; the last cell of a sheet is no card but what
others see of a hidden hand, so a sheet of 10 x 7 holds 69 cards.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PIL import Image

from dobble_print.press.document import PrintableDeck, write_cut_files
from dobble_print.press.pictures import Canvas, draw_back, draw_fronts, encode, picture_deck
from dobble_print.sheets.cutting import trace_cuts
from dobble_print.sheets.marks import bleed_color
from dobble_print.sheets.plan import Back
from dobble_print.units import MM_PER_INCH, CardShape, Paper

FOLDER = "tabletop"
MOST_COLUMNS, MOST_ROWS = 10, 7
MOST_PX = 4096  # the largest texture that every graphics card takes
MOST_CELL_PX = 1024
SCREEN_DPI = 96.0
# how Tabletop Simulator numbers the outlines of cards
ROUNDED_RECTANGLE, RECTANGLE, ROUNDED_HEX, HEX, CIRCLE = range(5)
Json = dict[str, Any]


@dataclass(frozen=True)
class Grid:
    """The cells of a sheet."""

    columns: int
    rows: int
    cell_width_px: int
    cell_height_px: int

    @property
    def most_cards(self) -> int:
        """Return all cells but the last."""
        return self.columns * self.rows - 1


@dataclass(frozen=True)
class TableSheet:
    """Cards that share a picture."""

    file: str
    numbers: Sequence[int]
    grid: Grid


def make_tabletop(deck: PrintableDeck, numbers: Sequence[int], title: str, url_prefix: str) -> dict[str, bytes]:
    """Return the sheets, the back and the saved object; its addresses are the files' names after the prefix."""
    name = re.sub("[^A-Za-z0-9_]+", "-", deck.theme.name).strip("-")  # it becomes part of an address
    stem = "-".join(filter(None, (name, deck.deck_id)))
    grid = choose_grid(-(-len(numbers) // count_sheets(len(numbers))), deck.look.shape)
    batches = [numbers[i : i + grid.most_cards] for i in range(0, len(numbers), grid.most_cards)]
    sheets = [TableSheet(f"{stem}-cards-{i}.png", batch, grid) for i, batch in enumerate(batches, start=1)]
    plain = Back(bleed_color(deck.look))  # a card without a back shows its rim's colour
    back = draw_back(deck, deck.back or plain, _cell_canvas(deck, grid), transparent=False)
    files = {f"{FOLDER}/{sheet.file}": encode(_draw_sheet(deck, sheet, back), SCREEN_DPI) for sheet in sheets}
    files[f"{FOLDER}/{stem}-back.png"] = encode(back, SCREEN_DPI)
    saved = _save_object(deck, sheets, title, url_prefix, f"{stem}-back.png")
    files[f"{FOLDER}/{stem}.json"] = (json.dumps(saved, ensure_ascii=False, indent=1) + "\n").encode()
    return files


def count_sheets(cards: int) -> int:
    """Return how many sheets hold all cards, as few as possible."""
    return -(-cards // (MOST_COLUMNS * MOST_ROWS - 1))


def choose_grid(cards: int, shape: CardShape) -> Grid:
    """Return the grid with the largest cells for so many cards and the hidden one; of those the smallest."""
    aspect = shape.height_mm / shape.width_mm
    grids = []
    for columns in range(2, MOST_COLUMNS + 1):
        for rows in range(2, MOST_ROWS + 1):
            width = min(MOST_CELL_PX, MOST_PX // columns, int(MOST_PX // rows / aspect))
            grids.append(Grid(columns, rows, width, round(width * aspect)))
    fitting = [grid for grid in grids if grid.most_cards >= cards]
    return max(fitting, key=lambda grid: (grid.cell_width_px, -grid.columns * grid.rows, grid.columns))


def _cell_canvas(deck: PrintableDeck, grid: Grid) -> Canvas:
    """Return a picture that the card fills to its cut."""
    dpi = grid.cell_width_px / deck.look.shape.width_mm * MM_PER_INCH
    return Canvas(grid.cell_width_px, grid.cell_height_px, dpi)


def _draw_sheet(deck: PrintableDeck, sheet: TableSheet, back: Image.Image) -> Image.Image:
    grid = sheet.grid
    width, height = grid.cell_width_px, grid.cell_height_px
    picture = Image.new("RGB", (grid.columns * width, grid.rows * height), bleed_color(deck.look))
    for i, front in enumerate(draw_fronts(deck, sheet.numbers, _cell_canvas(deck, grid), transparent=False)):
        picture.paste(front, (i % grid.columns * width, i // grid.columns * height))
    picture.paste(back, ((grid.columns - 1) * width, (grid.rows - 1) * height))
    return picture


def find_card_type(shape: CardShape) -> int:
    """Return the outline nearest to the card's; a hexagon stands on a side, as ours do."""
    if shape.name == "round":
        return CIRCLE
    if shape.name == "hex":
        return ROUNDED_HEX if shape.radius_mm > 0 else HEX
    return ROUNDED_RECTANGLE if shape.radius_mm > 0 else RECTANGLE


def _save_object(deck: PrintableDeck, sheets: Sequence[TableSheet], title: str, prefix: str, back: str) -> Json:
    """Return the deck lying face down; a deck of one card is that card."""
    entries = {str(i): _describe_sheet(deck, sheet, prefix, back) for i, sheet in enumerate(sheets, start=1)}
    cards = [
        _describe_card(deck, number, i * 100 + place, entries[str(i)])
        for i, sheet in enumerate(sheets, start=1)
        for place, number in enumerate(sheet.numbers)
    ]
    if len(cards) == 1:
        return {"SaveName": title, "ObjectStates": [cards[0] | {"Name": "CardCustom", "Nickname": title}]}
    whole = _describe_object("DeckCustom", title, _make_guid(deck, 0)) | {
        "DeckIDs": [card["CardID"] for card in cards],
        "CustomDeck": entries,
        "ContainedObjects": cards,
    }
    return {"SaveName": title, "ObjectStates": [whole]}


def _describe_sheet(deck: PrintableDeck, sheet: TableSheet, prefix: str, back: str) -> Json:
    return {
        "FaceURL": prefix + sheet.file,
        "BackURL": prefix + back,
        "NumWidth": sheet.grid.columns,
        "NumHeight": sheet.grid.rows,
        "BackIsHidden": True,
        "UniqueBack": False,
        "Type": find_card_type(deck.look.shape),
    }


def _describe_card(deck: PrintableDeck, number: int, card_id: int, sheet: Json) -> Json:
    """Describe a card by its number; symbols stand in the notes, for a name that shows would give the match away."""
    symbols = [deck.theme.symbols[deck.theme.pieces[stamp.piece][0]] for stamp in deck.fronts[number].stamps]
    names = [symbol.names.get(deck.language, symbol.id) for symbol in symbols]
    return _describe_object("Card", str(number), _make_guid(deck, number)) | {
        "GMNotes": ", ".join(names),
        "CardID": card_id,
        "SidewaysCard": False,
        "CustomDeck": {str(card_id // 100): sheet},
    }


def _describe_object(kind: str, nickname: str, guid: str) -> Json:
    place = {"posX": 0.0, "posY": 1.0, "posZ": 0.0}
    face_down = {"rotX": 0.0, "rotY": 180.0, "rotZ": 180.0}
    size = {"scaleX": 1.0, "scaleY": 1.0, "scaleZ": 1.0}
    return {
        "GUID": guid,
        "Name": kind,
        "Transform": place | face_down | size,
        "Nickname": nickname,
        "Description": "",
        "ColorDiffuse": {"r": 1.0, "g": 1.0, "b": 1.0},
        "HideWhenFaceDown": True,
        "Hands": kind != "DeckCustom",
    }


def _make_guid(deck: PrintableDeck, number: int) -> str:
    """Return six digits that are another deck's by chance only, and always the same for this one."""
    return hashlib.sha256(f"{deck.deck_id}/{number}".encode()).hexdigest()[:6]


def make_pictures(deck: PrintableDeck, numbers: Sequence[int]) -> dict[str, bytes]:
    """Return the cards as pictures, as the theme's machine or virtual table wants them."""
    options = deck.theme.pictures
    if options.kind == "tabletop":
        return make_tabletop(deck, numbers, deck.title, options.url)
    files = picture_deck(deck, numbers, options)
    shape, paper = deck.look.shape, Paper("card", deck.look.shape.width_mm, deck.look.shape.height_mm)
    cuts = trace_cuts(shape, [(paper.width_mm / 2, paper.height_mm / 2)], 0.0)
    return files | write_cut_files("cut", paper, cuts, deck.theme.press.cut_name, deck.theme.plotter.files)
