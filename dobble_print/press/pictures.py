"""Cards as pictures: one PNG a card, for print on demand and cutting machines, or sheets of them for a virtual table.

The object that puts those sheets together is the one Tabletop Simulator saves: `CustomDeck` names them, a card is
sheet * 100 + its place there.
Invariant: a picture has exactly the pixels that were asked for, the card lies in its middle at exactly its dots per
inch, and beyond the bleed there is nothing at all or the colour of the bleed: no white that a cut could show. On a
table's sheet a front fills its cell to the cut, in reading order; the last cell is no card but what others see of a
hidden hand, so a sheet of 10 x 7 holds 69 cards.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from PIL import Image

from dobble_print.errors import Fault, LayoutError
from dobble_print.pdf.render import Color, Rasterizer
from dobble_print.press.document import PrintableDeck, write_cut_files
from dobble_print.sheets.cutting import trace_cuts
from dobble_print.sheets.marks import bleed_color
from dobble_print.sheets.plan import Back, Page, PrintedCard, Side, Slot
from dobble_print.theme.options import HINT_PIXELS, MOST_PIXELS, PictureOptions
from dobble_print.units import MM_PER_INCH, CardShape, Paper

RUN_LENGTHS = 3  # zlib's Z_RLE: flat colours shrink better than by default, in half the time
LEAST_SHRINK = 1e-6  # PDFium rounds sizes up, also by a millionth of a pixel


@dataclass(frozen=True)
class Canvas:
    """The pixels of a picture, and how many of them make an inch."""

    width_px: int
    height_px: int
    dpi: float

    @property
    def paper(self) -> Paper:
        """Return a sheet as large as the picture."""
        return Paper("picture", self.width_px / self.dpi * MM_PER_INCH, self.height_px / self.dpi * MM_PER_INCH)


def picture_deck(deck: PrintableDeck, numbers: Sequence[int], options: PictureOptions) -> dict[str, bytes]:
    """Return the pictures a theme asks for: the cards, and their back where they have one."""
    canvas = fit_canvas(deck, options)
    cards = picture_cards(deck, numbers, canvas, options.transparent)
    return cards | picture_back(deck, canvas, options.transparent)


def fit_canvas(deck: PrintableDeck, options: PictureOptions) -> Canvas:
    """Return the size asked for, or the card's with its bleed; raise a `LayoutError` where the card does not fit."""
    shape, grown = deck.look.shape, deck.look.shape.grow(deck.look.bleed_mm)
    px = options.dpi / MM_PER_INCH
    width, height = options.width_px or round(grown.width_mm * px), options.height_px or round(grown.height_mm * px)
    canvas = Canvas(width, height, options.dpi)
    room = Paper("", options.most_width_mm or float("inf"), options.most_height_mm or float("inf"))
    if width * height > MOST_PIXELS:  # many dots, or sides of which a theme gives one and a profile the other
        what = f"pictures of {width} × {height} pixels ({options.dpi:g} dpi) are too large"
        raise LayoutError(Fault(what, HINT_PIXELS, deck.theme.place_of("pictures.dpi", "pictures", "profile")))
    with LayoutError.placed(deck.theme.place_of("card.size", "card", "pictures")):
        _refuse_large(shape, canvas.paper, f"a picture of {width} × {height} pixels at {options.dpi:g} dpi")
        _refuse_large(grown, room, "what the machine can cut")
    return canvas


def _refuse_large(shape: CardShape, room: Paper, what: str) -> None:
    half_px_mm = 0.05
    if shape.width_mm > room.width_mm + half_px_mm or shape.height_mm > room.height_mm + half_px_mm:
        size = f"{shape.width_mm:.1f} × {shape.height_mm:.1f} mm"
        most = f"{room.width_mm:.1f} × {room.height_mm:.1f} mm"
        raise LayoutError(Fault(f"a card of {size} is larger than {what}: {most}", "Choose a smaller --size."))


def picture_cards(deck: PrintableDeck, numbers: Sequence[int], canvas: Canvas, transparent: bool) -> dict[str, bytes]:
    """Return the cards as `cards/card-01.png` and so on."""
    digits = max(2, len(str(max(numbers))))
    names = [f"cards/card-{number:0{digits}}.png" for number in numbers]
    pictures = draw_fronts(deck, numbers, canvas, transparent)
    return {name: encode(picture, canvas.dpi) for name, picture in zip(names, pictures, strict=True)}


def picture_back(deck: PrintableDeck, canvas: Canvas, transparent: bool) -> dict[str, bytes]:
    """Return the back of all cards as `cards/back.png`; nothing where they have none."""
    if deck.back is None:
        return {}
    return {"cards/back.png": encode(draw_back(deck, deck.back, canvas, transparent), canvas.dpi)}


def draw_fronts(
    deck: PrintableDeck, numbers: Sequence[int], canvas: Canvas, transparent: bool
) -> Iterator[Image.Image]:
    """Yield the cards one by one, each with its bleed and on its own ground."""
    cards = [_uncut(deck.make_card(number)) for number in numbers]
    grounds = [_ground(bleed_color(card.look), transparent) for card in cards]
    return _render(deck, cards, "front", canvas, grounds)


def draw_back(deck: PrintableDeck, back: Back, canvas: Canvas, transparent: bool) -> Image.Image:
    """Return the back out to its bleed or, on a ground, with all that is stamped on it out to the picture's corners."""
    card = replace(_uncut(deck.make_card(next(iter(deck.fronts)))), back=back)
    if not transparent:
        x, y = canvas.paper.width_mm / 2, canvas.paper.height_mm / 2
        whole = CardShape("picture", ((-x, -y), (x, -y), (x, y), (-x, y)), 0.0)
        card = replace(card, look=replace(card.look, shape=whole, bleed_mm=0.0))
    return next(_render(deck, [card], "back", canvas, [_ground(back.color, transparent)]))


def _uncut(card: PrintedCard) -> PrintedCard:
    """Return a card without the lines that help to cut it by hand."""
    return replace(card, look=replace(card.look, cut_line="none", ticks=False, gap_mm=None))


def _ground(color: str, transparent: bool) -> Color:
    red, green, blue = bytes.fromhex(color[1:])
    return red, green, blue, 0 if transparent else 255


def _render(
    deck: PrintableDeck, cards: Sequence[PrintedCard], side: Side, canvas: Canvas, grounds: Sequence[Color]
) -> Iterator[Image.Image]:
    """Yield each card in the middle of a picture of its own, drawn by PDFium from the very PDF that prints."""
    paper = canvas.paper
    slots = [Slot(i, paper.width_mm / 2, paper.height_mm / 2, side) for i in range(len(cards))]
    pages = [Page(paper, (slot,)) for slot in slots]
    data = deck.print_on_screen(pages, dict(enumerate(cards)))
    with Rasterizer(data) as rasterizer:
        for i, ground in enumerate(grounds):
            scale = canvas.width_px / rasterizer.measure(i)[0] * (1 - LEAST_SHRINK)
            picture = rasterizer.draw(i, scale, ground, has_alpha=True, rev_byteorder=True).to_pil()
            yield picture if ground[3] == 0 else picture.convert("RGB")


def encode(picture: Image.Image, dpi: float) -> bytes:
    """Encode the picture as a PNG that knows its size on paper."""
    sink = io.BytesIO()
    picture.save(sink, "PNG", compress_type=RUN_LENGTHS, dpi=(dpi, dpi))
    return sink.getvalue()


FOLDER = "tabletop"
MOST_COLUMNS, MOST_ROWS = 10, 7
MOST_PX = 4096  # the largest texture that every graphics card takes
MOST_CELL_PX = 1024
SCREEN_DPI = 96.0
# how Tabletop Simulator numbers the outlines of cards, with sharp corners and with round ones
OUTLINES = {"round": (4, 4), "hex": (3, 2), "square": (1, 0)}
Json = dict[str, Any]


@dataclass(frozen=True)
class SheetGrid:
    """The cells of a sheet."""

    columns: int
    rows: int
    cell_width_px: int
    cell_height_px: int

    @property
    def most_cards(self) -> int:
        """Return all cells but the last."""
        return self.columns * self.rows - 1


def make_tabletop(deck: PrintableDeck, numbers: Sequence[int], title: str, url_prefix: str) -> dict[str, bytes]:
    """Return the sheets, the back and the saved object; its addresses are the files' names after the prefix."""
    name = re.sub("[^A-Za-z0-9_]+", "-", deck.theme.name).strip("-")  # it becomes part of an address
    stem = "-".join(filter(None, (name, deck.deck_id)))
    grid = choose_grid(-(-len(numbers) // count_sheets(len(numbers))), deck.look.shape)
    batches = [numbers[i : i + grid.most_cards] for i in range(0, len(numbers), grid.most_cards)]
    sheets = {f"{stem}-cards-{i}.png": batch for i, batch in enumerate(batches, start=1)}
    plain = Back(bleed_color(deck.look))  # a card without a back shows its rim's colour
    back = draw_back(deck, deck.back or plain, _cell_canvas(deck, grid), transparent=False)
    pictures = {name: _draw_sheet(deck, batch, grid, back) for name, batch in sheets.items()}
    pictures[f"{stem}-back.png"] = back
    files = {f"{FOLDER}/{name}": encode(picture, SCREEN_DPI) for name, picture in pictures.items()}
    saved = _save_object(deck, sheets, grid, title, url_prefix, f"{stem}-back.png")
    files[f"{FOLDER}/{stem}.json"] = (json.dumps(saved, ensure_ascii=False, indent=1) + "\n").encode()
    return files


def count_sheets(cards: int) -> int:
    """Return how many sheets hold all cards, as few as possible."""
    return -(-cards // (MOST_COLUMNS * MOST_ROWS - 1))


def choose_grid(cards: int, shape: CardShape) -> SheetGrid:
    """Return the grid with the largest cells for so many cards and the hidden one; of those the smallest."""
    aspect = shape.height_mm / shape.width_mm
    grids = []
    for columns in range(2, MOST_COLUMNS + 1):
        for rows in range(2, MOST_ROWS + 1):
            width = min(MOST_CELL_PX, MOST_PX // columns, int(MOST_PX // rows / aspect))
            grids.append(SheetGrid(columns, rows, width, round(width * aspect)))
    fitting = [grid for grid in grids if grid.most_cards >= cards]
    return max(fitting, key=lambda grid: (grid.cell_width_px, -grid.columns * grid.rows, grid.columns))


def _cell_canvas(deck: PrintableDeck, grid: SheetGrid) -> Canvas:
    """Return a picture that the card fills to its cut."""
    dpi = grid.cell_width_px / deck.look.shape.width_mm * MM_PER_INCH
    return Canvas(grid.cell_width_px, grid.cell_height_px, dpi)


def _draw_sheet(deck: PrintableDeck, numbers: Sequence[int], grid: SheetGrid, back: Image.Image) -> Image.Image:
    width, height = grid.cell_width_px, grid.cell_height_px
    picture = Image.new("RGB", (grid.columns * width, grid.rows * height), bleed_color(deck.look))
    for i, front in enumerate(draw_fronts(deck, numbers, _cell_canvas(deck, grid), transparent=False)):
        picture.paste(front, (i % grid.columns * width, i // grid.columns * height))
    picture.paste(back, ((grid.columns - 1) * width, (grid.rows - 1) * height))
    return picture


def find_card_type(shape: CardShape) -> int:
    """Return the outline nearest to the card's; a hexagon stands on a side, as ours do."""
    return OUTLINES[shape.name][shape.radius_mm > 0]


def _save_object(
    deck: PrintableDeck, sheets: Mapping[str, Sequence[int]], grid: SheetGrid, title: str, prefix: str, back: str
) -> Json:
    """Return the deck lying face down; a deck of one card is that card."""
    entries, cards = dict[str, Json](), list[Json]()
    for i, (file, numbers) in enumerate(sheets.items(), start=1):
        entries[str(i)] = {
            "FaceURL": prefix + file,
            "BackURL": prefix + back,
            "NumWidth": grid.columns,
            "NumHeight": grid.rows,
            "BackIsHidden": True,
            "UniqueBack": False,
            "Type": find_card_type(deck.look.shape),
        }
        cards += [_describe_card(deck, n, i * 100 + place, entries[str(i)]) for place, n in enumerate(numbers)]
    if len(cards) == 1:
        return {"SaveName": title, "ObjectStates": [cards[0] | {"Name": "CardCustom", "Nickname": title}]}
    whole = _describe_object("DeckCustom", title, deck, 0) | {
        "DeckIDs": [card["CardID"] for card in cards],
        "CustomDeck": entries,
        "ContainedObjects": cards,
    }
    return {"SaveName": title, "ObjectStates": [whole]}


def _describe_card(deck: PrintableDeck, number: int, card_id: int, sheet: Json) -> Json:
    """Describe a card by its number; symbols stand in the notes, for a name that shows would give the match away."""
    symbols = [deck.theme.symbols[deck.theme.pieces[stamp.piece][0]] for stamp in deck.fronts[number].stamps]
    names = [symbol.names.get(deck.language, symbol.id) for symbol in symbols]
    return _describe_object("Card", str(number), deck, number) | {
        "GMNotes": ", ".join(names),
        "CardID": card_id,
        "SidewaysCard": False,
        "CustomDeck": {str(card_id // 100): sheet},
    }


def _describe_object(kind: str, nickname: str, deck: PrintableDeck, number: int) -> Json:
    """Describe a card, or by the number 0 the deck; six digits of it are another deck's by chance only."""
    place = {"posX": 0.0, "posY": 1.0, "posZ": 0.0}
    face_down = {"rotX": 0.0, "rotY": 180.0, "rotZ": 180.0}
    size = {"scaleX": 1.0, "scaleY": 1.0, "scaleZ": 1.0}
    return {
        "GUID": hashlib.sha256(f"{deck.deck_id}/{number}".encode()).hexdigest()[:6],
        "Name": kind,
        "Transform": place | face_down | size,
        "Nickname": nickname,
        "Description": "",
        "ColorDiffuse": {"r": 1.0, "g": 1.0, "b": 1.0},
        "HideWhenFaceDown": True,
        "Hands": kind != "DeckCustom",
    }


def make_pictures(deck: PrintableDeck, numbers: Sequence[int]) -> dict[str, bytes]:
    """Return the cards as pictures, as the theme's machine or virtual table wants them."""
    options = deck.theme.pictures
    if options.kind == "tabletop":
        return make_tabletop(deck, numbers, deck.title, options.url)
    files = picture_deck(deck, numbers, options)
    shape, paper = deck.look.shape, Paper("card", deck.look.shape.width_mm, deck.look.shape.height_mm)
    cuts = trace_cuts(shape, [(paper.width_mm / 2, paper.height_mm / 2)], 0.0)
    return files | write_cut_files("cut", paper, cuts, deck.theme.press.cut_name, deck.theme.plotter.files)
