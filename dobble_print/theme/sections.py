"""The sections of a theme or of a profile: what each key says, as values for the model.

Invariant: a theme and a profile are read by the same code, so a profile is a piece of a theme.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from dobble_print.errors import Refusal
from dobble_print.messages import clip, quote
from dobble_print.theme.fields import BACK, CARD
from dobble_print.theme.findings import Findings
from dobble_print.theme.form import Section
from dobble_print.theme.kinds import NO_COLOR
from dobble_print.theme.machine_fields import PICTURES
from dobble_print.theme.machine_model import HINT_PIXELS, MOST_PIXELS
from dobble_print.theme.model import BackOptions, CardOptions
from dobble_print.theme.pictures import PictureFolder, is_picture
from dobble_print.theme.source import MapNode, Node, TextNode

Values = dict[str, dict[str, Any]]  # by section, then by attribute of its model


def read_sections(top: Mapping[str, Node], sections: Iterable[Section], folder: Path, findings: Findings) -> Values:
    """The values of every section; a section that is not there has none."""
    values: Values = {}
    for section in sections:
        node = top.get(section.key)
        if section is BACK:
            values[BACK.key] = asdict(_read_back(node, folder, findings)) if node else {}
        elif section is CARD:
            values[CARD.key] = _read_card(node, findings)
        elif section is PICTURES:
            values[PICTURES.key] = _read_pictures(node, findings)
        else:
            values[section.key] = findings.read_section(section, node)
    return values


def merge_values(*layers: Values) -> Values:
    """Later layers count more."""
    keys = dict.fromkeys(key for layer in layers for key in layer)
    return {key: {name: value for layer in layers for name, value in layer.get(key, {}).items()} for key in keys}


def make_back(color: str) -> BackOptions:
    """A plain back of that colour, or none."""
    return BackOptions() if color == NO_COLOR else BackOptions("color", color)


def _read_card(node: Node | None, findings: Findings) -> dict[str, Any]:
    values = findings.read_section(CARD, node)
    if values.get("rim_color") == NO_COLOR:
        return {**values, "rim_color": CardOptions.rim_color, "rim_width_mm": 0.0}
    return values


def _read_pictures(node: Node | None, findings: Findings) -> dict[str, Any]:
    """The size of pictures, each side of which may be large but not both."""
    values = findings.read_section(PICTURES, node)
    width, height = values.get("width_px", 0), values.get("height_px", 0)
    if isinstance(node, MapNode) and width * height > MOST_PIXELS:
        what = f"pictures of {width} × {height} pixels are too large"
        findings.add((node.get("height") or node).place, what, HINT_PIXELS)
        return {key: value for key, value in values.items() if key not in ("width_px", "height_px")}
    return values


def _read_back(node: Node, folder: Path, findings: Findings) -> BackOptions:
    if isinstance(node, TextNode):
        return _read_short_back(node, findings)
    values = findings.read_section(BACK, node)
    color = values.get("color", BackOptions.color)
    if isinstance(node, MapNode) and "image" in values:
        return _read_back_image(node, values, color, folder, findings)
    if "pattern" in values:
        return BackOptions("pattern", color)
    return BackOptions("color", color) if "color" in values else BackOptions()


def _read_short_back(node: TextNode, findings: Findings) -> BackOptions:
    if is_picture(node.text):
        hint = f"Write {{image: {clip(node.text)}}}."
        findings.add(node.place, f"back: {quote(node.text)} is not a colour", hint)
        return BackOptions()
    color = findings.read(BACK.key, BACK.short, node) if BACK.short else None
    return make_back(color or NO_COLOR)


def _read_back_image(
    node: MapNode, values: dict[str, Any], color: str, folder: Path, findings: Findings
) -> BackOptions:
    place = (node.get("image") or node).place
    if "pattern" in values:
        findings.add(place, "a back has a pattern or a picture, not both", "Remove one.")
    try:
        return BackOptions("image", color, PictureFolder(folder).find(values["image"]))
    except Refusal as refusal:
        findings.add(place, f"back: {refusal.what}", refusal.hint)
        return BackOptions("color", color)
