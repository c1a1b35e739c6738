"""Flow: text and drawings run down a column, over to the next page, or side by side in two languages.

Invariant: whatever is taken fits its room exactly as measured; a heading never stays behind without what it heads.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from reportlab.platypus.flowables import Flowable

from dobble_print.units import mm_to_pt

NO_LIMIT_PT = 1e6


@dataclass(frozen=True, eq=False)
class Placed:
    """A flowable and how far its top lies under the top of the column."""

    flowable: Any
    drop_pt: float
    height_pt: float


@dataclass(frozen=True, eq=False)
class Taken:
    """What fits a column, how high it is, and what is left."""

    placed: tuple[Placed, ...]
    height_pt: float
    rest: tuple[Any, ...]


def take(flow: Sequence[Any], width_pt: float, room_pt: float) -> Taken:
    """As much of a flow as fits the room; a chain of headings moves on together with what follows it."""
    placed: list[Placed] = []
    used, after = 0.0, 0.0
    queue = list(flow)
    while queue:
        chain = _chain(queue)
        rest = queue[len(chain) :]
        trial = _stack(chain, width_pt, used, after if placed else None)
        if trial[-1].drop_pt + trial[-1].height_pt > room_pt + 0.01:
            halves = _split_last(trial, width_pt, room_pt)
            if halves is None:
                break
            placed += halves[0]
            queue = [*halves[1], *rest]
            used = placed[-1].drop_pt + placed[-1].height_pt
            break
        placed += trial
        used = trial[-1].drop_pt + trial[-1].height_pt
        after = chain[-1].getSpaceAfter()
        queue = rest
    return Taken(tuple(placed), used, tuple(queue))


def measure(flow: Sequence[Any], width_pt: float) -> float:
    """How high a flow is when nothing limits it."""
    return take(flow, width_pt, NO_LIMIT_PT).height_pt


def _chain(queue: Sequence[Any]) -> list[Any]:
    """The next flowable, and as long as one keeps with the next, that one too."""
    end = 1
    while end < len(queue) and queue[end - 1].getKeepWithNext():
        end += 1
    return list(queue[:end])


def _stack(chain: Sequence[Any], width_pt: float, used: float, after: float | None) -> list[Placed]:
    """Flowables under each other; of two spaces that meet the larger counts, at the top none."""
    placed = []
    for flowable in chain:
        drop = used if after is None else used + max(after, flowable.getSpaceBefore())
        _, height = flowable.wrap(width_pt, NO_LIMIT_PT)
        placed.append(Placed(flowable, drop, height))
        if height:  # what takes no room has no space around it either
            used, after = drop + height, flowable.getSpaceAfter()
    return placed


def _split_last(trial: list[Placed], width_pt: float, room_pt: float) -> tuple[list[Placed], list[Any]] | None:
    """The chain with the part of its last flowable that fits, and the part that does not."""
    last = trial[-1]
    room = room_pt - last.drop_pt
    pieces = last.flowable.split(width_pt, room) if room > 0 else []
    if len(pieces) < 2:
        return None
    _, height = pieces[0].wrap(width_pt, room)
    return [*trial[:-1], Placed(pieces[0], last.drop_pt, height)], list(pieces[1:])


def draw_column(canvas: Any, placed: Sequence[Placed], x_pt: float, top_pt: float) -> None:
    """What was taken, from its upper left corner."""
    for item in placed:
        item.flowable.drawOn(canvas, x_pt, top_pt - item.drop_pt - item.height_pt)


class SideBySide(Flowable):  # type: ignore[misc]
    """The same part in several languages, a column each; every column breaks by itself when the page ends."""

    def __init__(self, columns: Sequence[Sequence[Any]], languages: Sequence[str], gutter_mm: float) -> None:
        super().__init__()
        self.columns = [list(column) for column in columns]
        self.languages = list(languages)
        self.gutter_pt = mm_to_pt(gutter_mm)
        self.spaceBefore = max((column[0].getSpaceBefore() for column in self.columns if column), default=0)
        self.spaceAfter = max((column[-1].getSpaceAfter() for column in self.columns if column), default=0)

    def _column_pt(self, width_pt: float) -> float:
        return (width_pt - self.gutter_pt * (len(self.columns) - 1)) / len(self.columns)

    def wrap(self, width_pt: float, room_pt: float) -> tuple[float, float]:
        """As wide as there is room, as high as the longest column."""
        self.taken = [take(column, self._column_pt(width_pt), NO_LIMIT_PT) for column in self.columns]
        self.width, self.height = width_pt, max(taken.height_pt for taken in self.taken)
        return self.width, self.height

    def split(self, width_pt: float, room_pt: float) -> list[Any]:
        """Two rows of columns, the first of which fits; nothing when a column cannot even begin."""
        taken = [take(column, self._column_pt(width_pt), room_pt) for column in self.columns]
        if any(column and not part.placed for column, part in zip(self.columns, taken, strict=True)):
            return []
        heads = [[placed.flowable for placed in part.placed] for part in taken]
        return [self._again(heads), self._again([part.rest for part in taken])]

    def _again(self, columns: Sequence[Sequence[Any]]) -> SideBySide:
        row = SideBySide(columns, self.languages, 0)
        row.gutter_pt = self.gutter_pt
        return row

    def draw(self) -> None:
        """Each column marked with its language, for those who have the page read aloud."""
        step = self._column_pt(self.width) + self.gutter_pt
        for i, (taken, language) in enumerate(zip(self.taken, self.languages, strict=True)):
            self.canv._code.append(f"/Span <</Lang ({language})>> BDC")
            draw_column(self.canv, taken.placed, i * step, self.height)
            self.canv._code.append("EMC")
