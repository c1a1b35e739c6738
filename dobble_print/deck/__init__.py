"""Deck mathematics: projective planes from difference sets, and which face of a symbol each card shows."""
