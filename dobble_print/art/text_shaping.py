"""Shaping: a run of text becomes glyphs, in the order in which they are drawn, in a font that has them all.

HarfBuzz shapes each run (kerning, joined letters, marks); the bidirectional algorithm puts the runs in order.

Invariant: every character of a text has a glyph; one that has none is a fault that names it, never a silent gap.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import Any

from dobble_print.art.text_boxes import Box, Glyph, Typeface, join_boxes
from dobble_print.errors import ArtworkError, Fault
from dobble_print.fonts import FontFile, find_font, hint_missing, list_fallbacks
from dobble_print.theme.model import TextStyle

RIGHT_TO_LEFT = {"R", "AL"}
MOST_GLYPHS = 20  # that a font may make of one character; honest ones make up to five
# joiners, direction marks and variation selectors have no ink: a font need not have them
UNSEEN = frozenset("\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\u2066\u2067\u2068\u2069\ufe0e\ufe0f")


@dataclass(frozen=True)
class Setting:
    """The typefaces for a text, the chosen one first, and the language for letters that differ by country."""

    typefaces: tuple[Typeface, ...]
    language: str = ""

    @property
    def main(self) -> Typeface:
        """The chosen typeface."""
        return self.typefaces[0]


def open_setting(text: str, style: TextStyle) -> Setting:
    """The typefaces that a text needs; raises when a letter is in none of them."""
    chosen = find_font(style.font, style.folder)
    fonts = [chosen] if chosen.is_own else [chosen, *_add_fallbacks(text, chosen, style.language)]
    setting = Setting(tuple(open_typeface(font) for font in fonts), style.language)
    setting.main.require_harmless()
    refuse_missing(text, setting, chosen)
    return setting


def _add_fallbacks(text: str, chosen: FontFile, language: str) -> list[FontFile]:
    if not _find_missing(text, [open_typeface(chosen)]):
        return []
    return [font for font in list_fallbacks(text, language) if font != chosen]


def refuse_missing(text: str, setting: Setting, chosen: FontFile) -> None:
    """Raise a fault that names every character without a letter."""
    missing = _find_missing(text, setting.typefaces)
    if missing:
        named = ", ".join(f'"{char}" (U+{ord(char):04X})' for char in missing)
        font = f'the font "{chosen.name}"' if chosen.is_own else "the font"
        raise ArtworkError(Fault(f"{font} has no letter for {named}", hint_missing(missing)))


def _find_missing(text: str, typefaces: Sequence[Typeface]) -> list[str]:
    return [char for char in dict.fromkeys(text) if not any(_can_draw(face, char) for face in typefaces)]


def _can_draw(typeface: Typeface, char: str) -> bool:
    return char.isspace() or char in UNSEEN or typeface.has(char)


@lru_cache(maxsize=16)
def open_typeface(file: FontFile) -> Typeface:
    """A font file opened and measured; what is in it is parsed with bounds checks by HarfBuzz."""
    import uharfbuzz

    font = uharfbuzz.Font(uharfbuzz.Face(uharfbuzz.Blob(file.data), file.face))
    if file.weight is not None:
        font.set_variations({"wght": file.weight})
    em = float(font.face.upem)
    digit = _height_of("8", font) or 0.7 * em
    return Typeface(file.name, font, em, (_height_of("x", font) or 0.72 * digit) / em, digit / em)


def _height_of(char: str, font: Any) -> float:
    """How high a character stands above the baseline; 0 when the font lacks it."""
    glyph = font.get_nominal_glyph(ord(char))
    extents = font.get_glyph_extents(glyph) if glyph else None
    return max(0.0, float(extents.y_bearing)) if extents else 0.0


def has_right_to_left(text: str) -> bool:
    """Whether any letter runs to the left."""
    return any(unicodedata.bidirectional(char) in RIGHT_TO_LEFT for char in text)


def shape_text(text: str, setting: Setting, size: float = 1.0) -> Box:
    """A text on one line; its x-height is that of its letters, also for scripts that have no small ones."""
    runs = [
        _shape_run(part, typeface, is_left, setting.language, size)
        for run, is_left in _order_runs(text)
        for part, typeface in _cut_parts(run, is_left, setting)
    ]
    return join_boxes(runs)


def _shape_run(text: str, typeface: Typeface, is_left: bool, language: str, size: float) -> Box:
    buffer = _fill_buffer(text, typeface, is_left, language)
    x, glyphs, scale = 0.0, [], size / typeface.em
    for info, position in zip(buffer.glyph_infos, buffer.glyph_positions, strict=True):
        at_x, at_y = x + scale * position.x_offset, scale * position.y_offset
        glyphs.append(Glyph(typeface, info.codepoint, at_x, at_y, size))
        x += scale * position.x_advance
    return Box(x, tuple(glyphs), size * typeface.x_height if text.strip() else float("inf"))


def _fill_buffer(text: str, typeface: Typeface, is_left: bool, language: str) -> Any:
    """The shaped glyphs; a font whose rules multiply letters without end is refused."""
    import uharfbuzz

    buffer = uharfbuzz.Buffer()
    buffer.add_str(text)
    buffer.guess_segment_properties()
    buffer.direction = "rtl" if is_left else "ltr"
    if language:
        buffer.language = language
    try:
        uharfbuzz.shape(typeface.font, buffer)
        is_endless = len(buffer) > MOST_GLYPHS * len(text)
    except MemoryError:  # HarfBuzz has limits of its own
        is_endless = True
    if is_endless:
        what = f'the font "{typeface.name}" is damaged or unusable: its rules multiply letters without end'
        typeface.refuse(Fault(what, "Use another font, or download it again."))
    return buffer


def _order_runs(text: str) -> list[tuple[str, bool]]:
    """Runs of one direction from left to right, as they are drawn, and whether each is read to the left."""
    if not has_right_to_left(text):
        return [(text, False)]
    runs = [(level, "".join(char for char, _ in part)) for level, part in groupby(_find_levels(text), lambda c: c[1])]
    for floor in range(max(level for level, _ in runs), 0, -1):
        runs = _reverse_above(runs, floor)
    return [(run, bool(level % 2)) for level, run in runs]


def _reverse_above(runs: Iterable[tuple[int, str]], floor: int) -> list[tuple[int, str]]:
    """Turn round the order of neighbouring runs whose level is that deep or deeper; their letters HarfBuzz turns."""
    ordered: list[tuple[int, str]] = []
    for is_deep, part in groupby(runs, lambda run: run[0] >= floor):
        ordered += list(part)[:: -1 if is_deep else 1]
    return ordered


def _find_levels(text: str) -> list[tuple[str, int]]:
    """The characters with their embedding levels, after the Unicode bidirectional algorithm."""
    from bidi import algorithm

    storage = algorithm.get_empty_storage()
    storage["base_level"] = algorithm.get_base_level(text)
    storage["base_dir"] = "LR"[storage["base_level"]]
    algorithm.get_embedding_levels(text, storage)
    algorithm.explicit_embed_and_overrides(storage)
    algorithm.resolve_weak_types(storage)
    algorithm.resolve_neutral_types(storage, False)
    algorithm.resolve_implicit_levels(storage, False)
    return [(char["ch"], char["level"]) for char in storage["chars"]]


def _cut_parts(text: str, is_left: bool, setting: Setting) -> list[tuple[str, Typeface]]:
    """A run cut where its script or its typeface changes, from left to right; signs go with the letters before them."""
    items: list[tuple[Typeface, str, str]] = []
    for word in re.findall(r"\s*\S*", text):
        for part, typeface in _choose_typefaces(word, setting):
            for char in part:
                items.append((typeface, _find_script(char) or (items[-1][1] if items else ""), char))
    if items and not items[0][1]:  # signs at the start go with the letters after them
        first = next((script for _, script, _ in items if script), "")
        items = [(typeface, script or first, char) for typeface, script, char in items]
    grouped = groupby(items, lambda item: item[:2])
    parts = [("".join(char for *_, char in group), typeface) for (typeface, _), group in grouped]
    return parts[::-1] if is_left else parts


def _find_script(char: str) -> str:
    """The alphabet of a letter, as its Unicode name begins; nothing for signs, marks and modifiers."""
    is_letter = unicodedata.category(char) in ("Lu", "Ll", "Lt", "Lo")
    return unicodedata.name(char, "").split(" ")[0] if is_letter else ""


def _choose_typefaces(word: str, setting: Setting) -> list[tuple[str, Typeface]]:
    """A word in the first typeface that has all of it: letters of two fonts in one word look like a ransom note.

    Where no typeface has the whole word, each letter with its accents, or at last each character, finds its own.
    """
    if not word:
        return []
    able = [face for face in setting.typefaces if all(_can_draw(face, char) for char in word)]
    if able or len(word) == 1:
        return [(word, able[0] if able else setting.main)]
    clusters = _split_clusters(word)
    smaller = clusters if len(clusters) > 1 else list(word)
    return [choice for part in smaller for choice in _choose_typefaces(part, setting)]


def _split_clusters(word: str) -> list[str]:
    """Letters, each with the marks that stand on it."""
    clusters: list[str] = []
    for char in word:
        if clusters and (unicodedata.category(char).startswith("M") or char in UNSEEN):
            clusters[-1] += char
        else:
            clusters.append(char)
    return clusters
