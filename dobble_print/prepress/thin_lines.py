"""Thin lines: a drawing's lines are made as wide as a plate can hold, at the smallest size that the drawing prints at.

Invariant: a line that is wide enough stays as it is, and so does everything but the width of lines.
"""

from __future__ import annotations

import math
import re
from typing import Any

import pikepdf
from pikepdf import ContentStreamInstruction, Dictionary, Matrix, Name, Object, Operator, Pdf

from dobble_print.pdf.content import BUILDS, FILLS, STROKES
from dobble_print.pdf.geometry import measure_scale, own_matrix, read_matrix

LEAST_PT = 0.25
_STROKES = re.compile(rb"(?:^|\s)(?:S|s|B\*?|b\*?)(?:\s|$)")


def thicken_lines(form: Object, scale_pt: float) -> float:
    """Widen the lines of a form that prints so many points to its unit; return the thinnest there was, in points."""
    return _visit(form, own_matrix(form), scale_pt, set()) if _has_lines(form, set()) else math.inf


def find_thinnest(form: Object, scale_pt: float) -> float:
    """Return the thinnest line of a form that prints so many points to its unit, in points."""
    has_lines = _has_lines(form, set())
    return _visit(form, own_matrix(form), scale_pt, set(), is_written=False) if has_lines else math.inf


def copy_form(pdf: Pdf, form: Object) -> Object:
    """Return a copy of a form and of those in it, whose lines may be widened while the form's stay."""
    copied = pdf.make_stream(form.read_bytes())
    for key, value in form.items():
        if key not in ("/Length", "/Filter", "/DecodeParms"):
            copied[key] = value
    inner = _list_forms(form)
    if inner:
        things = dict(form.Resources.XObject.items()) | {name: copy_form(pdf, each) for name, each in inner.items()}
        copied.Resources = Dictionary(dict(form.Resources.items()) | {"/XObject": Dictionary(things)})
    return copied


def _has_lines(form: Object, seen: set[tuple[int, int]]) -> bool:
    """Return whether a form may draw lines, itself or by a form in it: most drawings do not, and need no parsing."""
    if form.objgen in seen:
        return False
    seen.add(form.objgen)
    return bool(_STROKES.search(form.read_bytes())) or any(
        _has_lines(each, seen) for each in _list_forms(form).values()
    )


def _list_forms(form: Object) -> dict[str, Object]:
    inner = form.get(Name.Resources, Dictionary()).get(Name.XObject, Dictionary())
    return {name: each for name, each in inner.items() if each.get(Name.Subtype) == Name.Form}


def _visit(form: Object, matrix: Matrix, scale_pt: float, seen: set[tuple[int, int]], is_written: bool = True) -> float:
    if form.objgen in seen:
        return math.inf
    seen.add(form.objgen)
    walk = _Widening(matrix, scale_pt)
    data = form.read_bytes()
    inner = _list_forms(form)
    if _STROKES.search(data) or inner:
        steps = [each for step in pikepdf.parse_content_stream(form) for each in walk.follow(step)]
        if is_written and walk.thinnest < LEAST_PT:
            form.write(pikepdf.unparse_content_stream(steps))
    thinnest = walk.thinnest
    for name, where in walk.drawn.items():
        if name in inner:
            thinnest = min(thinnest, _visit(inner[name], own_matrix(inner[name]) @ where, scale_pt, seen, is_written))
    return thinnest


class _Widening:
    """The matrix and the line width while a stream is read, and the steps that make its thin lines wider."""

    def __init__(self, matrix: Matrix, scale_pt: float) -> None:
        self.matrix, self.width, self.scale_pt = matrix, 1.0, scale_pt
        self.thinnest = math.inf
        self.drawn: dict[str, Matrix] = {}  # forms by name, with the matrix of where they are drawn first
        self._saved: list[tuple[Matrix, float]] = []
        self._path: list[Any] = []

    def follow(self, step: Any) -> list[Any]:
        """Return the steps that stand in for one: none while a path is built, then all of it with its width."""
        operator = str(step.operator)
        if operator in BUILDS or operator in ("W", "W*"):
            self._path.append(step)
            return []
        path, self._path = [*self._path, step], []
        if operator in STROKES:
            return self._widen(path)
        if operator not in FILLS:
            self._note(operator, step.operands)
        return path

    def _note(self, operator: str, operands: Any) -> None:
        match operator:
            case "q":
                self._saved.append((self.matrix, self.width))
            case "Q" if self._saved:
                self.matrix, self.width = self._saved.pop()
            case "cm":
                self.matrix = read_matrix(operands) @ self.matrix
            case "w":
                self.width = float(operands[0])
            case "Do":
                self.drawn.setdefault(str(operands[0]), self.matrix)

    def _widen(self, path: list[Any]) -> list[Any]:
        scale = measure_scale(self.matrix) * self.scale_pt
        printed = self.width * scale
        self.thinnest = min(self.thinnest, printed)
        if printed >= LEAST_PT or scale <= 0:
            return path
        self.width = LEAST_PT / scale * 1.001  # so that rounding never falls below
        return [ContentStreamInstruction([round(self.width, 6)], Operator("w")), *path]
