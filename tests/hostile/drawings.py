"""Drawings no honest program would save."""

from __future__ import annotations

import base64

from tests.hostile.pixels import make_png

NAMES = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
SQUARE = '<rect x="10" y="10" width="80" height="80" fill="red"/>'
LEVELS = 9


def svg(body: str, size: str = 'viewBox="0 0 100 100"', before: str = "") -> bytes:
    """A drawing; `before` stands in front of its root."""
    return f"{before}<svg {NAMES} {size}>{body}</svg>".encode()


# drawn by resvg; the name marks it for a renderer that hangs (`tests.hostile.endless`)
ENDLESS = svg(SQUARE.replace("/>", ' id="endless" style="mix-blend-mode: multiply"/>'))


def chain(make: str, start: str) -> str:
    """Nine levels, each of which shows the next one ten times; `{i}` is the level, `{n}` the next one."""
    levels = "".join(make.format(i=i, n=i + 1) for i in range(LEVELS))
    return f'<defs>{levels}<g id="l{LEVELS}">{SQUARE}</g></defs>{start}'


BOX = '<rect width="9" height="9"/>'
USE_BOMB = chain('<g id="l{i}">' + '<use href="#l{n}"/>' * 10 + "</g>", '<use href="#l0"/>')
XLINK_BOMB = USE_BOMB.replace("href", "xlink:href")
SYMBOL_BOMB = chain('<symbol id="l{i}">' + '<use href="#l{n}"/>' * 10 + "</symbol>", '<use href="#l0"/>')
PATTERN_BOMB = chain(
    '<pattern id="l{i}" width="9" height="9" patternUnits="userSpaceOnUse">'
    + BOX.replace("/>", ' fill="url(#l{n})"/>') * 10
    + "</pattern>",
    SQUARE.replace("red", "url(#l0)"),
)
# The same with one paint on a group that ten shapes inherit.
INHERITED_BOMB = chain(
    '<pattern id="l{i}" width="9" height="9" patternUnits="userSpaceOnUse"><g style="fill:url(#l{n})">'
    + BOX * 10
    + "</g></pattern>",
    SQUARE.replace("red", "url(#l0)"),
)
# The same shapes say that they inherit it, or something that no renderer understands.
ASKING_BOMB = INHERITED_BOMB.replace(BOX, BOX.replace("/>", ' fill="inherit"/>'))
MUDDLED_BOMB = INHERITED_BOMB.replace(BOX, BOX.replace("/>", ' style="fill: bogus"/>'))
MASK_BOMB = chain(
    '<mask id="l{i}">' + BOX.replace("/>", ' mask="url(#l{n})"/>') * 10 + "</mask>",
    SQUARE.replace("/>", ' mask="url(#l0)"/>'),
)
CLIP_BOMB = chain(
    '<clipPath id="l{i}">' + BOX.replace("/>", ' clip-path="url(#l{n})"/>') * 10 + "</clipPath>",
    SQUARE.replace("/>", ' clip-path="url(#l0)"/>'),
)
FILTER_BOMB = chain(
    '<filter id="l{i}">' + '<feImage href="#g{i}"/>' * 10 + '</filter><g id="g{i}" filter="url(#l{n})">' + BOX + "</g>",
    SQUARE.replace("/>", ' filter="url(#l0)"/>'),
)
ZIGZAG = "M0 0" + "l1 1l1-1" * 200
MARKER_BOMB = (
    "".join(f'<marker id="m{i}"><path d="{ZIGZAG}" marker-mid="url(#m{i + 1})"/></marker>' for i in range(6))
    + f'<path d="{ZIGZAG}" stroke="red" marker-mid="url(#m0)"/>'
)
CSS_BOMB = chain(
    '<pattern id="l{i}" width="9" height="9" patternUnits="userSpaceOnUse">' + BOX * 10 + "</pattern>",
    "<style>" + "".join(f"#l{i} > rect {{fill: url(#l{i + 1})}}" for i in range(LEVELS)) + "</style>",
) + SQUARE.replace("red", "url(#l0)")
ATTRIBUTE_BOMB = CSS_BOMB.replace("#l", "[id=l").replace(" > rect", "] > rect").replace("url([id=", "url(#")
ESCAPED_BOMB = CSS_BOMB.replace("fill: url", r"f\69ll: \75rl")
# Its own style says there is no paint, but the rule counts more.
IMPORTANT_BOMB = CSS_BOMB.replace(")}", ") !important}").replace(BOX, BOX.replace("/>", ' style="fill:none"/>'))

LAUGHS = "<!DOCTYPE svg [" + "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10 if i else "ha"}">' for i in range(12)) + "]>"
EXTERNAL = '<!DOCTYPE svg [<!ENTITY secret SYSTEM "secret.txt">]>'
PARAMETER = '<!DOCTYPE svg [<!ENTITY % all SYSTEM "secret.dtd">%all;]>'
HUNDREDFOLD = f'<!DOCTYPE svg [<!ENTITY a "{"a" * 300}">]>'


def embed(data: bytes, kind: str = "image/png") -> str:
    """An element with those bytes as its picture."""
    return f'<image width="90" height="90" href="data:{kind};base64,{base64.b64encode(data).decode()}"/>'


NESTED = svg('<image href="secret.png" width="90" height="90"/>' + SQUARE)
LARGE_INSIDE = embed(make_png(20_000, 20_000, 1))
