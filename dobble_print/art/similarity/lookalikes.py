"""Find symbols that players could confuse, such as letters that turn into others, or that hardly show on the card.

Invariant: two faces of one symbol are never look-alikes, since they are the same answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations

import numpy as np
from PIL import Image, ImageColor

from dobble_print.art.artwork import Artwork, PictureMaster
from dobble_print.art.similarity.color_vision import COLOR_BLIND, VISIONS, Vision, decode_srgb, measure_lab
from dobble_print.art.similarity.measure import SKETCH_PX, Floats, Pairs, measure_pairs, paint_portraits
from dobble_print.errors import ArtworkError, Fault
from dobble_print.messages import list_words, quote
from dobble_print.theme.model import Captioned, Emoji, ImageFile, Symbol, Text, Theme
from dobble_print.theme.options import Rotation

TURNS_DEG: dict[Rotation, float] = {"full": 180.0, "tilt": 30.0, "upright": 0.0}  # how far the layout turns a symbol
_SAME_TURNED = "0 1 8 o s x z l H I N O S X Z | - – + × = : ÷ % ."
# what a letter is when it stands on its head
_HALF_TURN = dict(zip("69bqdpnumwMW" + _SAME_TURNED, "96qbpdunwmWM" + _SAME_TURNED, strict=True))
_QUARTER_TURN = {frozenset("NZ"): 90.0, frozenset("+×"): 45.0, frozenset("+x"): 45.0, frozenset("-|"): 90.0}
_BEGINNERS = str.maketrans({char: group[0] for group in ("bdpq", "nu", "mw", "MW", "69", "NZ") for char in group})
_TWINS = str.maketrans({char: group[0] for group in ("0Oo", "1Il|", "-–−") for char in group})


@dataclass(frozen=True)
class Misreading:
    """Why a text is taken for another: what players see, what to do; only beginning readers when `beginners`."""

    what: str
    hint: str
    turn_deg: float = 0.0
    beginners: bool = False


def find_misreading(one: Symbol, other: Symbol) -> Misreading | None:
    """Return the worst way to read one text symbol as the other; None when there is none, or one is no text."""
    if not (isinstance(one.source, Text) and isinstance(other.source, Text)):
        return None
    a, b = one.source.text, other.source.text
    if a == b:  # a fault of the theme, which is reported as one
        return None
    if a.casefold() == b.casefold():
        return Misreading("differ only in capitals: players will confuse them", "Replace one.")
    if a.translate(_TWINS) == b.translate(_TWINS):
        return Misreading("look alike: players will confuse them", "Replace one.")
    if one.source.badge or other.source.badge:  # a shield shows which way is up
        return None
    turn = 180.0 if turn_round(a) == b or turn_round(b) == a else _QUARTER_TURN.get(frozenset((a, b)))
    if turn is not None and turn <= TURNS_DEG[one.rotation] + TURNS_DEG[other.rotation]:
        hint = "Write rotation: upright for both, or replace one."
        return Misreading("become each other when a card is turned: players will confuse them", hint, turn)
    if a.translate(_BEGINNERS) == b.translate(_BEGINNERS):
        return Misreading("are easily confused by beginning readers", "", beginners=True)
    return None


def turn_round(text: str) -> str | None:
    """Return what the text reads upside down; None when that is no text."""
    turned = [_HALF_TURN.get(char, "") for char in reversed(text)]
    return "".join(turned) if all(turned) else None


# Where confusion begins, judged by eye over all 200,661 pairs of the lexicon. Above it stand hammer and pickaxe, two
# medals, two boats, pancakes and waffle, fir and Christmas tree, and, as the last that a player would mix up, apple and
# tomato, two smiling faces, two neighbouring phases of the moon (0.75). Below it begin coincidences of colour and size.
ALIKE = 0.73
# Grey has fewer ways to differ, and a photocopy is nobody's eye: reported only as a remark, so a little earlier.
ALIKE_ON_COPY = 0.68
# Two photos of different things on the same lawn reach 0.76 to the colour-blind, one photo and its turned copy 0.85.
ALIKE_PHOTOS = 0.8
MOST_WARNINGS = 3  # of a dozen clock faces every pair is alike: nobody reads sixty-six warnings
# A photo fills its frame, whatever its corners; a drawing leaves more of it empty.
PHOTO_SHARE, ROUND_PHOTO_SHARE = 0.9, 0.75
BEGINNERS = "beginning readers"
# Who cannot tell colours apart, in words for people who never heard the doctors' ones.
_CONES: dict[str, str] = {"protanopia": "no red", "deuteranopia": "no green", "tritanopia": "no blue"}


@dataclass(frozen=True)
class Lookalike:
    """Two symbols, by their numbers in the theme, that are taken for each other, and by whom.

    `seen_by` holds visions, or `BEGINNERS`. `misreading` says how, where the two are letters.
    """

    first: int
    second: int
    score: float
    seen_by: tuple[str, ...]
    misreading: Misreading | None = None

    @cached_property
    def is_remark(self) -> bool:
        """Return whether the pair concerns photocopies or beginning readers alone."""
        return set(self.seen_by) <= {"photocopy", BEGINNERS}


def find_lookalikes(
    symbols: Sequence[Symbol],
    artworks: Sequence[Artwork],
    with_remarks: bool = False,
    pictures: Mapping[int, Image.Image] | None = None,
) -> tuple[Lookalike, ...]:
    """Return a deck's look-alikes, those for everybody first, then by score.

    `pictures` are the symbols' sketches, where they have been made already.
    """
    pictures = sketch_pictures(symbols, artworks) if pictures is None else pictures
    found = [*_find_letters(symbols), *_find_pictures(symbols, artworks, pictures, with_remarks)]
    others = [pair for pair in found if symbols[pair.first].id != symbols[pair.second].id]
    kept = [pair for pair in others if with_remarks or not pair.is_remark]
    kept.sort(key=lambda pair: ("everybody" not in pair.seen_by, pair.is_remark, -pair.score, pair.first, pair.second))
    return tuple(kept)


def list_shown(symbols: Sequence[Symbol]) -> tuple[Symbol, ...]:
    """Return every face as a symbol of its own, in the order of the artworks: any two may be confused.

    Faces of one symbol keep its id, so that they are not reported as look-alikes of each other.
    """
    return tuple(
        replace(symbol, source=face.source, rotation=face.rotation, faces=(face,))
        for symbol in symbols
        for face in symbol.faces
    )


def warn_about_lookalikes(
    symbols: Sequence[Symbol], lookalikes: Sequence[Lookalike], where: str = "To see them all, add: --report pairs.png"
) -> tuple[Fault, ...]:
    """Return warnings about the first pairs, at the line of the later symbol.

    The others are counted, and `where` says how to see them.
    """
    warnings = [_describe_pair(symbols, pair) for pair in lookalikes[:MOST_WARNINGS]]
    more = len(lookalikes) - len(warnings)
    if more > 0:
        pairs = "one more pair looks" if more == 1 else f"{more} more pairs look"
        warnings.append(Fault(f"{pairs} alike", where))
    return tuple(warnings)


def call_symbol(symbol: Symbol) -> str:
    """Return what players call a symbol: its name in the deck's first language, or else its id."""
    return next(iter(symbol.names.values()), symbol.id)


def name_players(visions: Sequence[str]) -> str:
    """Name colour-blind players in plain words."""
    red_green = [_CONES[vision] for vision in ("protanopia", "deuteranopia") if vision in visions]
    words = [f"red-green colour-blind players ({'/'.join(red_green)} cones)"] if red_green else []
    return list_words([*words, *(["blue-yellow colour-blind players"] if "tritanopia" in visions else [])], "and")


def _describe_pair(symbols: Sequence[Symbol], pair: Lookalike) -> Fault:
    one, other = symbols[pair.first], symbols[pair.second]
    both, place = f"{quote(call_symbol(one))} and {quote(call_symbol(other))}", max(one.place, other.place)
    if pair.misreading:
        return Fault(f"{both} {pair.misreading.what}", pair.misreading.hint, place)
    score = f"(score {pair.score:.2f})"
    if "everybody" in pair.seen_by:
        return Fault(f"{both} look alike {score}: players will confuse them", "Replace one.", place)
    blind = [vision for vision in pair.seen_by if vision in COLOR_BLIND]
    if not blind:
        return Fault(f"{both} look alike on a black-and-white photocopy {score}", place=place)
    what = f"{both} look alike {score} to {name_players(blind)}, who see both in one colour"
    return Fault(what, "Replace one if such players may join in.", place)


def _find_letters(symbols: Sequence[Symbol]) -> Iterator[Lookalike]:
    texts = [number for number, symbol in enumerate(symbols) if isinstance(symbol.source, Text)]
    for first, second in combinations(texts, 2):
        misreading = find_misreading(symbols[first], symbols[second])
        if misreading:
            yield Lookalike(first, second, 1.0, (BEGINNERS if misreading.beginners else "everybody",), misreading)


def _find_pictures(
    symbols: Sequence[Symbol],
    artworks: Sequence[Artwork],
    pictures: Mapping[int, Image.Image],
    with_remarks: bool,
) -> Iterator[Lookalike]:
    """Yield pictures that look alike; a text on a badge is read, whatever becomes of its colours.

    A picture in which nothing shows looks like no other: it has no colours to divide by its area.
    """
    pictures = {number: picture for number, picture in pictures.items() if picture.getchannel("A").getbbox()}
    shown = list(pictures)
    if len(shown) < 2:
        return
    portraits = paint_portraits(list(pictures.values()))
    photos = [_is_photo(symbols[i], artworks[i], picture) for i, picture in pictures.items()]
    pairs = _pair_up([symbols[i] for i in shown], photos)
    limits: dict[Vision, float] = {vision: ALIKE for vision in VISIONS if vision != "photocopy"}
    if with_remarks:
        limits["photocopy"] = ALIKE_ON_COPY
    scores = measure_pairs(portraits, pairs, tuple(limits), min(limits.values()))
    for one, other, column in zip(pairs.first, pairs.second, scores.T, strict=True):
        first, second = shown[one], shown[other]
        floor = ALIKE_PHOTOS if photos[one] and photos[other] else 0.0
        alike = {v: float(s) for (v, least), s in zip(limits.items(), column, strict=True) if s >= max(least, floor)}
        is_read = any(isinstance(symbols[i].source, Text) for i in (first, second))
        if alike and ("everybody" in alike or not is_read):
            yield _make_lookalike(first, second, alike)


def _make_lookalike(first: int, second: int, alike: dict[Vision, float]) -> Lookalike:
    """Return a pair with its score among players; a photocopy's score counts only where there is no other."""
    seen_by: tuple[Vision, ...] = ("everybody",) if "everybody" in alike else tuple(alike)
    players = [alike[vision] for vision in seen_by if vision != "photocopy"]
    return Lookalike(first, second, round(max(players or alike.values()), 2), seen_by)


def sketch_pictures(symbols: Sequence[Symbol], artworks: Sequence[Artwork]) -> dict[int, Image.Image]:
    """Draw small pictures to compare, by the symbols' numbers; texts and captioned pictures are read, so left out.

    A picture that opened but cannot be drawn this small is no reason to fail.
    """
    pictures = {}
    for number, (symbol, artwork) in enumerate(zip(symbols, artworks, strict=True)):
        is_read = isinstance(symbol.source, Captioned) or (isinstance(symbol.source, Text) and not symbol.source.badge)
        if not is_read:
            with suppress(ArtworkError):
                pictures[number] = artwork.master.sketch(SKETCH_PX)
    return pictures


def _is_photo(symbol: Symbol, artwork: Artwork, picture: Image.Image) -> bool:
    """Return whether a picture is a rectangle or disc full of colours instead of a cut-out."""
    source = symbol.source
    if not isinstance(artwork.master, PictureMaster) or not isinstance(source, ImageFile) or source.remove_background:
        return False
    share = float(np.asarray(picture.getchannel("A")).mean()) / 255
    return share >= (ROUND_PHOTO_SHARE if source.crop == "circle" else PHOTO_SHARE)


def _pair_up(symbols: Sequence[Symbol], photos: Sequence[bool]) -> Pairs:
    """Pair every symbol with every other, with the angle by which the cards may turn one against the other."""
    first, second = np.triu_indices(len(symbols), 1)
    turns_deg = np.array([TURNS_DEG[symbol.rotation] for symbol in symbols])
    are_photos = np.array(photos)
    are_lines = np.array([isinstance(s.source, Emoji) and s.source.art == "openmoji-lines" for s in symbols])
    both_photos, both_lines = (each[first] & each[second] for each in (are_photos, are_lines))
    return Pairs(first, second, turns_deg[first] + turns_deg[second], both_photos, both_lines)


# What counts is how much of a picture differs from the card it is printed on, not how pale it is by itself: a white
# cloud is well seen on a blue card.
SEEN = 3.0  # a colour difference that is seen at all
CLEAR = 6.0  # one that is seen at a glance; a pale grey cloud on white has 8
STRONG, LEAST_STRONG = 25.0, 0.5  # a difference that is seen from afar, and the share of a picture that has it
LEAST_SEEN = 0.01  # share of a picture's pixels that must be seen at all
LEAST_CLEAR = 0.04  # and at a glance; a white drawing with a thin outline shows 0.1
_COLOR_HINT = "Give the cards a colour (card: {background: lightblue})"


def measure_visibility(picture: Image.Image, background: str) -> tuple[float, float]:
    """Return the shares of a picture's pixels (RGBA) that are seen on a colour at all, and at a glance."""
    difference = _measure_difference(picture, background)
    count = max(len(difference), 1)
    return float((difference > SEEN).sum() / count), float((difference > CLEAR).sum() / count)


def stands_out(picture: Image.Image, background: str) -> bool:
    """Return whether most of a picture differs so much from a colour that it is known on it from afar."""
    difference = _measure_difference(picture, background)
    return len(difference) > 0 and float((difference > STRONG).mean()) >= LEAST_STRONG


def _measure_difference(picture: Image.Image, background: str) -> Floats:
    """Return how far each pixel (RGBA) of a picture is from the colour that it is printed on."""
    pixels = np.asarray(picture.convert("RGBA")) / 255.0
    alpha = pixels[..., 3:]
    ground = np.array(ImageColor.getrgb(background)[:3]) / 255.0
    printed = pixels[..., :3] * alpha + ground * (1 - alpha)
    difference = np.linalg.norm(measure_lab(decode_srgb(printed)) - measure_lab(decode_srgb(ground)), axis=-1)
    found: Floats = difference[alpha[..., 0] > 0.5]
    return found


def examine_visibility(
    theme: Theme, symbols: Sequence[Symbol], pictures: Mapping[int, Image.Image]
) -> tuple[list[Fault], list[Fault]]:
    """Return faults for symbols that are invisible on the theme's cards, and warnings for those hardly visible.

    With little ink drawings become outlines, which are always seen.
    """
    faults: list[Fault] = []
    warnings: list[Fault] = []
    if theme.sheet.low_ink:
        return faults, warnings
    background = theme.card.background
    for number, picture in pictures.items():
        seen, clear = measure_visibility(picture, background)
        if seen < LEAST_SEEN:
            faults.append(_describe_faintness(symbols[number], background, "cannot be seen"))
        elif clear < LEAST_CLEAR:
            warnings.append(_describe_faintness(symbols[number], background, "is hardly seen"))
    return faults, warnings


def _describe_faintness(symbol: Symbol, background: str, what: str) -> Fault:
    color = "white" if background == "#ffffff" else background
    other = ", or take `art: openmoji`, which has outlines." if isinstance(symbol.source, Emoji) else "."
    return Fault(f"{quote(call_symbol(symbol))} {what} on {color} cards", f"{_COLOR_HINT}{other}", symbol.place)
