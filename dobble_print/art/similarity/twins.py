"""Find symbols that print as one and the same picture, whatever file or letters they are made from.

Copies under another name, drawings saved twice, letters of other alphabets that look the same: one rule for all. Equal
outlines are found first, since they are known; only then are the pictures themselves laid upon each other. Texts are
read, whatever their colours: they are compared in black.

Invariant: two different pictures with one outline (balls, clocks, photos of one format) are no twins.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import shapely
from PIL import Image

from dobble_print.art.artwork import Artwork, PictureMaster
from dobble_print.art.svg.compare import count_different
from dobble_print.art.svg.render import render_svg
from dobble_print.art.text.plates import draw_text
from dobble_print.errors import ArtworkError
from dobble_print.theme.model import Source, Text

SKETCH_PX = 128
SAMPLES_PX = 32  # of a photo: a few pixels tell most photos apart, and cost nothing
NEAR = 0.01  # of measures of two outlines; a drawing that is saved anew is rounded anew
SAME = 0.001  # share of pixels
SAME_PHOTO = 0.02  # photos are packed anew with other errors


def find_twins(artworks: Sequence[Artwork], sources: Sequence[Source]) -> list[tuple[int, int]]:
    """Return each artwork that prints as an earlier one does, with the first of them."""
    measures = np.array([_measure_outline(artwork) for artwork in artworks])
    sketches = _Sketches(artworks, sources)
    twins: list[tuple[int, int]] = []
    for second in range(1, len(artworks)):
        near = np.flatnonzero((np.abs(measures[:second] - measures[second]) < NEAR).all(axis=1))
        first = next((int(i) for i in near if _are_twins(artworks, int(i), second, sketches)), None)
        if first is not None:
            twins.append((first, second))
    return twins


def _measure_outline(artwork: Artwork) -> tuple[float, ...]:
    shape = artwork.silhouette
    return (artwork.width, artwork.height, shape.area / np.pi, *shape.centre, shape.reach)


def _are_twins(artworks: Sequence[Artwork], first: int, second: int, sketches: _Sketches) -> bool:
    one, other = artworks[first], artworks[second]
    if one.digest == other.digest:
        return True
    if not _have_one_outline(one, other):
        return False
    texts = sketches.sources[first], sketches.sources[second]
    if isinstance(texts[0], Text) and isinstance(texts[1], Text) and texts[0].text != texts[1].text:
        return count_different(sketches.draw_letters(first), sketches.draw_letters(second)) <= SAME
    photos = isinstance(one.master, PictureMaster) and isinstance(other.master, PictureMaster)
    limit = SAME_PHOTO if photos else SAME
    if photos and count_different(sketches.sample(first), sketches.sample(second)) > 3 * limit:
        return False
    pictures = sketches.draw(first), sketches.draw(second)
    return None not in pictures and count_different(*pictures) <= limit  # type: ignore[arg-type]


def _have_one_outline(one: Artwork, other: Artwork) -> bool:
    if len(one.silhouette.rings) != len(other.silhouette.rings):
        return False
    shapes = [
        shapely.union_all([shapely.Polygon(ring).buffer(0) for ring in artwork.silhouette.rings])
        for artwork in (one, other)
    ]
    return bool(shapes[0].symmetric_difference(shapes[1]).area <= NEAR * shapes[0].area)


class _Sketches:
    """Small pictures of artworks, each made once; None where one cannot be drawn."""

    def __init__(self, artworks: Sequence[Artwork], sources: Sequence[Source]) -> None:
        self.artworks, self.sources = artworks, sources
        self.drawn: dict[int, Image.Image | None] = {}
        self.letters: dict[int, Image.Image] = {}

    def draw(self, number: int) -> Image.Image | None:
        """Return a sketch."""
        if number not in self.drawn:
            try:
                self.drawn[number] = self.artworks[number].master.sketch(SKETCH_PX)
            except ArtworkError:
                self.drawn[number] = None
        return self.drawn[number]

    def sample(self, number: int) -> Image.Image:
        """Return some pixels of a photo."""
        master = self.artworks[number].master
        assert isinstance(master, PictureMaster)
        return master.small.resize((SAMPLES_PX, SAMPLES_PX), Image.Resampling.NEAREST)

    def draw_letters(self, number: int) -> Image.Image:
        """Return a sketch of a text, in black and without its badge."""
        if number not in self.letters:
            text = self.sources[number]
            assert isinstance(text, Text)
            self.letters[number] = render_svg(draw_text(replace(text, color="#000000", badge=())), SKETCH_PX)
        return self.letters[number]
