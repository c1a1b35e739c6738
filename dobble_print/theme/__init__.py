"""Themes: from a YAML file a person wrote to a frozen `Theme`, with every fault named at once."""
