"""Letters that are taken for each other: turned round, mirrored by a beginning reader, or drawn alike anyway.

Which single letters must stand upright by default is the theme's business (`theme.symbols`); here it is asked which two
texts of one deck become each other, given how far the cards really turn them.

Invariant: the answer does not depend on the order of the two texts.
"""

from __future__ import annotations

from dataclasses import dataclass

from dobble_print.theme.model import Rotation, Symbol, Text

TURNS_DEG: dict[Rotation, float] = {"full": 180.0, "tilt": 30.0, "upright": 0.0}  # how far the layout turns a symbol

_TURNED = dict(zip("69bqdpnumwMW", "96qbpdunwmWM", strict=True))  # what a letter is when it stands on its head
_SAME_TURNED = "0 1 8 o s x z l H I N O S X Z | - – + × = : ÷ % ."
_HALF_TURN = _TURNED | {char: char for char in _SAME_TURNED}
_QUARTER_TURN = {frozenset("NZ"): 90.0, frozenset("+×"): 45.0, frozenset("+x"): 45.0, frozenset("-|"): 90.0}
_BEGINNERS = {char: group[0] for group in ("bdpq", "nu", "mw", "MW", "69", "NZ") for char in group}
_TWINS = {char: group[0] for group in ("0Oo", "1Il|", "-–−") for char in group}


@dataclass(frozen=True)
class Misreading:
    """Why a text is taken for another: what players see, what to do; only beginning readers when `beginners`."""

    what: str
    hint: str
    turn_deg: float = 0.0
    beginners: bool = False


def find_misreading(one: Symbol, other: Symbol) -> Misreading | None:
    """How one text symbol can be read as the other, the worst way first; None when it cannot, or is no text."""
    if not (isinstance(one.source, Text) and isinstance(other.source, Text)):
        return None
    a, b = one.source.text, other.source.text
    if a == b:  # a fault of the theme, which is told as one
        return None
    if a.casefold() == b.casefold():
        return Misreading("differ only in capitals: players will confuse them", "Replace one.")
    if _fold(a, _TWINS) == _fold(b, _TWINS):
        return Misreading("look alike: players will confuse them", "Replace one.")
    if one.source.badge or other.source.badge:  # a shield shows which way is up
        return None
    turn = _find_turn(a, b)
    if turn is not None and turn <= TURNS_DEG[one.rotation] + TURNS_DEG[other.rotation]:
        hint = "Write rotation: upright for both, or replace one."
        return Misreading("become each other when a card is turned: players will confuse them", hint, turn)
    if _fold(a, _BEGINNERS) == _fold(b, _BEGINNERS):
        return Misreading("are easily confused by beginning readers", "", beginners=True)
    return None


def turn_round(text: str) -> str | None:
    """What the text reads when it stands on its head; None when that is no text."""
    turned = [_HALF_TURN.get(char, "") for char in reversed(text)]
    return "".join(turned) if all(turned) else None


def _find_turn(a: str, b: str) -> float | None:
    """How far one text must be turned to read as the other."""
    if turn_round(a) == b or turn_round(b) == a:
        return 180.0
    return _QUARTER_TURN.get(frozenset((a, b)))


def _fold(text: str, groups: dict[str, str]) -> str:
    return "".join(groups.get(char, char) for char in text)
