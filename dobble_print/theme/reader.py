"""Where the files that ship with the program are: `templates/` and `themes/`.

Invariant: the answer is the same for an installed package (both travel inside it) and for a checkout (both stand at its
root); nobody else looks for them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from dobble_print.errors import ArtworkError, Fault, Place, Refusal, ThemeError, UsageError
from dobble_print.files import make_file_name
from dobble_print.fonts import find_font
from dobble_print.messages import find_closest, list_words, quote, show, suggest
from dobble_print.resources import THEME_ENDINGS, THEME_FILE, shipped_themes
from dobble_print.theme.face_kinds import CROP, FACES, FACES_BY, FILL, FONT, NOTATION
from dobble_print.theme.faces import Wardrobe, check_faces, choose_art, dress_symbols, list_face_languages
from dobble_print.theme.filling import ANY_GROUP, check_group, explain_shortage, fill_symbols
from dobble_print.theme.kinds import LANGUAGE, Field, Section
from dobble_print.theme.model import (
    ALL_LANGUAGES,
    BackOptions,
    CardOptions,
    DeckOptions,
    Emoji,
    FacesBy,
    LabelOptions,
    LayoutOptions,
    PictureOptions,
    PlotterOptions,
    PressOptions,
    SheetOptions,
    Special,
    Symbol,
    Team,
    TeamOptions,
    TextStyle,
    Theme,
)
from dobble_print.theme.options import (
    ART,
    ARTICLE,
    LABELS,
    LANGUAGES,
    LEGEND_ORDER,
    NOTES,
    PROFILE,
    PURPOSE,
    SECTIONS,
    SHEET,
    SPECIALS,
    SYMBOLS,
    TEAMS,
    THEME,
    TITLE,
)
from dobble_print.theme.profiles import ANY, Profile, find_own_profile, load_profile, read_profile
from dobble_print.theme.source import MapNode, Node, TextNode, read_tree
from dobble_print.theme.symbols import (
    FEWEST_SYMBOLS,
    Draft,
    Manner,
    check_distinct,
    check_names,
    derive_languages,
    finish_symbol,
    read_symbols,
)
from dobble_print.theme.values import (
    MOST_UNKNOWN,
    Findings,
    Names,
    Values,
    hint_touching,
    make_title,
    merge_values,
    read_sections,
)
from dobble_print.words.languages import find_language, language_name

LIST_ENDINGS = (".csv", ".tsv", ".xlsx", ".xls", ".ods")
PICTURE_LIKE = (".jpg", ".jpeg", ".png", ".webp", ".svg", ".gif", ".heic")


def _refuse_list(path: Path) -> None:
    """Say what to do with a file that something can be made of, but that is no theme."""
    if path.suffix.lower() in LIST_ENDINGS:
        hint = f"Type: dobble-print new {show(path.stem)} --from {show(str(path))}"
        raise UsageError(Fault(f"{show(path.name)} is a list, not a theme", hint))
    if path.suffix.lower() in PICTURE_LIKE:
        hint = f"A folder of pictures becomes one: dobble-print new NAME --from {show(str(path.parent))}"
        raise UsageError(Fault(f"{show(path.name)} is a picture, not a theme", hint))


def find_theme(name_or_path: str) -> Path:
    """The theme file meant by a path, by a folder that holds `theme.yaml`, or by the name of a shipped theme."""
    path, shipped = Path(name_or_path), shipped_themes()
    if _is(path, "is_file"):
        _refuse_list(path)
        return path
    if _is(path / THEME_FILE, "is_file"):
        return path / THEME_FILE
    if name_or_path in shipped:
        return shipped[name_or_path]
    if _is(path, "is_dir"):
        raise UsageError(Fault(f"the folder {quote(name_or_path)} holds no {THEME_FILE}", _hint_files(path)))
    raise UsageError(Fault(f"there is no theme {quote(name_or_path)}", _hint_theme(path, shipped)))


def _is(path: Path, question: str) -> bool:
    """Ask the file system; a name it cannot even look up (too long, a zero byte) simply is not there."""
    try:
        return bool(getattr(path, question)())
    except (OSError, ValueError):
        return False


def _theme_files(folder: Path) -> list[str]:
    try:
        return sorted(str(path) for path in folder.iterdir() if path.suffix in THEME_ENDINGS)
    except (OSError, ValueError):
        return []


def _hint_files(folder: Path) -> str:
    files = _theme_files(folder)
    return f"It does hold {list_words(map(show, files[:5]), 'and')}." if files else "Give it the theme file itself."


def _hint_theme(path: Path, shipped: dict[str, Path]) -> str:
    """The theme that was probably meant, by its name alone: a folder that two paths share makes them no more alike."""
    near = {Path(file).stem: file for file in _theme_files(path.parent)}
    closest = find_closest(path.stem if path.suffix.lower() in THEME_ENDINGS else path.name, [*near, *shipped])
    if closest:
        return f'Did you mean "{show(near.get(closest, closest))}"?'
    known = f" or one of the shipped themes: {', '.join(shipped)}" if shipped else ""
    return f"Give the path of a theme file{known}."


Top = Mapping[str, Node]


def read_wardrobe(top: Top, folder: Path, seed: int, findings: Findings) -> Wardrobe:
    """What all symbols of a theme are dressed in."""
    node = top.get(FACES.key)
    faces = findings.read_values(FACES, node) if node else ()
    return Wardrobe(faces, _read_font(top, folder, findings), folder, seed, node.place if node else None)


def _read_font(top: Top, folder: Path, findings: Findings) -> str:
    """The font's name or path; one that cannot be opened is a fault here, not one a symbol."""
    node = top.get(FONT.key)
    font = findings.read(FONT.key, FONT.kind, node) if node else None
    if node is None or font is None:
        return TextStyle.font
    try:
        find_font(font, folder)
    except ArtworkError as error:
        findings.faults += [replace(fault, place=node.place) for fault in error.faults]
        return TextStyle.font
    return str(font)


def read_fill(top: Top, findings: Findings) -> str:
    """The group of the lexicon that completes the deck, or nothing."""
    node = top.get(FILL.key)
    wanted = findings.read(FILL.key, FILL.kind, node) if node else None
    if node is None or wanted is None:
        return ""
    try:
        return check_group(wanted)
    except Refusal as refusal:
        findings.add(node.place, f"fill: {refusal.what}", refusal.hint)
        return ""


def finish_symbols(
    drafts: Sequence[Draft],
    languages: tuple[str, ...],
    wardrobe: Wardrobe,
    deck: DeckOptions,
    layout: LayoutOptions,
    fill: tuple[str, Place] | None,
    findings: Findings,
) -> tuple[Symbol, ...]:
    """The symbols of good drafts with all their faces, completed from the lexicon where the theme wants it."""
    spoken = list_face_languages([*wardrobe.faces, *(face for draft in drafts for face in draft.faces)])
    finished = [finish_symbol(draft, languages, layout.rotation, spoken) for draft in drafts]
    symbols = tuple(symbol for symbol in finished if symbol)
    own = {symbol.id: draft.faces for draft, symbol in zip(drafts, finished, strict=True) if symbol and draft.faces}
    if fill and not findings.faults:  # a theme with faults may have more symbols than could be read
        named = tuple(dict.fromkeys((*languages, *spoken)))
        per_card = max(deck.levels) if deck.levels else deck.symbols_per_card
        symbols = fill_symbols(symbols, named, fill[0], deck.seed, per_card, layout.rotation, fill[1])
        _check_enough(symbols, fill, findings)
    dressed = dress_symbols(symbols, own, wardrobe, findings)
    check_faces(dressed, findings)
    return dressed


def _check_enough(symbols: Sequence[Symbol], fill: tuple[str, Place], findings: Findings) -> None:
    """A few symbols may rely on being completed; where the lexicon cannot, they are too few."""
    if len(symbols) < FEWEST_SYMBOLS:
        what = f"the theme has only {len(symbols)} symbols, and they cannot be filled up"
        findings.add(fill[1], what, f"Give at least {FEWEST_SYMBOLS}, or another group: fill: {ANY_GROUP}.")


def read_faces_by(top: Top, symbols: Sequence[Symbol], findings: Findings) -> FacesBy:
    """Whether a slot or the card decides the face; parts of a deck need as many faces for every symbol."""
    node = top.get(FACES_BY.key)
    value: FacesBy | None = findings.read(FACES_BY.key, FACES_BY.kind, node) if node else None
    if node is None or value != "card":
        return "slot"
    counts = sorted({len(symbol.faces) for symbol in symbols})
    if counts in ([], [1]):
        what = "faces_by: card needs symbols with two faces or more"
        findings.add(node.place, what, "Add faces: [picture, word:en].")
    elif len(counts) > 1:
        few = next(symbol for symbol in symbols if len(symbol.faces) == counts[0])
        what = f"faces_by: card needs as many faces for every symbol; this one has {counts[0]}, others {counts[-1]}"
        findings.add(few.place, what, "Give all of them as many, or use faces_by: slot.")
    for key in ("teams", "deck.levels"):
        section, _, inner = key.partition(".")
        other = top.get(section)
        found = getattr(other, "get", lambda key: None)(inner) if inner else other
        if found:
            what = f"faces_by: card stands beside {inner or section}; both would colour the rims"
            findings.add(node.place, what, "Remove one of them.")
    return "card" if len(counts) == 1 and counts[0] > 1 else "slot"


def read_teams(node: Node | None, listed: tuple[str, ...], findings: Findings) -> TeamOptions | None:
    """The teams of a theme; None when it has none, or none that could be dealt to."""
    values = findings.read_section(TEAMS, node)
    colors = node.get("colors") if isinstance(node, MapNode) else None
    if colors is None or TEAMS.entries is None:
        return None
    items = findings.read_entries(TEAMS.entries, colors)
    read = [(item.place, _read_team(item, TEAMS.entries.item, listed, findings)) for item in items]
    teams = [(place, team) for place, team in read if team]
    _check_teams(teams, findings)
    return TeamOptions(tuple(team for _, team in teams), **values) if teams and "cards_each" in values else None


def _read_team(node: Node, section: Section, listed: tuple[str, ...], findings: Findings) -> Team | None:
    """One team: a colour, which has keys for its names beside it when the theme has languages."""
    names = Names()
    if isinstance(node, TextNode) and section.short:
        color = findings.read(section.key, section.short, node)
    else:
        color = findings.read_section(section, node).get("color")
    for key, value in node.entries if isinstance(node, MapNode) else ():
        if section.names and find_language(key.text):
            names.add(key, value, section.names, findings)
    names.demand("the name of this team", listed, node.place, findings)
    return Team(color, names.good) if color else None


def _check_teams(teams: list[tuple[Place, Team]], findings: Findings) -> None:
    """No two teams of one colour or of one name."""
    seen: set[tuple[str, str]] = set()
    for place, team in teams:
        traits = {("", team.color): f"colour {quote(team.color)}"}
        traits |= {
            (code, name.casefold()): f"{language_name(code)} name {quote(name)}" for code, name in team.names.items()
        }
        shared = [words for trait, words in traits.items() if trait in seen]
        if shared:
            findings.add(place, f"two teams have the {shared[0]}", "Change one.")
        seen |= traits.keys()


def read_specials(
    node: Node | None, ids: list[str], listed: tuple[str, ...], findings: Findings
) -> tuple[Special, ...]:
    """The symbols with a rule of their own; each must be one of the theme's symbols, and have one rule."""
    specials: dict[str, Special] = {}
    for item in findings.read_entries(SPECIALS, node) if node else ():
        special = _read_special(item, ids, listed, findings)
        if special and special.symbol in specials:
            findings.add(item.place, f"{quote(special.symbol)} has two rules", "Write them as one.")
        elif special:
            specials[special.symbol] = special
    return tuple(specials.values())


def _read_special(node: Node, ids: list[str], listed: tuple[str, ...], findings: Findings) -> Special | None:
    if not isinstance(node, MapNode):
        findings.add(node.place, "a special symbol has keys of its own", "Write {symbol: …, rule: …}.")
        return None
    values = {
        field.key: _read_value(field, value, listed, findings) for field, value in findings.entries(SPECIALS.item, node)
    }
    symbol, rule = values.get("symbol"), values.get("rule")
    if symbol and symbol not in ids:
        place = (node.get("symbol") or node).place
        hint = suggest(symbol, ids, "Give the id of one of the symbols.")
        findings.add(place, f"there is no symbol {quote(symbol)}", hint)
        return None
    return Special(symbol, rule) if symbol and rule else None


def _read_value(field: Field, node: Node, listed: tuple[str, ...], findings: Findings) -> Any:
    """A text, or by language; a text in place of languages serves them all."""
    if not field.by_language:
        return findings.read(field.key, field.kind, node)
    if not isinstance(node, MapNode):
        text = findings.read(field.key, field.kind, node)
        return {ALL_LANGUAGES: text} if text else {}
    texts = Names()
    texts.add_all(field.key, node, field.kind, findings)
    texts.demand(f"the {field.key}", listed, node.place, findings, ", or give one text for all")
    return texts.good


def read_notes(field: Field, node: Node | None, findings: Findings) -> dict[str, tuple[str, ...]]:
    """A text, a list of texts, or either by language."""
    if node is None:
        return {}
    if not isinstance(node, MapNode):
        return {ALL_LANGUAGES: findings.read_values(field, node)}
    notes: dict[str, tuple[str, ...]] = {}
    for key, value in node.entries:
        language = find_language(key.text)
        if language is None:
            findings.read(field.key, LANGUAGE, key)  # which refuses it, in the words used for every language
        elif language.code in notes:
            findings.add(key.place, f"the {language.name} {field.key} stand here twice", "Remove one.")
        else:
            notes[language.code] = findings.read_values(field, value)
    return notes


MOST_LANGUAGES = 100


@dataclass(frozen=True)
class Overrides:
    """What counts more than what the theme says: values by section, languages, and the name of a profile."""

    values: Values = field(default_factory=dict)
    languages: tuple[str, ...] = ()
    profile: str | None = None


NO_OVERRIDES = Overrides()


def read_theme(path: Path, overrides: Overrides = NO_OVERRIDES) -> Theme:
    """Return the theme of a file; raises `ThemeError` with every fault, `UsageError` for an impossible override."""
    theme, faults = examine_theme(path, overrides)
    ThemeError.raise_any(faults)
    return theme


def examine_theme(path: Path, overrides: Overrides = NO_OVERRIDES) -> tuple[Theme, list[Fault]]:
    """Return the good parts of a theme and every fault, in reading order; raises only for an impossible override."""
    asked_profile = load_profile(overrides.profile) if overrides.profile else None
    shown, findings = show_path(path), Findings()
    try:
        tree, findings.faults = read_tree(path, shown)
        top = _read_top(tree, findings)
    except ThemeError as error:
        top = None
        findings.faults += error.faults
    theme = _Reader(path, shown, top or {}, findings).read(overrides, asked_profile)
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

    def read(self, asked: Overrides, asked_profile: Profile | None) -> Theme:
        """Return the theme; what is asked for counts more than what the file says."""
        profile, values = self._read_options(asked.values, asked_profile)
        deck, layout = DeckOptions(**values["deck"]), LayoutOptions(**values["layout"])
        listed, wardrobe = self._read_languages(), read_wardrobe(self.top, self.folder, deck.seed, self.findings)
        printed = next(iter((*asked.languages, *(listed or ()))), "")
        drafts = self._read_drafts(tuple(listed or ()), wardrobe, printed)
        languages = self._choose_languages(drafts, listed, asked.languages)
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
        if own["deck"].get("levels") and asked.get("deck", {}).get("cards"):
            raise UsageError(Fault("--cards: this theme makes a deck of its own for each level", "Leave it out."))
        card, wanted = values["card"], asked.get("card", {})
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
