"""Themes: from a YAML file a person wrote to a frozen `Theme`, with every fault named at once.

The way in: `reader.find_theme` finds the file, `reader.read_theme` reads it.
"""
