"""Themes: from a YAML file a person wrote to a frozen `Theme`, with every fault named at once.

The way in: `resources.find_theme` finds the file, `reader.read_theme` reads it; `source` → `kinds`, `form` and
`fields` → `symbols` (with the words of the `lexicon`), `distinct` and `extras` → `reader` is the order in which a file
becomes a `model.Theme`. `schema` and `starter` describe and write themes from the same `fields`.
"""
