"""The rules: the texts of `templates/rules/`, and which of them apply to a deck.

Invariant: every number in a composed rulebook comes from the deck; a game that needs more cards than there are says so.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from dobble_print.deck import Deck, full_size
from dobble_print.errors import Fault, UsageError
from dobble_print.rulebook import Block, Grid, Paragraph, Part, Picture, Rulebook, Section, SpecialRule, Steps
from dobble_print.theme.model import Emoji, Theme
from dobble_print.theme.resources import find_shipped_folder
from dobble_print.theme.source import Plain, parse_tree, simplify

MOST_PLAYERS = 8
MOST_IN_TEAM = 3
POINTS_TO_WIN = {2: 4, 3: 3, 4: 3}  # by number of teams
OPENING = ("goal", "combine", "doubt", "ties")
VARIANTS = ("solo", "memory", "quiet", "prediction")
FALLBACK = "en"


@dataclass(frozen=True)
class Game:
    """How many cards a mini-game takes: some for the table, some for each player."""

    key: str
    table_cards: int
    cards_each: int
    least_players: int = 2

    @property
    def needed(self) -> int:
        """The fewest cards it can be played with."""
        return self.table_cards + self.least_players * self.cards_each

    def most_players(self, cards: int) -> int:
        """How many can play with so many cards."""
        return min(MOST_PLAYERS, (cards - self.table_cards) // self.cards_each)


GAMES = (
    Game("tower", 0, 3),
    Game("well", 1, 3),
    Game("potato", 0, 5),  # one card each in five rounds
    Game("gift", 0, 3),
    Game("triplet", 9, 3, least_players=1),
)


@dataclass(frozen=True)
class DeckFacts:
    """The numbers of a deck, and what sets it apart; with levels, those of the largest deck and the size of each."""

    cards: int
    symbols: int
    per_card: int
    level_cards: tuple[int, ...] = ()
    teams: int = 0
    cards_each: int = 0
    start_cards: int = 0
    line: bool = False
    mixed_faces: bool = False

    @property
    def numbers(self) -> dict[str, object]:
        """The placeholders that every text may use."""
        return {
            "cards": self.cards,
            "symbols": self.symbols,
            "per_card": self.per_card,
            "order": self.per_card - 1,
            "full": full_size(self.per_card),
            "teams": self.teams,
            "cards_each": self.cards_each,
            "start_cards": self.start_cards,
        }


CLASSIC_FACTS = DeckFacts(55, 57, 8)  # what the rules speak of when there is no theme


@dataclass(frozen=True)
class Rules:
    """The texts of one language, found by a path of keys such as `games.tower.aim`."""

    language: str
    tree: Mapping[str, Plain] = field(repr=False)

    def find(self, path: str) -> Plain:
        """Whatever stands at a path."""
        node: Plain = dict(self.tree)
        for key in path.split("."):
            assert isinstance(node, dict), path
            node = node[key]
        return node

    def lines(self, path: str, **values: object) -> tuple[str, ...]:
        """The paragraphs or items at a path, filled in."""
        node = self.find(path)
        texts = node if isinstance(node, list) else [node]
        return tuple(str(text).format(**values) for text in texts)

    def line(self, path: str, **values: object) -> str:
        """The one text at a path, filled in."""
        return " ".join(self.lines(path, **values))


@cache
def rules_languages() -> tuple[str, ...]:
    """The languages the rules are written in."""
    return tuple(sorted(path.stem for path in find_shipped_folder("templates").glob("rules/*.yaml")))


@cache
def read_rules(language: str) -> Rules:
    """The rules in a language; a region falls back to its language: pt-BR to pt."""
    code = language if language in rules_languages() else language.split("-")[0]
    if code not in rules_languages():
        known = ", ".join(rules_languages())
        raise UsageError(Fault(f'there are no rules in "{language}"', f"There are: {known}."))
    name = f"rules/{code}.yaml"
    text = (find_shipped_folder("templates") / name).read_text(encoding="utf-8")
    tree, _ = parse_tree(text, name)
    plain = simplify(tree)
    assert isinstance(plain, dict)
    return Rules(language, plain)


def choose_languages(languages: Sequence[str]) -> tuple[str, ...]:
    """Those of the languages that have rules, or else English."""
    known = [code for code in languages if {code, code.split("-")[0]} & set(rules_languages())]
    return tuple(dict.fromkeys(known)) or (FALLBACK,)


def gather_facts(theme: Theme, decks: Sequence[Deck]) -> DeckFacts:
    """The numbers of a theme's deck, or of the largest of its decks."""
    deck = max(decks, key=lambda deck: len(deck.cards))
    teams = theme.teams
    return DeckFacts(
        cards=len(deck.cards),
        symbols=len(set().union(*(card.symbols for card in deck.cards))),
        per_card=deck.symbols_per_card,
        level_cards=tuple(len(deck.cards) for deck in decks) if len(decks) > 1 else (),
        teams=len(teams.teams) if teams else 0,
        cards_each=teams.cards_each if teams else 0,
        start_cards=len(deck.cards) - len(teams.teams) * teams.cards_each if teams else 0,
        line=teams is not None and len(teams.teams) in POINTS_TO_WIN and theme.card.shape == "hex",
    )


def compose_rules(theme: Theme, decks: Sequence[Deck], languages: Sequence[str]) -> tuple[Rulebook, ...]:
    """A rulebook in each of the languages that has rules: what applies to this deck, with its numbers."""
    facts = gather_facts(theme, decks)
    return tuple(_compose(read_rules(code), facts, theme) for code in choose_languages(languages))


def print_rules_text(theme: Theme | None, languages: Sequence[str], decks: Sequence[Deck] = (), width: int = 80) -> str:
    """The rules as plain text for a terminal; without a theme, those of the classic deck."""
    if theme is None or not decks:
        books = [_compose(read_rules(code), CLASSIC_FACTS, theme) for code in languages]
    else:
        books = [_compose(read_rules(code), gather_facts(theme, decks), theme) for code in languages]
    return "\n\n".join("\n".join(_print_book(book, width)) for book in books) + "\n"


def _compose(rules: Rules, facts: DeckFacts, theme: Theme | None) -> Rulebook:
    title = theme.title_in(rules.language) if theme else "dobble-print"
    labels = rules.find("labels")
    assert isinstance(labels, dict)
    sections = [_introduce(rules, facts, title), _explain_first(rules, facts)]
    sections += [_chapter(rules, key, facts) for key in OPENING]
    if facts.line:
        sections.append(_compose_line(rules, facts))
    # games that the deck is too small for come last: they are a line each
    sections += sorted((_compose_game(rules, game, facts) for game in GAMES), key=lambda game: game.kind != "game")
    sections += [_compose_variants(rules, facts, theme), _tell_history(rules, facts), _give_credits(rules, theme)]
    short = {key: str(text) for key, text in labels.items()}
    return Rulebook(rules.language, title, short, tuple(sections), " · ".join(rules.lines("box.items", **facts.numbers)))


def _paragraphs(texts: Sequence[str]) -> tuple[Block, ...]:
    return tuple(Paragraph(text) for text in texts)


def _chapter(rules: Rules, key: str, facts: DeckFacts) -> Section:
    texts = rules.lines(f"{key}.text", **facts.numbers)
    return Section(key, rules.line(f"{key}.heading"), (Part(_paragraphs(texts)),))


def _introduce(rules: Rules, facts: DeckFacts, title: str) -> Section:
    texts = rules.lines("intro.text", title=title, **facts.numbers)
    box = Part((Steps(_list_box(rules, facts), numbered=False),), rules.line("box.heading"))
    return Section("intro", rules.line("intro.heading"), (Part(_paragraphs(texts)), box))


def _list_box(rules: Rules, facts: DeckFacts) -> tuple[str, ...]:
    """What is in the box; decks by level are counted one by one."""
    items = rules.lines("box.items", **facts.numbers)
    if not facts.level_cards:
        return items
    levels = [f"{rules.line('labels.level', level=i)}: × {n}" for i, n in enumerate(facts.level_cards, start=1)]
    return (*levels, *items[1:])


def _explain_first(rules: Rules, facts: DeckFacts) -> Section:
    source = "first_faces.text" if facts.mixed_faces else "first.text"
    picture = Picture("match", str(rules.find("labels.the_match")))
    blocks = (*_paragraphs(rules.lines(source, **facts.numbers)), picture)
    return Section("first", rules.line("first.heading"), (Part(blocks),))


def _compose_game(rules: Rules, game: Game, facts: DeckFacts) -> Section:
    path = f"games.{game.key}"
    title = rules.line(f"{path}.title")
    if facts.cards < game.needed:
        told = rules.line("labels.too_few", needed=game.needed, cards=facts.cards)
        return Section(game.key, title, (Part((Paragraph(told),)),))
    preparation = (Paragraph(rules.line(f"{path}.preparation")), _picture_of(game))
    parts = (
        Part(preparation, rules.line("labels.preparation")),
        Part((Paragraph(rules.line(f"{path}.aim")),), rules.line("labels.aim")),
        Part((Steps(rules.lines(f"{path}.play")),), rules.line("labels.play")),
        Part((Paragraph(rules.line(f"{path}.winning")),), rules.line("labels.winning")),
    )
    return Section(game.key, title, parts, "game", _players(rules, game.least_players, game.most_players(facts.cards)))


def _picture_of(game: Game) -> Picture:
    assert game.key in ("tower", "well", "potato", "gift", "triplet")
    return Picture(game.key)  # type: ignore[arg-type]


def _players(rules: Rules, low: int, high: int) -> str:
    return rules.line("labels.players", low=low, high=high) if high > low else ""


def _compose_line(rules: Rules, facts: DeckFacts) -> Section:
    label = {key: rules.line(f"labels.{key}") for key in ("preparation", "aim", "play", "winning", "points")}
    most = min(MOST_PLAYERS, facts.teams * MOST_IN_TEAM)
    lines = {
        key: rules.lines(f"line.{key}", **facts.numbers)
        for key in ("preparation", "aim", "play", "round_end", "winning", "handicap", "split_note")
    }
    split = Part((_split_grid(rules, facts), *_paragraphs(lines["split_note"])), rules.line("line.split_heading"))
    parts = (
        Part(_paragraphs(lines["preparation"]), label["preparation"]),
        split,
        Part(_paragraphs(lines["aim"]), label["aim"]),
        Part((Steps(lines["play"]), Picture("line")), label["play"]),
        Part(_paragraphs((*lines["round_end"], *lines["winning"])), label["winning"]),
        Part((_points_grid(rules, facts), *_paragraphs(lines["handicap"])), rules.line("line.points_heading")),
    )
    note = rules.line("line.players", low=2, high=most, **facts.numbers)
    return Section("line", rules.line("line.title"), parts, "game", note)


def split_players(players: int, teams: int) -> tuple[int, ...]:
    """How many players each team has, as even as can be; nothing when they do not make that many teams."""
    if not teams <= players <= teams * MOST_IN_TEAM:
        return ()
    return tuple(sorted((players // teams + (i < players % teams) for i in range(teams)), reverse=True))


def _split_grid(rules: Rules, facts: DeckFacts) -> Grid:
    counts = range(2, facts.teams + 1)
    head = (rules.line("labels.players_word"), *(f"{n} × {rules.line('labels.team')}" for n in counts))
    rows = [
        (str(players), *(" + ".join(map(str, split_players(players, teams))) or "–" for teams in counts))
        for players in range(2, min(MOST_PLAYERS, facts.teams * MOST_IN_TEAM) + 1)
    ]
    return Grid((head, *rows))


def _points_grid(rules: Rules, facts: DeckFacts) -> Grid:
    counts = range(2, facts.teams + 1)
    teams = (rules.line("labels.teams_word"), *map(str, counts))
    return Grid((teams, (rules.line("labels.points"), *(str(POINTS_TO_WIN[n]) for n in counts))))


def _compose_variants(rules: Rules, facts: DeckFacts, theme: Theme | None) -> Section:
    parts = _compose_specials(rules, theme) if theme and theme.specials else []
    if facts.level_cards:
        parts.append(_variant(rules, "levels", facts))
    parts += [_variant(rules, key, facts) for key in VARIANTS]
    return Section("variants", rules.line("variants.heading"), tuple(parts))


def _variant(rules: Rules, key: str, facts: DeckFacts) -> Part:
    texts = rules.lines(f"variants.{key}.text", **facts.numbers)
    return Part(_paragraphs(texts), rules.line(f"variants.{key}.title"))


def _compose_specials(rules: Rules, theme: Theme) -> list[Part]:
    index = {symbol.id: i for i, symbol in enumerate(theme.symbols)}
    names = [_name_of(theme, index[special.symbol], rules.language) for special in theme.specials]
    told = rules.lines("variants.special.text", symbol=", ".join(names))
    shown = [
        SpecialRule(index[special.symbol], _in_language(special.rule, rules.language)) for special in theme.specials
    ]
    return [Part((*_paragraphs(told), *shown), rules.line("variants.special.title"))]


def _name_of(theme: Theme, symbol: int, language: str) -> str:
    return name_symbol(theme, symbol, language)


def name_symbol(theme: Theme, symbol: int, language: str) -> str:
    """What a symbol is called in a language, with its article where the theme wants one; or else by its first name."""
    found = theme.symbols[symbol]
    full = found.full_names.get(language, "") if theme.article else ""
    return full or found.names.get(language) or next(iter(found.names.values()), found.id)


def _in_language(texts: Mapping[str, str], language: str) -> str:
    return texts.get(language) or texts.get("") or next(iter(texts.values()), "")


def _tell_history(rules: Rules, facts: DeckFacts) -> Section:
    texts = [*rules.lines("history.text", **facts.numbers), rules.line("history.this_deck", **facts.numbers)]
    if facts.cards < full_size(facts.per_card):
        texts[-1] += " " + rules.line("history.not_full", **facts.numbers)
    return Section("history", rules.line("history.heading"), (Part(_paragraphs(texts)),))


def _give_credits(rules: Rules, theme: Theme | None) -> Section:
    texts: list[str] = []
    if theme:
        texts += theme.notes_in(theme.credits, rules.language) + theme.notes_in(theme.license, rules.language)
    if theme is None or any(isinstance(symbol.source, Emoji) for symbol in theme.symbols):
        texts.append(rules.line("credits.art_twemoji"))
    texts += [rules.line(f"credits.{key}") for key in ("font", "made_with", "trademark")]
    return Section("credits", rules.line("credits.heading"), (Part(_paragraphs(texts)),))


def _print_book(book: Rulebook, width: int) -> list[str]:
    lines = [f"{book.title}: {book.labels['rules']}"]
    for section in book.sections:
        note = f" ({section.note})" if section.note else ""
        lines += ["", f"{section.title}{note}", "=" * len(section.title + note)]
        for part in section.parts:
            lines += ["", *([part.heading] if part.heading else [])]
            lines += [line for block in part.blocks for line in _print_block(block, width)]
    return lines


def _print_block(block: Block, width: int) -> list[str]:
    match block:
        case Paragraph(text) | SpecialRule(_, text):
            return textwrap.wrap(text, width)
        case Steps(items, numbered):
            marks = [f"{i}. " if numbered else "- " for i in range(1, len(items) + 1)]
            return [
                line
                for mark, item in zip(marks, items, strict=True)
                for line in textwrap.wrap(item, width, initial_indent=mark, subsequent_indent=" " * len(mark))
            ]
        case Grid(rows):
            widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
            return ["  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)).rstrip() for row in rows]
        case _:
            return []
