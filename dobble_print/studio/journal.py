"""The journal of a game: every step on disk before it counts, so that undo survives whatever happens to the program.

Invariant: a line is a step, and a line that was not finished is none; what the journal says is what the game is, and
the theme file beside it holds the same text as soon as it can be written.
"""

from __future__ import annotations

import contextlib
import json
import os
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from dobble_print.errors import Fault, OutputError

MOST_STEPS = 200
MOST_BYTES = 24 << 20  # of all steps; very long themes keep fewer of them
Label = dict[str, Any]  # what the step did: a code and its values, for the page to say in its language


@dataclass(frozen=True)
class Step:
    """A state of the theme: its text, what led to it, and the field whose typing it is part of."""

    text: str
    label: Label = field(default_factory=dict)
    burst: str = ""


class Journal:
    """The steps of one game, where in them it stands, and how often it has changed."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.steps: list[Step] = []
        self.position = -1
        self.rev = 0
        self._lines = 0
        self._read()

    @property
    def text(self) -> str:
        """The theme as it is now."""
        return self.steps[self.position].text if self.steps else ""

    @property
    def undo_label(self) -> Label | None:
        """What undo takes back."""
        return self.steps[self.position].label if self.position > 0 else None

    @property
    def redo_label(self) -> Label | None:
        """What redo brings back."""
        return self.steps[self.position + 1].label if self.position + 1 < len(self.steps) else None

    def add(self, step: Step) -> None:
        """Add a step after the present one, or let it follow the typing that it goes on; write it first."""
        last = self.steps[self.position] if self.steps else None
        goes_on = bool(step.burst and last and last.burst == step.burst and self.position > 0)
        line = {"text": step.text, "label": step.label, "burst": step.burst, "goes_on": goes_on}
        self._write(line)
        self._take(line)
        self._trim()

    def move(self, by: int) -> bool:
        """Go a step back or forward, if there is one."""
        if not 0 <= self.position + by < len(self.steps):
            return False
        line = {"by": by}
        self._write(line)
        self._take(line)
        return True

    def _take(self, line: dict[str, Any]) -> None:
        self.rev = line.get("rev", self.rev + 1)
        self._lines += 1
        if "by" in line:
            self.position = min(max(self.position + int(line["by"]), 0), len(self.steps) - 1)
            return
        step = Step(str(line["text"]), dict(line.get("label") or {}), str(line.get("burst") or ""))
        if line.get("goes_on") and self.steps:
            self.steps[self.position] = replace(step, label=self.steps[self.position].label)
            del self.steps[self.position + 1 :]
        else:
            self.steps[self.position + 1 :] = [step]
            self.position = len(self.steps) - 1

    def _read(self) -> None:
        try:
            data = self.path.read_bytes()
        except FileNotFoundError:
            return
        for line in data.split(b"\n")[:-1]:  # the last one was never finished, or is empty
            with contextlib.suppress(ValueError, KeyError, TypeError, AttributeError):
                self._take(json.loads(line))
        self._drop_oldest()
        if not data.endswith(b"\n") and data:
            with contextlib.suppress(OutputError):  # then the next step cannot be written either
                self._rewrite()

    def _write(self, line: dict[str, Any]) -> None:
        """Put a line on the disk, whole or not at all; raise `OutputError`."""
        data = json.dumps(line | {"rev": self.rev + 1}, ensure_ascii=False).encode() + b"\n"
        size = 0
        try:
            with self.path.open("ab") as file:
                size = file.tell()
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            with contextlib.suppress(OSError):
                os.truncate(self.path, size)
            raise refuse_write(error) from None

    def _trim(self) -> None:
        """Let the oldest steps go, and write the file anew when most of it is history."""
        self._drop_oldest()
        if self._lines > 2 * len(self.steps) + MOST_STEPS:
            with contextlib.suppress(OutputError):  # the long one is as good
                self._rewrite()

    def _drop_oldest(self) -> None:
        sizes, kept = 0, 0
        for step in reversed(self.steps):
            sizes += len(step.text)
            if kept == MOST_STEPS or (sizes > MOST_BYTES and kept):
                break
            kept += 1
        gone = min(len(self.steps) - kept, max(0, self.position))
        del self.steps[:gone]
        self.position -= gone

    def _rewrite(self) -> None:
        steps = [{"text": s.text, "label": s.label, "burst": s.burst, "rev": self.rev} for s in self.steps]
        lines = [*steps, {"by": self.position + 1 - len(steps), "rev": self.rev}]
        write_safely(self.path, "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode())
        self._lines = len(lines)


def write_safely(path: Path, data: bytes) -> None:
    """Write a file under a temporary name, see it onto the disk, and rename it; raise `OutputError`."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with temporary.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except OSError as error:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise refuse_write(error) from None


def refuse_write(error: OSError) -> OutputError:
    """Return what a full disk, or a folder without rights, means to a person."""
    hint = "Free some space, or give the studio another folder: dobble-print studio --folder FOLDER"
    return OutputError(Fault(f"the game cannot be saved ({error.strerror or error})", hint))
