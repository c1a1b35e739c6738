"""Layers: what a file says its optional content is for, and which of it is switched off.

Invariant: a layer is known by its object, not by its name; a structural processing step (ISO 19593-1) that cuts makes
the spot inks on it cut paths, whatever they are called.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from pikepdf import Array, Dictionary, Name, Pdf

from dobble_print.preflight.drawing import Layer, key_of


def read_layer(value: Any) -> tuple[Layer, bool]:
    """The groups a piece of optional content belongs to, and whether one of them says that it is cut."""
    groups = [group for group in _list_groups(value) if isinstance(group, Dictionary)]
    return tuple(key_of(group) for group in groups), any(_is_cutting(group) for group in groups)


def _list_groups(value: Any) -> list[Any]:
    """A group stands for itself, a membership dictionary for the groups it names."""
    if not isinstance(value, Dictionary):
        return []
    if value.get("/Type") != Name.OCMD:
        return [value]
    groups = value.get("/OCGs", Array())
    return list(groups) if isinstance(groups, Array) else [groups]


def _is_cutting(group: Any) -> bool:
    step = group.get("/GTS_Metadata")
    if not isinstance(step, Dictionary) or step.get("/GTS_ProcStepsGroup") != Name.Structural:
        return False
    kind = str(step.get("/GTS_ProcStepsType", ""))
    return "Cutting" in kind or kind == "/Perforating"


def find_hidden_layers(pdf: Pdf) -> frozenset[Hashable]:
    """The groups that are off when the file is opened."""
    known = pdf.Root.get("/OCProperties")
    if not isinstance(known, Dictionary):
        return frozenset()
    start = known.get("/D", Dictionary())
    groups = [key_of(group) for group in known.get("/OCGs", Array())]
    off = {key_of(group) for group in start.get("/OFF", Array())}
    if start.get("/BaseState") == Name.OFF:
        off |= set(groups) - {key_of(group) for group in start.get("/ON", Array())}
    return frozenset(off)
