"""Colour spaces: the family of a space, how many numbers a colour of it has, and which plates it prints on.

Invariant: a space is judged by what a press would have to do with it; an alternate or a base counts as much as the
space itself, because a printer without that ink falls back on it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from pikepdf import Array, Dictionary, Name, Stream

Family = Literal["gray", "cmyk", "rgb", "lab", "spot", "indexed", "pattern", "unknown"]
DEVICE: dict[str, tuple[Family, int]] = {
    "/DeviceGray": ("gray", 1),
    "/DeviceCMYK": ("cmyk", 4),
    "/DeviceRGB": ("rgb", 3),
    "/CalGray": ("gray", 1),
    "/CalRGB": ("rgb", 3),
    "/Lab": ("lab", 3),
    "/Pattern": ("pattern", 0),
}
SHORT = {"/G": "/DeviceGray", "/CMYK": "/DeviceCMYK", "/RGB": "/DeviceRGB", "/I": "/Indexed"}  # in inline images
BY_COUNT: dict[int, tuple[Family, int]] = {1: ("gray", 1), 3: ("rgb", 3), 4: ("cmyk", 4)}
DEEPEST = 6  # spaces nest in spaces; more than this is no honest file


@dataclass(frozen=True)
class Space:
    """A colour space; `base` is what it falls back on, `plates` are spot inks, `table` the colours of an index."""

    family: Family
    count: int
    name: str
    base: Space | None = None
    plates: tuple[str, ...] = ()
    has_profile: bool = False
    table: bytes = b""

    def list_all(self) -> list[Space]:
        """Return the space and everything it falls back on."""
        return [self, *(self.base.list_all() if self.base else [])]


GRAY = Space("gray", 1, "DeviceGray")
RGB = Space("rgb", 3, "DeviceRGB")
CMYK = Space("cmyk", 4, "DeviceCMYK")
UNKNOWN = Space("unknown", 0, "a colour space that cannot be read")


def read_space(value: Any, resources: Any = None, depth: int = 0) -> Space:
    """Return the space a name or an array stands for; names are looked up in the resources."""
    if depth > DEEPEST:
        return UNKNOWN
    if isinstance(value, Name):
        return _read_named(str(value), resources, depth)
    if not isinstance(value, Array) or not len(value):
        return UNKNOWN
    kind = SHORT.get(str(value[0]), str(value[0]))
    match kind:
        case "/ICCBased":
            family, count = BY_COUNT.get(int(value[1].get("/N", 0)), ("unknown", 0))
            return Space(family, count, f"ICC {family.upper()}", has_profile=True)
        case "/Indexed":
            base = read_space(value[1], resources, depth + 1)
            table = value[3].read_bytes() if isinstance(value[3], Stream) else bytes(value[3])
            return Space("indexed", 1, f"indexed {base.name}", base, base.plates, table=table)
        case "/Pattern" if len(value) > 1:
            base = read_space(value[1], resources, depth + 1)
            return Space("pattern", base.count, "Pattern", base)
        case "/Separation" | "/DeviceN":
            names = value[1] if isinstance(value[1], Array) else [value[1]]
            plates = tuple(str(name)[1:] for name in names)
            return Space("spot", len(plates), " + ".join(plates), read_space(value[2], resources, depth + 1), plates)
    return Space(*DEVICE[kind], kind[1:]) if kind in DEVICE else UNKNOWN


def _read_named(name: str, resources: Any, depth: int) -> Space:
    name = SHORT.get(name, name)
    if name in DEVICE:
        return Space(*DEVICE[name], name[1:])
    known = resources.get("/ColorSpace") if isinstance(resources, Dictionary) else None
    if not isinstance(known, Dictionary) or name not in known:
        return UNKNOWN
    return read_space(known[name], resources, depth + 1)
