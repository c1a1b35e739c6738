"""Artwork kept in the cache: a picture that was drawn and traced once is neither drawn nor traced again.

What is kept is plain: a header in JSON and blocks of bytes, nothing that could run. Plain photos are not kept: opening
them again is as quick as opening a copy. Drawings that become pixels are kept as drawings, since their size is not
known yet.

Invariant: recalled artwork is the made one to the last bit, and its key names all that it is made from.
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
from dobble_print.cache import is_cached, make_key, recall, remember
from dobble_print.errors import ArtworkError, Fault
from dobble_print.files import read_checked
from dobble_print.fonts import find_font
from dobble_print.sandbox.protocol import pack, unpack
from dobble_print.theme.model import Captioned, Emoji, ImageFile, Source, Text

MOST_PICTURE_BYTES = 8_000_000  # a cut-out larger than this is cut out again


def open_artwork(source: Source, rounded: bool = True) -> Artwork:
    """`artwork.make_artwork`, from the cache where it is kept."""
    key = _key_of(source, rounded) if is_cached() and _is_worth(source) else None
    kept = recall(key) if key else None
    if kept is not None:
        return unpack_artwork(kept)
    require_cairo()  # only now: loading it takes a while, and whoever has everything in the cache need not
    artwork = make_artwork(source, rounded)
    packed = pack_artwork(artwork) if key else None
    if key and packed is not None:
        remember(key, packed)
    return artwork


def _is_worth(source: Source) -> bool:
    """Whether recalling is quicker than making: always, but for a photo as it is."""
    if not isinstance(source, ImageFile):
        return True
    return source.remove_background or source.path.suffix.lower() == ".svg"


def _key_of(source: Source, rounded: bool) -> str | None:
    """All that the artwork is made from; None where something of it is missing, which making it will tell."""
    try:
        wishes = json.dumps([type(source).__name__, _forget_places(asdict(source)), rounded], sort_keys=True)
        return make_key("artwork", [wishes.encode(), *_list_contents(source)])
    except (OSError, ArtworkError):
        return None


def _forget_places(plain: Any) -> Any:
    """What a source says without where its files lie: their contents count, and their endings."""
    if isinstance(plain, dict):
        return {key: _forget_places(value) for key, value in plain.items()}
    return plain.suffix.lower() if isinstance(plain, Path) else plain


def _list_contents(source: Source) -> list[bytes]:
    """The bytes of every file that is drawn from; fonts that come as packages are in the program's fingerprint."""
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
    """Artwork as bytes; None where keeping it is not worth its size."""
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
    """The same artwork again."""
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
