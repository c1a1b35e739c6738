"""The pictures of the ready-made games in the studio: a real card of each, `python -m tools.gallery [THEME…]`.

Invariant: every theme that ships has its picture, and nothing else is in the folder; a test watches.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from dobble_print.resources import shipped_themes
from tools.pictures import build, cut_cards

FOLDER = Path(__file__).resolve().parent.parent / "dobble_print" / "studio" / "static" / "gallery"
PIXELS = 272  # twice as wide as it is shown
SHOWN = {"class-photos": 4, "times-tables": 2}  # the card that shows best what the game is; others their first


def main(names: Sequence[str]) -> None:
    """Make the pictures of these themes, or of all, and take away what is none of them."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in names or shipped_themes():
        (box,) = build(name).boxes
        (card,) = cut_cards(box, [SHOWN.get(name, 0)], PIXELS)
        card.save(FOLDER / f"{name}.webp", quality=82, method=6)
        print(f"{name}.webp: {(FOLDER / f'{name}.webp').stat().st_size / 1000:.0f} kB", flush=True)
    for path in FOLDER.glob("*.webp"):
        if path.stem not in shipped_themes():
            path.unlink()


if __name__ == "__main__":
    main(sys.argv[1:])
