"""What a worker of the studio does: cards of a theme for the page, and the files of a game; both by the one pipeline.

Invariant: nothing is decided here that a build would decide differently; what a symbol lacks is left to the remarks,
and the cards show the deck of the others meanwhile.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from dobble_print import build
from dobble_print.art.artwork import Artwork, DrawingMaster, open_artwork
from dobble_print.art.gallery import examine_gallery, find_coarse
from dobble_print.art.raster import encode_picture, shrink_to
from dobble_print.art.similarity.lookalikes import (
    Lookalike,
    examine_visibility,
    find_lookalikes,
    list_shown,
    sketch_pictures,
)
from dobble_print.batch.worker import load_libraries, rehearse
from dobble_print.cache import Cache, make_key, use_cache
from dobble_print.compose import Composition, Watch
from dobble_print.errors import ArtworkError, DobbleError, Fault, VerifyError
from dobble_print.files import deliver
from dobble_print.options import BuildOptions
from dobble_print.pdf.render import Rasterizer
from dobble_print.sandbox.protocol import Message
from dobble_print.theme.model import ImageFile, Symbol, Theme
from dobble_print.theme.reader import examine_theme, read_theme
from dobble_print.theme.symbols import FEWEST_SYMBOLS

ART_PX, THUMB_PX = 512, 128
Say = Callable[[str], None]
Plain = dict[str, Any]


def warm_up() -> None:
    """Load all that previews and builds need, so that workers are born with it."""
    load_libraries()
    rehearse()


def preview(path: str, text: str, art_folder: str, cache: Cache | None, on_step: Say) -> Message:
    """Tell what a theme looks like, part by part: its pictures, its cards, its remarks, and then its look-alikes."""
    use_cache(cache)
    theme, _ = examine_theme(Path(path), text=text)
    theme, artworks, faults = _open_pictures(theme)
    faces = _group_by_symbol(theme, [save_art(artwork, Path(art_folder)) for artwork in artworks])
    _tell(on_step, "art", symbols=faces, art=describe_art(artworks), faults=faults)
    if len(theme.symbols) < FEWEST_SYMBOLS:
        _tell(on_step, "cards", cards=None, fault=None)
        return {}, []
    try:
        composed = build.preview(theme, watch=Watch())
    except DobbleError as error:
        _tell(on_step, "trouble", code=error.exit_code.name.lower(), faults=[each.as_dict() for each in error.faults])
        return {}, []
    for artwork in composed.shown[len(composed.artworks) :]:
        save_art(artwork, Path(art_folder))
    _tell(on_step, "cards", cards=describe_cards(composed), fault=None)
    coarse = find_coarse(theme.symbols, artworks, composed.diameters_mm[: len(artworks)])
    shown = list_shown(theme.symbols)
    pictures = sketch_pictures(shown, artworks)
    unseen, faint = examine_visibility(theme, shown, pictures)
    pale = _by_symbol(theme, [*unseen, *faint])
    _tell(on_step, "remarks", small=_by_symbol(theme, coarse), pale=pale)
    found = find_lookalikes(shown, artworks, True, pictures)
    _tell(on_step, "lookalikes", pairs=[_describe_pair(shown, pair) for pair in found])
    return {}, []


def _tell(on_step: Say, kind: str, **what: Any) -> None:
    on_step(json.dumps({"kind": kind} | what))


def _open_pictures(theme: Theme) -> tuple[Theme, tuple[Artwork, ...], dict[str, list[Plain]]]:
    """Return the theme with the symbols whose pictures can be opened, their artworks, and the faults of the others."""
    gallery, faults = examine_gallery(theme.symbols)
    if not faults:
        return theme, gallery.artworks, {}
    places = {fault.place for fault in faults}
    kept = tuple(symbol for symbol in theme.symbols if symbol.place not in places)
    theme, told = replace(theme, symbols=kept), _by_symbol(theme, faults)
    return theme, examine_gallery(kept)[0].artworks, told


def _by_symbol(theme: Theme, faults: Iterable[Fault]) -> dict[str, list[Plain]]:
    ids, found = {symbol.place: symbol.id for symbol in theme.symbols}, defaultdict[str, list[Plain]](list)
    for fault in faults:
        if fault.place in ids:
            found[ids[fault.place]].append(fault.as_dict())
    return found


def _group_by_symbol(theme: Theme, names: Sequence[str]) -> dict[str, list[str]]:
    grouped = defaultdict[str, list[str]](list)
    for (number, _), name in zip(theme.pieces, names, strict=True):
        grouped[theme.symbols[number].id].append(name)
    return grouped


def name_art(artwork: Artwork) -> str:
    """Return the name of a picture as it prints: of what it shows, how it was trimmed, and the program that drew it."""
    shape = artwork.silhouette
    facts = [artwork.digest, artwork.width, artwork.height, shape.area, shape.centre, shape.reach]
    return make_key("art", [json.dumps(facts).encode()])[:32]


def save_art(artwork: Artwork, folder: Path) -> str:
    """Write a picture as the page shows it, unless it is there: clean vectors, or pixels; return its name."""
    name, master = name_art(artwork), artwork.master
    if any((folder / f"{name}{ending}").exists() for ending in (".svg", ".webp")):
        return name
    if isinstance(master, DrawingMaster) and master.pdf is not None:
        deliver(folder, {f"{name}.svg": master.svg})
        return name
    picture = master.sketch(ART_PX)
    thumb = encode_picture(shrink_to(picture, THUMB_PX), "WEBP", quality=80)
    deliver(folder, {f"{name}.thumb.webp": thumb, f"{name}.webp": encode_picture(picture, "WEBP", quality=86)})
    return name


def describe_art(artworks: Iterable[Artwork]) -> dict[str, Plain]:
    """Return each picture's box in units of its longer side, and the circle around what shows; y points down."""
    boxes = {}
    for art in artworks:
        (x, y), reach = art.silhouette.centre, art.silhouette.reach
        box = {"w": art.width, "h": art.height, "cx": x, "cy": art.height - y, "r": reach}
        boxes[name_art(art)] = {key: round(float(value), 5) for key, value in box.items()}
    return boxes


def describe_cards(deck: Composition) -> Plain:
    """Return all cards as placements in millimetres from a card's upper left corner; turns are clockwise."""
    theme, look, names = deck.theme, deck.sheet.look, [name_art(artwork) for artwork in deck.artworks]
    shape, owners = look.shape, [theme.symbols[number].id for number, _ in theme.pieces]
    width, height = shape.width_mm, shape.height_mm
    cards = [
        {
            "n": number,
            "rim": deck.fronts[number].rim_color,
            "dots": deck.fronts[number].dots,
            "spots": [
                [
                    names[spot.piece],
                    owners[spot.piece],
                    round(width / 2 + spot.x_mm, 2),
                    round(height / 2 - spot.y_mm, 2),
                    round(-spot.rotation_deg % 360, 2),
                    round(spot.diameter_mm, 2),
                ]
                for spot in layout
            ],
        }
        for number, layout in deck.layouts.items()
    ]
    told = {
        "shape": shape.name,
        "size_mm": theme.card.size_mm,
        "width_mm": round(width, 3),
        "height_mm": round(height, 3),
        "outline": [[round(width / 2 + x, 2), round(height / 2 - y, 2)] for x, y in shape.polygon()],
        "background": look.background,
        "rim": look.rim_color,
        "rim_width_mm": look.rim_width_mm,
        "back": _describe_back(deck),
        "deck_id": deck.deck_id,
        "paper": {"name": theme.sheet.paper.name, "cards_per_sheet": len(deck.sheet.nest.centres)},
        "unused": [theme.symbols[i].id for i in sorted(set.intersection(*(set(each.unused) for each in deck.decks)))],
        "art": describe_art(deck.shown),
        "cards": cards,
    }
    return {"key": hashlib.sha256(json.dumps(told).encode()).hexdigest()[:24], **told}


def _describe_back(deck: Composition) -> Plain:
    """Return the back, and what stands on it as placements like those of a card; a picture may be larger."""
    if deck.back is None:
        return {"kind": "none", "color": "#ffffff", "spots": []}
    shape, names, spots = deck.sheet.look.shape, [name_art(artwork) for artwork in deck.shown], []
    for stamp in deck.back.stamps:
        a, b, c, d, e, f = stamp.matrix
        outline = deck.shown[stamp.piece].silhouette
        x, y = outline.centre
        centre = (shape.width_mm / 2 + a * x + c * y + e, shape.height_mm / 2 - (b * x + d * y + f))
        turn = -math.degrees(math.atan2(b, a)) % 360
        told = (*centre, turn, 2 * outline.reach * math.hypot(a, b))
        spots.append([names[stamp.piece], "", *(round(number, 2) for number in told)])
    return {"kind": deck.theme.back.kind, "color": deck.back.color, "spots": spots}


def _describe_pair(shown: Sequence[Symbol], pair: Lookalike) -> Plain:
    colour_only = bool(pair.seen_by) and "everybody" not in pair.seen_by and not pair.is_remark
    return {
        "a": shown[pair.first].id,
        "b": shown[pair.second].id,
        "score": round(float(pair.score), 3),
        "seen_by": list(pair.seen_by),
        "reason": "letters" if pair.misreading else "colour" if colour_only else "copy" if pair.is_remark else "looks",
        "sentence": pair.misreading.what if pair.misreading else "",
    }


def build_game(path: str, text: str, options: BuildOptions, cache: Cache | None, on_step: Say) -> Message:
    """Build a game by the one pipeline, and return its files, which are proved, or why there are none."""
    use_cache(cache)
    try:
        theme = read_theme(Path(path), options.theme_values(), text)
        made = build.make([build.DeckOrder(theme, options)], lambda step: _tell(on_step, "step", step=step))
    except DobbleError as error:
        code = "unproved" if isinstance(error, VerifyError) else error.exit_code.name.lower()
        return {"code": code, "faults": [each.as_dict() for each in error.faults]}, []
    box = made.boxes[0]
    pairs = sum(
        int(claim.figures.get("pairs", 0))
        for proof in box.proofs.values()
        for claim in proof.claims
        if claim.name == "pairs"
    )
    files = [{"name": name, "bytes": len(data), "pages": _count_pages(name, data)} for name, data in box.files.items()]
    proof = {"pairs": pairs, "lines": box.describe_proofs()}
    return {"report": made.as_dict(), "proof": proof, "files": files}, list(box.files.values())


def _count_pages(name: str, data: bytes) -> int:
    if not name.endswith(".pdf"):
        return 0
    with Rasterizer(data) as rasterizer:
        return rasterizer.count()


def examine_pictures(paths: Sequence[str], cache: Cache | None, on_step: Say) -> Message:
    """Open pictures as a game would, and tell for each the faults it has."""
    use_cache(cache)
    told = list[list[Plain]]()
    for path in paths:
        try:
            open_artwork(ImageFile(Path(path)))
            told.append([])
        except ArtworkError as error:
            told.append([fault.as_dict() for fault in error.faults])
    return {"faults": told}, []


def draw_page(data: bytes, number: int, width_px: int, on_step: Say) -> Message:
    """Draw a page of a file as a picture."""
    with Rasterizer(data) as rasterizer:
        bitmap = rasterizer.draw(number - 1, width_px / rasterizer.measure(number - 1)[0])
        return {}, [encode_picture(bitmap.to_pil().convert("RGB"), "WEBP", quality=84)]
