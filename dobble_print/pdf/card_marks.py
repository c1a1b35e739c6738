"""The marks by which a PDF says which cards, backs and symbols it holds: written by the press, read by the proof.

The contract between who draws a card and who reads it back:

- A front is drawn between `/Card <<...>> BDC` and `EMC`, a back between `/Back <<...>> BDC` and `EMC`; the matrix in
  force at the mark has its origin in the middle of the card.
- A front names its number, its deck, the copy of the deck, and the distances it promises between symbols (`/Gap`) and
  to the cut (`/Margin`), in millimetres.
- The form of a symbol names that symbol in its entry `/Symbol`; forms of one symbol may look different.
- What a front fills last before it draws its first symbol is the card's colour, the ground on which symbols are seen.
  Nothing marks it: whoever draws a card fills rim and ground first, and every other fill comes after the symbols.
"""

from __future__ import annotations

from typing import Any

from pikepdf import Name, String

CARD, BACK = Name("/Card"), Name("/Back")
END = "EMC"


def write_card(number: int, deck: str, copy: int, gap_mm: float, margin_mm: float) -> str:
    """Return the operator that opens a front."""
    distances = f"/Gap {gap_mm:.4g} /Margin {margin_mm:.4g}"
    return f"/Card <</Number {number} /Deck ({deck}) /Copy {copy} {distances}>> BDC"


def write_back(deck: str, copy: int) -> str:
    """Return the operator that opens a back."""
    return f"/Back <</Deck ({deck}) /Copy {copy}>> BDC"


def read_card(properties: Any) -> dict[str, Any]:
    """Return number, deck, copy and distances that a front says of itself; None is what it does not say."""
    lengths = {"gap_mm": "/Gap", "margin_mm": "/Margin"}
    promised = {name: float(properties[key]) if key in properties else None for name, key in lengths.items()}
    return {"number": int(properties.get("/Number", 0)), **read_back(properties), **promised}


def read_back(properties: Any) -> dict[str, Any]:
    """Return deck and copy that a back says of itself; None is what it does not say."""
    deck = str(properties["/Deck"]) if "/Deck" in properties else None
    return {"deck": deck, "copy": int(properties.get("/Copy", 1))}


def may_hold_marks(content: bytes) -> bool:
    """Return whether a content stream could mark cards or backs."""
    return b"/Card" in content or b"/Back" in content


def name_symbol(form: Any, symbol: str) -> None:
    """Let a form say which symbol it shows: without that, nobody could tell that two faces are one symbol."""
    form.Symbol = String(symbol)


def read_symbol(form: Any) -> str:
    """Return the symbol that a form says it shows, or nothing."""
    return str(form.Symbol) if "/Symbol" in form else ""
