"""The rule about bleed: colour goes on beyond every cut and every trimmed edge."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
import shapely
from pikepdf import Array, Stream
from PIL import Image, ImageDraw

from dobble_print.pdf.document import PageBox, find_box, media_box, shown_box
from dobble_print.pdf.geometry import Points
from dobble_print.pdf.images import thin_images
from dobble_print.pdf.render import CLEAR, Picture, Rasterizer
from dobble_print.pdf.report import Finding, Flaw, ShopLimits, judge
from dobble_print.preflight.cut import MEET_PT, CutLine, find_cut_lines, paints_art
from dobble_print.preflight.survey import Survey, SurveyedPage
from dobble_print.units import PT_PER_MM, mm_to_pt

DPI = 150
MOST_PIXELS = 24_000_000  # larger pages are rendered more coarsely
KEPT = 2  # rendered pages held at a time; a picture of a large sheet takes 20 MB
TOLERANCE_MM = 0.15  # of a pixel's corner and a curve's rounding
NEAREST_MM = 0.3  # the cut line itself must not pass for paint
STEP_MM = 0.3  # outwards
ALONG_MM = 0.5  # from sample to sample of an outline
HALF = 128  # an edge pixel counts as painted when most of it is
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Cover:
    """A rendered page (blue, green, red and opacity), asked in the page's own coordinates."""

    picture: Picture
    box: PageBox
    turn_deg: int

    def is_painted(self, points: Points) -> Flags:
        """Tell for each point whether paint lies there; beyond the page nothing does.

        Between the middles of pixels the opacity is mixed: so an edge is found to a fraction of a pixel.
        """
        height, width, _ = self.picture.shape
        pixels = self.to_pixels(points)
        inside = ((pixels >= 0) & (pixels < (width, height))).all(axis=1)
        corner = np.floor(pixels - 0.5).astype(int)
        share = pixels - 0.5 - corner
        opacity = np.zeros(len(pixels))
        for right, down in ((0, 0), (1, 0), (0, 1), (1, 1)):
            x, y = np.clip(corner[:, 0] + right, 0, width - 1), np.clip(corner[:, 1] + down, 0, height - 1)
            weight = np.abs(1 - right - share[:, 0]) * np.abs(1 - down - share[:, 1])
            opacity += weight * self.picture[y, x, 3]
        return np.asarray(inside & (opacity >= HALF))

    def read_tones(self, feet: Points, ways: Points, away_mm: Iterable[float]) -> npt.NDArray[np.uint8]:
        """Return, in a row for each distance from the feet, the darkest of the three colours of light there.

        255 is white, as bare paper is.
        """
        height, width, _ = self.picture.shape
        rows = [feet + ways * mm * PT_PER_MM for mm in away_mm]
        pixels = np.floor(self.to_pixels(np.concatenate(rows))).astype(int)
        inside = ((pixels >= 0) & (pixels < (width, height))).all(axis=1)
        x, y = np.clip(pixels[:, 0], 0, width - 1), np.clip(pixels[:, 1], 0, height - 1)
        blue, green, red, opacity = self.picture[y, x].T
        darkest = np.minimum(np.minimum(blue, green), red)  # far quicker than the least along an axis of 3
        return np.where(inside & (opacity >= HALF), darkest, 255).astype(np.uint8).reshape(len(rows), -1)

    def measure_share(self, outline: Points) -> float:
        """Return how much of the area inside an outline is painted."""
        pixels = self.to_pixels(outline)
        left, top = (max(int(value), 0) for value in pixels.min(axis=0))
        part = self.picture[top : int(pixels[:, 1].max()) + 1, left : int(pixels[:, 0].max()) + 1, 3]
        if not part.size:
            return 0.0
        mask = Image.new("1", (part.shape[1], part.shape[0]))
        ImageDraw.Draw(mask).polygon([(x - left, y - top) for x, y in pixels.tolist()], fill=1)
        chosen = part[np.asarray(mask)]
        return float(chosen.mean()) / 255 if chosen.size else 0.0

    def to_pixels(self, points: Points) -> Points:
        """Turn points of the page into places in the picture, its top left corner first."""
        x0, y0, x1, y1 = self.box
        right, down = points[:, 0] - x0, y1 - points[:, 1]
        wide, high = x1 - x0, y1 - y0
        turned = {
            0: (right, down, wide),
            90: (high - down, right, high),
            180: (wide - right, high - down, wide),
            270: (down, wide - right, high),
        }
        x, y, across = turned[self.turn_deg]
        return np.asarray(np.column_stack((x, y)) * (self.picture.shape[1] / across))


class CoverRenderer:
    """Renders pages of a file, equal ones once."""

    def __init__(self, rasterizer: Rasterizer) -> None:
        self._rasterizer = rasterizer
        self._known: dict[Hashable, Cover] = {}

    def render(self, sheet: SurveyedPage) -> Cover:
        """Return the cover of a page; the backs of a deck are mostly the same page again and again."""
        left, bottom, right, top = (value * sheet.unit_pt for value in shown_box(sheet.page))
        box, turn = (left, bottom, right, top), int(sheet.page.obj.get("/Rotate", 0)) % 360
        key = (box, turn, sheet.unit_pt, _identify(sheet))
        cover = self._known.pop(key, None)
        if cover is None:
            wide, high = self._rasterizer.measure(sheet.number - 1)
            scale = min(DPI / 72, (MOST_PIXELS / (wide * high)) ** 0.5)
            if len(self._known) >= KEPT:
                del self._known[next(iter(self._known))]
            picture = self._rasterizer.draw(sheet.number - 1, scale, CLEAR).to_numpy()
            cover = Cover(picture, box, turn)
        self._known[key] = cover  # what was asked for last is held longest
        return cover


def _identify(sheet: SurveyedPage) -> Hashable:
    """Return a key of a page: those with equal resources and content look the same."""
    page: Any = sheet.page.obj
    if "/Annots" in page:
        return sheet.number
    content, resources = page.get("/Contents"), page.get("/Resources")
    parts = list(content) if isinstance(content, Array) else [content]
    text = tuple(part.read_raw_bytes() for part in parts if isinstance(part, Stream))
    return text, None if resources is None else resources.unparse()


BEYOND_PT = mm_to_pt(0.2)  # what lies this far outside an edge lies beyond it
CARD_SHARE = 0.5  # of a card's area: less than that beside it is waste


def find_cards(lines: Sequence[CutLine]) -> Iterator[tuple[shapely.Polygon, shapely.MultiPolygon]]:
    """Yield all that the lines enclose, each with the cards that touch it."""
    runs = [shapely.LineString(np.vstack((line.points, line.points[: int(line.closed)]))) for line in lines]
    faces = list(shapely.polygonize([*shapely.get_parts(shapely.union_all(runs, grid_size=MEET_PT))]).geoms)
    tree = shapely.STRtree(faces)
    for face in faces:
        beside = [faces[i] for i in tree.query(face, "intersects") if faces[i] != face]
        large = shapely.MultiPolygon([other for other in beside if other.area >= CARD_SHARE * face.area])
        shapely.prepare(large)
        yield face, large


INKED_UP_TO = 247  # tones of 255
WHITE_FROM = 253
INSIDE_MM = (0.4, 0.7)
AT_CUT_MM = 0.6  # white from here on outwards: the colour ends at the cut
LONGEST_AT_CUT = 15 / 360  # of an outline that may do so in one stretch
NEAR_SHARE = 0.5  # of the bleed: white from here on outwards, the colour ends too near the cut
LONGEST_NEAR = 45 / 360


def ends_in_white(card: shapely.Polygon, neighbours: shapely.MultiPolygon, cover: Cover, bleed_mm: float) -> bool:
    """Tell whether a card has ink inside its outer edges and white outside, over more of them than chance explains."""
    if bleed_mm <= AT_CUT_MM + STEP_MM:
        return False
    feet, ways = walk_outline(np.asarray(card.exterior.coords, dtype=float))
    inked = (cover.read_tones(feet, -ways, INSIDE_MM) <= INKED_UP_TO).all(axis=0)
    inked &= ~shapely.contains_xy(neighbours, feet + ways * BEYOND_PT)  # paper lies there, rather than another card
    if not inked.any():
        return False
    away_mm = np.arange(AT_CUT_MM, bleed_mm - STEP_MM, STEP_MM)
    white = cover.read_tones(feet, ways, away_mm) >= WHITE_FROM
    at_cut = inked & white.all(axis=0)
    near = inked & white[away_mm >= bleed_mm * NEAR_SHARE].all(axis=0)
    return longest_run(at_cut) > LONGEST_AT_CUT * len(feet) or longest_run(near) > LONGEST_NEAR * len(feet)


def walk_outline(points: Points) -> tuple[Points, Points]:
    """Return evenly spaced points of a closed outline, and the directions away from the card."""
    points = points[np.r_[True, (np.abs(np.diff(points, axis=0)) > 1e-6).any(axis=1)]]
    step = np.diff(points, axis=0)
    along = np.r_[0.0, np.cumsum(np.hypot(*step.T))]
    at = np.arange(0.0, along[-1], ALONG_MM * PT_PER_MM)
    which = np.clip(np.searchsorted(along, at, side="right") - 1, 0, len(step) - 1)
    tangent = step[which] / np.hypot(*step[which].T)[:, None]
    feet = points[which] + tangent * (at - along[which])[:, None]
    x, y = points[:-1].T
    clockwise = float((x * np.roll(y, -1) - np.roll(x, -1) * y).sum()) < 0
    ways = np.column_stack((tangent[:, 1], -tangent[:, 0])) * (-1.0 if clockwise else 1.0)
    return feet, ways


def longest_run(flags: Flags) -> int:
    """Return the longest stretch of set flags, around the end of the outline too."""
    if flags.all():
        return len(flags)
    turned = np.roll(flags, -int(np.argmin(flags)))  # starts with one that is not set
    edges = np.flatnonzero(np.diff(np.r_[turned, False].astype(int)))
    return int((edges[1::2] - edges[::2]).max()) if len(edges) else 0


FEWEST_ON_EDGE = 24  # samples, half a millimetre apart


def check_edges(survey: Survey, renderer: CoverRenderer, limits: ShopLimits) -> Finding:
    """Check that ink which reaches a page's trim goes on to the end of the bleed."""
    flaws, touched = [], 0
    for sheet in survey.sheets:
        inked, short, reach_mm = _look_along(sheet, renderer.render(sheet), limits.bleed_mm)
        touched += inked >= FEWEST_ON_EDGE
        if short >= FEWEST_ON_EDGE:
            what = f"ink that reaches the trim ends {reach_mm:.1f} mm outside it ({limits.bleed_mm:g} mm needed)"
            flaws.append(Flaw(what, sheet.number))
    pages = f"{touched} page{'s' * (touched != 1)}"
    well = f"ink runs {limits.bleed_mm:g} mm beyond the trim on {pages}" if touched else "no ink reaches the trim"
    return judge("bleed", flaws, well)


def _look_along(sheet: SurveyedPage, cover: Cover, bleed_mm: float) -> tuple[int, int, float]:
    """Return how much of a page's trim has ink, the longest stretch that ends too soon, and how near to the trim."""
    left, bottom, right, top = (value * sheet.unit_pt for value in find_box(sheet.page, "/TrimBox"))
    trim = np.array([(left, bottom), (right, bottom), (right, top), (left, top), (left, bottom)])
    feet, ways = walk_outline(trim)
    inked = (cover.read_tones(feet, -ways, INSIDE_MM) <= INKED_UP_TO).all(axis=0)
    away_mm = np.arange(NEAREST_MM, bleed_mm - TOLERANCE_MM, STEP_MM)
    white = cover.read_tones(feet, ways, away_mm) >= WHITE_FROM
    ends = np.where(inked & white.any(axis=0), white.argmax(axis=0), -1)
    short, step = max((longest_run(ends == step), step) for step in range(len(away_mm)))
    return int(inked.sum()), short, float(away_mm[step]) - STEP_MM / 2 if step else 0.0


EMPTY = 0.01  # less paint than this inside an outline is only the line itself
FEWEST = 3  # unpainted samples; fewer are a speck of the renderer


@dataclass(frozen=True)
class _Gap:
    """How much of a ring has no paint, how far out the paint is sure, and where it ends."""

    samples: int
    reach_mm: float = 0.0
    x_mm: float = 0.0
    y_mm: float = 0.0
    white: bool = False  # it is painted, but white where the card is not


NO_GAP = _Gap(0, math.inf)


def check_bleed(survey: Survey, limits: ShopLimits) -> Finding:
    """Check that every card's outline, grown by the bleed, is painted, on fronts and backs. The photos are lost."""
    lines = [find_cut_lines(sheet, limits) for sheet in survey.sheets]
    if limits.bleed_mm <= NEAREST_MM + TOLERANCE_MM:
        return Finding("bleed", "none", "no bleed asked for")
    with Rasterizer(thin_images(survey.pdf, survey.data)) as rasterizer:
        renderer = CoverRenderer(rasterizer)
        if not any(lines):
            return check_edges(survey, renderer, limits)
        return _judge_cuts(_judge_pages(survey, lines, renderer, limits), limits)


def _judge_cuts(judged: Sequence[tuple[int, _Gap]], limits: ShopLimits) -> Finding:
    if not judged:
        return Finding("bleed", "none", "only cut paths, no art")
    flaws = []
    for page, gap in judged:
        if gap.samples >= FEWEST:
            where = f"{gap.x_mm:.0f} mm from the left and {gap.y_mm:.0f} mm from the foot"
            what = f"paint ends {gap.reach_mm:.1f} mm outside a cut, {where} ({limits.bleed_mm:g} mm needed)"
            flaws.append(Flaw(what, page))
    hidden = "the bleed is covered with white: the colour ends at the cut"
    flaws += [Flaw(hidden, page) for page, gap in judged if gap.white]
    pages = f"{len(judged)} page{'s' * (len(judged) != 1)}"
    return judge("bleed", flaws, f"painted {limits.bleed_mm:g} mm beyond every cut on {pages}")


def _judge_pages(
    survey: Survey, lines: Sequence[list[CutLine]], renderer: CoverRenderer, limits: ShopLimits
) -> list[tuple[int, _Gap]]:
    """Return the gap of every page with art: first the pages that say where they are cut, then those behind them."""
    judged: dict[int, _Gap] = {}
    plates: list[list[CutLine]] = []
    sheets = list(zip(survey.sheets, lines, strict=True))
    for sheet, found in sheets:
        if found and _is_bare(sheet, found, renderer, limits):
            plates.append(found)
        elif found:
            judged[sheet.number] = _find_gap(found, renderer.render(sheet), limits)
    for sheet, found in sheets:
        if not found:
            cover = renderer.render(sheet)
            before = lines[sheet.number - 2] if sheet.number - 1 in judged else []
            ways = _mirror(sheet, before) if before else _borrow(sheet, plates, cover)
            gap = _find_least_gap(ways, cover, limits)
            if gap:
                judged[sheet.number] = gap
    return [(number, judged[number]) for number in sorted(judged)]


def _is_bare(sheet: SurveyedPage, lines: Sequence[CutLine], renderer: CoverRenderer, limits: ShopLimits) -> bool:
    """Tell whether a page only says where to cut; it may carry marks, but nothing on the cards themselves."""
    if not paints_art(sheet, limits):
        return True
    cover = renderer.render(sheet)
    return not any(cover.measure_share(line.points) > EMPTY for line in lines)


def _mirror(sheet: SurveyedPage, lines: Sequence[CutLine]) -> list[list[CutLine]]:
    """Return the cuts seen from behind: the sheet was turned over its long or its short edge."""
    left, bottom, right, top = (value * sheet.unit_pt for value in media_box(sheet.page))
    flips = [((-1.0, 1.0), (left + right, 0.0)), ((1.0, -1.0), (0.0, bottom + top))]
    return [[replace(line, points=line.points * turn + shift) for line in lines] for turn, shift in flips]


def _borrow(sheet: SurveyedPage, plates: Sequence[list[CutLine]], cover: Cover) -> Iterator[list[CutLine]]:
    """Yield cuts of a page of their own, as they are or seen from behind; a last sheet may leave slots empty."""
    for plate in plates:
        for each in (plate, *_mirror(sheet, plate)):
            yield [line for line in each if cover.measure_share(line.points) > EMPTY]


def _find_least_gap(ways: Iterable[Sequence[CutLine]], cover: Cover, limits: ShopLimits) -> _Gap | None:
    """Return the gap where a page is cut the way that fits it best; none can be better than no gap at all."""
    gaps: list[_Gap] = []
    for lines in ways:
        if lines and NO_GAP not in gaps:
            gaps.append(_find_gap(lines, cover, limits))
    return min(gaps, key=lambda gap: (-gap.reach_mm, gap.samples, gap.white), default=None)


def _find_gap(lines: Sequence[CutLine], cover: Cover, limits: ShopLimits) -> _Gap:
    points, away_mm = _surround(lines, limits)
    bare = ~cover.is_painted(points)
    white = bare.sum() < FEWEST and any(ends_in_white(*card, cover, limits.bleed_mm) for card in find_cards(lines))
    if not bare.any():
        return replace(NO_GAP, white=white)
    nearest = int(np.argmin(np.where(bare, away_mm, np.inf)))
    x, y = points[nearest] / PT_PER_MM
    reach = away_mm[nearest]
    sure = 0.0 if reach <= NEAREST_MM + 1e-9 else reach - STEP_MM / 2
    return _Gap(int(bare.sum()), float(sure), float(x), float(y), white)


def _surround(lines: Sequence[CutLine], limits: ShopLimits) -> tuple[Points, Points]:
    """Return samples from just outside the cuts to the edge of the bleed, and how far outside in millimetres.

    An open line has both its sides outside.
    """
    reach = limits.bleed_mm - TOLERANCE_MM
    steps = max(2, math.ceil((reach - NEAREST_MM) / STEP_MM) + 1)
    starts = [line.points[0] for line in lines]
    rings = [
        _grow(np.round(line.points - start, 2).tobytes(), reach, steps)
        for line, start in zip(lines, starts, strict=True)
    ]
    points = [ring + start for (ring, _), start in zip(rings, starts, strict=True)]
    return np.concatenate(points), np.concatenate([away_mm for _, away_mm in rings])


@lru_cache(maxsize=64)
def _grow(outline: bytes, reach_mm: float, steps: int) -> tuple[Points, Points]:
    """Return samples at even steps around a line, given as bytes of its points, at each of so many distances.

    Most cards of a job are alike, and growing their outlines takes long: each is grown once.
    """
    away_mm = np.linspace(NEAREST_MM, reach_mm, steps)
    line = shapely.linestrings(np.frombuffer(outline).reshape(-1, 2))
    around = shapely.get_exterior_ring(shapely.buffer(line, away_mm * PT_PER_MM))
    rings = shapely.segmentize(around, mm_to_pt(ALONG_MM))
    return shapely.get_coordinates(rings), np.repeat(away_mm, shapely.get_num_coordinates(rings))
