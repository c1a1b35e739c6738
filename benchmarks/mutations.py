"""Do the tests notice? Breaks one promise at a time in a copy of the program and runs the tests that should fail.

    python benchmarks/mutations.py            all of them
    python benchmarks/mutations.py deck path  those whose name holds one of the words

Ends with 1 when a mutant survives, that is, when the program is broken and no test says so.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COPIED = ("dobble_print", "tests", "themes", "templates", "pyproject.toml")


@dataclass(frozen=True)
class Mutation:
    """One line of the program that goes wrong, and the tests that are asked."""

    name: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]


PATHS = ("tests/theme/test_pictures.py", "tests/hostile/test_paths.py")
DRAWINGS = ("tests/art/test_artwork.py", "tests/hostile/test_drawings.py", "tests/hostile/test_reach.py")
PROOF = ("tests/verify/test_claims.py", "tests/verify/test_files.py")
MUTATIONS = (
    Mutation(
        "deck formula: one difference is wrong",
        "dobble_print/deck/design.py",
        "(0, 1, 3, 13, 32, 36, 43, 52)",
        "(0, 1, 3, 13, 32, 36, 43, 53)",
        ("tests/deck/test_design.py",),
    ),
    Mutation(
        "deck formula: symbols count from the wrong card",
        "dobble_print/deck/design.py",
        "tuple((i + d) % n for d in differences)",
        "tuple((i * 2 + d) % n for d in differences)",
        ("tests/deck/test_design.py",),
    ),
    Mutation(
        "overlap check: symbols may touch",
        "dobble_print/layout/certify.py",
        "return bool(shapely.dwithin(one, other, max(0.0, self.options.gap_mm - ROUNDING_MM)))",
        "return False",
        ("tests/layout/test_safety.py", "tests/layout/test_certify.py"),
    ),
    Mutation(
        "overlap check: symbols may cross the cut",
        "dobble_print/layout/certify.py",
        "return bool(self.wall.depth(x, y)[0].min() < self.options.margin_mm - ROUNDING_MM)",
        "return False",
        ("tests/layout/test_safety.py", "tests/layout/test_certify.py"),
    ),
    Mutation(
        "path gate: dots lead up",
        "dobble_print/files.py",
        'if ".." in PurePosixPath(text).parts:',
        "if False:",
        PATHS,
    ),
    Mutation(
        "path gate: links lead out",
        "dobble_print/files.py",
        "if not path.is_relative_to(folder.resolve()):",
        "if False:",
        (*PATHS, "tests/test_fonts.py"),
    ),
    Mutation(
        "path gate: fonts lead out",
        "dobble_print/fonts.py",
        "path = find_inside(folder, choice, _INSIDE)",
        "path = folder / choice",
        ("tests/test_fonts.py", "tests/hostile/test_paths.py"),
    ),
    Mutation(
        "path gate: results go anywhere",
        "dobble_print/theme/reader.py",
        'return make_file_name(stem, "theme")',
        "return stem",
        ("tests/hostile/test_paths.py",),
    ),
    Mutation(
        "drawing gate: references stay",
        "dobble_print/art/svg/sanitizer.py",
        '        if value.startswith("#"):\n            return value\n        picture',
        "        if value:\n            return value\n        picture",
        DRAWINGS,
    ),
    Mutation(
        "drawing gate: nothing is counted",
        "dobble_print/art/svg/sanitizer.py",
        "    ElementCounter(root).refuse_bombs(root)\n",
        "",
        DRAWINGS,
    ),
    Mutation(
        "drawing gate: inherited paints are not counted",
        "dobble_print/art/svg/limits.py",
        "tuple(dict.fromkeys((*own, *inherited)))",
        "own",
        DRAWINGS,
    ),
    Mutation(
        "drawing gate: any word overrides what is inherited",
        "dobble_print/art/svg/limits.py",
        'if said and all("url(" in value.lower() or _is_color(value) for value in said):',
        "if said:",
        DRAWINGS,
    ),
    Mutation(
        "drawing gate: any selector stays",
        "dobble_print/art/svg/stylesheets.py",
        "if PLAIN_SELECTOR.fullmatch(selector) and _is_quick(selector):",
        "if _is_quick(selector):",
        ("tests/hostile/test_seeds.py",),
    ),
    Mutation(
        "sandbox: no clock",
        "dobble_print/sandbox/limits.py",
        "signal.setitimer(signal.ITIMER_PROF, self.seconds)",
        "signal.setitimer(signal.ITIMER_PROF, 0)",
        ("tests/hostile/test_drawings.py", "tests/hostile/test_reach.py", "tests/hostile/test_pdfs.py"),
    ),
    Mutation(
        "sandbox: files can be opened",
        "dobble_print/sandbox/limits.py",
        "files if self.may_open_files else (0, files[1])",
        "files",
        ("tests/hostile/test_reach.py",),
    ),
    Mutation(
        "proof: two matches pass",
        "dobble_print/verify/claims.py",
        "np.triu(common != 1, 1)",
        "np.triu(common < 1, 1)",
        PROOF,
    ),
    Mutation(
        "proof: overlaps pass",
        "dobble_print/verify/claims.py",
        "if near.too_near",
        "if False",
        PROOF,
    ),
    Mutation(
        "theme gate: any depth",
        "dobble_print/theme/source.py",
        "if depth > MOST_DEPTH:",
        "if False:",
        ("tests/theme/test_source.py",),
    ),
)


def copy_program(folder: Path) -> None:
    """A copy to break."""
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, folder / name)


def try_mutation(mutation: Mutation, folder: Path) -> list[str]:
    """Break the copy, ask the tests, mend it again; returns the tests that failed."""
    path = folder / mutation.file
    text = path.read_text(encoding="utf-8")
    if text.count(mutation.old) != 1:
        sys.exit(f"{mutation.file} no longer holds, once: {mutation.old}")
    path.write_text(text.replace(mutation.old, mutation.new), encoding="utf-8")
    try:
        command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:xdist", "-p", "no:cacheprovider"]
        run = subprocess.run(
            [*command, *mutation.tests],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            text=True,
        )
    finally:
        path.write_text(text, encoding="utf-8")
    return re.findall(r"^(?:FAILED|ERROR) (\S+)", run.stdout, re.MULTILINE)


def main() -> None:
    """Print a line for each mutant: which test killed it."""
    wanted = [m for m in MUTATIONS if not sys.argv[1:] or any(word in m.name for word in sys.argv[1:])]
    survivors = 0
    with tempfile.TemporaryDirectory() as name:
        copy_program(Path(name))
        for mutation in wanted:
            failed = try_mutation(mutation, Path(name))
            survivors += not failed
            print(f"{'killed' if failed else 'SURVIVED':8}  {mutation.name:50}  {', '.join(failed)}", flush=True)
    print(f"{len(wanted) - survivors} of {len(wanted)} mutants killed")
    sys.exit(1 if survivors else 0)


if __name__ == "__main__":
    main()
