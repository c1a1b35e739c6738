"""Separation: every colour of a finished PDF becomes inks, wherever it stands.

Invariant: after `separate_colors` no content stream, gradient, picture or transparency group speaks of red, green and
blue; what already speaks of inks (DeviceCMYK, Separation, DeviceN) is left as it was. Each stream is rewritten once,
however many pages share it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name, Object, Operator, Pdf, Stream

from dobble_print.press.color.gradients import convert_shading
from dobble_print.press.color.inks import Inks
from dobble_print.press.color.pictures import convert_picture, lift_inline
from dobble_print.press.color.spaces import Kind, Palette, convert_group, convert_space, kind_of

PLAIN = {"rg": "fill", "g": "fill", "RG": "stroke", "G": "stroke"}  # set space and colour at once
SPACE = {"cs": "fill", "CS": "stroke"}
COLOR = {"sc": "fill", "scn": "fill", "SC": "stroke", "SCN": "stroke"}
SET = {False: {"fill": Operator("k"), "stroke": Operator("K")}, True: {"fill": Operator("g"), "stroke": Operator("G")}}
BLACK = {Kind.RGB: (0.0, 0.0, 0.0), Kind.GREY: (0.0,)}
DECIMALS = 4

Instruction = Any  # pikepdf's own two kinds of instruction


def separate_colors(pdf: Pdf, inks: Inks) -> None:
    """Turn all colours of a document into inks."""
    walk = _Walk(pdf)
    palette = Palette(inks)
    for page in pdf.pages:
        holder = page.obj
        resources = holder.get(Name.Resources, Dictionary())
        convert_group(holder, palette)
        content = walk.rewrite(page, resources, palette)
        holder.Contents = pdf.make_stream(content)
        walk.visit_resources(resources, palette)
        for annotation in holder.get(Name.Annots, Array()):
            walk.visit_appearances(annotation.get(Name.AP, Dictionary()), palette)
    walk.convert_spaces()


@dataclass
class _State:
    """The colour spaces in force while a content stream is read."""

    kinds: dict[str, Kind] = field(default_factory=lambda: {"fill": Kind.GREY, "stroke": Kind.GREY})
    saved: list[dict[str, Kind]] = field(default_factory=list)


class _Walk:
    """One pass over a document that remembers where it has been."""

    def __init__(self, pdf: Pdf) -> None:
        self.pdf = pdf
        self.seen: set[tuple[int, int]] = set()
        self.lifted = 0
        self.spaces: list[tuple[Object, Palette]] = []

    def _is_new(self, thing: Object) -> bool:
        if not thing.is_indirect:
            return True
        new = thing.objgen not in self.seen
        self.seen.add(thing.objgen)
        return new

    def visit_resources(self, resources: Object, palette: Palette) -> None:
        """Everything a content stream may refer to."""
        if not self._is_new(resources):
            return
        self._visit_dictionary(resources, Name.XObject, self._visit_xobject, palette, resources)
        self._visit_dictionary(resources, Name.Pattern, self._visit_pattern, palette, resources)
        self._visit_dictionary(resources, Name.Shading, self._visit_shading, palette, resources)
        self._visit_dictionary(resources, Name.ExtGState, self._visit_state, palette, resources)
        self._visit_dictionary(resources, Name.Font, self._visit_font, palette, resources)
        spaces = resources.get(Name.ColorSpace)
        if isinstance(spaces, Dictionary) and self._is_new(spaces):
            self.spaces.append((spaces, palette))

    def convert_spaces(self) -> None:
        """Named colour spaces, once nothing that refers to them is left to be read."""
        for spaces, palette in self.spaces:
            for key in list(spaces.keys()):
                if key in ("/DefaultRGB", "/DefaultGray"):
                    del spaces[key]
                else:
                    spaces[key] = convert_space(self.pdf, spaces[key], palette)

    def _visit_dictionary(self, resources: Object, key: Name, visit: Any, palette: Palette, inherited: Object) -> None:
        found = resources.get(key)
        if isinstance(found, Dictionary) and self._is_new(found):
            for name in list(found.keys()):
                if self._is_new(found[name]):
                    visit(found[name], palette, inherited)

    def _visit_xobject(self, thing: Object, palette: Palette, inherited: Object) -> None:
        if thing.get(Name.Subtype) == Name.Image:
            convert_picture(self.pdf, thing, palette)
        elif thing.get(Name.Subtype) == Name.Form:
            self.visit_form(thing, palette, inherited)

    def visit_form(self, form: Object, palette: Palette, inherited: Object) -> None:
        """A form, a tiling pattern or a glyph: content with resources of its own, or those of the page around it."""
        convert_group(form, palette)
        resources = form.get(Name.Resources, inherited)
        form.write(self.rewrite(form, resources, palette))
        self.visit_resources(resources, palette)

    def _visit_pattern(self, pattern: Object, palette: Palette, inherited: Object) -> None:
        if isinstance(pattern, Stream):
            if int(pattern.PaintType) == 1:  # the other type has no colour of its own
                self.visit_form(pattern, palette, inherited)
        elif Name.Shading in pattern:
            self._visit_shading(pattern.Shading, palette, inherited)

    def _visit_shading(self, shading: Object, palette: Palette, inherited: Object) -> None:
        convert_shading(self.pdf, shading, palette)

    def _visit_state(self, state: Object, palette: Palette, inherited: Object) -> None:
        mask = state.get(Name.SMask)
        if not isinstance(mask, Dictionary) or not self._is_new(mask.G):
            return
        greys = Palette(palette.inks, mask=True)
        self.visit_form(mask.G, greys, inherited)
        if Name.BC in mask:
            mask.BC = Array(list(greys.flat([float(value) for value in mask.BC])))

    def _visit_font(self, font: Object, palette: Palette, inherited: Object) -> None:
        if font.get(Name.Subtype) != Name.Type3:
            return
        resources = font.get(Name.Resources, inherited)
        for glyph in font.CharProcs.values():
            if self._is_new(glyph):
                glyph.write(self.rewrite(glyph, resources, palette))
        self.visit_resources(resources, palette)

    def visit_appearances(self, appearances: Object, palette: Palette) -> None:
        """The looks of an annotation, one or several by state."""
        for look in appearances.values():
            if isinstance(look, Stream):
                if self._is_new(look):
                    self.visit_form(look, palette, Dictionary())
            elif isinstance(look, Dictionary):
                self.visit_appearances(look, palette)

    def rewrite(self, content: Any, resources: Object, palette: Palette) -> bytes:
        """A content stream with all its colours replaced."""
        spaces = resources.get(Name.ColorSpace, Dictionary())
        state = _State()
        changed: list[Instruction] = []
        for instruction in pikepdf.parse_content_stream(content):
            changed += self._replace(instruction, state, spaces, resources, palette)
        return pikepdf.unparse_content_stream(changed)

    def _replace(
        self, instruction: Instruction, state: _State, spaces: Object, resources: Object, palette: Palette
    ) -> Sequence[Instruction]:
        operator = str(instruction.operator)
        if operator == "q":
            state.saved.append(dict(state.kinds))
        elif operator == "Q" and state.saved:
            state.kinds = state.saved.pop()
        elif operator in PLAIN:
            state.kinds[PLAIN[operator]] = Kind.RGB if operator in ("rg", "RG") else Kind.GREY
            return [_paint(PLAIN[operator], [float(value) for value in instruction.operands], palette)]
        elif operator in ("k", "K"):
            state.kinds["fill" if operator == "k" else "stroke"] = Kind.INKS
        elif operator in SPACE:
            return self._replace_space(instruction, SPACE[operator], state, spaces, palette)
        elif operator in COLOR and state.kinds[COLOR[operator]] in BLACK:
            return [_paint(COLOR[operator], [float(value) for value in instruction.operands], palette)]
        elif operator in COLOR and state.kinds[COLOR[operator]] is Kind.TINTED_PATTERN:
            *color, pattern = instruction.operands
            tint = [_compact(value) for value in palette.flat([float(value) for value in color])]
            return [pikepdf.ContentStreamInstruction([*tint, pattern], instruction.operator)]
        elif operator == "INLINE IMAGE":
            return self._replace_inline(instruction, resources, palette)
        return [instruction]

    def _replace_space(
        self, instruction: Instruction, use: str, state: _State, spaces: Object, palette: Palette
    ) -> Sequence[Instruction]:
        """A space of screen colours disappears: what sets a colour in it sets inks at once, from black on."""
        name = instruction.operands[0]
        kind = state.kinds[use] = kind_of(spaces.get(name, name))
        return [_paint(use, BLACK[kind], palette)] if kind in BLACK else [instruction]

    def _replace_inline(self, instruction: Instruction, resources: Object, palette: Palette) -> Sequence[Instruction]:
        image = lift_inline(self.pdf, instruction.iimage, palette)
        if image is None:
            return [instruction]
        if Name.XObject not in resources:
            resources.XObject = Dictionary()
        self.lifted += 1
        name = Name(f"/Lifted{self.lifted}")
        resources.XObject[name] = image
        return [pikepdf.ContentStreamInstruction([name], Operator("Do"))]


def _paint(use: str, color: Sequence[float], palette: Palette) -> Instruction:
    values = [_compact(value) for value in palette.flat(color)]
    return pikepdf.ContentStreamInstruction(values, SET[palette.mask][use])


def _compact(value: float) -> Any:
    short = round(value, DECIMALS)
    return int(short) if short == int(short) else short
