"""The rulebook of a deck as data: sections made of blocks, every number filled in; also printed as plain text.

Invariant: two rulebooks of the same deck in different languages have the same sections in the same order, and each
section has the same parts; so they can stand side by side.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from dobble_print.deck.design import Deck, full_size
from dobble_print.rules.facts import (
    GAMES,
    MOST_IN_TEAM,
    MOST_PLAYERS,
    POINTS_TO_WIN,
    DeckFacts,
    Game,
    PictureKind,
    find_game,
    gather_facts,
    split_players,
)
from dobble_print.rules.texts import Rules, choose_languages, colon, read_rules
from dobble_print.theme.model import Captioned, Emoji, Theme
from dobble_print.theme.options import TeamOptions
from dobble_print.words.writing import set_apostrophes

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
class Picture:
    """A drawing made of the deck's own cards; `caption` may lack the name of a symbol: `{symbol}`."""

    kind: PictureKind
    caption: str = ""


@dataclass(frozen=True)
class Grid:
    """A small table; the first row and the first column are headings."""

    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class SpecialRule:
    """A symbol (by index) with a rule of its own."""

    symbol: int
    text: str


Block = Paragraph | Steps | Picture | Grid | SpecialRule


@dataclass(frozen=True)
class Part:
    """Blocks that belong together under a small heading, which may be empty."""

    blocks: tuple[Block, ...]
    heading: str = ""


@dataclass(frozen=True)
class Section:
    """A chapter or a game; `note` stands beside its title, such as "2–8 players"."""

    key: str
    title: str
    parts: tuple[Part, ...]
    kind: SectionKind = "chapter"
    note: str = ""


@dataclass(frozen=True)
class Rulebook:
    """The rules of a deck in one language; `labels` are the short words of its pages."""

    language: str
    title: str
    labels: dict[str, str]
    sections: tuple[Section, ...]
    figures: str = ""


OPENING = ("goal", "combine", "doubt", "ties")
VARIANTS = ("solo", "memory", "quiet", "prediction")


def compose_rules(theme: Theme, decks: Sequence[Deck], languages: Sequence[str]) -> tuple[Rulebook, ...]:
    """Return a rulebook in each of the languages that has rules: what applies to this deck, with its numbers."""
    facts = gather_facts(theme, decks)
    return tuple(compose_book(read_rules(code), facts, theme) for code in choose_languages(languages))


def compose_book(rules: Rules, facts: DeckFacts, theme: Theme) -> Rulebook:
    """Return the rules in one language."""
    title = theme.title_in(rules.language)
    labels = rules.find("labels")
    assert isinstance(labels, dict)
    sections = [_introduce(rules, facts, title, theme), _explain_first(rules, facts)]
    sections += [_explain_parts(rules, facts)] if facts.parts else []
    sections += [_chapter(rules, key, facts) for key in OPENING]
    if facts.line:
        sections.append(_compose_line(rules, facts))
    # games that the deck is too small for come last: they are a line each
    sections += sorted((_compose_game(rules, game, facts) for game in GAMES), key=lambda game: game.kind != "game")
    sections += [_compose_variants(rules, facts, theme), _compose_history(rules, facts), _compose_credits(rules, theme)]
    short = {key: str(text) for key, text in labels.items()}
    return Rulebook(rules.language, title, short, tuple(sections), " · ".join(_list_box(rules, facts)))


def _paragraphs(texts: Sequence[str]) -> tuple[Block, ...]:
    return tuple(Paragraph(text) for text in texts)


def _chapter(rules: Rules, key: str, facts: DeckFacts) -> Section:
    # a tie is not settled with a game that the deck is too small for
    text = "few_cards" if key == "ties" and facts.cards < find_game("potato").needed else "text"
    texts = rules.lines(f"{key}.{text}", **facts.numbers)
    return Section(key, rules.line(f"{key}.heading"), (Part(_paragraphs(texts)),))


def _introduce(rules: Rules, facts: DeckFacts, title: str, theme: Theme) -> Section:
    texts = rules.lines("intro.text", title=title, **facts.numbers)
    box = Part((Steps(_list_box(rules, facts, theme.teams), numbered=False),), rules.line("box.heading"))
    return Section("intro", rules.line("intro.heading"), (Part(_paragraphs(texts)), box))


def _list_box(rules: Rules, facts: DeckFacts, teams: TeamOptions | None = None) -> tuple[str, ...]:
    """Return what is in the box; decks by level, and the cards of teams, are counted one by one."""
    items = rules.lines("box.items", **facts.numbers)
    if facts.level_cards:
        levels = [
            f"{rules.line('labels.level', level=i)}: ×\u00a0{n}" for i, n in enumerate(facts.level_cards, start=1)
        ]
        return (*levels, *items[1:])
    if teams:
        names = [team.names.get(rules.language, "") for team in teams.teams]
        hands = [f"{name}\u00a0×\u00a0{facts.cards_each}" for name in names if name]
        return (
            items[0],
            ", ".join([*hands, f"{rules.line('labels.start_card')}\u00a0×\u00a0{facts.start_cards}"]),
            *items[1:],
        )
    return items


def _explain_first(rules: Rules, facts: DeckFacts) -> Section:
    picture = Picture("match", str(rules.find("labels.the_match")))
    told = rules.lines("first.text", **facts.numbers)
    if facts.faces:
        mix = {word: rules.line(f"first_faces.{word}s.{facts.faces}") for word in ("example", "call")}
        told = rules.lines("first_faces.text", **mix, **facts.numbers)
    return Section("first", rules.line("first.heading"), (Part((*_paragraphs(told), picture)),))


def _explain_parts(rules: Rules, facts: DeckFacts) -> Section:
    """Explain how to play a deck whose cards come in parts: across them."""
    games = {key: rules.line(f"games.{key}.title") for key in ("tower", "well")}
    texts = rules.lines("parts.text", **games, **facts.numbers)
    return Section("parts", rules.line("parts.heading"), (Part(_paragraphs(texts)),))


def _compose_game(rules: Rules, game: Game, facts: DeckFacts) -> Section:
    path = f"games.{game.key}"
    title = rules.line(f"{path}.title")
    if facts.cards < game.needed:
        told = rules.line("labels.too_few", needed=game.needed, cards=facts.cards)
        return Section(game.key, title, (Part((Paragraph(told),)),))
    preparation = (Paragraph(rules.line(f"{path}.preparation")), Picture(game.key))
    parts = (
        Part(preparation, rules.line("labels.preparation")),
        Part((Paragraph(rules.line(f"{path}.aim")),), rules.line("labels.aim")),
        Part((Steps(rules.lines(f"{path}.play")),), rules.line("labels.play")),
        Part((Paragraph(rules.line(f"{path}.winning")),), rules.line("labels.winning")),
    )
    return Section(game.key, title, parts, "game", _players(rules, game.least_players, game.most_players(facts.cards)))


def _players(rules: Rules, low: int, high: int) -> str:
    if high == low:
        return f"{rules.line('labels.players_word')}{colon(rules.language)} {low}"
    return rules.line("labels.players", low=low, high=high)


def _compose_line(rules: Rules, facts: DeckFacts) -> Section:
    label = {key: rules.line(f"labels.{key}") for key in ("preparation", "aim", "play", "winning", "points")}
    most = min(MOST_PLAYERS, facts.teams * MOST_IN_TEAM)
    lines = {
        key: rules.lines(f"line.{key}", **facts.numbers)
        for key in ("preparation", "aim", "play", "round_end", "winning", "handicap", "split_note")
    }
    note = rules.line("line.players", low=2, high=most, **facts.numbers) + "."
    split = Part((_split_grid(rules, facts), *_paragraphs(lines["split_note"])), rules.line("line.split_heading"))
    parts = (
        Part(_paragraphs((note, *lines["preparation"])), label["preparation"]),
        split,
        Part(_paragraphs(lines["aim"]), label["aim"]),
        Part((Steps(lines["play"]), Picture("line")), label["play"]),
        Part(_paragraphs((*lines["round_end"], *lines["winning"])), label["winning"]),
        Part((_points_grid(rules, facts), *_paragraphs(lines["handicap"])), rules.line("line.points_heading")),
    )
    return Section("line", rules.line("line.title"), parts, "game", _players(rules, 2, most))


def _split_grid(rules: Rules, facts: DeckFacts) -> Grid:
    counts = range(2, facts.teams + 1)
    head = (f"{rules.line('labels.players_word')} / {rules.line('labels.teams_word')}", *map(str, counts))
    rows = [
        (str(players), *(" + ".join(map(str, split_players(players, teams))) or "–" for teams in counts))
        for players in range(2, min(MOST_PLAYERS, facts.teams * MOST_IN_TEAM) + 1)
    ]
    return Grid((head, *rows))


def _points_grid(rules: Rules, facts: DeckFacts) -> Grid:
    counts = range(2, facts.teams + 1)
    teams = (rules.line("labels.teams_word"), *map(str, counts))
    return Grid((teams, (rules.line("labels.points"), *(str(POINTS_TO_WIN[n]) for n in counts))))


def _compose_variants(rules: Rules, facts: DeckFacts, theme: Theme) -> Section:
    parts = _compose_specials(rules, theme) if theme.specials else []
    if facts.level_cards:
        parts.append(_variant(rules, "levels", facts))
    parts += [_variant(rules, key, facts) for key in VARIANTS]
    return Section("variants", rules.line("variants.heading"), tuple(parts))


def _variant(rules: Rules, key: str, facts: DeckFacts) -> Part:
    texts = rules.lines(f"variants.{key}.text", **facts.numbers)
    return Part(_paragraphs(texts), rules.line(f"variants.{key}.title"))


def _compose_specials(rules: Rules, theme: Theme) -> list[Part]:
    index = {symbol.id: i for i, symbol in enumerate(theme.symbols)}
    names = [name_symbol(theme, index[special.symbol], rules.language) for special in theme.specials]
    told = rules.lines("variants.special.text", symbol=", ".join(names))
    shown = [
        SpecialRule(index[special.symbol], _in_language(special.rule, rules.language)) for special in theme.specials
    ]
    return [Part((*_paragraphs(told), *shown), rules.line("variants.special.title"))]


def name_symbol(theme: Theme, symbol: int, language: str) -> str:
    """Return a symbol's name in a language, with its article where the theme wants one, or else its first name."""
    found = theme.symbols[symbol]
    full = found.full_names.get(language, "") if theme.article else ""
    return set_apostrophes(full or found.names.get(language) or next(iter(found.names.values()), found.id))


def _in_language(texts: Mapping[str, str], language: str) -> str:
    return texts.get(language) or texts.get("") or next(iter(texts.values()), "")


def _compose_history(rules: Rules, facts: DeckFacts) -> Section:
    texts = [*rules.lines("history.text", **facts.numbers), rules.line("history.this_deck", **facts.numbers)]
    if facts.cards < full_size(facts.per_card):
        texts[-1] += " " + rules.line("history.not_full", **facts.numbers)
    return Section("history", rules.line("history.heading"), (Part(_paragraphs(texts)),))


def _list_emoji_sets(theme: Theme) -> list[str]:
    """Return the sets that draw the deck's emoji, by the keys of their credits."""
    faces = [face.source for symbol in theme.symbols for face in symbol.faces]
    pictures = [source.picture if isinstance(source, Captioned) else source for source in faces]
    return sorted({picture.art.split("-")[0] for picture in pictures if isinstance(picture, Emoji)})


def _compose_credits(rules: Rules, theme: Theme) -> Section:
    texts = [*theme.notes_in(theme.credits, rules.language), *theme.notes_in(theme.license, rules.language)]
    texts += [rules.line(f"credits.art_{name}") for name in _list_emoji_sets(theme)]
    texts += [rules.line(f"credits.{key}") for key in ("font", "made_with", "trademark")]
    return Section("credits", rules.line("credits.heading"), (Part(_paragraphs(texts)),))


def print_rules_text(theme: Theme, languages: Sequence[str], decks: Sequence[Deck], width: int = 80) -> str:
    """Return the rules in each of the languages, with the numbers of a theme's decks."""
    facts = gather_facts(theme, decks)
    books = [compose_book(read_rules(code), facts, theme) for code in languages]
    return "\n\n\n".join("\n".join(_print_book(book, width)) for book in books) + "\n"


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
