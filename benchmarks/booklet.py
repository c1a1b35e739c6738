"""What booklet, legend and imposition add to a build: CPU seconds of each, cold, in a process of its own.

    python benchmarks/booklet.py [--theme classic] [--repeat 3]

The cards are laid out in draft quality first; that and the imports a build has anyway are not counted. The best of some
runs, because the machines are noisy. The aim is 1.5 s for the classic deck in two languages.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
STEPS = ("booklet", "legend", "booklet-print")
CASES = {"nl+fr, side by side": "nl,fr", "en": "en", "eight languages": "en,nl,fr,de,es,it,pt,pl"}
PROBE = """
import sys, time
from dobble_print.compose import lay_out, make_look
from dobble_print.art.gallery import fit_forms, open_gallery
from dobble_print.dealing import assign_owners, deal_theme
from dobble_print.sheets.backs import make_back
from dobble_print.sheets.plan import make_fronts
from dobble_print.press.document import PrintableDeck
from dobble_print.options import BuildOptions
from dobble_print.theme.reader import find_theme, read_theme
import pikepdf, reportlab.pdfgen.canvas

languages = tuple(sys.argv[2].split(","))
theme = read_theme(find_theme(sys.argv[1]), BuildOptions(languages=languages, quality="draft").theme_values())
decks, look = deal_theme(theme), make_look(theme)
artworks = open_gallery(theme.symbols).artworks
faces = make_fronts(lay_out(theme, decks, artworks, look), artworks, assign_owners(theme, decks))
forms = fit_forms(artworks, [30.0] * len(artworks))
printer = PrintableDeck(faces, make_back(theme.back, look, artworks, None), look, forms, theme)

marks = [time.process_time()]
from dobble_print.press.booklet.book import plan_booklet
from dobble_print.press.booklet.imposition import impose_booklet
from dobble_print.press.legend import make_legend
booklet = plan_booklet(printer, decks, artworks).draw()
marks.append(time.process_time())
make_legend(printer, artworks)
marks.append(time.process_time())
impose_booklet(booklet, theme.sheet.paper)
marks.append(time.process_time())
print(*(after - before for before, after in zip(marks, marks[1:])))
"""


def measure(theme: str, languages: str) -> list[float]:
    """The CPU seconds of each step in one process."""
    command = [sys.executable, "-c", PROBE, theme, languages]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    told = subprocess.run(command, check=True, env=environment, capture_output=True, text=True).stdout
    return [float(seconds) for seconds in told.split()]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--theme", default="classic")
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    print(f"{options.theme:<24}" + "".join(f"{step:>15}" for step in (*STEPS, "together")))
    for name, languages in CASES.items():
        best = min((measure(options.theme, languages) for _ in range(options.repeat)), key=sum)
        print(f"{name:<24}" + "".join(f"{seconds:>13.2f} s" for seconds in (*best, sum(best))))


if __name__ == "__main__":
    main()
