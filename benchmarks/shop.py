"""What a shop build does with PDFs: how often one is opened, its content parsed, and one saved; and the CPU time.

    python benchmarks/shop.py [--theme classic] [--profile shop-sra3-x4]

Counted apart for the making and for the check (proof and preflight) of the files. Each drawing is to be opened and
parsed once in the making, however many files show it.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))


def count_calls(work: Callable[[], Any]) -> tuple[Any, dict[str, int]]:
    """Return what a piece of work gives, and how often it opened, parsed and saved a PDF."""
    import pikepdf

    counts: Counter[str] = Counter()
    watched = {"open": (pikepdf.Pdf, "open"), "parse": (pikepdf, "parse_content_stream"), "save": (pikepdf.Pdf, "save")}
    originals = {name: getattr(holder, attribute) for name, (holder, attribute) in watched.items()}

    def watch(name: str) -> Callable[..., Any]:
        def call(*arguments: Any, **options: Any) -> Any:
            counts[name] += 1
            return originals[name](*arguments, **options)

        return call

    for name, (holder, attribute) in watched.items():
        setattr(holder, attribute, watch(name))
    try:
        return work(), {name: counts[name] for name in watched}
    finally:
        for name, (holder, attribute) in watched.items():
            setattr(holder, attribute, originals[name])


def measure(theme_name: str, profile: str) -> dict[str, Any]:
    """Build a shipped theme for a shop and check its files, counting both."""
    from dobble_print.build import check_box, print_deck, prove_box
    from dobble_print.options import BuildOptions
    from dobble_print.theme.reader import read_theme

    path = ROOT / "themes" / f"{theme_name}.yaml"
    theme = read_theme(path, BuildOptions(profile=profile).theme_values())
    start = time.process_time()
    product, making = count_calls(lambda: print_deck(theme))
    made = time.process_time()
    _, checking = count_calls(lambda: (prove_box(product), check_box(product)))
    checked = time.process_time()
    seconds = {"making": round(made - start, 2), "checking": round(checked - made, 2)}
    return {"symbols": product.summary["symbols"], "making": making, "checking": checking, "seconds": seconds}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--theme", default="classic")
    parser.add_argument("--profile", default="shop-sra3-x4")
    options = parser.parse_args()
    print(json.dumps(measure(options.theme, options.profile), indent=1))
