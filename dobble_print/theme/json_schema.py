"""The JSON Schema (draft 7) of a theme, so that editors complete and check it while it is written.

Invariant: made from `options` alone; whatever the schema refuses the reader refuses too, but for the case of letters.
"""

from __future__ import annotations

import json
import re

from dobble_print.errors import InvalidValue
from dobble_print.theme.filling import FEWEST_TO_FILL
from dobble_print.theme.kinds import FLAG, Number, Schema
from dobble_print.theme.options import FACES, FILL, SYMBOLS, THEME, Field, Section
from dobble_print.theme.symbols import FEWEST_SYMBOLS, MOST_SYMBOLS, ONLY_BESIDE, PICTURES
from dobble_print.words.languages import LANGUAGE_TAIL, languages

_ANY_PICTURE: list[Schema] = [{"required": [key]} for key in PICTURES]


def theme_schema() -> Schema:
    """Return the schema as data; a few symbols will do where the lexicon completes them."""
    enough = {"properties": {SYMBOLS.key: {"minItems": FEWEST_SYMBOLS}}}
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "dobble-print theme",
        "description": "A theme of dobble-print: a list of symbols, and how to make cards of them.",
        **_object({part.key: _describe_part(part) for part in THEME}),
        "required": [SYMBOLS.key],
        **_demand_pictures(),
        "allOf": [{"if": {"not": {"required": [FILL.key]}}, "then": enough}],
    }


def write_schema() -> str:
    """Return the schema as the text of a file."""
    return json.dumps(theme_schema(), indent=2, ensure_ascii=False) + "\n"


def _object(properties: dict[str, Schema], names: Schema | None = None) -> Schema:
    """Return an object with these keys alone, and perhaps names by language; `id` is one only with a region."""
    codes = "|".join(code for code in languages() if code not in properties)
    by_language = {"patternProperties": {f"^({codes}){LANGUAGE_TAIL}$": names}} if names else {}
    return {"type": "object", "properties": properties, **by_language, "additionalProperties": False}


def _describe_part(part: Field | Section) -> Schema:
    if isinstance(part, Field):
        return _describe_field(part)
    items, least, most = _describe_section(part), part.least, part.most
    if part is SYMBOLS:
        items, least, most = _symbol(), FEWEST_TO_FILL, MOST_SYMBOLS
    several = {"description": part.explain, "type": "array", "minItems": least, "maxItems": most, "items": items}
    return several if most else items


def _describe_section(section: Section) -> Schema:
    keys = {field.key: _describe_field(field) for field in section.fields}
    if section.entries:
        keys[section.entries.key] = _describe_part(section.entries)
    apart = [{"not": {"type": "object", "required": list(pair)}} for pair in section.apart]
    inner = _object(keys, section.names.schema() if section.names else None)
    inner |= {"required": list(section.required)} if section.required else {}
    inner |= {"allOf": apart} if apart else {}
    if section.short:
        return {"description": section.explain, "anyOf": [section.short.schema(), inner]}
    if not section.required:
        inner["type"] = ["object", "null"]  # all its lines may be commented out
    return {"description": section.explain, **inner}


def _describe_field(field: Field) -> Schema:
    value = field.kind.schema()
    if field.is_list:
        several = {"type": "array", "items": value, "maxItems": field.most, "uniqueItems": True}
        value = {"anyOf": [several, value]}
    if field.by_language:
        value = {"anyOf": [value, _object({}, value)]}
    allowed, default = field.kind.describe(), _show_default(field)
    aside = f" Without it: {field.default}." if field.default and not default else ""
    words = f"{field.explain} {allowed[:1].upper()}{allowed[1:]}.{aside}"
    return {"description": words, **default, **value}


def _show_default(field: Field) -> Schema:
    """Return a default that could be written, a number as a number and yes as true; nothing for words about one."""
    if field.default in (None, "", ()) or field.by_language or field.is_list:
        return {}
    try:
        read = field.kind.read(str(field.default))
    except InvalidValue:
        return {}
    if isinstance(field.default, str) and not re.search(field.kind.schema().get("pattern", ""), field.default):
        return {}
    is_other = read is None or not (isinstance(field.kind, Number) or field.kind is FLAG)
    value = field.default if is_other else read
    return {"default": int(value) if isinstance(value, float) and value.is_integer() else value}


def _symbol() -> Schema:
    """Describe both forms of a symbol: one entry alone, or keys with exactly one picture."""
    short = {"anyOf": [SYMBOLS.field(key).kind.schema() for key in ("word", "emoji", "image")]}
    keys = {field.key: _describe_field(field) for field in SYMBOLS.fields}
    long = {
        **_object(keys, SYMBOLS.field("names").kind.schema()),
        "oneOf": [*_ANY_PICTURE, {"not": {"anyOf": _ANY_PICTURE}}],
        "dependencies": {key: [picture] for key, picture in ONLY_BESIDE.items()},
    }
    return {"anyOf": [short, long]}


def _demand_pictures() -> Schema:
    """Demand a picture, or faces of a symbol's own, or its names where the theme shows nothing else."""
    word = {"type": "string", "pattern": "^(word|article):"}
    words_only = {"anyOf": [word, {"type": "array", "minItems": 1, "items": word}]}
    shown = {"anyOf": [{"type": "string"}, *_ANY_PICTURE, {"required": ["faces"]}]}
    named = {"anyOf": [shown, {"minProperties": 1}]}
    symbols = {
        choice: {"properties": {SYMBOLS.key: {"items": items}}} for choice, items in (("then", named), ("else", shown))
    }
    return {"if": {"required": [FACES.key], "properties": {FACES.key: words_only}}, **symbols}
