"""Cache artwork, so that a picture is drawn and traced only once.

A cached file is plain: a header in JSON and blocks of bytes, nothing that could run. Plain photos are not cached:
opening them again is as quick as reading a copy. Drawings that become pixels are cached as drawings, since their size
is not known yet.

Invariant: cached artwork equals the original to the last bit, and its key covers all that it is made from.
"""

from __future__ import annotations

import io
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from dobble_print.art.artwork import (
    MOST_BYTES,
    Artwork,
    Master,
    PictureMaster,
    RenderedMaster,
    VectorMaster,
    make_artwork,
)
from dobble_print.art.emoji import read_emoji
from dobble_print.art.silhouette import Silhouette
from dobble_print.art.svg.render import require_cairo
from dobble_print.cache import find_cache, make_key
from dobble_print.errors import ArtworkError, Fault
from dobble_print.files import read_checked
from dobble_print.fonts import find_font
from dobble_print.sandbox.protocol import pack, unpack
from dobble_print.theme.model import Captioned, Emoji, ImageFile, Source, Text

MOST_PICTURE_BYTES = 8_000_000  # a cut-out larger than this is cut out again


def open_artwork(source: Source, rounded: bool = True) -> Artwork:
    """Return the cached artwork of a source, or make it and cache it."""
    cache = find_cache() if _is_worth_caching(source) else None
    key = _make_artwork_key(source, rounded) if cache else None
    cached = cache.recall(key) if cache and key else None
    if cached is not None:
        return unpack_artwork(cached)
    require_cairo()  # only now: loading it takes a while, and whoever has everything in the cache need not
    artwork = make_artwork(source, rounded)
    packed = pack_artwork(artwork) if key else None
    if cache and key and packed is not None:
        cache.keep(key, packed)
    return artwork


def _is_worth_caching(source: Source) -> bool:
    """Return whether reading the cache is quicker than making the artwork: always, but for a photo as it is."""
    if not isinstance(source, ImageFile):
        return True
    return source.remove_background or source.path.suffix.lower() == ".svg"


def _make_artwork_key(source: Source, rounded: bool) -> str | None:
    """Return the key of all that the artwork is made from; None where a part is missing, which making it reports."""
    try:
        options = json.dumps([type(source).__name__, _strip_folders(asdict(source)), rounded], sort_keys=True)
        return make_key("artwork", [options.encode(), *_list_contents(source)])
    except (OSError, ArtworkError):
        return None


def _strip_folders(plain: Any) -> Any:
    """Replace the paths in a source's data by their suffixes: contents count, not where files lie."""
    if isinstance(plain, dict):
        return {key: _strip_folders(value) for key, value in plain.items()}
    return plain.suffix.lower() if isinstance(plain, Path) else plain


def _list_contents(source: Source) -> list[bytes]:
    """Return the bytes of every file the artwork is drawn from; packaged fonts are in the program's fingerprint."""
    match source:
        case Emoji(char, art):
            return [read_emoji(char, art)]
        case Text(style=style):
            font = find_font(style.font, style.folder)
            return [font.data] if font.is_own else []
        case ImageFile(path):
            return [read_checked(path, MOST_BYTES)]
        case Captioned(picture, caption):
            return [*_list_contents(picture), *_list_contents(caption)]


def pack_artwork(artwork: Artwork) -> bytes | None:
    """Return the artwork as bytes; None where it is too large to be worth caching."""
    master, shape = artwork.master, artwork.silhouette
    if isinstance(master, VectorMaster):
        kind, picture = "vector", master.pdf
    elif isinstance(master, PictureMaster):
        kind, picture = "photo" if master.photo else "picture", _pack_picture(master.picture)
    else:
        kind, picture = "guarded" if master.is_guarded else "rendered", master.svg
    if len(picture) > MOST_PICTURE_BYTES:
        return None
    head = {
        "kind": kind,
        "box": [artwork.width, artwork.height],
        "digest": artwork.digest,
        "notes": artwork.notes,
        "warnings": [[fault.what, fault.hint] for fault in artwork.warnings],
        "silhouette": [shape.area, *shape.centre, shape.reach],
    }
    return pack(head, [picture, *(np.ascontiguousarray(ring, "<f8").tobytes() for ring in shape.rings)])


def unpack_artwork(data: bytes) -> Artwork:
    """Return the artwork that `pack_artwork` packed."""
    head, (picture, *rings) = unpack(data)
    area, x, y, reach = head["silhouette"]
    lines = tuple(np.frombuffer(ring, "<f8").reshape(-1, 2).astype(np.float64) for ring in rings)
    warnings = tuple(Fault(what, hint) for what, hint in head["warnings"])
    silhouette = Silhouette(lines, area, (x, y), reach)
    width, height = head["box"]
    return Artwork(
        _unpack_master(head["kind"], picture), silhouette, width, height, head["digest"], tuple(head["notes"]), warnings
    )


def _unpack_master(kind: str, picture: bytes) -> Master:
    if kind == "vector":
        return VectorMaster(picture)
    if kind in ("guarded", "rendered"):
        return RenderedMaster(picture, kind == "guarded")
    return PictureMaster(Image.open(io.BytesIO(picture)).copy(), kind == "photo")


def _pack_picture(picture: Image.Image) -> bytes:
    sink = io.BytesIO()
    picture.save(sink, "PNG", compress_level=1)
    return sink.getvalue()
