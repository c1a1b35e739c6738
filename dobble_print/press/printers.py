"""Printers: what puts each of them right, kept by name in the user's own settings, one small file a printer.

Invariant: a correction that is kept or loaded lies within the limits below, and a file is written whole or not at all.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from dobble_print.errors import Fault, InvalidValue, OutputError, ThemeError, UsageError
from dobble_print.files import deliver, is_device_name
from dobble_print.messages import list_words, quote, suggest
from dobble_print.theme.kinds import Number
from dobble_print.theme.source import MapNode, read_tree
from dobble_print.theme.values import FaultCollector
from dobble_print.units import Correction, write_number

OFFSET = Number(-20, 20, "mm")
SCALE = Number(0.9, 1.1)
KINDS = {"dx_mm": OFFSET, "dy_mm": OFFSET, "scale": SCALE}
NAMES = {"dx_mm": "the offset to the right", "dy_mm": "the offset up", "scale": "the scale"}
LONGEST_NAME = 40
ENDING = ".yaml"
EXACT_DIGITS = 6  # after the point: a nanometre
_BY_HAND = "Give the numbers with --back-offset and --scale instead."
_REMEDY = "Mend the file, or save the printer anew."
_ABOUT = """\
# What puts this printer right. Written by dobble-print; a number may be changed by hand.
# dx_mm moves the backs to the right and dy_mm moves them up, as you look at the backs, in millimetres;
# scale makes everything larger (above 1) or smaller.
"""


def save_printer(name: str, correction: Correction) -> Path:
    """Save a correction under a name, in place of an earlier one; return its file."""
    if not _is_name(name):
        better = re.sub("[^A-Za-z0-9_-]+", "-", name).strip("-_")[:LONGEST_NAME].strip("-_")
        example = better if _is_name(better) else "office"
        hint = f'Use letters a to z, digits, "-" and "_", at most {LONGEST_NAME}, such as "{example}".'
        raise UsageError(Fault(f"a printer cannot be called {quote(name)}", hint))
    check_correction(correction)
    numbers = (f"{key}: {write_number(getattr(correction, key), EXACT_DIGITS)}\n" for key in KINDS)
    folder, text = find_folder(), _ABOUT + "".join(numbers)
    try:
        return deliver(folder, {f"{name}{ENDING}": text.encode()})[0]
    except OutputError as error:
        raise OutputError(*(replace(fault, hint=_BY_HAND) for fault in error.faults)) from None


def load_printer(name: str) -> Correction:
    """Return the correction saved under a name."""
    known = _find_files()
    if name not in known:
        kept = f"Saved are: {list_words(known, 'and')}." if known else "None is saved yet."
        raise UsageError(Fault(f"there is no printer {quote(name)}", f"{suggest(name, known)} {kept}".strip()))
    return _read_file(known[name])


def list_printers() -> dict[str, Correction]:
    """Return every saved correction by name; raise all faults of all broken files at once."""
    found, faults = dict[str, Correction](), list[Fault]()
    for name, path in _find_files().items():
        try:
            found[name] = _read_file(path)
        except UsageError as error:
            faults += error.faults
    UsageError.raise_any(faults)
    return found


def parse_offset(text: str) -> tuple[float, float]:
    """Parse two lengths in millimetres: `0.7,-0.3`, `0.7 -0.3`, or with decimal commas `0,7;-0,3`."""
    parts = _split_pair(re.sub(r"(?<=[0-9])\s*mm\b", "", text.replace("\u2212", "-")).strip())
    if len(parts) != 2:
        hint = 'Give two numbers, right and up, such as 0.7,-0.3 (with decimal commas, in quotes: "0,7 ; -0,3").'
        raise UsageError(Fault(f"{quote(text)} is not an offset", hint))
    faults, lengths = list[Fault](), list[float]()
    for part, name in zip(parts, (NAMES["dx_mm"], NAMES["dy_mm"]), strict=True):
        try:
            lengths.append(OFFSET.read(part) or 0.0)  # -0 is 0
        except InvalidValue as invalid:
            faults.append(Fault(f"{name}: {invalid.what}", invalid.hint))
    UsageError.raise_any(faults)
    return lengths[0], lengths[1]


def _split_pair(text: str) -> list[str]:
    """Split two numbers at a semicolon, else by the one gap, else by commas; four numbers have decimal commas."""
    if ";" in text:
        return [part.strip() for part in text.split(";")]
    words = text.split()
    if len(words) == 2 and not words[0].endswith(",") and not words[1].startswith(","):
        return words
    parts = [part.strip() for part in text.split(",")]
    if len(parts) == 4:
        return [f"{parts[0]},{parts[1]}", f"{parts[2]},{parts[3]}"]
    if re.fullmatch(r"[+-]?[0-9]+,[0-9]+", text):  # two whole numbers, or one with a decimal comma?
        hint = (
            f'Write "{parts[0]}.0,{parts[1]}.0" if you mean two numbers, or "{parts[0]}.{parts[1]},0" if you mean one.'
        )
        raise UsageError(Fault(f"{quote(text)} can be read in two ways", hint))
    return parts


def parse_scale(text: str) -> float:
    """Parse a scale as people write it: `1.008`, `1,008`, or as the calibration page gives it, `100/99.2`."""
    above, *below = text.split("/")
    try:
        scale = _read_any(above) / (_read_any(below[0]) if below else 1.0)
    except (ValueError, ZeroDivisionError):
        scale = None
    if scale is None or len(below) > 1:
        hint = "Give a number such as 1.008, or what you wanted and what you measured: 100/99.2."
        raise UsageError(Fault(f"{quote(text)} is not a scale", hint))
    scale = round(scale, EXACT_DIGITS)
    check_correction(Correction(scale=scale))
    return scale


def _read_any(text: str) -> float:
    """Parse a number without limits, in a form that no exponent or `nan` fits."""
    if not re.fullmatch(r"\s*[0-9]{1,6}([.,][0-9]{1,12})?\s*", text):
        raise ValueError(text)
    return float(text.replace(",", "."))


def check_correction(correction: Correction) -> None:
    """Raise a `UsageError` for what no printer needs."""
    faults = list[Fault]()
    for key, kind in KINDS.items():
        value = getattr(correction, key)
        if not kind.least <= value <= kind.most:  # true for nan, too
            hint = "a printer further off prints at another size than 100 %, or on other paper."
            faults.append(Fault(f"{NAMES[key]} cannot be {value:g}", f"Give {kind.describe()}; {hint}"))
    UsageError.raise_any(faults)


def find_folder() -> Path:
    """Return where this system keeps settings: XDG's folder, Application Support or AppData."""
    from platformdirs import user_config_path

    try:
        return user_config_path("dobble-print", appauthor=False, roaming=True) / "printers"
    except RuntimeError:
        raise UsageError(Fault("there is no home folder to keep printers in", _BY_HAND)) from None


def _find_files() -> dict[str, Path]:
    """Return the files by the names of their printers; others that lie in the folder are none of ours."""
    try:
        paths = sorted(find_folder().glob(f"*{ENDING}"))
    except OSError:
        return {}
    return {path.stem: path for path in paths if _is_name(path.stem)}


def _is_name(name: str) -> bool:
    pattern = rf"[A-Za-z0-9][A-Za-z0-9_-]{{0,{LONGEST_NAME - 1}}}"
    return bool(re.fullmatch(pattern, name)) and not is_device_name(name)


def _read_file(path: Path) -> Correction:
    """Return the correction in a file; raise a `UsageError` with all its faults."""
    findings, values = FaultCollector(), dict[str, float]()
    try:
        tree, findings.faults = read_tree(path, str(path))
    except ThemeError as error:
        UsageError.raise_any(replace(fault, hint=_REMEDY) for fault in error.faults)  # its own hints are about themes
        raise
    if not isinstance(tree, MapNode):
        findings.add(tree.place, "this is not a list of numbers by name")
    for key, node in tree.entries if isinstance(tree, MapNode) else ():
        if key.text in KINDS:
            values[key.text] = findings.read(key.text, KINDS[key.text], node) or 0.0  # -0 is 0
        else:
            findings.add_unknown(key, KINDS)
    UsageError.raise_any(replace(fault, hint=f"{fault.hint} {_REMEDY}".strip()) for fault in findings.faults)
    return Correction(**values)
