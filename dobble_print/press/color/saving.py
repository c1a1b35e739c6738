"""Saving ink: which drawings of a deck become outlines, and which keep their colours because they need them.

Invariant: an outlined drawing covers what the drawing covered, and no two outlined drawings of a deck look the same
where their colours told them apart (flags, hearts): a deck with little ink is still a deck.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageFilter

from dobble_print.art.artwork import Form, VectorForm
from dobble_print.press.color.outlining import outline_form

VIEW_PX = 96
SEEN = 25  # opacity of 255 from which something belongs to a soft drawing
SOLID = 127
STRAY_SHARE = 0.02  # of a drawing's area that its outlines may cover beside it
LEAST_COVERED = 0.7  # of a drawing's area that its outlines must cover
ALIKE = 0.35  # of the ink of two drawings that may lie elsewhere: two apples 0.29, a fox and a wolf 0.42
BLUR_PX = 2.0  # lines a hair apart are the same line to a player

Pixels = npt.NDArray[np.uint8]
Flags = npt.NDArray[np.bool_]
Ink = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Saving:
    """The forms to print, groups of drawings that differ in colour alone, and drawings that have no outlines."""

    forms: list[Form]
    alike: tuple[tuple[int, ...], ...]
    soft: tuple[int, ...]


def save_ink(forms: Sequence[Form], lean: Collection[int], named: Collection[int] = ()) -> Saving:
    """Drawings as outlines and photos in light greys.

    `lean` are those that need little ink as they are; `named` bear their names, which tell them apart.
    """
    drawn = [form if i in lean else outline_form(form) for i, form in enumerate(forms)]
    outlined = [i for i, form in enumerate(forms) if i not in lean and isinstance(form, VectorForm)]
    views = {i: _view(drawn[i]) for i in outlined}
    soft = [i for i in outlined if not _covers(views[i], _view(forms[i]))]
    alike = _group({i: view for i, view in views.items() if i not in soft and i not in named})
    kept = {*soft, *(i for group in alike for i in group)}
    return Saving([forms[i] if i in kept else form for i, form in enumerate(drawn)], tuple(alike), tuple(soft))


def _view(form: Form) -> Pixels:
    """A drawing at a glance: grey and opacity, in the lower left of a square."""
    import pypdfium2

    assert isinstance(form, VectorForm)
    document = pypdfium2.PdfDocument(form.pdf)
    try:
        page = document[0]
        picture = page.render(scale=VIEW_PX / max(page.get_size()), fill_color=(0, 0, 0, 0), maybe_alpha=True).to_pil()
    finally:
        document.close()
    square = Image.new("RGBA", (VIEW_PX, VIEW_PX), (0, 0, 0, 0))
    square.paste(picture.convert("RGBA"))
    white = Image.new("RGBA", square.size, "#ffffff")
    white.alpha_composite(square)
    return np.dstack([np.asarray(white.convert("L")), np.asarray(square.getchannel("A"))])


def _covers(outlined: Pixels, drawing: Pixels) -> bool:
    """Whether outlines stand for a drawing: a soft shadow outlined at its full extent, or nothing, does not."""
    now, before = outlined[..., 1] > SOLID, drawing[..., 1] > SEEN
    area = max(1, int(before.sum()))
    stray = (now & ~_grow(before)).sum() / area
    missing = (drawing[..., 1] > SOLID) & ~_grow(now)
    return bool(stray <= STRAY_SHARE and missing.sum() <= (1 - LEAST_COVERED) * area)


def _grow(mask: Flags) -> Flags:
    """A mask one pixel larger on every side."""
    padded = np.pad(mask, 1)
    return np.asarray(
        padded[1:-1, 1:-1] | padded[:-2, 1:-1] | padded[2:, 1:-1] | padded[1:-1, :-2] | padded[1:-1, 2:], dtype=np.bool_
    )


def _group(views: Mapping[int, Pixels]) -> list[tuple[int, ...]]:
    """Drawings that look like each other, each in one group."""
    inks = {i: _soften(view) for i, view in views.items()}
    group_of = {i: i for i in views}
    for one, other in combinations(views, 2):
        if _differ(inks[one], inks[other]) < ALIKE:
            old, new = group_of[other], group_of[one]
            group_of = {i: new if group == old else group for i, group in group_of.items()}
    groups = [tuple(i for i, group in group_of.items() if group == first) for first in dict.fromkeys(group_of.values())]
    return [group for group in groups if len(group) > 1]


def _soften(view: Pixels) -> Ink:
    """The ink of a drawing, a little blurred."""
    return 255.0 - np.asarray(Image.fromarray(view[..., 0]).filter(ImageFilter.GaussianBlur(BLUR_PX)), np.float64)


def _differ(one: Ink, other: Ink) -> float:
    """How much of the ink of two drawings lies elsewhere in the other one."""
    return float(np.abs(one - other).sum() / max(1.0, (one.sum() + other.sum()) / 2))
