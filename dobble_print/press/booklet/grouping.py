"""Groups: sections that start a page together, and the type size at which they fill their pages well.

Invariant: all games of a booklet are set in one size, so that turning a page changes nothing but the game; where a game
does not fit a page even in small type, games follow each other without page breaks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from dobble_print.press.booklet.pages import BookPage, lay_pages
from dobble_print.press.booklet.typeset import Chunk, Setting

FULL_ENOUGH = 0.5  # of a page: a last page with less on it is worth a slightly smaller type
GAME_SIZES = (0.97, 0.94, 0.91, 0.88, 0.85)
CHAPTER_SIZES = (0.97, 0.94)


@dataclass(frozen=True, eq=False)
class Group:
    """Sections that start a page together; `typeset` sets them in a given setting. A long game may take more pages."""

    typeset: Callable[[Setting], list[Chunk]]
    game: bool = False
    long: bool = False


@dataclass(frozen=True, eq=False)
class _Laid:
    """A group on its pages, and the type size it was laid in."""

    group: Group
    size: float
    pages: list[BookPage]

    @property
    def spills(self) -> bool:
        """Whether a game runs over its page."""
        return self.group.game and not self.group.long and len(self.pages) > 1


def lay_groups(groups: Sequence[Group], setting: Setting) -> list[BookPage]:
    """Pages for all groups."""
    laid = [_lay_well(group, setting) for group in groups]
    if any(one.spills for one in laid):
        return lay_groups(_join_games(groups), setting)
    game_size = min((one.size for one in laid if one.group.game and not one.group.long), default=1.0)
    pages: list[BookPage] = []
    for one in laid:
        same = not one.group.game or one.size == game_size
        pages += one.pages if same else _lay(one.group, setting, game_size).pages
    return pages


def _lay(group: Group, setting: Setting, size: float) -> _Laid:
    now = setting.smaller(size)
    return _Laid(group, size, lay_pages(group.typeset(now), now.page))


def _lay_well(group: Group, setting: Setting) -> _Laid:
    """In the normal type size, or in a slightly smaller one when that saves a nearly empty page."""
    normal = _lay(group, setting, 1.0)
    if len(normal.pages) == 1 or normal.pages[-1].fill_pt > setting.page.frame_pt[1] * FULL_ENOUGH:
        return normal
    for size in GAME_SIZES if group.game else CHAPTER_SIZES:
        smaller = _lay(group, setting, size)
        if len(smaller.pages) < len(normal.pages):
            return smaller
    return normal


def _join_games(groups: Sequence[Group]) -> list[Group]:
    """Every run of games, and the chapters after it, as one group that flows on."""
    joined: list[Group] = []
    run: list[Group] = []
    for group in groups:
        run.append(group)
        if not group.game:
            joined.append(_join(run))
            run = []
    return [*joined, *([_join(run)] if run else [])]


def _join(run: Sequence[Group]) -> Group:
    members = tuple(run)
    return Group(lambda setting: [chunk for group in members for chunk in group.typeset(setting)])
