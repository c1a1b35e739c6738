"""A theme file to a frozen `Theme`, with every fault named at once.

Invariant: `read_theme` returns a theme only when nothing at all is wrong; `examine_theme` always returns one, made of
the good parts, so that later stages can look for their own faults in the same run.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dobble_print.errors import Fault, Place, ThemeError, UsageError
from dobble_print.theme.distinct import check_distinct, check_names, derive_languages
from dobble_print.theme.extras import read_notes, read_specials, read_teams
from dobble_print.theme.fields import (
    ARTICLE,
    BACK,
    CARD,
    DECK,
    LANGUAGES,
    LAYOUT,
    LEGEND_ORDER,
    NOTES,
    PURPOSE,
    SECTIONS,
    SHEET,
    SPECIALS,
    SYMBOLS,
    TEAMS,
    THEME,
    TITLE,
)
from dobble_print.theme.findings import MOST_UNKNOWN, Findings
from dobble_print.theme.form import Field, Section
from dobble_print.theme.kinds import NO_COLOR
from dobble_print.theme.model import BackOptions, CardOptions, DeckOptions, LayoutOptions, SheetOptions, Theme
from dobble_print.theme.naming import Names, make_title
from dobble_print.theme.pictures import PictureFolder, is_picture
from dobble_print.theme.refusal import Refusal
from dobble_print.theme.resources import THEME_FILE
from dobble_print.theme.source import MapNode, Node, TextNode, read_tree
from dobble_print.theme.symbols import Draft, finish_symbol, read_symbols
from dobble_print.theme.tables import language_name
from dobble_print.theme.wording import clip, find_closest, quote

FEWEST_SYMBOLS = 6
MOST_LANGUAGES = 100

Values = dict[str, dict[str, Any]]


@dataclass(frozen=True)
class Overrides:
    """What the command line asks for in place of what the theme says; None leaves it to the theme."""

    seed: int | None = None
    cards: int | None = None
    paper: str | None = None
    shape: str | None = None
    size_mm: float | None = None
    languages: tuple[str, ...] | None = None
    quality: str | None = None
    duplex: str | None = None


# Which option of the command line stands for which key; both are read by the same kind.
_OPTIONS = (
    ("seed", "--seed", DECK, DECK.field("seed")),
    ("cards", "--cards", DECK, DECK.field("cards")),
    ("paper", "--paper", SHEET, SHEET.field("paper")),
    ("shape", "--shape", CARD, CARD.field("shape")),
    ("size_mm", "--size", CARD, CARD.field("size")),
    ("quality", "--quality", LAYOUT, LAYOUT.field("quality")),
    ("duplex", "--duplex", SHEET, SHEET.field("duplex")),
)


def read_theme(path: Path, overrides: Overrides | None = None) -> Theme:
    """The theme of a file; raises `ThemeError` with every fault, `UsageError` for an impossible override."""
    theme, faults = examine_theme(path, overrides)
    ThemeError.raise_any(faults)
    return theme


def examine_theme(path: Path, overrides: Overrides | None = None) -> tuple[Theme, list[Fault]]:
    """The good parts of a theme and every fault, in reading order; raises only for an impossible override."""
    asked, asked_languages = _read_overrides(overrides or Overrides())
    shown, findings = show_path(path), Findings()
    try:
        tree, findings.faults = read_tree(path, shown)
        top = _read_top(tree, findings)
    except ThemeError as error:
        top = None
        findings.faults += error.faults
    theme = _Reader(path, shown, top or {}, findings).read(asked, asked_languages)
    if top is None:
        return theme, findings.faults[:1]
    return theme, sorted(dict.fromkeys(findings.faults), key=lambda fault: fault.place or Place(shown, 0, 0))


def show_path(path: Path) -> str:
    """The path as a person in the current folder would write it."""
    try:
        return path.absolute().relative_to(Path.cwd()).as_posix()
    except (ValueError, OSError):
        return str(path)


def _read_overrides(overrides: Overrides) -> tuple[Values, tuple[str, ...]]:
    values: Values = {section.key: {} for section in SECTIONS}
    faults: list[Fault] = []
    for name, option, section, field in _OPTIONS:
        asked = getattr(overrides, name)
        if asked is not None:
            values[section.key][field.attribute or field.key] = _read_option(option, field, str(asked), faults)
    codes = [_read_option("--lang", LANGUAGES, code, faults) for code in overrides.languages or ()]
    UsageError.raise_any(faults)
    return values, tuple(dict.fromkeys(codes))


def _read_option(option: str, field: Field, text: str, faults: list[Fault]) -> Any:
    try:
        return field.kind.read(text.strip())
    except Refusal as refusal:
        faults.append(Fault(f"{option}: {refusal.what}", refusal.hint))
        return None


def _read_top(tree: Node, findings: Findings) -> dict[str, Node]:
    """The nodes of the theme's own keys."""
    if not isinstance(tree, MapNode):
        hint = 'Write "symbols:" on a line of its own above the list.'
        raise ThemeError(Fault("a theme starts with a key, not with a list or a text", hint, tree.place))
    known = [part.key for part in THEME]
    nodes = {key.text: value for key, value in tree.entries if key.text in known}
    for key, value in [(key, value) for key, value in tree.entries if key.text not in known][:MOST_UNKNOWN]:
        findings.add_unknown(key, known)
        nodes.setdefault(find_closest(key.text, known), value)  # one mistake should not hide another below it
    return nodes


class _Reader:
    """One reading of one theme file."""

    def __init__(self, path: Path, shown: str, top: dict[str, Node], findings: Findings) -> None:
        self.path, self.shown, self.top, self.findings = path, shown, top, findings
        self.folder = path.parent.resolve()

    def read(self, asked: Values, asked_languages: tuple[str, ...]) -> Theme:
        """The theme; what the command line asks for counts more than what the file says."""
        layout = LayoutOptions(**(self._read_values(LAYOUT) | asked["layout"]))
        default_paper = {"paper": SHEET.field("paper").kind.read(SHEET.field("paper").default)}
        listed = self._read_languages()
        drafts = self._read_drafts(tuple(listed or ()))
        languages = self._choose_languages(drafts, listed, asked_languages)
        check_distinct(drafts, languages, self.findings)
        ids = [draft.make_id(languages) for draft in drafts]
        finished = [finish_symbol(draft, languages, layout.rotation) for draft in drafts]
        symbols = tuple(symbol for symbol in finished if symbol)
        specials = read_specials(self.top.get(SPECIALS.key), ids, languages, self.findings)
        return Theme(
            name=self._name(),
            file=self.shown,
            folder=self.folder,
            title=self._read_title(languages),
            purpose=self._read_value(PURPOSE) or "",
            languages=languages,
            symbols=symbols,
            sheet=SheetOptions(**(default_paper | self._read_values(SHEET) | asked["sheet"])),
            deck=self._read_deck(asked["deck"]),
            card=CardOptions(**(self._read_card() | asked["card"])),
            layout=layout,
            back=self._read_back(),
            article=bool(self._read_value(ARTICLE)),
            legend_order=self._read_value(LEGEND_ORDER) or "name",
            teams=read_teams(self.top.get(TEAMS.key), languages, self.findings),
            specials=tuple(special for special in specials if special.symbol in {symbol.id for symbol in symbols}),
            **{field.key: read_notes(field, self.top.get(field.key), self.findings) for field in NOTES},
            places=self._list_places(),
        )

    def _list_places(self) -> dict[str, Place]:
        places = {key: node.place for key, node in self.top.items()}
        for key, node in self.top.items():
            if isinstance(node, MapNode):
                places |= {f"{key}.{inner.text}": value.place for inner, value in node.entries}
        return places

    def _name(self) -> str:
        stem = self.folder.name if self.path.name == THEME_FILE else self.path.stem
        return stem or "theme"

    def _read_values(self, section: Section) -> dict[str, Any]:
        return self.findings.read_section(section, self.top.get(section.key))

    def _read_value(self, field: Field) -> Any | None:
        node = self.top.get(field.key)
        return self.findings.read(field.key, field.kind, node) if node else None

    def _read_card(self) -> dict[str, Any]:
        values = self._read_values(CARD)
        if values.get("rim_color") == NO_COLOR:
            return {**values, "rim_color": CardOptions.rim_color, "rim_width_mm": 0.0}
        return values

    def _read_deck(self, asked: dict[str, Any]) -> DeckOptions:
        values = self._read_values(DECK)
        if values.get("levels") and asked.get("cards"):
            raise UsageError(Fault("--cards: this theme makes a deck of its own for each level", "Leave it out."))
        return DeckOptions(**(values | asked))

    def _read_drafts(self, languages: tuple[str, ...]) -> list[Draft]:
        node = self.top.get("symbols")
        if node is None:
            self.findings.add(Place(self.shown, 1, 1), "the theme has no symbols", "Add symbols: and a list below it.")
            return []
        before = len(self.findings.faults)
        drafts = read_symbols(self.findings.read_items(SYMBOLS.key, node), self.folder, languages, self.findings)
        if len(drafts) < FEWEST_SYMBOLS and len(self.findings.faults) == before:
            count = {0: "no symbols", 1: "only one symbol"}.get(len(drafts), f"only {len(drafts)} symbols")
            hint = f"That is too few for a game: give at least {FEWEST_SYMBOLS}."
            self.findings.add(node.place, f"the theme has {count}", hint)
        return drafts

    def _choose_languages(
        self, drafts: list[Draft], listed: dict[str, Place | None] | None, asked: tuple[str, ...]
    ) -> tuple[str, ...]:
        """The languages of the command line, of the theme, or those that all symbols share; names are checked."""
        if asked:
            listed = dict.fromkeys(asked)
        if listed is None:
            by_language = isinstance(self.top.get("title"), MapNode)
            return derive_languages(drafts, self._read_titles().tried if by_language else None)
        check_names(drafts, listed, self.findings)
        return tuple(listed)

    def _read_languages(self) -> dict[str, Place | None] | None:
        node = self.top.get("languages")
        if node is None:
            return None
        listed: dict[str, Place | None] = {}
        is_one = isinstance(node, TextNode) and not node.empty
        items = (node,) if is_one else self.findings.read_items(LANGUAGES.key, node)
        if len(items) > MOST_LANGUAGES:
            self.findings.add(items[MOST_LANGUAGES].place, f"more than {MOST_LANGUAGES} languages", "List fewer.")
        for item in items[:MOST_LANGUAGES]:
            code = self.findings.read(LANGUAGES.key, LANGUAGES.kind, item)
            if code in listed:
                self.findings.add(item.place, f"{language_name(code)} is listed twice", "Remove one.")
            elif code:
                listed[code] = item.place
        return listed

    def _read_title(self, languages: tuple[str, ...]) -> dict[str, str]:
        node = self.top.get("title")
        everywhere = languages or ("",)
        default = make_title(self._name())
        if not isinstance(node, MapNode):
            return dict.fromkeys(everywhere, self._read_value(TITLE) or default)
        titles = self._read_titles()
        titles.demand("the title", languages, node.place, self.findings, ", or give one title for all")
        return titles.good or dict.fromkeys(everywhere, default)

    def _read_titles(self) -> Names:
        """The titles by language; a fault that is met twice counts once."""
        node, titles = self.top.get("title"), Names()
        if isinstance(node, MapNode):
            titles.add_all(TITLE.key, node, TITLE.kind, self.findings)
        return titles

    def _read_back(self) -> BackOptions:
        node = self.top.get("back")
        if isinstance(node, TextNode):
            return self._read_short_back(node)
        values = self._read_values(BACK)
        color = values.get("color", BackOptions.color)
        if isinstance(node, MapNode) and "image" in values:
            return self._read_back_image(node, values, color)
        if "pattern" in values:
            return BackOptions("pattern", color)
        return BackOptions("color", color) if "color" in values else BackOptions()

    def _read_short_back(self, node: TextNode) -> BackOptions:
        if is_picture(node.text):
            hint = f"Write {{image: {clip(node.text)}}}."
            self.findings.add(node.place, f"back: {quote(node.text)} is not a colour", hint)
            return BackOptions()
        color = self.findings.read(BACK.key, BACK.short, node) if BACK.short else None
        return BackOptions() if color in (None, NO_COLOR) else BackOptions("color", color)

    def _read_back_image(self, node: MapNode, values: dict[str, Any], color: str) -> BackOptions:
        place = (node.get("image") or node).place
        if "pattern" in values:
            self.findings.add(place, "a back has a pattern or a picture, not both", "Remove one.")
        try:
            return BackOptions("image", color, PictureFolder(self.folder).find(values["image"]))
        except Refusal as refusal:
            self.findings.add(place, f"back: {refusal.what}", refusal.hint)
            return BackOptions("color", color)
