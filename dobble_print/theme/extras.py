"""What a theme may have beyond its cards: teams, symbols with a rule of their own, and notes for the booklet.

Invariant: whatever goes by language is there in every language of the theme, or is one text for all; notes alone may
be for some languages only.
"""

from __future__ import annotations

from typing import Any

from dobble_print.errors import Place
from dobble_print.messages import quote, suggest
from dobble_print.theme.fields import SPECIALS, TEAMS
from dobble_print.theme.findings import Findings
from dobble_print.theme.form import Field, Section
from dobble_print.theme.known import LANGUAGE
from dobble_print.theme.model import ALL_LANGUAGES, Special, Team, TeamOptions
from dobble_print.theme.naming import Names
from dobble_print.theme.source import MapNode, Node, TextNode
from dobble_print.words.languages import find_language, language_name


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
