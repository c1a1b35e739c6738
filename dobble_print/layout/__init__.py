"""Layout: silhouettes and a card shape go in, placements that never overlap come out, for a whole deck at once."""

from dobble_print.layout.engine import lay_out_deck
from dobble_print.layout.model import Piece, Placement

__all__ = ["Piece", "Placement", "lay_out_deck"]
