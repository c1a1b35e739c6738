"""Registration marks for desktop cutters: by them the machine's optical sensor finds where the sheet lies.

A black square stands at the top left, brackets like an L at the top right and the bottom left, all on the front only.
Invariant: the outer corners of the marks lie on one rectangle, `inset_mm` inside the paper; what the machine cuts must
lie inside that rectangle, and nothing else may be printed where its sensor looks for a mark.
"""

from __future__ import annotations

from dataclasses import dataclass

from dobble_print.errors import Fault, LayoutError
from dobble_print.press.box import Box
from dobble_print.units import Paper

CLEARANCE_MM = 2.0


@dataclass(frozen=True)
class RegistrationMarks:
    """How far from the edges the marks stand and how large they are; the same values go into the cutter's software."""

    inset_mm: float = 10.0
    square_mm: float = 5.0
    arm_mm: float = 20.0
    line_mm: float = 0.5


def place_marks(paper: Paper, marks: RegistrationMarks) -> tuple[Box, ...]:
    """What is filled with black: the square, then the two arms of each bracket; no two boxes overlap."""
    area = find_cutting_area(paper, marks)
    left, bottom, right, top = area.left, area.bottom, area.right, area.top
    arm, line = marks.arm_mm, marks.line_mm
    return (
        Box(left, top - marks.square_mm, left + marks.square_mm, top),
        Box(right - arm, top - line, right, top),
        Box(right - line, top - arm, right, top - line),
        Box(left, bottom, left + arm, bottom + line),
        Box(left, bottom + line, left + line, bottom + arm),
    )


def keep_out(paper: Paper, marks: RegistrationMarks, clearance_mm: float = CLEARANCE_MM) -> tuple[Box, ...]:
    """Where nothing may be printed: around each mark the square that its arms span, out to the edges of the paper.

    The sensor searches the corner of the black square as widely as those of the brackets.
    """
    find_cutting_area(paper, marks)
    side = marks.inset_mm + max(marks.arm_mm, marks.square_mm) + clearance_mm
    width, height = paper.width_mm, paper.height_mm
    return (
        Box(0.0, height - side, side, height),
        Box(width - side, height - side, width, height),
        Box(0.0, 0.0, side, side),
    )


def find_cutting_area(paper: Paper, marks: RegistrationMarks) -> Box:
    """The rectangle between the marks: a desktop cutter does not cut outside it."""
    room = 2 * (marks.inset_mm + max(marks.arm_mm, marks.square_mm))
    if min(paper.width_mm, paper.height_mm) <= room:
        raise LayoutError(
            Fault(
                f"{paper.name} is too small for registration marks",
                f"They need a sheet of more than {room:g} mm on each side: choose a larger --paper.",
            )
        )
    inset = marks.inset_mm
    return Box(inset, inset, paper.width_mm - inset, paper.height_mm - inset)
