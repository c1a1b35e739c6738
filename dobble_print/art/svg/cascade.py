"""Resolve the styles of a drawing: rules, `style` attributes, variables and modern values become plain attributes.

Invariant: afterwards no style sheet and no variable is left, every renderer reads the same values, and no value that a
variable put together leads out of the drawing.
"""

from __future__ import annotations

import math
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Mapping, Sequence

from dobble_print.art.svg.limits import SVG
from dobble_print.art.svg.stylesheets import Declarations, Dropped, leads_outside, match_rules, split_style
from dobble_print.errors import ArtworkError, Fault

MOST_LETTERS = 16 << 20  # that styles may add to a drawing
MOST_VARIABLES = 20  # followed in one value
ONLY_STYLE = ("mix-blend-mode", "isolation")  # what renderers read nowhere but in a `style` attribute
PROPERTIES = frozenset(
    re.findall(
        r"\S+",
        """
    alignment-baseline baseline-shift clip-path clip-rule color color-interpolation color-interpolation-filters cx cy d
    direction display dominant-baseline fill fill-opacity fill-rule filter flood-color flood-opacity font font-family
    font-size font-style font-variant font-weight height image-rendering isolation letter-spacing lighting-color
    marker marker-end marker-mid marker-start mask mask-type mix-blend-mode opacity overflow paint-order r rx ry
    shape-rendering stop-color stop-opacity stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin
    stroke-miterlimit stroke-opacity stroke-width text-anchor text-decoration text-rendering transform transform-box
    transform-origin vector-effect visibility width word-spacing writing-mode x y""",
    )
)
COLORS = ("fill", "stroke", "color", "stop-color", "flood-color", "lighting-color")
OPACITIES = ("opacity", "fill-opacity", "stroke-opacity", "stop-opacity", "flood-opacity")
VARIABLE = re.compile(r"var\(\s*(--[\w-]+)\s*(?:,((?:[^()]|\([^()]*\))*))?\)")
UNUSUAL_COLOR = re.compile(r"#(?:[0-9a-f]{4}|[0-9a-f]{8})\b|[a-z-]+\(", re.IGNORECASE)
PAINT_SERVER = re.compile(r"(url\([^)]*\))\s*(.*)", re.DOTALL)
SUM = re.compile(r"[-+*/() ]|\d+\.?\d*|\.\d+|px")
MEASURE = re.compile(r"(-?\d*\.?\d+(?:e[-+]?\d+)?)(px|deg|rad|turn|grad)", re.IGNORECASE)
DEGREES = {"px": 1.0, "deg": 1.0, "rad": 180 / math.pi, "turn": 360.0, "grad": 0.9}
PATH_TEXT = re.compile(r"path\(\s*(['\"])(.*?)\1\s*\)", re.DOTALL)
WHITE, CLEAR = "#ffffff", "rgba(0,0,0,0)"
Variables = Mapping[str, str]


def apply_styles(root: ElementTree.Element, sheets: Sequence[str], dropped: Dropped) -> set[str]:
    """Write what the styles say into plain attributes; return the names of values that no renderer understands."""
    resolver = _Resolver(match_rules(root, sheets), dropped)
    own = dict(split_style(root.get("style", "")))
    if write_color(own.get("background-color", own.get("background", "none"))) not in (None, WHITE, CLEAR):
        resolver.unknown.add("a background of the whole page")
    resolver.resolve(root, {})
    for parent in list(root.iter()):
        for child in [child for child in parent if child.tag == f"{SVG}style"]:
            parent.remove(child)
    return resolver.unknown


class _Resolver:
    """One walk through a drawing, from the outside in."""

    def __init__(self, rules: Mapping[ElementTree.Element, Declarations], dropped: Dropped) -> None:
        self.rules, self.dropped = rules, dropped
        self.unknown: set[str] = set()
        self.letters = 0

    def resolve(self, element: ElementTree.Element, variables: Variables) -> None:
        """Resolve an element and all inside it."""
        declared = self._list_declared(element)
        own = {name: value for name, value in declared if name.startswith("--")}
        variables = {**variables, **own} if own else variables
        self._write(element, declared, variables)
        for child in element:
            self.resolve(child, variables)

    def _list_declared(self, element: ElementTree.Element) -> Declarations:
        """Return an element's declarations, the strongest last: rules, its own style, and what is important."""
        style = element.attrib.pop("style", "")
        element.attrib.pop("class", None)
        own = split_style(style) if style else []
        declared = [*self.rules.get(element, ()), *own]
        if not declared:
            return declared
        important = [(name, value) for name, value in declared if value.endswith("!important")]
        plain = [(name, value) for name, value in declared if not value.endswith("!important")]
        return [*plain, *((name, value.removesuffix("!important").strip()) for name, value in important)]

    def _write(self, element: ElementTree.Element, declared: Declarations, variables: Variables) -> None:
        for name in [name for name in element.attrib if name in PROPERTIES]:
            self._set(element, name, element.attrib.pop(name), variables, is_styled=False)
        for name, value in declared:
            if name in PROPERTIES:
                self._set(element, name, value, variables, is_styled=True)
        kept = ";".join(f"{name}:{element.attrib.pop(name)}" for name in ONLY_STYLE if name in element.attrib)
        if kept:
            element.set("style", kept)

    def _set(self, element: ElementTree.Element, name: str, value: str, variables: Variables, is_styled: bool) -> None:
        plain = self._simplify(element, name, value.strip(), variables, is_styled)
        if plain is None:
            return
        self.letters += len(plain) if is_styled else 0
        if self.letters > MOST_LETTERS:
            raise ArtworkError(
                Fault("the styles of the drawing grow beyond all bounds", "Export it again as plain SVG.")
            )
        for each in ("marker-start", "marker-mid", "marker-end") if name == "marker" else (name,):
            element.set(each, plain)

    def _simplify(
        self, element: ElementTree.Element, name: str, value: str, variables: Variables, is_styled: bool
    ) -> str | None:
        """Return a value as every renderer reads it; None where there is none."""
        if "var(" in value:
            replaced = self._replace_variables(value, variables)
            if replaced is None:
                return None
            value = replaced
        if value in ("initial", "unset", "revert"):
            element.attrib.pop(name, None)
            return None
        if name in OPACITIES:
            return _read_opacity(value)
        if name in COLORS:
            return self._read_paint(element, name, value)
        if "calc(" in value:
            return _replace_sums(value)
        if name in ("transform", "transform-origin"):
            return MEASURE.sub(lambda found: f"{float(found[1]) * DEGREES[found[2].lower()]:.10g}", value)
        if name == "d":
            found = PATH_TEXT.fullmatch(value) if is_styled else None
            return found[2] if found else value
        return value

    def _replace_variables(self, value: str, variables: Variables) -> str | None:
        """Return a value with its variables replaced; None where one is unknown, or leads outside."""
        for _ in range(MOST_VARIABLES):
            found = VARIABLE.search(value)
            if found is None or len(value) > 10_000:
                break
            meant = variables.get(found[1], found[2])
            if meant is None:
                return None
            value = value[: found.start()] + meant.strip() + value[found.end() :]
        if "var(" in value or leads_outside(value, self.dropped):
            return None
        return value.strip()

    def _read_paint(self, element: ElementTree.Element, name: str, value: str) -> str | None:
        """Return a paint whose colours are names, `#rrggbb`, `rgb()` or `rgba()`."""
        server = PAINT_SERVER.fullmatch(value)
        if server:
            rest = self._read_paint(element, name, server[2]) if server[2] else ""
            return f"{server[1]} {rest or ''}".strip()
        if not UNUSUAL_COLOR.search(value):
            return value
        plain = write_color(value)
        if plain is None and name not in element.attrib:
            self.unknown.add(f"the colour {value[:40]}")
        return plain


def write_color(value: str) -> str | None:
    """Return a colour of any spelling as `#rrggbb` or `rgba()`; None for a colour that screens do not have."""
    from tinycss2.color4 import parse_color

    try:
        parsed = parse_color(value)
        if parsed is None or isinstance(parsed, str):
            return parsed
        parts = [*parsed.to("srgb").coordinates]
    except (NotImplementedError, ValueError, TypeError, ArithmeticError):
        return None
    levels = [round(255 * min(1.0, max(0.0, part or 0.0))) for part in parts]
    alpha = min(1.0, max(0.0, float(parsed.alpha)))
    if alpha < 1:
        return f"rgba({levels[0]},{levels[1]},{levels[2]},{alpha:.4g})"
    return "#{:02x}{:02x}{:02x}".format(*levels)


def _read_opacity(value: str) -> str | None:
    """Return an opacity as a number within 0…1; None for what is none."""
    summed = _replace_sums(value) if "calc(" in value else value
    try:
        number = float(summed.removesuffix("%")) / (100 if summed.endswith("%") else 1)
    except ValueError:
        return value if value == "inherit" else None
    return f"{min(1.0, max(0.0, number)):.6g}" if math.isfinite(number) else None


def _replace_sums(value: str) -> str:
    """Return a value whose simple sums in pixels are worked out; other sums stay."""
    return re.sub(r"calc\(((?:[^()]|\([^()]*\))*)\)", lambda found: _work_out(found[1]) or found[0], value)


def _work_out(text: str) -> str | None:
    """Return the result of a sum of numbers and pixels; None where there is more in it."""
    tokens = [token for token in SUM.findall(text) if token.strip() and token != "px"]
    if "".join(tokens) != re.sub(r"px|\s", "", text) or len(tokens) > 50:
        return None
    try:
        result = _Sum(tokens).read()
    except (ArithmeticError, ValueError, IndexError):
        return None
    return f"{result:.10g}"


class _Sum:
    """Reads a sum from left to right, products first."""

    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens[::-1]

    def read(self) -> float:
        """Return the value of all tokens."""
        value = self._add()
        if self.tokens:
            raise ValueError
        return value

    def _add(self) -> float:
        value = self._multiply()
        while self.tokens and self.tokens[-1] in "+-":
            value = value + self._multiply() if self.tokens.pop() == "+" else value - self._multiply()
        return value

    def _multiply(self) -> float:
        value = self._take()
        while self.tokens and self.tokens[-1] in "*/":
            value = value * self._take() if self.tokens.pop() == "*" else value / self._take()
        return value

    def _take(self) -> float:
        token = self.tokens.pop()
        if token == "-":
            return -self._take()
        if token != "(":
            return float(token)
        value = self._add()
        if self.tokens.pop() != ")":
            raise ValueError
        return value
