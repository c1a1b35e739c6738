"""Cards as pictures: one PNG a card, for print on demand, cutting machines and virtual tables.

Invariant: a picture has exactly the pixels that were asked for, the card lies in its middle at exactly its dots per
inch, and beyond the bleed there is nothing at all or the colour of the bleed: no white that a cut could show.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from PIL import Image

from dobble_print.errors import Fault, LayoutError
from dobble_print.pdf.render import Color, Rasterizer
from dobble_print.press.document import PrintableDeck
from dobble_print.sheets.marks import bleed_color
from dobble_print.sheets.plan import Back, Page, PrintedCard, Side, Slot
from dobble_print.theme.model import Theme
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
    _refuse_pixels(deck.theme, canvas)
    with LayoutError.placed(deck.theme.place_of("card.size", "card", "pictures")):
        _refuse_large(shape, canvas.paper, f"a picture of {width} × {height} pixels at {options.dpi:g} dpi")
        _refuse_large(grown, room, "what the machine can cut")
    return canvas


def _refuse_pixels(theme: Theme, canvas: Canvas) -> None:
    """Refuse a large card at many dots, or sides of which a theme gives one and a profile the other."""
    if canvas.width_px * canvas.height_px > MOST_PIXELS:
        what = f"pictures of {canvas.width_px} × {canvas.height_px} pixels ({canvas.dpi:g} dpi) are too large"
        raise LayoutError(Fault(what, HINT_PIXELS, theme.place_of("pictures.dpi", "pictures", "profile")))


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
    card = _uncut(deck.make_card(next(iter(deck.fronts))))
    card = replace(card, back=back)
    if not transparent:
        card = replace(card, look=replace(card.look, shape=_fill_shape(canvas.paper), bleed_mm=0.0))
    return next(_render(deck, [card], "back", canvas, [_ground(back.color, transparent)]))


def _uncut(card: PrintedCard) -> PrintedCard:
    """Return a card without the lines that help to cut it by hand."""
    return replace(card, look=replace(card.look, cut_line="none", ticks=False, share_edges=False))


def _fill_shape(paper: Paper) -> CardShape:
    """Return the whole picture as a shape."""
    x, y = paper.width_mm / 2, paper.height_mm / 2
    return CardShape("picture", ((-x, -y), (x, -y), (x, y), (-x, y)), 0.0)


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
