"""A theme file to a frozen `Theme`, with every fault named at once.

Invariant: `read_theme` returns a theme only when nothing at all is wrong; `examine_theme` always returns one, made of
the good parts, so that later stages can look for their own faults in the same run.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from dobble_print.errors import Fault, Place, Refusal, ThemeError, UsageError
from dobble_print.files import make_file_name
from dobble_print.messages import find_closest, show
from dobble_print.resources import THEME_FILE
from dobble_print.theme.art_choice import choose_art
from dobble_print.theme.distinct import check_distinct, check_names, derive_languages
from dobble_print.theme.extras import read_notes, read_specials, read_teams
from dobble_print.theme.face_fields import CROP, FILL, NOTATION
from dobble_print.theme.face_reader import finish_symbols, read_faces_by, read_fill, read_wardrobe
from dobble_print.theme.faces import Wardrobe
from dobble_print.theme.fields import (
    ART,
    ARTICLE,
    LANGUAGES,
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
from dobble_print.theme.filling import explain_shortage
from dobble_print.theme.findings import MOST_UNKNOWN, Findings, hint_touching
from dobble_print.theme.form import Field
from dobble_print.theme.machine_fields import LABELS, PROFILE
from dobble_print.theme.machine_model import LabelOptions, PictureOptions, PlotterOptions, PressOptions
from dobble_print.theme.model import BackOptions, CardOptions, DeckOptions, Emoji, LayoutOptions, SheetOptions, Theme
from dobble_print.theme.naming import Names, make_title
from dobble_print.theme.overrides import Overrides, read_overrides
from dobble_print.theme.profiles import ANY, Profile, find_own_profile, load_profile, read_profile
from dobble_print.theme.sections import Values, merge_values, read_sections
from dobble_print.theme.source import MapNode, Node, TextNode, read_tree
from dobble_print.theme.symbols import Draft, Manner, read_symbols
from dobble_print.words.languages import language_name

MOST_LANGUAGES = 100


def read_theme(path: Path, overrides: Overrides | None = None) -> Theme:
    """The theme of a file; raises `ThemeError` with every fault, `UsageError` for an impossible override."""
    theme, faults = examine_theme(path, overrides)
    ThemeError.raise_any(faults)
    return theme


def examine_theme(path: Path, overrides: Overrides | None = None) -> tuple[Theme, list[Fault]]:
    """The good parts of a theme and every fault, in reading order; raises only for an impossible override."""
    wishes = overrides or Overrides()
    asked, asked_languages = read_overrides(wishes)
    asked_profile = load_profile(wishes.profile) if wishes.profile else None
    shown, findings = show_path(path), Findings()
    try:
        tree, findings.faults = read_tree(path, shown)
        top = _read_top(tree, findings)
    except ThemeError as error:
        top = None
        findings.faults += error.faults
    theme = _Reader(path, shown, top or {}, findings).read(asked, asked_languages, asked_profile)
    if top is None:
        return theme, findings.faults[:1]
    return theme, sorted(dict.fromkeys(findings.faults), key=lambda fault: fault.place or Place(shown, 0, 0))


def show_path(path: Path) -> str:
    """The path as a person in the current folder would write it, with a sign for what cannot be seen."""
    try:
        return show(path.absolute().relative_to(Path.cwd()).as_posix())
    except (ValueError, OSError):
        return show(str(path))


def _read_top(tree: Node, findings: Findings) -> dict[str, Node]:
    """The nodes of the theme's own keys."""
    if not isinstance(tree, MapNode):
        hint = isinstance(tree, TextNode) and hint_touching(tree.text)
        hint = hint or 'Write "symbols:" on a line of its own above the list.'
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
        self.remarks: tuple[Fault, ...] = ()

    def read(self, asked: Values, asked_languages: tuple[str, ...], asked_profile: Profile | None) -> Theme:
        """The theme; what the command line asks for counts more than what the file says."""
        profile, values = self._read_options(asked, asked_profile)
        deck, layout = DeckOptions(**values["deck"]), LayoutOptions(**values["layout"])
        listed, wardrobe = self._read_languages(), read_wardrobe(self.top, self.folder, deck.seed, self.findings)
        printed = next(iter((*asked_languages, *(listed or ()))), "")
        drafts = self._read_drafts(tuple(listed or ()), wardrobe, printed)
        languages = self._choose_languages(drafts, listed, asked_languages)
        check_distinct(drafts, languages, self.findings)
        ids = [draft.make_id(languages) for draft in drafts]
        fill = read_fill(self.top, self.findings)
        filling = (fill, self.top[FILL.key].place) if fill else None
        symbols = finish_symbols(drafts, languages, wardrobe, deck, layout, filling, self.findings)
        symbols = choose_art(symbols, self._read_value(ART) or Emoji.art, SheetOptions(**values["sheet"]).low_ink)
        specials = read_specials(self.top.get(SPECIALS.key), ids, languages, self.findings)
        return Theme(
            name=self._name(),
            file=self.shown,
            folder=self.folder,
            title=self._read_title(languages),
            purpose=self._read_value(PURPOSE) or "",
            languages=languages,
            symbols=symbols,
            sheet=SheetOptions(**values["sheet"]),
            deck=deck,
            card=CardOptions(**values["card"]),
            layout=layout,
            back=BackOptions(**values["back"]),
            profile=profile.name,
            remarks=self.remarks,
            press=PressOptions(**values["press"]),
            labels=self._read_labels(values["labels"]),
            plotter=PlotterOptions(**values["plotter"]),
            pictures=PictureOptions(**values["pictures"]),
            article=bool(self._read_value(ARTICLE)),
            legend_order=self._read_value(LEGEND_ORDER) or "name",
            faces_by=read_faces_by(self.top, symbols, self.findings),
            fill=fill,
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
        return make_file_name(stem, "theme")

    def _read_options(self, asked: Values, asked_profile: Profile | None) -> tuple[Profile, Values]:
        """The options of all sections, from what counts least to what counts most."""
        own = read_sections(self.top, SECTIONS, self.folder, self.findings)
        profile = asked_profile or self._read_profile()
        layers = (own, profile.values) if asked_profile else (profile.values, own)
        paper = SHEET.field("paper")
        values = merge_values({"sheet": {"paper": paper.kind.read(paper.default)}}, *layers, asked)
        if own["deck"].get("levels") and asked["deck"].get("cards"):
            raise UsageError(Fault("--cards: this theme makes a deck of its own for each level", "Leave it out."))
        card, wanted = values["card"], asked["card"]
        shape = profile.choose_shape(card.get("shape", CardOptions.shape), wanted.get("shape"))
        size = profile.choose_size(card.get("size_mm", CardOptions.size_mm), wanted.get("size_mm"))
        chosen = card | {"shape": shape, "size_mm": size}
        self.remarks = tuple(profile.tell_changes(card, chosen))
        return profile, values | {"card": chosen}

    def _read_profile(self) -> Profile:
        """The profile that the theme names."""
        node, name = self.top.get(PROFILE.key), self._read_value(PROFILE)
        if node is None or name is None:
            return ANY
        try:
            profile, faults = read_profile(find_own_profile(name, self.folder), name)
        except Refusal as refusal:
            self.findings.add(node.place, refusal.what, refusal.hint)
            return ANY
        self.findings.faults += faults
        return profile

    def _read_labels(self, values: dict[str, Any]) -> LabelOptions | None:
        complete = len(values) == len(LABELS.fields)  # what is missing is a fault already
        return LabelOptions(**values) if complete else None

    def _read_value(self, field: Field) -> Any | None:
        node = self.top.get(field.key)
        return self.findings.read(field.key, field.kind, node) if node else None

    def _read_drafts(self, languages: tuple[str, ...], wardrobe: Wardrobe, printed: str) -> list[Draft]:
        """The symbols as far as they can be read; `printed` is the language that cards are printed for."""
        node = self.top.get("symbols")
        if node is None:
            self.findings.add(Place(self.shown, 1, 1), "the theme has no symbols", "Add symbols: and a list below it.")
            return []
        before = len(self.findings.faults)
        notation = printed if self._read_value(NOTATION) == "language" else ""
        manner = Manner(self._read_value(CROP) or "none", wardrobe.needs_picture(), notation)
        items = self.findings.read_items(SYMBOLS.key, node)
        drafts = read_symbols(items, self.folder, languages, self.findings, manner)
        shortage = explain_shortage(len(drafts), FILL.key in self.top)
        if shortage and len(self.findings.faults) == before:
            self.findings.add(node.place, *shortage)
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
