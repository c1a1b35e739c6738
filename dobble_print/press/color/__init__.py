"""Colour for the press: a printing condition of our own, RGB to inks, separated pages, flattened and outlined art."""
