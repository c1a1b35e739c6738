"""The pictures of the documentation, made of the program's own output: `python -m tools.pictures [NAME…]`.

Each function below makes one picture, which has its name. Decks are built in memory, as drafts, and drawn by the
renderer that the preview uses; paper gets a thin frame and a soft shadow, so that white sheets show on white pages.

Invariant: the same program gives the same pictures; nothing is drawn by hand but frames, shadows, arrows and labels.
"""

from __future__ import annotations

import io
import math
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw, ImageFilter, ImageFont

from dobble_print import BuildOptions, build_decks
from dobble_print.build import Box, Result
from dobble_print.check import check_theme, draw_report
from dobble_print.pdf.render import Rasterizer
from dobble_print.press.calibration import make_calibration
from dobble_print.theme.reader import find_theme
from dobble_print.units import Correction, papers

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "pictures"
COLORS = 192  # of a picture's palette
POINTS_PER_MM = 72 / 25.4
WHITE, FRAME, INK, ACCENT = (255, 255, 255), (200, 203, 207), (45, 52, 64), (214, 40, 40)
SHADOW = 14  # pixels that a shadow takes on each side
ROUND = 4  # how many times larger outlines are drawn before they are made smooth

FRUIT = """\
title: At the greengrocer's
languages: [en]
symbols: [apple, {emoji: 🍏, en: green apple}, tomato, banana, carrot, grapes, pineapple]
"""

Picture = Image.Image


# What is built


@cache
def build(*themes: str, **asked: Any) -> Result:
    """Return decks as the command line would make them, as drafts and in English where nothing else is asked for."""
    options: dict[str, Any] = {"quality": "draft", "booklet": False, "legend": False} | asked
    return build_decks(*themes, options=BuildOptions(**options))


def build_classic(**asked: Any) -> Result:
    """Return the deck that most pictures show."""
    return build("classic", **({"languages": ("en",)} | asked))


# What is drawn


def draw_page(pdf: bytes, page: int, width: int) -> Picture:
    """Return a page, the first is 1, so many pixels wide."""
    with Rasterizer(pdf) as rasterizer:
        wide, _ = rasterizer.measure(page - 1)
        drawn: Picture = rasterizer.draw(page - 1, 2 * width / wide).to_pil().convert("RGB")
    return drawn.resize((width, round(drawn.height * width / drawn.width)), Image.Resampling.LANCZOS)


def draw_sheet(pdf: bytes, page: int, width: int) -> Picture:
    """Return a page as paper on a table."""
    return put_on_table([(draw_page(pdf, page, width - 2 * SHADOW), 0, 0)], is_paper=True)


def cut_cards(box: Box, numbers: Iterable[int], pixels: int) -> list[Picture]:
    """Return cards, counted from 0 in the order in which they are printed, cut out along their lines."""
    nest = box.nest
    assert nest is not None
    pdf, each = box.files["cards.pdf"], len(nest.centres)
    sides = 1 if box.theme.sheet.duplex in ("none", "separate") or box.theme.back.kind == "none" else 2
    width_mm, height_mm = nest.shape.width_mm, nest.shape.height_mm
    if nest.turn_deg % 60 == 30:
        width_mm, height_mm = height_mm, width_mm
    scale = pixels / width_mm  # pixels to the millimetre
    mask, cards = _draw_outline(box, scale, (pixels, round(height_mm * scale))), list[Picture]()
    for number in numbers:
        sheet, place = divmod(number, each)
        x, y = nest.centres[place]
        page = draw_page(pdf, sheet * sides + 1, round(nest.paper.width_mm * scale))
        left, top = round((x - width_mm / 2) * scale), round((nest.paper.height_mm - y - height_mm / 2) * scale)
        card = page.crop((left, top, left + mask.width, top + mask.height)).convert("RGBA")
        card.putalpha(mask)
        cards.append(card)
    return cards


def _draw_outline(box: Box, scale: float, size: tuple[int, int]) -> Picture:
    """Return the mask of a card as it lies on the sheet, a hair inside its cut line."""
    assert box.nest is not None
    shape, turn = box.nest.shape, math.radians(box.nest.turn_deg)
    large = Image.new("L", (size[0] * ROUND, size[1] * ROUND))
    draw, middle, grown = ImageDraw.Draw(large), (large.width / 2, large.height / 2), scale * ROUND
    core = [
        (
            middle[0] + (x * math.cos(turn) - y * math.sin(turn)) * grown,
            middle[1] - (x * math.sin(turn) + y * math.cos(turn)) * grown,
        )
        for x, y in shape.core
    ]
    radius = (shape.radius_mm - 0.3) * grown
    if len(core) > 2:
        draw.polygon(core, fill=255)
        for (x0, y0), (x1, y1) in zip(core, (*core[1:], core[0]), strict=True):
            length = math.dist((x0, y0), (x1, y1))
            dx, dy = (y1 - y0) / length * radius, (x0 - x1) / length * radius
            for side in (1, -1):
                ends = [(x0, y0), (x1, y1), (x1 + side * dx, y1 + side * dy), (x0 + side * dx, y0 + side * dy)]
                draw.polygon(ends, fill=255)
    for x, y in core:
        draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=255)
    return large.resize(size, Image.Resampling.LANCZOS)


def put_on_table(things: Sequence[tuple[Picture, int, int]], is_paper: bool = False) -> Picture:
    """Lay things on a white table at their places, each with its shadow; paper gets a frame too."""
    width = max(x + thing.width for thing, x, _ in things) + 2 * SHADOW
    height = max(y + thing.height for thing, _, y in things) + 2 * SHADOW
    table = Image.new("RGB", (width, height), WHITE)
    for thing, x, y in things:
        if is_paper:
            ImageDraw.Draw(thing).rectangle((0, 0, thing.width - 1, thing.height - 1), outline=FRAME)
        mask = thing.getchannel("A") if thing.mode == "RGBA" else Image.new("L", thing.size, 255)
        shade = Image.new("L", table.size)
        shade.paste(mask.point(lambda value: value * 2 // 5), (x + SHADOW, y + SHADOW + 3))
        table.paste((30, 36, 48), (0, 0), shade.filter(ImageFilter.GaussianBlur(5)))
        table.paste(thing.convert("RGB"), (x + SHADOW, y + SHADOW), mask)
    return table


def lay_in_a_row(cards: Sequence[Picture], step: float = 1.04, turns: Sequence[float] = ()) -> Picture:
    """Lay cards side by side, or with a step below 1 over each other, perhaps turned and a little up and down."""
    things, x = list[tuple[Picture, int, int]](), 0.0
    for number, card in enumerate(cards):
        turned = card
        if turns:
            turned = card.rotate(turns[number % len(turns)], Image.Resampling.BICUBIC)
        things.append((turned, round(x), 0))
        x += card.width * step
    return put_on_table(things)


def write(picture: Picture, place: tuple[float, float], text: str, size: int = 20, color: Any = INK) -> None:
    """Write a label, its middle at a place."""
    ImageDraw.Draw(picture).text(place, text, font=_font(size), fill=color, anchor="mm")


@cache
def _font(size: int) -> ImageFont.FreeTypeFont:
    import pymupdf_fonts

    return ImageFont.truetype(io.BytesIO(pymupdf_fonts.myfont("figo")), size)


def point_at(picture: Picture, start: tuple[float, float], end: tuple[float, float], color: Any = ACCENT) -> None:
    """Draw an arrow."""
    draw, angle = ImageDraw.Draw(picture), math.atan2(end[1] - start[1], end[0] - start[0])
    draw.line((*start, *end), fill=color, width=3)
    wings = [(end[0] - 15 * math.cos(angle + turn), end[1] - 15 * math.sin(angle + turn)) for turn in (0.4, -0.4)]
    draw.polygon([end, *wings], fill=color)


def put_side_by_side(parts: Sequence[Picture], gap: int = 0) -> Picture:
    """Put pictures beside each other, their tops in line."""
    width = sum(part.width for part in parts) + gap * (len(parts) - 1)
    row, x = Image.new("RGB", (width, max(part.height for part in parts)), WHITE), 0
    for part in parts:
        row.paste(part, (x, 0))
        x += part.width + gap
    return row


# The pictures


def make_cards() -> Picture:
    """Show a row of cut cards."""
    (box,) = build_classic(quality="normal").boxes
    return lay_in_a_row(cut_cards(box, (0, 1, 2, 3), 286), 1.015, (-8, 5, -3, 7))


def make_sheet() -> Picture:
    """Show the first page of cards.pdf."""
    return draw_sheet(build_classic().files["cards.pdf"], 1, 700)


def make_sheet_back() -> Picture:
    """Show the second page."""
    return draw_sheet(build_classic().files["cards.pdf"], 2, 700)


def make_cut_card() -> Picture:
    """Show one card close up, with cut line, bleed and marks, and what they are called."""
    (box,) = build_classic().boxes
    nest = box.nest
    assert nest is not None
    width, scale = 900, 900 / 84  # pixels to the millimetre
    x, y = nest.centres[0]
    page = draw_page(box.files["cards.pdf"], 1, round(nest.paper.width_mm * scale))
    left, top = x - 52, nest.paper.height_mm - y - 50
    close = Image.new("RGB", (width, round(36 * scale)), WHITE)
    close.paste(page, (round(-left * scale), round(-top * scale)))
    for text, place, target in (
        ("crop marks", (8.5, 13.5), (6.0, 8.6)),
        ("cut along this line", (66.0, 2.4), (61.6, 8.75)),
        ("bleed: the colour runs on for 3 mm", (31.0, 2.4), (39.0, 8.0)),
    ):
        start, end = ((px * scale, py * scale) for px, py in (place, target))
        point_at(close, (start[0], start[1] + (18 if target[1] > place[1] else -18)), end)
        write(close, start, text, 24)
    return put_on_table([(close, 0, 0)], is_paper=True)


def make_booklet() -> Picture:
    """Show an opened booklet beside its cover."""
    pdf = build_classic(booklet=True, legend=True).files["booklet.pdf"]
    pages = [draw_page(pdf, number, 380) for number in (1, 6, 7)]
    cover = put_on_table([(pages[0], 0, 0)], is_paper=True)
    spread = put_on_table([(put_side_by_side(pages[1:]), 0, 0)], is_paper=True)
    return put_side_by_side([cover, spread])


def make_legend() -> Picture:
    """Show the poster of all symbols."""
    return draw_sheet(build_classic(booklet=True, legend=True).files["legend.pdf"], 1, 760)


def make_preview() -> Picture:
    """Show the picture of all cards."""
    preview = Image.open(io.BytesIO(build_classic().files["preview.png"])).convert("RGB")
    return preview.resize((760, round(preview.height * 760 / preview.width)), Image.Resampling.LANCZOS)


def make_faces() -> Picture:
    """Show cards with pictures and words."""
    (box,) = build("picture-word-de").boxes
    return lay_in_a_row(cut_cards(box, (0, 1, 2), 330))


def make_faces_two_languages() -> Picture:
    """Show cards with words of two languages."""
    (box,) = build("animals-nl-fr").boxes
    return lay_in_a_row(cut_cards(box, (0, 1, 2), 330))


def make_sums() -> Picture:
    """Show cards with sums and results."""
    (box,) = build("times-tables").boxes
    return lay_in_a_row(cut_cards(box, (0, 1, 2), 330))


def make_photos() -> Picture:
    """Show cards with portraits and names."""
    (box,) = build("class-photos").boxes
    return lay_in_a_row(cut_cards(box, (0, 1, 2), 330))


def make_duplex() -> Picture:
    """Show a front and the back that lies behind it, as the paper is turned."""
    pdf = build_classic().files["cards.pdf"]
    front, back = (draw_sheet(pdf, page, 420) for page in (1, 2))
    both = put_side_by_side([front, back], 120)
    middle = both.height / 2
    point_at(both, (front.width + 20, middle), (front.width + 100, middle))
    write(both, (front.width + 60, middle - 46), "turn over")
    write(both, (front.width + 60, middle - 24), "the long edge")
    return both


def make_fold() -> Picture:
    """Show a sheet with backs beside the fronts."""
    return draw_sheet(build_classic(duplex="fold").files["cards.pdf"], 1, 620)


def make_calibration_page() -> Picture:
    """Show both sides of the test page."""
    pdf = make_calibration(papers()["A4"], "long", Correction())
    return put_side_by_side([draw_sheet(pdf, page, 590) for page in (1, 2)])


def make_lookalikes() -> Picture:
    """Show the report of symbols that look alike."""
    with tempfile.TemporaryDirectory() as folder:
        theme = Path(folder) / "greengrocer.yaml"
        theme.write_text(FRUIT, encoding="utf-8")
        found = check_theme(find_theme(str(theme)), BuildOptions().theme_values(), True, "pairs.png")
        (data,) = draw_report(found, "pairs.png").values()
    report = Image.open(io.BytesIO(data)).convert("RGB")
    return report.resize((1000, round(report.height * 1000 / report.width)), Image.Resampling.LANCZOS)


def make_low_ink() -> Picture:
    """Show two cards as usual and with little ink."""
    usual, saving = (cut_cards(build_classic(**asked).boxes[0], (1, 2), 290) for asked in ({}, {"low_ink": True}))
    return lay_in_a_row([*usual, *saving])


def make_hex() -> Picture:
    """Show hexagonal cards in the colours of their teams."""
    (box,) = build("connect").boxes
    return lay_in_a_row(cut_cards(box, (0, 30, 50, 70), 290), 1.02)


def make_shop_sheet() -> Picture:
    """Show a print shop's sheet with its marks."""
    result = build_classic(profile="shop-sra3-x4", cut_path="file")
    return draw_sheet(result.files["cards.pdf"], 1, 700)


def make_cut_layer() -> Picture:
    """Show the cut path alone."""
    result = build_classic(profile="shop-sra3-x4", cut_path="file")
    return draw_sheet(result.files["cut.pdf"], 1, 700)


def make_labels() -> Picture:
    """Show a sheet of round labels."""
    return draw_sheet(build_classic(profile="labels-avery-5195").files["cards.pdf"], 1, 620)


def make_tabletop() -> Picture:
    """Show the sheet of cards for a virtual table."""
    files = build("kids", profile="tabletop-simulator").files
    data = next(data for name, data in files.items() if name.endswith("-cards-1.png"))
    sheet = Image.open(io.BytesIO(data)).convert("RGB")
    return sheet.resize((760, round(sheet.height * 760 / sheet.width)), Image.Resampling.LANCZOS)


def make_gang() -> Picture:
    """Show two decks on a shared sheet."""
    files = build("classic", "kids", gang=True, profile="shop-sra3-x4", size="80", cards=9).files
    data = next(data for name, data in files.items() if name.endswith("gang/cards.pdf") or name == "cards.pdf")
    return draw_sheet(data, 1, 660)


def make_studio() -> Picture:
    """Show the page of the studio; it takes a browser."""
    from tools import studio_picture

    return studio_picture.make_studio()


PICTURES: dict[str, Callable[[], Picture]] = {
    "cards": make_cards,
    "sheet": make_sheet,
    "sheet-back": make_sheet_back,
    "cut-card": make_cut_card,
    "booklet": make_booklet,
    "legend": make_legend,
    "preview": make_preview,
    "faces": make_faces,
    "faces-two-languages": make_faces_two_languages,
    "sums": make_sums,
    "photos": make_photos,
    "duplex": make_duplex,
    "fold": make_fold,
    "calibration": make_calibration_page,
    "lookalikes": make_lookalikes,
    "low-ink": make_low_ink,
    "hex": make_hex,
    "shop-sheet": make_shop_sheet,
    "cut-layer": make_cut_layer,
    "labels": make_labels,
    "tabletop": make_tabletop,
    "gang": make_gang,
    "studio": make_studio,
}


def save(picture: Picture, path: Path) -> int:
    """Write a picture with a palette, and return its size in bytes."""
    few = picture.quantize(COLORS, Image.Quantize.MEDIANCUT, kmeans=4, dither=Image.Dither.NONE)
    few.save(path, "PNG", optimize=True)
    return path.stat().st_size


def main(names: Sequence[str]) -> None:
    """Make the pictures of these names, or all, and take away what is none of them."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    if unknown := set(names) - set(PICTURES):
        raise SystemExit(f"no picture is called {', '.join(sorted(unknown))}: {', '.join(PICTURES)}")
    for name in names or PICTURES:
        picture = PICTURES[name]()
        size = save(picture, FOLDER / f"{name}.png")
        print(f"docs/pictures/{name}.png: {picture.width} × {picture.height}, {size / 1000:.0f} kB", flush=True)
    if not names:
        for path in FOLDER.glob("*.png"):
            if path.stem not in PICTURES:
                path.unlink()


if __name__ == "__main__":
    main(sys.argv[1:])
