"""How true drawings are printed: any folders of SVG files, beside the same files in Chromium and in resvg.

    python benchmarks/drawings.py FOLDER… [--most 500] [--references FOLDER] [--worst FOLDER] [--list] [--processes 1]

Every drawing is opened as a build opens it, and what would be embedded in the sheets is rendered with 256 pixels
along its longer side; where that is off, both are rendered with 1024, as a printer does, and shrunk; the better one
counts. It is wrong where more than 2 % of the pixels differ by more than 10 % from what the browser shows, a shift of
one pixel aside. What is wrong is told by a warning, or silent. Drawings with the same bytes count once.

`--most` takes so many files of each folder; `--references` keeps the browser's pictures for the next run; `--worst`
writes the drawings that are wrong side by side (Chromium, resvg, ours); `--list` names them.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import argparse
import hashlib
import multiprocessing
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from dobble_print.art.silhouette import trace_silhouette  # noqa: E402
from dobble_print.art.svg.compare import measure_difference  # noqa: E402
from dobble_print.art.svg.render import WHITE_PAGE, OpenedDrawing, open_drawing, render_svg  # noqa: E402
from dobble_print.errors import DobbleError  # noqa: E402
from dobble_print.pdf.render import CLEAR, Rasterizer  # noqa: E402

SIDE = 256
FINER = 4
TIMED = 64  # of 256 drawings that are timed, which needs a second opening
WRONG, SLIGHT = 0.02, 0.01  # shares of the pixels that differ
GRID = 12  # drawings along each side of the browser's window
VERDICTS = ("right", "pixels", "refused", "warned", "silent")
FEATURES = {
    "gradients": r"<(?:\w+:)?(?:linear|radial)Gradient",
    "clip paths": r"clip-path",
    "masks": r"[\s;\"']mask\s*[=:]",
    "filters": r"[\s;\"']filter\s*[=:]",
    "patterns": r"<(?:\w+:)?pattern",
    "markers": r"marker-(?:start|mid|end)",
    "use": r"<(?:\w+:)?use",
    "text": r"<(?:\w+:)?(?:text|flowRoot)\b",
    "pictures": r"<(?:\w+:)?image",
    "style sheets": r"<(?:\w+:)?style",
    "blending": r"mix-blend-mode",
    "dashes": r"stroke-dasharray\s*[=:]\s*[\"']?\s*[\d.]",
    "opacity": r"opacity\s*[=:]\s*[\"']?\s*0?\.\d",
}


@dataclass(frozen=True)
class Finding:
    """What became of one drawing."""

    path: Path
    verdict: str
    difference: float
    is_slight: bool
    words: str
    features: tuple[str, ...]
    cpu_ms: float | None
    from_resvg: float


def list_drawings(folders: Iterable[Path], most: int | None) -> list[Path]:
    """Return the drawings of some folders, each content once; of each folder an arbitrary but fixed choice."""
    chosen: dict[str, Path] = {}
    for folder in folders:
        found: dict[str, Path] = {}
        for path in sorted(folder.rglob("*.svg")):
            if path.is_file() and not path.is_symlink():
                found.setdefault(hashlib.sha256(path.read_bytes()).hexdigest(), path)
        for digest in sorted(found)[:most]:
            chosen.setdefault(digest, found[digest])
    return [chosen[digest] for digest in sorted(chosen)]


def photograph(paths: Sequence[Path], references: Path) -> None:
    """Have Chromium draw every file that has no picture yet, many at a time."""
    missing = [path for path in paths if not _find_reference(path, references).exists()]
    for start in range(0, len(missing), GRID * GRID):
        _photograph_some(missing[start : start + GRID * GRID], references)
        print(f"\rChromium: {min(start + GRID * GRID, len(missing))} of {len(missing)}", end="", file=sys.stderr)
    print(file=sys.stderr)


def _find_reference(path: Path, references: Path, side: int = SIDE) -> Path:
    return references / f"{hashlib.sha256(path.read_bytes()).hexdigest()[:32]}{'' if side == SIDE else f'-{side}'}.png"


def _photograph_finely(path: Path, references: Path) -> Image.Image:
    """Return what the browser shows on a screen as fine as a printer, shrunk."""
    side = FINER * SIDE
    if not _find_reference(path, references, side).exists():
        _photograph_some([path], references, side, 1)
    fine = Image.open(_find_reference(path, references, side)).convert("RGBA")
    return fine.convert("RGBa").reduce(FINER).convert("RGBA")


def _photograph_some(paths: Sequence[Path], references: Path, side: int = SIDE, grid: int = GRID) -> None:
    browser = shutil.which("chromium") or shutil.which("google-chrome") or shutil.which("chromium-browser")
    if browser is None:
        raise SystemExit("Chromium is missing: sudo apt install chromium")
    style = (
        f"*{{margin:0;padding:0}} body{{width:{grid * side}px;font-size:0}} "
        f"img{{width:{side}px;height:{side}px;object-fit:contain;object-position:0 0}}"
    )
    with tempfile.TemporaryDirectory() as folder:
        for number, path in enumerate(paths):
            (Path(folder) / f"{number}.svg").write_bytes(path.read_bytes())
        images = "".join(
            f'<img src="{number}.svg" onerror="this.style.visibility=`hidden`">' for number in range(len(paths))
        )
        page = Path(folder) / "page.html"
        page.write_text(f"<!doctype html><style>{style}</style><body>{images}")
        shot = Path(folder) / "shot.png"
        command = [browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--screenshot={shot}"]
        command += ["--default-background-color=00000000", f"--window-size={grid * side},{grid * side}"]
        command += ["--force-color-profile=srgb", f"--user-data-dir={folder}/profile", page.as_uri()]
        subprocess.run(command, check=True, capture_output=True, timeout=300)
        sheet = Image.open(shot).convert("RGBA")
        for number, path in enumerate(paths):
            x, y = number % grid * side, number // grid * side
            sheet.crop((x, y, x + side, y + side)).save(_find_reference(path, references, side))


def _spread(picture: Image.Image) -> Image.Image:
    """Return a picture in the upper left corner of a square."""
    square = Image.new("RGBA", (SIDE, SIDE), (0, 0, 0, 0))
    square.paste(picture.crop((0, 0, SIDE, SIDE)), (0, 0))
    return square


def _draw_ours(opened: OpenedDrawing, finer: int = 1) -> Image.Image:
    """Render what is embedded in the sheets, that many times as fine and shrunk again."""
    if opened.pdf is None:
        drawn = render_svg(opened.svg, finer * SIDE)
    else:
        with Rasterizer(opened.pdf) as rasterizer:
            scale = finer * SIDE / max(rasterizer.measure(0))
            drawn = rasterizer.draw(0, scale, CLEAR, has_alpha=True).to_pil().convert("RGBA")
    return _spread(drawn.convert("RGBa").reduce(finer).convert("RGBA") if finer > 1 else drawn)


def _draw_with_resvg(data: bytes) -> Image.Image:
    try:
        return _spread(render_svg(data, SIDE))
    except (DobbleError, UnicodeDecodeError):
        return _spread(Image.new("RGBA", (SIDE, SIDE)))


def examine(path: Path, references: Path, worst: Path | None) -> Finding:
    """Compare one drawing with what the browser shows."""
    data = path.read_bytes()
    text = data.decode("utf-8", "replace")
    features = tuple(name for name, pattern in FEATURES.items() if re.search(pattern, text)) or ("plain shapes",)
    reference = Image.open(_find_reference(path, references)).convert("RGBA")
    is_read = reference.getchannel("A").getbbox() is not None  # by the browser, which needs a namespace
    if not is_read:
        reference = _draw_with_resvg(data)
    try:
        opened = open_drawing(data, is_compared=True)
        trace_silhouette(opened.mask)
        ours = _draw_ours(opened)
    except DobbleError as error:
        return Finding(path, "refused", 1.0, False, str(error), features, None, 0.0)
    except Exception as error:  # a bug, which must not end the run
        return Finding(path, "silent", 1.0, False, f"BUG {type(error).__name__} {error}", features, None, 0.0)
    difference = measure_difference(ours, reference)
    if difference > SLIGHT:  # lines, patterns and seams between shapes change with the size of a pixel
        fine = _draw_ours(opened, FINER), _photograph_finely(path, references) if is_read else reference
        ours, reference = min((ours, reference), fine, key=lambda pair: measure_difference(*pair))
        difference = measure_difference(ours, reference)
    is_vector = opened.pdf is not None
    is_timed = int(hashlib.sha256(data).hexdigest()[:2], 16) < TIMED
    words = "; ".join((*(fault.what for fault in opened.warnings), *opened.notes))
    verdict = "right" if is_vector else "pixels"
    from_resvg = 0.0
    if difference > WRONG:
        verdict = "warned" if any(fault is not WHITE_PAGE for fault in opened.warnings) else "silent"
        theirs = _draw_with_resvg(data)
        from_resvg = measure_difference(theirs, reference)
        if worst:
            worst.mkdir(parents=True, exist_ok=True)
            row = Image.new("RGBA", (3 * SIDE, SIDE))
            for number, picture in enumerate((reference, theirs, ours)):
                row.paste(picture, (number * SIDE, 0))
            ground = Image.new("RGBA", (3 * SIDE, SIDE), (150, 190, 210, 255))
            name = f"{verdict}-{difference:.3f}-{path.parent.name}-{path.stem}"[:100]
            Image.alpha_composite(ground, row).save(worst / f"{name}.png")
    return Finding(
        path,
        verdict,
        difference,
        difference > SLIGHT,
        words,
        features,
        _time_vectors(data) if is_vector and is_timed else None,
        from_resvg,
    )


def _time_vectors(data: bytes) -> float:
    """Return the processor time that opening takes, the comparison aside, in milliseconds."""
    start = time.process_time()
    open_drawing(data)
    return 1000 * (time.process_time() - start)


def examine_all(
    paths: Sequence[Path], references: Path, worst: Path | None, processes: int | None
) -> Iterator[Finding]:
    """Compare all drawings, in so many processes, else on every core."""
    with multiprocessing.get_context("fork").Pool(processes, maxtasksperchild=500) as pool:
        for number, finding in enumerate(
            pool.imap_unordered(partial(examine, references=references, worst=worst), paths, 8)
        ):
            if number % 50 == 0:
                print(f"\rcompared: {number} of {len(paths)}", end="", file=sys.stderr)
            yield finding
    print(file=sys.stderr)


def print_table(findings: Sequence[Finding], folders: Sequence[Path]) -> None:
    """Print how many drawings are right, by folder and by feature."""
    print(
        f"{'':24}{'files':>7}" + "".join(f"{verdict:>10}" for verdict in VERDICTS) + f"{'silent %':>10}{'vector %':>10}"
    )
    rows = [(f"{folder.name}/", [f for f in findings if folder in f.path.parents]) for folder in folders]
    names = (*FEATURES, "plain shapes")
    rows += [(name, [f for f in findings if name in f.features]) for name in names]
    rows.append(("all", list(findings)))
    for name, group in rows:
        if group:
            counts = Counter(finding.verdict for finding in group)
            shares = f"{100 * counts['silent'] / len(group):>10.2f}{100 * counts['right'] / len(group):>10.1f}"
            print(f"{name[:24]:24}{len(group):>7}" + "".join(f"{counts[v]:>10}" for v in VERDICTS) + shares)
    times = [finding.cpu_ms for finding in findings if finding.cpu_ms is not None]
    if times:
        print(f"\nCPU a vector symbol: median {statistics.median(times):.1f} ms, mean {statistics.mean(times):.1f} ms")
    slight = sum(f.is_slight and f.verdict in ("right", "pixels") for f in findings)
    print(f"slightly off (more than {SLIGHT:.0%} of the pixels): {slight}")
    needless = sum("draw it differently" in f.words and f.verdict in ("right", "pixels") for f in findings)
    print(f"right, and all the same to be looked at, since two programs draw it differently: {needless}")


def main() -> None:
    """Compare the drawings of some folders."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--most", type=int)
    parser.add_argument("--references", type=Path)
    parser.add_argument("--worst", type=Path)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--processes", type=int)
    options = parser.parse_args()
    paths = list_drawings(options.folders, options.most)
    with tempfile.TemporaryDirectory() as folder:
        references = options.references or Path(folder)
        references.mkdir(parents=True, exist_ok=True)
        photograph(paths, references)
        findings = []
        with suppress(KeyboardInterrupt):  # whoever has seen enough gets the table of what is done
            for finding in examine_all(paths, references, options.worst, options.processes):
                findings.append(finding)
    if options.list:
        for finding in sorted(findings, key=lambda f: (VERDICTS.index(f.verdict), -f.difference)):
            if finding.verdict in VERDICTS[2:]:
                off = f"{finding.difference:6.3f} resvg {finding.from_resvg:.3f}"
                print(f"{finding.verdict:8}{off} {finding.path}: {finding.words}")
    print_table(findings, options.folders)


if __name__ == "__main__":
    main()
