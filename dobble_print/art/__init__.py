"""Artwork: from an SVG, emoji, photo or text to something the press can print and the layout can place."""
