"""Drawings of our own in which one feature at a time is used, each as seven programs would write it.

A feature is a body and a plain body that looks the same, made of nothing but filled shapes wherever that is possible:
what is expected is geometry. A dialect wraps a body as a drawing program does, in attributes, styles or rules.
"""

from __future__ import annotations

import base64
import io
import re
from collections.abc import Callable

from PIL import Image

NAMES = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
STYLED = re.compile(
    r"\s(fill|stroke|opacity|fill-opacity|stroke-opacity|stroke-width|stroke-dasharray|fill-rule|clip-rule|clip-path|mask"
    r'|filter|paint-order|stop-color|stop-opacity|marker-end|stroke-linejoin|stroke-linecap|mix-blend-mode)="([^"]*)"'
)


def _picture(color: str) -> str:
    sink = io.BytesIO()
    Image.new("RGB", (64, 64), color).save(sink, "PNG")
    return "data:image/png;base64," + base64.b64encode(sink.getvalue()).decode()


BASE = '<rect x="10" y="10" width="80" height="80" fill="#cc2200"/>'
HALVES = (
    '<rect x="10" y="20" width="40" height="60" fill="red"/><rect x="50" y="20" width="40" height="60" fill="blue"/>'
)
HARD_STOPS = (
    '<stop offset="0" stop-color="red"/><stop offset="0.5" stop-color="red"/>'
    '<stop offset="0.5" stop-color="blue"/><stop offset="1" stop-color="blue"/>'
)
TWO = '<rect x="10" y="10" width="30" height="30" fill="{0}"/><rect x="55" y="50" width="30" height="30" fill="{0}"/>'
BLOB = "M10 50C10 -10 90 -10 90 50C90 110 10 110 10 50Z"  # its corners lie far outside it

FEATURES: dict[str, tuple[str, str]] = {
    "rectangle": (BASE, '<path d="M10 10H90V90H10z" fill="#cc2200"/>'),
    "round corners": (
        '<rect x="10" y="20" width="80" height="60" rx="25" fill="green"/>',
        '<path d="M35 20H65A25 25 0 0 1 90 45V55A25 25 0 0 1 65 80H35A25 25 0 0 1 10 55V45A25 25 0 0 1 35 20z" '
        'fill="green"/>',
    ),
    "corners of one radius": (
        '<rect x="10" y="20" width="80" height="60" ry="90" fill="green"/>',
        '<ellipse cx="50" cy="50" rx="40" ry="30" fill="green"/>',
    ),
    "circle": (
        '<circle cx="50" cy="50" r="40" fill="teal"/>',
        '<path d="M10 50a40 40 0 0 1 80 0a40 40 0 0 1 -80 0z" fill="teal"/>',
    ),
    "ellipse": (
        '<ellipse cx="50" cy="50" rx="40" ry="20" fill="navy"/>',
        '<path d="M10 50a40 20 0 0 1 80 0a40 20 0 0 1 -80 0z" fill="navy"/>',
    ),
    "polygon": ('<polygon points="10,10 90,10 50 90" fill="purple"/>', '<path d="M10 10H90L50 90z" fill="purple"/>'),
    "polyline": (
        '<polyline points="10 30 90 30" stroke="black" stroke-width="20" fill="none"/>',
        '<rect x="10" y="20" width="80" height="20"/>',
    ),
    "line": (
        '<line x1="10" y1="50" x2="90" y2="50" stroke="maroon" stroke-width="30"/>',
        '<rect x="10" y="35" width="80" height="30" fill="maroon"/>',
    ),
    "relative curves": (
        '<path d="m10 50q40-80 80 0t-80 0z" fill="olive"/>',
        '<path d="M10 50Q50 -30 90 50Q130 130 10 50Z" fill="olive"/>',
    ),
    "packed numbers": (
        '<path d="M10 10h80v80H10zM.5.5" fill="red"/>',
        '<rect x="10" y="10" width="80" height="80" fill="red"/>',
    ),
    "even-odd holes": (
        '<path d="M10 10H90V90H10zM30 30H70V70H30z" fill-rule="evenodd" fill="black"/>',
        '<path d="M10 10H90V90H10zM30 30V70H70V30z" fill="black"/>',
    ),
    "dashes": (
        '<path d="M10 50H90" stroke="black" stroke-width="20" stroke-dasharray="20 10" fill="none"/>',
        '<path d="M10 40h20v20h-20zM40 40h20v20h-20zM70 40h20v20h-20z"/>',
    ),
    "round caps": (
        '<path d="M30 50H70" stroke="black" stroke-width="40" stroke-linecap="round" fill="none"/>',
        '<path d="M30 30H70A20 20 0 0 1 70 70H30A20 20 0 0 1 30 30z"/>',
    ),
    "translucent fill": (
        '<rect x="10" y="10" width="80" height="80" fill="blue" fill-opacity="0.5"/>',
        '<rect x="10" y="10" width="80" height="80" fill="rgba(0,0,255,0.5)"/>',
    ),
    "opacity of a shape with a stroke": (
        '<rect x="20" y="20" width="60" height="60" fill="red" stroke="blue" stroke-width="20" opacity="0.5"/>',
        '<rect x="10" y="10" width="80" height="80" fill="rgba(0,0,255,0.5)"/>'
        '<rect x="30" y="30" width="40" height="40" fill="white"/>'
        '<rect x="30" y="30" width="40" height="40" fill="rgba(255,0,0,0.5)"/>',
    ),
    "opacity in percent": (
        '<rect x="10" y="10" width="80" height="80" fill="black" opacity="50%"/>',
        '<rect x="10" y="10" width="80" height="80" fill="rgba(0,0,0,0.5)"/>',
    ),
    "full opacity in percent": (BASE.replace("/>", ' opacity="100%"/>'), BASE),
    "use": (
        '<defs><rect id="a" width="30" height="30" fill="red"/></defs><use href="#a" x="10" y="10"/>'
        '<use xlink:href="#a" transform="translate(55 50)"/>',
        TWO.format("red"),
    ),
    "use with opacity": (
        '<defs><g id="a"><rect width="50" height="50" fill="red"/><rect x="20" width="50" height="50" fill="red"/></g>'
        '</defs><use href="#a" x="10" y="10" opacity="0.4"/>',
        '<rect x="10" y="10" width="70" height="50" fill="rgba(255,0,0,0.4)"/>',
    ),
    "use that gives the colour": (
        '<defs><rect id="a" width="30" height="30"/></defs><g fill="lime"><use href="#a" x="10" y="10"/></g>'
        '<use href="#a" x="55" y="50" fill="lime"/>',
        TWO.format("lime"),
    ),
    "colour of the place through use": (
        '<defs><rect id="a" width="30" height="30" fill="currentColor"/></defs><g color="red">'
        '<use href="#a" x="10" y="10"/><use href="#a" x="55" y="50"/></g>',
        TWO.format("red"),
    ),
    "use without a reference": (f"<use/>{BASE}", BASE),
    "use of what is missing": (f'<use href="#nothing"/>{BASE}', BASE),
    "symbol with a view box": (
        '<symbol id="s" viewBox="0 0 10 10"><rect width="10" height="10" fill="orange"/></symbol>'
        '<use href="#s" x="10" y="20" width="60" height="60"/>',
        '<rect x="10" y="20" width="60" height="60" fill="orange"/>',
    ),
    "a drawing in a drawing": (
        '<svg x="20" y="20" width="60" height="60" viewBox="0 0 2 2"><rect width="2" height="1" fill="red"/></svg>',
        '<rect x="20" y="20" width="60" height="30" fill="red"/>',
    ),
    "gradient": (
        f'<linearGradient id="g">{HARD_STOPS}</linearGradient>'
        '<rect x="10" y="20" width="80" height="60" fill="url(#g)"/>',
        HALVES,
    ),
    "gradient on the page": (
        f'<linearGradient id="g" gradientUnits="userSpaceOnUse" x1="10" x2="90" y1="0" y2="0">{HARD_STOPS}'
        '</linearGradient><rect x="10" y="20" width="80" height="60" fill="url(#g)"/>',
        HALVES,
    ),
    "gradient of another gradient": (
        f'<linearGradient id="a">{HARD_STOPS}</linearGradient><linearGradient id="g" href="#a"/>'
        '<rect x="10" y="20" width="80" height="60" fill="url(#g)"/>',
        HALVES,
    ),
    "one gradient for several shapes": (
        '<linearGradient id="a"><stop stop-color="#0a0"/><stop offset="1" stop-color="#0a0"/></linearGradient>'
        '<linearGradient id="b" xlink:href="#a" x1="0" x2="9" gradientUnits="userSpaceOnUse"/>' + TWO.format("url(#b)"),
        TWO.format("#0a0"),
    ),
    "gradient by the box of a curve": (
        f'<linearGradient id="g" x1="0" x2="0" y1="0" y2="1">{HARD_STOPS}</linearGradient>'
        f'<path d="{BLOB}" fill="url(#g)"/>',
        f'<path d="{BLOB}" fill="blue"/><path d="M10 50C10 -10 90 -10 90 50Z" fill="red"/>',
    ),
    "turned gradient": (
        f'<linearGradient id="g" gradientTransform="rotate(90)">{HARD_STOPS}</linearGradient>'
        '<rect x="20" y="10" width="60" height="80" fill="url(#g)"/>',
        '<path d="M20 10h60v40h-60z" fill="red"/><path d="M20 50h60v40h-60z" fill="blue"/>',
    ),
    "gradient that repeats": (
        f'<linearGradient id="g" gradientUnits="userSpaceOnUse" x1="10" x2="50" y1="0" y2="0" spreadMethod="repeat">'
        f'{HARD_STOPS}</linearGradient><rect x="10" y="20" width="80" height="60" fill="url(#g)"/>',
        '<path d="M10 20h20v60h-20zM50 20h20v60h-20z" fill="red"/>'
        '<path d="M30 20h20v60h-20zM70 20h20v60h-20z" fill="blue"/>',
    ),
    "gradient that is mirrored": (
        f'<linearGradient id="g" gradientUnits="userSpaceOnUse" x1="10" x2="50" y1="0" y2="0" spreadMethod="reflect">'
        f'{HARD_STOPS}</linearGradient><rect x="10" y="20" width="80" height="60" fill="url(#g)"/>',
        '<path d="M10 20h20v60h-20zM70 20h20v60h-20z" fill="red"/><path d="M30 20h40v60h-40z" fill="blue"/>',
    ),
    "round gradient": (
        f'<radialGradient id="g" cx="50" cy="50" r="40" gradientUnits="userSpaceOnUse">{HARD_STOPS}</radialGradient>'
        '<circle cx="50" cy="50" r="40" fill="url(#g)"/>',
        '<circle cx="50" cy="50" r="40" fill="blue"/><circle cx="50" cy="50" r="20" fill="red"/>',
    ),
    "stroke with a translucent gradient": (
        '<linearGradient id="g" gradientUnits="userSpaceOnUse" x1="0" x2="100">'
        '<stop stop-color="red" stop-opacity=".5"/><stop offset="1" stop-color="red" stop-opacity=".5"/>'
        "</linearGradient>"
        '<path d="M10 80H90" stroke="url(#g)" stroke-width="20" fill="none"/>',
        '<rect x="10" y="70" width="80" height="20" fill="rgba(255,0,0,0.5)"/>',
    ),
    "two colours at the end": (
        '<linearGradient id="g" gradientUnits="userSpaceOnUse" x1="10" x2="50"><stop stop-color="red"/>'
        '<stop offset="1" stop-color="red"/><stop offset="1" stop-color="blue"/></linearGradient>'
        '<rect x="10" y="20" width="80" height="60" fill="url(#g)"/>',
        HALVES,
    ),
    "a gradient of one colour": (
        '<linearGradient id="g"><stop stop-color="lime"/></linearGradient>' + TWO.format("url(#g)"),
        TWO.format("lime"),
    ),
    "a gradient that is missing": (TWO.format("url(#none) lime"), TWO.format("lime")),
    "clip path": (
        '<clipPath id="c"><circle cx="50" cy="50" r="30"/></clipPath>' + BASE.replace("/>", ' clip-path="url(#c)"/>'),
        '<circle cx="50" cy="50" r="30" fill="#cc2200"/>',
    ),
    "clip path of a use": (
        '<defs><circle id="o" cx="50" cy="50" r="30"/></defs><clipPath id="c"><use xlink:href="#o"/></clipPath>'
        + BASE.replace("/>", ' clip-path="url(#c)"/>'),
        '<circle cx="50" cy="50" r="30" fill="#cc2200"/>',
    ),
    "clip path by the box": (
        '<clipPath id="c" clipPathUnits="objectBoundingBox"><rect width=".5" height="1"/></clipPath>'
        + BASE.replace("/>", ' clip-path="url(#c)"/>'),
        '<rect x="10" y="10" width="40" height="80" fill="#cc2200"/>',
    ),
    "clip path with a hole": (
        '<clipPath id="c"><path d="M10 10H90V90H10zM30 30H70V70H30z" clip-rule="evenodd"/></clipPath>'
        + BASE.replace("/>", ' clip-path="url(#c)"/>'),
        '<path d="M10 10H90V90H10zM30 30V70H70V30z" fill="#cc2200"/>',
    ),
    "clip path in a clip path": (
        '<clipPath id="d"><rect x="10" y="10" width="40" height="80"/></clipPath><clipPath id="c" clip-path="url(#d)">'
        '<rect x="10" y="10" width="80" height="40"/></clipPath>' + BASE.replace("/>", ' clip-path="url(#c)"/>'),
        '<rect x="10" y="10" width="40" height="40" fill="#cc2200"/>',
    ),
    "even-odd leftover": (BASE.replace("/>", ' clip-rule="evenodd"/>'), BASE),
    "mask that cuts": (
        '<mask id="m"><circle cx="50" cy="50" r="30" fill="white"/></mask>' + BASE.replace("/>", ' mask="url(#m)"/>'),
        '<circle cx="50" cy="50" r="30" fill="#cc2200"/>',
    ),
    "mask of grey": (
        '<mask id="m"><rect width="100" height="100" fill="#bcbcbc"/></mask>' + BASE.replace("/>", ' mask="url(#m)"/>'),
        BASE.replace("/>", ' fill-opacity="0.737"/>'),
    ),
    "pattern": (
        '<pattern id="p" width="40" height="40" patternUnits="userSpaceOnUse"><rect width="20" height="40" fill="red"/>'
        '</pattern><rect width="80" height="80" fill="url(#p)"/>',
        '<path d="M0 0h20v80h-20zM40 0h20v80h-20z" fill="red"/>',
    ),
    "marker": (
        '<marker id="k" markerWidth="40" markerHeight="40" refX="10" refY="10" markerUnits="userSpaceOnUse">'
        '<circle cx="10" cy="10" r="10" fill="red"/></marker>'
        '<path d="M10 50H70" stroke="black" stroke-width="10" fill="none" marker-end="url(#k)"/>',
        '<rect x="10" y="45" width="60" height="10"/><circle cx="70" cy="50" r="10" fill="red"/>',
    ),
    "filter": (
        '<filter id="f" x="-1" y="-1" width="3" height="3"><feOffset dx="20" dy="20"/></filter>'
        '<rect x="10" y="10" width="50" height="50" fill="red" filter="url(#f)"/>',
        '<rect x="30" y="30" width="50" height="50" fill="red"/>',
    ),
    "a filter that is missing": (BASE.replace("/>", ' filter="url(#none)"/>'), BASE),
    "blending": (
        '<rect x="10" y="10" width="80" height="80" fill="#ff0"/>'
        '<rect x="10" y="10" width="80" height="80" fill="#0ff" style="mix-blend-mode:multiply"/>',
        '<rect x="10" y="10" width="80" height="80" fill="#0f0"/>',
    ),
    "blending that is none": (BASE.replace("/>", ' style="isolation:auto;mix-blend-mode:normal"/>'), BASE),
    "a width that says nothing": ('<path d="M10 10H90V90H10z" fill="#cc2200" style="width:0;height:0"/>', BASE),
    "stroke below the fill": (
        '<rect x="30" y="30" width="40" height="40" fill="red" stroke="black" stroke-width="40" '
        'stroke-linejoin="miter" paint-order="stroke"/>',
        '<rect x="10" y="10" width="80" height="80"/><rect x="30" y="30" width="40" height="40" fill="red"/>',
    ),
    "transforms": (
        '<g transform="translate(50,50) rotate(45)"><rect x="-20" y="-20" width="40" height="40" '
        'transform="scale(1.5)" fill="red"/></g>',
        '<path d="M50 7.57L92.43 50L50 92.43L7.57 50z" fill="red"/>',
    ),
    "an origin to turn about": (
        '<rect x="20" y="20" width="60" height="20" fill="red" transform="rotate(90)" transform-origin="50 50"/>',
        '<rect x="60" y="20" width="20" height="60" fill="red"/>',
    ),
    "transform in a style": (
        '<rect width="30" height="30" fill="red" style="transform:translate(40px,30px) rotate(90deg)"/>',
        '<rect x="10" y="30" width="30" height="30" fill="red"/>',
    ),
    "path in a style": ("<path style=\"d:path('M10 10H90V90H10z');fill:#cc2200\"/>", BASE),
    "hsl": (BASE.replace("#cc2200", "hsl(10, 100%, 40%)"), BASE),
    "eight digits of a colour": (BASE.replace("#cc2200", "#cc220080"), BASE.replace("/>", ' fill-opacity="0.5"/>')),
    "rgb with spaces": (BASE.replace("#cc2200", "rgb(204 34 0 / 100%)"), BASE),
    "rgb in percent": (BASE.replace("#cc2200", "rgb(80%, 13.3%, 0%)"), BASE),
    "a variable": (f'<g style="--c:#cc2200">{BASE.replace("#cc2200", "var(--c)")}</g>', BASE),
    "a variable with a stand-in": (BASE.replace("#cc2200", "var(--none, #cc2200)"), BASE),
    "a sum": (
        '<path d="M10 50H90" stroke="black" stroke-width="calc(10px + 5 * 2px)" fill="none"/>',
        '<rect x="10" y="40" width="80" height="20"/>',
    ),
    "millimetres": (
        '<rect x="1mm" y="1mm" width="20mm" height="15mm" fill="red"/>',
        '<rect x="3.78" y="3.78" width="75.59" height="56.69" fill="red"/>',
    ),
    "percent of the page": (
        '<rect x="10%" y="10%" width="80%" height="50%" fill="red"/>',
        '<rect x="10" y="10" width="80" height="50" fill="red"/>',
    ),
    "hidden parts": (
        f'{BASE}<rect width="99" height="99" display="none"/><circle r="90" visibility="hidden" filter="url(#f)"/>'
        '<filter id="f"><feOffset/></filter>',
        BASE,
    ),
    "leftover definitions": (
        '<defs><filter id="f"><feOffset/></filter><mask id="m"/><pattern id="p"/><marker id="k"/></defs>' + BASE,
        BASE,
    ),
    "switch": (f'<switch><g systemLanguage="xx"><circle r="90"/></g><g>{BASE}</g></switch>', BASE),
    "link": (f'<a href="https://example.org/">{BASE}</a>', BASE),
    "picture": (
        f'<image x="10" y="10" width="80" height="80" xlink:href="{_picture("#cc2200")}"/>',
        BASE,
    ),
    "inherited paint": (
        '<g fill="red" stroke="blue" stroke-width="10"><g fill="inherit" stroke="none">'
        '<rect x="10" y="10" width="80" height="80"/></g></g>',
        '<rect x="10" y="10" width="80" height="80" fill="red"/>',
    ),
}
# What CairoSVG draws no way: pixels are right here, vectors would be a surprise.
IN_PIXELS = {
    "clip path by the box", "clip path with a hole", "clip path in a clip path", "mask of grey", "pattern", "marker",
    "filter", "blending", "an origin to turn about",
}  # fmt: skip


def _as_is(body: str) -> str:
    return f'<svg {NAMES} viewBox="0 0 100 100">{body}</svg>'


def _move_to_styles(body: str) -> str:
    """Write paint attributes as style attributes, as Inkscape does."""

    def restyle(found: re.Match[str]) -> str:
        tag = found[0]
        pairs = STYLED.findall(tag)
        if not pairs or "style=" in tag:
            return tag
        style = ";".join(f"{name}:{value}" for name, value in pairs)
        return re.sub(r"(/?>)$", f' style="{style}"\\1', STYLED.sub("", tag))

    return re.sub(r"<\w+[^>]*>", restyle, body)


def _inkscape(body: str) -> str:
    return (
        f'<?xml version="1.0" encoding="UTF-8" standalone="no"?><svg {NAMES} width="100mm" height="100mm" '
        'version="1.1" viewBox="0 0 100 100" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" '
        'xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd">'
        '<sodipodi:namedview id="base" pagecolor="#ffffff"/><metadata id="m"><a/></metadata>'
        '<g inkscape:groupmode="layer" id="layer1" inkscape:label="1" transform="translate(0,-10)" '
        'style="display:inline">'
        f'<g transform="matrix(1,0,0,1,0,10)">{_move_to_styles(body)}</g></g></svg>'
    )


def _illustrator(body: str) -> str:
    """Write paint attributes as rules of a style sheet."""
    rules: list[str] = []

    def classify(found: re.Match[str]) -> str:
        tag = found[0]
        pairs = STYLED.findall(tag)
        if not pairs or "style=" in tag:
            return tag
        rules.append(";".join(f"{name}:{value}" for name, value in pairs))
        return re.sub(r"^<(\w+)", f'<\\1 class="st{len(rules) - 1}"', STYLED.sub("", tag))

    inner = re.sub(r"<\w+[^>]*>", classify, body)
    sheet = "\n".join(f"\t.st{number}{{{rule};}}" for number, rule in enumerate(rules))
    return (
        f'<?xml version="1.0" encoding="utf-8"?><svg version="1.1" id="Layer_1" {NAMES} x="0px" y="0px" '
        'viewBox="0 0 100 100" style="enable-background:new 0 0 100 100;" xml:space="preserve">'
        f'<style type="text/css">\n{sheet}\n</style>\n<g>{inner}</g></svg>'
    )


def _figma(body: str) -> str:
    return (
        f'<svg width="100" height="100" viewBox="0 0 100 100" fill="none" {NAMES}><g clip-path="url(#clip0_1_2)">'
        f'<g fill="black">{body}</g></g><defs><clipPath id="clip0_1_2"><rect width="100" height="100" fill="white"/>'
        "</clipPath></defs></svg>"
    )


def _affinity(body: str) -> str:
    return (
        '<?xml version="1.0" encoding="UTF-8" standalone="no"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" '
        f'"http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd"><svg width="100%" height="100%" viewBox="0 0 100 100" '
        f"{NAMES} "
        'xmlns:serif="http://www.serif.com/" style="clip-rule:evenodd;stroke-linejoin:round;stroke-miterlimit:2;">'
        f'<g id="Layer1" serif:id="Layer 1" transform="matrix(4,0,0,4,0,0)"><g transform="matrix(0.25,0,0,0.25,0,0)">'
        f"{_move_to_styles(body)}</g></g></svg>"
    )


def _sketch(body: str) -> str:
    return (
        f'<svg width="100px" height="100px" viewBox="0 0 100 100" version="1.1" {NAMES}><title>a</title>'
        '<g id="Page-1" stroke="none" stroke-width="1" fill="none" fill-rule="nonzero">'
        f'<g id="art" transform="translate(10.000000, 0.000000)" fill="#000000"><g transform="translate(-10)">{body}'
        "</g></g></g></svg>"
    )


def _typed(body: str) -> str:
    """A page's own drawing: no size but the view box, sizes by the page, colours by the text around it."""
    return f'<svg {NAMES} width="auto" height="1em" viewBox="0 0 100 100" color="teal" role="img"><g>{body}</g></svg>'


DIALECTS: dict[str, Callable[[str], str]] = {
    "plain": _as_is,
    "inkscape": _inkscape,
    "illustrator": _illustrator,
    "figma": _figma,
    "affinity": _affinity,
    "sketch": _sketch,
    "typed": _typed,
}


def write_drawing(feature: str, dialect: str) -> tuple[bytes, bytes]:
    """Return a drawing that uses a feature, and a plain one that looks the same."""
    body, plain = FEATURES[feature]
    return DIALECTS[dialect](body).encode(), _as_is(plain).encode()
