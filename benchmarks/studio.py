"""How quick the studio is: `python benchmarks/studio.py` starts one, edits games of 31 and 57 symbols, and measures.

What a teacher waits for: the page after the command, all cards after a word was added or the deck was shuffled, and a
name on the list; and the memory of the server with all its processes. `--edits 10` measures less of each.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from dobble_print.words.lexicon import words
from tests.studio.server import Plain, Running, running

EDITS = 30
PROMISES = {"page": 2.0, "word": 0.7, "rename": 0.2, "shuffle": 0.8, "many": 1.3, "memory": 400.0}


def list_words(count: int) -> list[str]:
    """Return so many plain words that have drawings, of a few groups."""
    plain = [key for key, word in words().items() if key.isalpha() and word.emoji and word.names["en"].text == key]
    return plain[:count]


def measure_memory_mb(process: int) -> float:
    """Return the memory of a process and all its descendants; what they share counts once."""
    children = {process}
    for _ in range(4):
        for entry in Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = entry.read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[1]) in children:
                children.add(int(entry.parent.name))
    return sum(map(_read_pss_mb, children))


def _read_pss_mb(process: int) -> float:
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024


def time_cards(studio: Running, deck: Plain, *ops: Plain) -> tuple[float, Plain]:
    """Return how long it takes from a change until all cards are known, and the game."""
    since = time.perf_counter()
    deck = studio.change(deck, *ops)
    studio.wait_for_cards(deck)
    return time.perf_counter() - since, deck


def time_edits(studio: Running, deck: Plain, spare: list[str], edits: int) -> list[float]:
    """Add a word and take one away, again and again; return how long each addition took."""
    took = []
    for number in range(edits):
        word = spare[number % len(spare)]
        _, deck = time_cards(studio, deck, {"op": "remove", "ids": [deck["symbols"][number % 20]["id"]]})
        seconds, deck = time_cards(studio, deck, {"op": "add", "text": word})
        took.append(seconds)
    return took


def find_slowest(seconds: list[float]) -> float:
    """Return what nineteen of twenty stay below."""
    return statistics.quantiles(seconds, n=20)[-1]


def measure(folder: Path, edits: int) -> dict[str, Any]:
    """Return all figures of a studio that starts with nothing kept."""
    names = list_words(57 + edits)
    with running(folder) as studio:
        assert studio.process
        figures: dict[str, Any] = {"page": studio.ready_s}
        deck = studio.make_deck("\n".join(names[:31]))
        studio.wait_for_cards(deck)
        spare = names[57:]
        added = time_edits(studio, deck, spare, edits)
        figures["word"], figures["word, usually"] = find_slowest(added), statistics.median(added)
        figures["memory before"] = measure_memory_mb(studio.process.pid)
        deck = studio.ask("GET", f"/api/decks/{deck['id']}")
        renamed = []
        for number in range(edits):
            since = time.perf_counter()
            name = {
                "op": "set",
                "id": deck["symbols"][0]["id"],
                "names": {"en": f"name {chr(97 + number % 26)}{number}"},
            }
            deck = studio.change(deck, name)
            renamed.append(time.perf_counter() - since)
        figures["rename"] = find_slowest(renamed)
        shuffled = [
            time_cards(studio, deck, {"op": "look", "values": {"deck.seed": number + 2}})[0]
            for number in range(edits // 3)
        ]
        figures["shuffle"] = find_slowest(shuffled)
        many = studio.make_deck("\n".join(names[:56]))
        studio.wait_for_cards(many)
        figures["many"], _ = time_cards(studio, many, {"op": "add", "text": names[56]})
        time_edits(studio, studio.ask("GET", f"/api/decks/{deck['id']}"), spare, edits)
        figures["memory"] = measure_memory_mb(studio.process.pid)
    return figures


WORDS = {
    "page": "the page is ready after the command, s",
    "word": "all cards after a word was added (31 symbols, 19 of 20), s",
    "word, usually": "  the same, usually, s",
    "rename": "a symbol renamed, s",
    "shuffle": "all cards after a shuffle, s",
    "many": "all cards after the 57th symbol, s",
    "memory before": "memory of server and workers after two changes an edit, MB",
    "memory": "  the same after more than twice as many, MB",
}


def main() -> None:
    """Print the table."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--edits", type=int, default=EDITS)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = f"{folder}/cache"
        figures = measure(Path(folder), asked.parse_args().edits)
    print("| what | measured | promised |\n|---|---|---|")
    for key, about in WORDS.items():
        print(f"| {about} | {figures[key]:.2f} | {PROMISES.get(key, '')} |")


if __name__ == "__main__":
    main()
