"""Sheets of pictures for the screen, as PNG: look-alikes side by side, and words with their pictures.

Invariant: the same deck gives the same bytes; look-alikes stand in the order they were found in, so the worst come
first.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import groupby

from PIL import Image, ImageDraw, ImageFont

from dobble_print.art.artwork import Artwork, open_artwork
from dobble_print.art.raster import encode_picture
from dobble_print.art.similarity.color_vision import VISIONS, Vision, simulate_picture
from dobble_print.art.similarity.lookalikes import BEGINNERS, Lookalike, call_symbol
from dobble_print.fonts import font_bytes
from dobble_print.messages import clip
from dobble_print.theme.model import Theme
from dobble_print.theme.symbols import show_word
from dobble_print.words.lexicon import Word

PICTURE_PX = 112
MOST_ROWS = 60

_EDGE, _GAP, _PAD = 48, 20, 18
_NAME_WIDTH = 330
_PANEL_WIDTH, _PANEL_HEIGHT = 2 * PICTURE_PX + 3 * _PAD, PICTURE_PX + 2 * _PAD
_CAPTION = 30
_ROW_HEIGHT = _PANEL_HEIGHT + _CAPTION + _GAP
_TOP, _NOTE, _HEADING, _FOOT = 170, 84, 72, 130
_PAPER, _INK, _FAINT, _LINE = "#f6f4ef", "#1d2433", "#6b7280", "#d9d5cb"
_BAD, _SOFT, _MILD, _GOOD = "#c8102e", "#b45309", "#4b6584", "#2d6a4f"

_CAPTIONS = {
    "everybody": "as printed",
    "protanopia": "colour-blind (no red cones)",
    "deuteranopia": "colour-blind (no green cones)",
    "tritanopia": "colour-blind (no blue cones)",
    "photocopy": "photocopy",
}
_NONE = "No look-alikes: every symbol is one of a kind."
_ASKED = "Compared: outline, drawing and colours at every turn and in the mirror; for everybody, for red-green and\n"
_ASKED += "blue-yellow colour-blind players, and on a photocopy; letters that turn into each other."


# whom a group of pairs concerns, and the colour of the group
_EVERYBODY = ("Everybody will confuse these", _BAD)
_COLOR_BLIND = ("Colour-blind players will confuse these", _SOFT)
_REMARKS = ("Remarks: alike on a photocopy, or to beginning readers", _MILD)


def draw_lookalike_sheet(theme: Theme, artworks: Sequence[Artwork], lookalikes: Sequence[Lookalike]) -> bytes:
    """Draw the sheet as PNG; where there is no pair it says so."""
    shown = lookalikes[:MOST_ROWS]
    groups = [(*circle, list(pairs)) for circle, pairs in groupby(shown, _find_circle)]
    is_clean = all(pair.is_remark for pair in lookalikes)
    rows = sum(_HEADING + len(pairs) * _ROW_HEIGHT for *_, pairs in groups)
    height = _TOP + (_NOTE if is_clean else 0) + rows + _FOOT
    panels = max((3, *(len(_list_views(pair)) for pair in shown)))
    width = 2 * _EDGE + _NAME_WIDTH + panels * (_PANEL_WIDTH + _GAP)
    sheet = Image.new("RGB", (width, height), _PAPER)
    pen = ImageDraw.Draw(sheet)
    title = theme.title_in(next(iter(theme.languages), ""))
    _write_short(pen, (_EDGE, 44), f"Look-alikes: {clip(title)}", 44, 1000)
    pen.text((_EDGE, 106), _sum_up(theme, lookalikes), _FAINT, _font(22))
    top = _TOP
    if is_clean:
        pen.text((_EDGE, top + 16), _NONE, _GOOD, _font(30, True))
        top += _NOTE
    for heading, color, pairs in groups:
        pen.text((_EDGE, top + 16), heading, color, _font(26, True))
        top += _HEADING
        for pair in pairs:
            _draw_row(sheet, top, theme, artworks, pair, color)
            top += _ROW_HEIGHT
    more = len(lookalikes) - len(shown)
    pen.multiline_text((_EDGE, top + 20), f"… and {more} more.\n" * (more > 0) + _ASKED, _FAINT, _font(16), spacing=7)
    return encode_picture(sheet, "PNG", compress_level=6)


_COLUMNS, _CELL = 8, 172


def draw_word_sheet(title: str, words: Sequence[Word], language: str) -> bytes:
    """Draw words with their pictures and what they are called; below it the English key, where that is another."""
    rows = -(-len(words) // _COLUMNS)
    size = (2 * _EDGE + min(len(words), _COLUMNS) * _CELL, _TOP + rows * (_CELL + _GAP) + _EDGE)
    sheet = Image.new("RGB", (max(size[0], 2 * _EDGE + 3 * _CELL), size[1]), "white")
    pen = ImageDraw.Draw(sheet)
    _write_short(pen, (_EDGE, 44), title, 40, sheet.width - 2 * _EDGE)
    pen.text((_EDGE, 106), f"{len(words)} {'word' if len(words) == 1 else 'words'}", _FAINT, _font(22))
    for i, word in enumerate(words):
        left, top = _EDGE + i % _COLUMNS * _CELL, _TOP + i // _COLUMNS * (_CELL + _GAP)
        picture = _draw_symbol(open_artwork(show_word(word)))
        sheet.paste(picture, (left + (_CELL - picture.width) // 2, top + (PICTURE_PX - picture.height) // 2), picture)
        names = dict.fromkeys((word.names[language].text, word.key))
        for line, text in enumerate(names):
            place = (left + _CELL / 2, top + PICTURE_PX + 8 + 24 * line)
            pen.text(place, _shorten(text, _font(17), _CELL), _FAINT if line else _INK, _font(17), anchor="ma")
    return encode_picture(sheet, "PNG", compress_level=6)


def _sum_up(theme: Theme, lookalikes: Sequence[Lookalike]) -> str:
    remarks = sum(pair.is_remark for pair in lookalikes)
    count = len(lookalikes) - remarks
    words = {0: "no pair looks", 1: "one pair looks"}.get(count, f"{count} pairs look")
    extra = {0: "", 1: "; one remark"}.get(remarks, f"; {remarks} remarks")
    return f"{len(theme.symbols)} symbols: {words} alike{extra}"


def _find_circle(pair: Lookalike) -> tuple[str, str]:
    if "everybody" in pair.seen_by:
        return _EVERYBODY
    return _REMARKS if pair.is_remark else _COLOR_BLIND


def _list_views(pair: Lookalike) -> list[Vision]:
    """List the views of a pair: as printed first, then as those see it who would confuse it."""
    return [vision for vision in VISIONS if vision == "everybody" or vision in pair.seen_by]


def _draw_row(
    sheet: Image.Image, top: int, theme: Theme, artworks: Sequence[Artwork], pair: Lookalike, color: str
) -> None:
    pen = ImageDraw.Draw(sheet)
    for line, number in enumerate((pair.first, pair.second)):
        name = clip(call_symbol(theme.symbols[number]))
        _write_short(pen, (_EDGE, top + 14 + 38 * line), name, 28, _NAME_WIDTH - _GAP)
    _draw_score(pen, top + 104, pair, color)
    turn = pair.misreading.turn_deg if pair.misreading else 0.0
    pictures = [_draw_symbol(artworks[pair.first]), _draw_symbol(artworks[pair.second], turn)]
    snippet = Image.new("RGBA", (1, 1), theme.card.background)  # of a card: it is seen as the pictures are
    left = _EDGE + _NAME_WIDTH
    for vision in _list_views(pair):
        paper, *seen = (simulate_picture(picture, vision) for picture in (snippet, *pictures))
        _draw_panel(sheet, (left, top), paper, seen)
        caption = _CAPTIONS[vision] if not turn else "the second one turned"
        pen.text((left + _PANEL_WIDTH / 2, top + _PANEL_HEIGHT + 6), caption, _FAINT, _font(18), anchor="ma")
        left += _PANEL_WIDTH + _GAP


def _draw_score(pen: ImageDraw.ImageDraw, top: int, pair: Lookalike, color: str) -> None:
    """Draw how alike the pair is, as a bar; letters are alike or not."""
    if pair.misreading:
        words = BEGINNERS if BEGINNERS in pair.seen_by else "letters"
        pen.text((_EDGE, top), words, color, _font(20))
        return
    length = 180
    pen.rounded_rectangle((_EDGE, top + 8, _EDGE + length, top + 18), 5, fill=_LINE)
    pen.rounded_rectangle((_EDGE, top + 8, _EDGE + round(length * pair.score), top + 18), 5, fill=color)
    pen.text((_EDGE + length + 14, top), f"{pair.score:.2f}", color, _font(20, True))


def _draw_symbol(artwork: Artwork, turn_deg: float = 0.0) -> Image.Image:
    picture = artwork.master.sketch(PICTURE_PX).convert("RGBA")
    return picture.rotate(turn_deg, Image.Resampling.BICUBIC, expand=True) if turn_deg else picture


def _draw_panel(
    sheet: Image.Image, corner: tuple[int, int], paper: Image.Image, pictures: Iterable[Image.Image]
) -> None:
    left, top = corner
    box = (left, top, left + _PANEL_WIDTH, top + _PANEL_HEIGHT)
    red, green, blue = paper.convert("RGB").tobytes()
    ImageDraw.Draw(sheet).rounded_rectangle(box, 14, fill=(red, green, blue), outline=_LINE, width=2)
    for i, picture in enumerate(pictures):
        if max(picture.size) > PICTURE_PX:
            picture.thumbnail((PICTURE_PX, PICTURE_PX), Image.Resampling.LANCZOS)
        x = left + _PAD + i * (PICTURE_PX + _PAD) + (PICTURE_PX - picture.width) // 2
        sheet.paste(picture, (x, top + _PAD + (PICTURE_PX - picture.height) // 2), picture)


def _write_short(pen: ImageDraw.ImageDraw, place: tuple[int, int], text: str, size: int, room: int) -> None:
    """Write a text as far as it fits."""
    pen.text(place, _shorten(text, _font(size, True), room), _INK, _font(size, True))


def _shorten(text: str, font: ImageFont.FreeTypeFont, room: int) -> str:
    shorter = (f"{text[:end]}…" for end in range(len(text) - 1, -1, -1))
    return next(each for each in (text, *shorter) if font.getlength(each) <= room)


@lru_cache(maxsize=16)
def _font(size: int, bold: bool = False) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(io.BytesIO(font_bytes(bold)), size)
