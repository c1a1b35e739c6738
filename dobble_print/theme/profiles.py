"""Profiles: named settings for a printer or machine, from `templates/profiles/` or from a file of the user's own.

Invariant: a profile is a piece of a theme (the sections that speak of cards, paper and machines) and nothing more, plus
the sizes and shapes that its machine or label sheet can take.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dobble_print.errors import Fault, InvalidValue, ThemeError, UsageError
from dobble_print.files import find_inside
from dobble_print.messages import list_words, quote, suggest
from dobble_print.resources import THEME_ENDINGS, shipped_profiles
from dobble_print.theme.kinds import Choice, LineOfText, Number
from dobble_print.theme.options import DECK, SECTIONS, CardOptions, key, keys_of
from dobble_print.theme.source import MapNode, read_tree
from dobble_print.theme.values import MOST_UNKNOWN, FaultCollector, Values, read_sections
from dobble_print.units import SHAPES

SAME_SIZE_MM = 0.5  # whoever owns a punch of 76.2 mm has one of 3 inches
OWN_SECTIONS = tuple(section for section in SECTIONS if section is not DECK)


@dataclass(frozen=True)
class Profile:
    """Settings for a printer or machine: values by section, and what sizes and shapes it takes (none: any)."""

    name: str
    about: str = key("", LineOfText(200), "What the profile is for.")
    sizes: tuple[float, ...] = key((), Number(30, 300, "mm"), "Card sizes the machine or label sheet takes.", most=20)
    shapes: tuple[str, ...] = key((), Choice(tuple(SHAPES)), "Shapes it takes.", most=len(SHAPES))
    values: Values = field(default_factory=dict)

    def adapt(self, card: dict[str, Any], asked: dict[str, Any]) -> tuple[dict[str, Any], tuple[Fault, ...]]:
        """Return the theme's cards as the machine takes them, and what is not as the theme says.

        Refuse what the command line asks for and the machine does not take.
        """
        size_mm, shape = card.get("size_mm", CardOptions.size_mm), card.get("shape", CardOptions.shape)
        new_shape = self._choose_shape(shape, asked.get("shape"))
        new_mm = self._choose_size(size_mm, asked.get("size_mm"))
        faults = []
        if abs(size_mm - new_mm) > SAME_SIZE_MM:
            others = [f"{size:g}" for size in self.sizes if size != new_mm]
            hint = f"Other sizes it takes: {list_words(others)} mm, with --size." if others else ""
            faults.append(Fault(f"{self.name}: the cards are {new_mm:g} mm now", hint))
        if shape != new_shape:
            faults.append(Fault(f"{self.name}: the cards are {new_shape} now"))
        return card | {"shape": new_shape, "size_mm": new_mm}, tuple(faults)

    def _choose_size(self, wanted_mm: float, asked_mm: float | None) -> float:
        if not self.sizes:
            return wanted_mm
        nearest = min(self.sizes, key=lambda size: (abs(size - wanted_mm), size))
        if asked_mm is not None and abs(asked_mm - nearest) > SAME_SIZE_MM:
            known = list_words([f"{size:g}" for size in self.sizes])
            raise UsageError(Fault(f"--size: {self.name} takes no cards of {asked_mm:g} mm", f"It takes {known} mm."))
        return nearest

    def _choose_shape(self, wanted: str, asked: str | None) -> str:
        if not self.shapes or wanted in self.shapes:
            return wanted
        if asked is not None:
            known = list_words(self.shapes)
            raise UsageError(Fault(f"--shape: {self.name} takes no {asked} cards", f"It takes {known}."))
        return self.shapes[0]


ANY = Profile("")


def find_profile(name: str, folder: Path) -> Path:
    """Return the file of a shipped profile, or the file of that path in a folder; raise a `InvalidValue`."""
    shipped = shipped_profiles()
    if name.casefold() in shipped:
        return shipped[name.casefold()]
    path = folder / name
    if path.suffix.lower() not in THEME_ENDINGS:
        begun = [known for known in shipped if known.startswith(name.casefold())]
        hint = f"There are {list_words(begun, 'and')}." if len(begun) > 1 else ""
        hint = hint or suggest(name, shipped, "`dobble-print list profiles` shows them all.")
        raise InvalidValue(f"there is no profile {quote(name)}", hint)
    if not path.is_file():
        raise InvalidValue(f"there is no profile file {quote(name)}", "Check its name and folder.")
    return path


def find_own_profile(name: str, folder: Path) -> Path:
    """Return the profile that a theme names: shipped, or a file that stays inside the theme's folder."""
    if name.casefold() in shipped_profiles():
        return find_profile(name, folder)
    path = find_inside(folder, name, "Put it beside the theme.")
    find_profile(name, folder)  # which knows what to say where there is none
    return path


def read_profile(path: Path, shown: str = "") -> tuple[Profile, list[Fault]]:
    """Return the good parts of a profile and every fault."""
    collector = FaultCollector()
    try:
        tree, collector.faults = read_tree(path, shown or path.name)
    except ThemeError as error:
        return Profile(path.stem), list(error.faults)
    if not isinstance(tree, MapNode):
        return Profile(path.stem), [Fault("a profile starts with a key", "Write about: and a few words.", tree.place)]
    own = keys_of(Profile)
    known = [*(field.key for field in own), *(section.key for section in OWN_SECTIONS)]
    for unknown, _ in [entry for entry in tree.entries if entry[0].text not in known][:MOST_UNKNOWN]:
        collector.add_unknown(unknown, known)
    values: dict[str, Any] = {field.key: collector.read_field(field, tree.get(field.key)) for field in own}
    values = {name: value for name, value in values.items() if value}
    sections = read_sections(tree, OWN_SECTIONS, path.parent, collector)
    return Profile(path.stem, **values, values=sections), collector.faults


def load_profile(name: str) -> Profile:
    """Return the profile that the command line names; raise `UsageError` or, for faults in its file, `ThemeError`."""
    try:
        path = find_profile(name, Path())
    except InvalidValue as refusal:
        raise UsageError(Fault(f"--profile: {refusal.what}", refusal.hint)) from None
    profile, faults = read_profile(path, name)
    ThemeError.raise_any(faults)
    return profile


def list_profiles() -> dict[str, Profile]:
    """Return every shipped profile by name."""
    return {name: read_profile(path)[0] for name, path in shipped_profiles().items()}
