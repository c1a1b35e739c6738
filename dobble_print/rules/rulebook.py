"""The rulebook of a deck as data: sections made of blocks, every number filled in; also printed as plain text.

Invariant: two rulebooks of the same deck in different languages have the same sections in the same order, and each
section has the same parts; so they can stand side by side.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import Literal

from dobble_print.deck.design import Deck, full_size
from dobble_print.errors import Fault
from dobble_print.messages import list_words, quote
from dobble_print.rules.facts import (
    GAMES,
    MOST_IN_TEAM,
    MOST_PLAYERS,
    POINTS_TO_WIN,
    DeckFacts,
    Game,
    PictureKind,
    gather_facts,
    split_players,
)
from dobble_print.rules.texts import FALLBACK, Rules, choose_languages, read_rules
from dobble_print.theme.model import Captioned, Drawing, Emoji, Theme
from dobble_print.theme.options import TeamOptions
from dobble_print.words.languages import language_name
from dobble_print.words.plurals import pick_form
from dobble_print.words.typesetting import head_with, join_with, set_type

SectionKind = Literal["chapter", "game"]


@dataclass(frozen=True)
class Paragraph:
    """Running text."""

    text: str


@dataclass(frozen=True)
class Steps:
    """Things to do in order, or (not numbered) a list of things."""

    items: tuple[str, ...]
    numbered: bool = True


@dataclass(frozen=True)
class Illustration:
    """A drawing made of the deck's own cards; `caption` may lack the name of a symbol: `{symbol}`."""

    kind: PictureKind
    caption: str = ""


@dataclass(frozen=True)
class TextTable:
    """A small table; the first row and the first column are headings."""

    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class SpecialRule:
    """A symbol (by index, and its name) with a rule of its own."""

    symbol: int
    text: str
    name: str


Block = Paragraph | Steps | Illustration | TextTable | SpecialRule


@dataclass(frozen=True)
class Passage:
    """Blocks that belong together under a small heading, which may be empty."""

    blocks: tuple[Block, ...]
    heading: str = ""


@dataclass(frozen=True)
class Chapter:
    """A chapter or a game; `note` stands beside its title, such as "2–8 players"; with levels it differs by level."""

    key: str
    title: str
    parts: tuple[Passage, ...]
    kind: SectionKind = "chapter"
    note: str = ""


@dataclass(frozen=True)
class Rulebook:
    """The rules of a deck in one language; `labels` are the short words of its pages."""

    language: str
    title: str
    labels: dict[str, str]
    sections: tuple[Chapter, ...]
    figures: str = ""


VARIANTS = ("solo", "memory", "quiet", "prediction")


def compose_rules(theme: Theme, decks: Sequence[Deck], languages: Sequence[str]) -> tuple[Rulebook, ...]:
    """Return a rulebook in each of the languages that has rules: what applies to this deck, with its numbers.

    A game or chapter that one of them lacks is left out of all.
    """
    facts, known = gather_facts(theme, decks), [read_rules(code) for code in choose_languages(languages)]
    gaps = frozenset().union(*(rules.gaps for rules in known))
    return tuple(compose_book(rules, facts, theme, gaps) for rules in known)


def explain_gaps(theme: Theme, decks: Sequence[Deck]) -> tuple[Fault, ...]:
    """Return what the booklet leaves out, a remark for each language whose rules lack something."""
    titles = {section.key: section.title for section in compose_rules(theme, decks, [FALLBACK])[0].sections}
    remarks = []
    for rules in map(read_rules, choose_languages(theme.languages)):
        lacking = [quote(title) for key, title in titles.items() if key in rules.gaps]
        it = "it" if len(lacking) == 1 else "them"
        what = f"the rules in {language_name(rules.language)} have no"
        remarks += [Fault(f"{what} {list_words(lacking)}: the booklet leaves {it} out")] if lacking else []
    return tuple(remarks)


def compose_book(rules: Rules, facts: DeckFacts, theme: Theme, gaps: Set[str] = frozenset()) -> Rulebook:
    """Return the rules in one language, without some games and chapters."""
    title = theme.title_in(rules.language)
    titles = {game.key: rules.line(f"games.{game.key}.title") for game in GAMES}
    rules = replace(rules, values=facts.numbers | titles | {"title": title, "line": rules.line("line.title")})
    sections = [_introduce(rules, facts, theme), *([_explain_levels(rules, facts, gaps)] if facts.level_cards else [])]
    sections.append(_explain_first(rules, facts))
    if facts.parts:  # how to play a deck whose cards come in parts: across them
        sections.append(_chapter(rules, "parts", *rules.lines("parts.text")))
    # a tie is not settled with a game that the deck is too small for, or that is left out
    can_pass = facts.cards >= next(game.needed for game in GAMES if game.key == "potato") and "potato" not in gaps
    ties = "text" if can_pass else "few_cards"
    texts = {"goal": ["text"], "combine": ["text"], "doubt": ["text"], "ties": [ties]}
    has_line = facts.line and "line" not in gaps
    texts["combine"] += ["line"] if has_line else []
    sections += [
        _chapter(rules, key, *(line for name in names for line in rules.lines(f"{key}.{name}")))
        for key, names in texts.items()
    ]
    sections += [_compose_line(rules, facts)] if has_line else []
    # games that the deck is too small for come last: they are a line each
    sections += sorted((_compose_game(rules, game, facts) for game in GAMES), key=lambda game: game.kind != "game")
    sections += [_compose_variants(rules, theme), _compose_history(rules, facts), _compose_credits(rules, theme)]
    figures = rules.line("box.all_levels", cards=sum(facts.level_cards)) if facts.level_cards else ""
    figures = figures or " · ".join(_list_box(rules, facts))
    told = tuple(section for section in sections if section.key not in gaps)
    return Rulebook(rules.language, title, rules.labels, told, figures)


def _part(heading: str, *blocks: Block | str) -> Passage:
    """Return a part of a section; texts among its blocks are paragraphs."""
    return Passage(tuple(Paragraph(block) if isinstance(block, str) else block for block in blocks), heading)


def _chapter(rules: Rules, key: str, *blocks: Block | str) -> Chapter:
    return Chapter(key, rules.line(f"{key}.heading"), (_part("", *blocks),))


def _introduce(rules: Rules, facts: DeckFacts, theme: Theme) -> Chapter:
    box = Steps(_list_box(rules, facts, theme.teams), numbered=False)
    told = rules.lines("intro.levels" if facts.level_cards else "intro.text")
    parts = _part("", *told, rules.line("intro.games")), _part(rules.line("box.heading"), box)
    return Chapter("intro", rules.line("intro.heading"), parts)


def _list_box(rules: Rules, facts: DeckFacts, teams: TeamOptions | None = None) -> tuple[str, ...]:
    """Return what is in the box; decks by level, and the cards of teams, are counted one by one."""
    booklet = rules.line("box.booklet")
    if facts.level_cards:
        return (*(rules.line("box.level", **numbers) for numbers in _list_levels(facts)), booklet)
    names = [team.names.get(rules.language, "") for team in teams.teams] if teams else []
    hands = [_count_team(rules, name, facts.cards_each) for name in names if name]
    starts = [rules.line("box.starts")] if teams and facts.start_cards else []
    dealt = [rules.line("box.dealt", hands=", ".join([*hands, *starts]))] if hands or starts else []
    return (rules.line("box.cards"), *dealt, booklet)


def _list_levels(facts: DeckFacts) -> list[dict[str, object]]:
    """Return the numbers of each level, by their placeholders."""
    sizes = zip(facts.level_cards, facts.level_sizes, strict=True)
    return [
        {"level": level, "cards": cards, "per_card": per_card, "order": per_card - 1}
        for level, (cards, per_card) in enumerate(sizes, start=1)
    ]


def _count_team(rules: Rules, color: str, count: int) -> str:
    """Return the cards of a team's colour, which takes the form that its language wants there, where it is known."""
    forms = rules.find("colors").get(color.lower())
    if forms is None:
        return rules.line("box.other_team", count=count, color=color)
    return rules.line("box.team", count=count, color=pick_form(count, forms, rules.language))


def _explain_levels(rules: Rules, facts: DeckFacts, gaps: Set[str]) -> Chapter:
    """Return how to play with levels, and how many can play each game with each."""
    told = [game for game in GAMES if game.key not in gaps]
    games = [(rules.line(f"games.{game.key}.title"), _list_seats(game, facts.level_cards)) for game in told]
    seats = Steps(tuple(head_with(title, seats, rules.language) for title, seats in games), numbered=False)
    parts = _part("", *rules.lines("levels.text")), _part(rules.line("levels.players"), seats)
    return Chapter("levels", rules.line("levels.heading"), parts)


def _list_seats(game: Game, decks: Sequence[int]) -> str:
    """Return how many can play with each of several decks."""
    ranges = [(game.least_players, game.most_players(cards)) for cards in decks]
    return " · ".join(f"{low}–{high}" if high > low else str(low) if high == low else "–" for low, high in ranges)


def _explain_first(rules: Rules, facts: DeckFacts) -> Chapter:
    told = rules.lines("first.text")
    if facts.faces:
        looks = dict(zip(("one", "other"), facts.looks, strict=False))
        mix = {word: rules.line(f"first_faces.{word}s.{facts.faces}", **looks) for word in ("example", "call")}
        told = rules.lines("first_faces.text", **mix)
    return _chapter(rules, "first", *told, Illustration("match", rules.labels["the_match"]))


def _compose_game(rules: Rules, game: Game, facts: DeckFacts) -> Chapter:
    path = f"games.{game.key}"
    title = rules.line(f"{path}.title")
    if facts.cards < game.needed:
        return Chapter(game.key, title, (_part("", rules.line("labels.too_few", needed=game.needed)),))
    parts = (
        _part(rules.line("labels.preparation"), rules.line(f"{path}.preparation"), Illustration(game.key)),
        _part(rules.line("labels.aim"), rules.line(f"{path}.aim")),
        _part(rules.line("labels.play"), Steps(rules.lines(f"{path}.play"))),
        _part(rules.line("labels.winning"), rules.line(f"{path}.winning")),
    )
    seats = "" if facts.level_cards else _players(rules, game.least_players, game.most_players(facts.cards))
    return Chapter(game.key, title, parts, "game", seats)


def _players(rules: Rules, low: int, high: int) -> str:
    if high == low:
        return rules.line("labels.players_fixed", count=low)
    return rules.line("labels.players", low=low, high=high)


def _compose_line(rules: Rules, facts: DeckFacts) -> Chapter:
    keys = ("preparation", "aim", "play", "round_end", "no_line", "next_round", "winning", "split_note")
    lines = {key: rules.lines(f"line.{key}") for key in keys}
    scored = rules.lines("line.scored" if facts.can_spend_starts else "line.scored_few")
    label = {key: rules.line(f"labels.{key}") for key in ("preparation", "aim", "play", "winning", "points")}
    counts, most = range(2, facts.teams + 1), min(MOST_PLAYERS, facts.teams * MOST_IN_TEAM)
    teams = rules.line("labels.teams_word")
    splits = [
        (str(players), *(_write_split(split_players(players, count)) for count in counts))
        for players in range(2, most + 1)
    ]
    split = TextTable(((f"{rules.line('labels.players_word')} / {teams}", *map(str, counts)), *splits))
    points = TextTable(
        ((teams, *map(str, counts)), (label["points"], *(str(POINTS_TO_WIN[count]) for count in counts)))
    )
    note = rules.line("line.players", low=2, high=most) + "."
    parts = (
        _part(label["preparation"], note, *lines["preparation"]),
        _part(rules.line("line.split_heading"), split, *lines["split_note"]),
        _part(label["aim"], *lines["aim"]),
        _part(label["play"], Steps(lines["play"]), Illustration("line")),
        _part(rules.line("line.round_heading"), *lines["round_end"], *scored, *lines["no_line"]),
        _part(rules.line("line.next_heading"), Steps(lines["next_round"])),
        _part(label["winning"], *lines["winning"], points),
    )
    return Chapter("line", rules.line("line.title"), parts, "game", _players(rules, 2, most))


def _write_split(split: Sequence[int]) -> str:
    """Return the sizes of teams for a table; where all are the same, with the mark of the best."""
    return ("+".join(map(str, split)) or "–") + "\u00a0*" * (len(set(split)) == 1)


def _compose_variants(rules: Rules, theme: Theme) -> Chapter:
    parts = [_part(rules.line(f"variants.{key}.title"), *rules.lines(f"variants.{key}.text")) for key in VARIANTS]
    if theme.specials:
        index = {symbol.id: i for i, symbol in enumerate(theme.symbols)}
        rows = [_tell_special(theme, index[each.symbol], each.rule, rules.language) for each in theme.specials]
        told = rules.lines("variants.special.text", count=len(rows), symbol=", ".join(row.name for row in rows))
        parts.insert(0, _part(rules.line("variants.special.title"), *told, *rows))
    return Chapter("variants", rules.line("variants.heading"), tuple(parts))


def _tell_special(theme: Theme, symbol: int, rule: Mapping[str, str], language: str) -> SpecialRule:
    return SpecialRule(symbol, _in_language(rule, language), name_symbol(theme, symbol, language))


def name_symbol(theme: Theme, symbol: int, language: str) -> str:
    """Return a symbol's name in a language, with its article where the theme wants one, or else its first name."""
    found = theme.symbols[symbol]
    full = found.full_names.get(language, "") if theme.article else ""
    return set_type(full or found.names.get(language) or next(iter(found.names.values()), found.id), language)


def _in_language(texts: Mapping[str, str], language: str) -> str:
    return set_type(texts.get(language) or texts.get("") or next(iter(texts.values()), ""), language)


def _compose_history(rules: Rules, facts: DeckFacts) -> Chapter:
    if facts.level_cards:
        levels = (rules.line("history.plane", **numbers) for numbers in _list_levels(facts))
        planes = join_with(";", levels, rules.language)
        return _chapter(rules, "history", *rules.lines("history.text"), rules.line("history.levels", planes=planes))
    is_full = facts.cards >= full_size(facts.per_card)
    last = [rules.line("history.this_deck"), *([] if is_full else [rules.line("history.not_full")])]
    return _chapter(rules, "history", *rules.lines("history.text"), " ".join(last))


def _compose_credits(rules: Rules, theme: Theme) -> Chapter:
    faces = [face.source for symbol in theme.symbols for face in symbol.faces]
    pictures = [source.picture if isinstance(source, Captioned) else source for source in faces]
    sets = sorted({picture.art.split("-")[0] for picture in pictures if isinstance(picture, Emoji)})
    own = [*theme.notes_in(theme.credits, rules.language), *theme.notes_in(theme.license, rules.language)]
    sets += ["own"] if any(isinstance(picture, Drawing) for picture in pictures) else []
    keys = [*(f"art_{name}" for name in sets), "font", "made_with", "trademark"]
    return _chapter(rules, "credits", *own, *(rules.line(f"credits.{key}") for key in keys))


def print_rules_text(theme: Theme, languages: Sequence[str], decks: Sequence[Deck], width: int = 80) -> str:
    """Return the rules in each of the languages, with the numbers of a theme's decks."""
    books = compose_rules(theme, decks, languages)
    return "\n\n\n".join("\n".join(_print_book(book, width)) for book in books) + "\n"


def _print_book(book: Rulebook, width: int) -> list[str]:
    lines = [head_with(book.title, book.labels["rules"], book.language)]
    for section in book.sections:
        note = f" · {section.note}" if section.note else ""
        lines += ["", f"{section.title}{note}", "=" * len(section.title + note)]
        for part in section.parts:
            lines += ["", *([part.heading] if part.heading else [])]
            lines += [line for block in part.blocks for line in _print_block(block, width)]
    return lines


def _print_block(block: Block, width: int) -> list[str]:
    match block:
        case Paragraph(text):
            return textwrap.wrap(text, width, break_on_hyphens=False)
        case SpecialRule(_, text, name):
            return _print_block(Steps((f"{name} – {text}",), numbered=False), width)
        case Steps(items, numbered):
            marks = [f"{i}. " if numbered else "- " for i in range(1, len(items) + 1)]
            return [
                line
                for mark, item in zip(marks, items, strict=True)
                for line in textwrap.wrap(
                    item, width, initial_indent=mark, subsequent_indent=" " * len(mark), break_on_hyphens=False
                )
            ]
        case TextTable(rows):
            widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
            return ["  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)).rstrip() for row in rows]
        case _:
            return []
