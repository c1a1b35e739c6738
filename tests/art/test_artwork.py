from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
import shapely
from PIL import Image, ImageDraw

from dobble_print.art.artwork import Artwork, DrawingMaster, PixelForm, make_artwork
from dobble_print.art.emoji import find_emoji
from dobble_print.art.gallery import examine_gallery, open_back, open_gallery
from dobble_print.art.silhouette import Mask, trace_silhouette
from dobble_print.art.svg.render import MOST_DPI, open_drawing
from dobble_print.errors import ArtworkError, Place
from dobble_print.theme.model import Captioned, Emoji, ImageFile, Source, Symbol, Text

SQUARE = '<rect x="10" y="10" width="80" height="80" fill="red"/>'


def svg(body: str) -> bytes:
    """A drawing of 100 by 100 units."""
    names = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
    return f'<svg {names} viewBox="0 0 100 100">{body}</svg>'.encode()


def open_file(folder: Path, name: str, data: bytes, remove_background: bool = False) -> Artwork:
    """Artwork from a file with those bytes."""
    (folder / name).write_bytes(data)
    return make_artwork(ImageFile(folder / name, remove_background))


def encode(picture: Image.Image, kind: str, **options: object) -> bytes:
    """A picture as the bytes of a file."""
    sink = io.BytesIO()
    picture.save(sink, kind, **options)
    return sink.getvalue()


def symbol(name: str, source: Source, line: int = 1) -> Symbol:
    """A symbol as the theme reader makes them."""
    return Symbol(name, {}, source, "full", 1.0, Place("theme.yaml", line, 5))


@pytest.mark.parametrize("emoji", ["❤", "❤️", "☂", "☂️", "👩🏽‍🚀", "👩‍🚀", "🏳️‍🌈", "1️⃣"])
def test_emoji_are_found_with_and_without_variation_selector(emoji: str) -> None:
    """Keyboards differ in U+FE0F; the drawing is the same."""
    assert find_emoji(emoji) is not None


def test_an_unknown_skin_tone_falls_back_to_the_plain_emoji() -> None:
    """A tone on something that has none is ignored."""
    assert find_emoji("🐱🏽") == find_emoji("🐱")


def test_an_emoji_without_art_is_a_fault_that_names_its_line() -> None:
    """The message says which code points found no drawing."""
    _, (fault,) = examine_gallery([symbol("x", Emoji("\U0001fbff"), line=12)])
    assert str(fault).startswith('theme.yaml:12:5: symbol "x": the emoji')
    assert "U+1FBFF" in fault.what


def test_a_drawing_stays_vector(tmp_path: Path) -> None:
    """SVG goes to print as PDF operators."""
    artwork = open_file(tmp_path, "a.svg", svg(SQUARE))
    assert isinstance(artwork.master, DrawingMaster) and artwork.master.pdf
    assert artwork.master.pdf.startswith(b"%PDF")


def test_a_captioned_drawing_may_give_its_size_in_millimetres(tmp_path: Path) -> None:
    """Drawing programs write `width="24mm"` without a view box: the name goes below the whole drawing all the same."""
    body = '<rect width="100%" height="100%" fill="red"/>'
    path = tmp_path / "box.svg"
    path.write_text(f'<svg xmlns="http://www.w3.org/2000/svg" width="48mm" height="24mm">{body}</svg>')
    artwork = make_artwork(Captioned(ImageFile(path, False), Text("box")))
    assert artwork.width == 1.0
    assert 0.5 < artwork.height < 0.75


def test_a_silhouette_is_the_shape_that_is_drawn(tmp_path: Path) -> None:
    """A square of 80 in a box of 100: its enclosing circle, its area, its place."""
    silhouette = open_file(tmp_path, "a.svg", svg(SQUARE)).silhouette
    assert silhouette.centre == pytest.approx((0.5, 0.5), abs=0.002)
    assert silhouette.reach == pytest.approx(0.8 / 2 * 2**0.5, rel=0.01)
    assert silhouette.area == pytest.approx(2.0, rel=0.01)


def test_holes_do_not_count_as_area_but_are_no_place_either() -> None:
    """A ring covers only its band, and offers one outer outline."""
    y, x = np.mgrid[-1:1:400j, -1:1:400j]
    ring = ((np.hypot(x, y) < 0.9) & (np.hypot(x, y) > 0.6)).astype(np.uint8) * 255
    silhouette = trace_silhouette(Mask(ring, 1.0, 1.0, (1 / 400, 1 / 400)))
    assert silhouette is not None
    assert len(silhouette.rings) == 1
    assert silhouette.area == pytest.approx(np.pi * (1 - (0.6 / 0.9) ** 2), rel=0.02)


def test_faint_parts_belong_to_the_picture(tmp_path: Path) -> None:
    """Glass and fades print, so nothing may lie on them; the soft edge of a solid picture changes nothing."""
    picture = Image.new("RGBA", (400, 200), (200, 0, 0, 255))
    picture.paste((200, 0, 0, 90), (200, 0, 400, 200))
    silhouette = open_file(tmp_path, "a.png", encode(picture, "PNG")).silhouette
    assert silhouette.centre[0] == pytest.approx(0.5, abs=0.01)


HARD = {
    "filters": '<filter id="f"><feGaussianBlur stdDeviation="2"/></filter>'
    + SQUARE.replace("/>", ' filter="url(#f)"/>'),
    "masks": '<mask id="m"><rect width="60" height="100" fill="#eee"/></mask>'
    + SQUARE.replace("/>", ' mask="url(#m)"/>'),
    "even-odd clip paths": '<clipPath id="c"><path clip-rule="evenodd" d="M0 0H90V90H0zM20 20H60V60H20z"/></clipPath>'
    + SQUARE.replace("/>", ' clip-path="url(#c)"/>'),
    "blend modes": SQUARE.replace("/>", ' style="mix-blend-mode:multiply"/>'),
    "patterns": '<pattern id="p" width="9" height="9" patternUnits="userSpaceOnUse"><circle r="5"/></pattern>'
    + SQUARE.replace('"red"', '"url(#p)"'),
    "markers": '<marker id="k"><circle r="3"/></marker><path d="M10 10L80 80" stroke="red" marker-end="url(#k)"/>'
    + SQUARE,
}


@pytest.mark.parametrize("feature", HARD)
def test_what_cairosvg_draws_wrongly_is_rendered_by_resvg(tmp_path: Path, feature: str) -> None:
    """Each known weakness is found, noted, and printed at 600 dpi."""
    artwork = open_file(tmp_path, "a.svg", svg(HARD[feature]))
    assert isinstance(artwork.master, DrawingMaster) and artwork.master.pdf is None
    assert artwork.notes == (f"has {feature}: drawn by resvg at {MOST_DPI} dpi",)
    form = artwork.master.fit(25.4)
    assert isinstance(form, PixelForm)
    assert max(form.picture.size) == 600


def test_a_luminance_mask_hides_what_it_should(tmp_path: Path) -> None:
    """The careful renderer really masks: forty columns of the square are gone."""
    silhouette = open_file(tmp_path, "a.svg", svg(HARD["masks"])).silhouette
    assert silhouette.centre[0] == pytest.approx(0.35, abs=0.01)


LEADS_OUT = [
    '<image href="{url}/a.png" width="50" height="50"/>',
    '<image xlink:href="{url}/a.png" width="50" height="50"/>',
    '<use href="{url}/a.svg#x"/>',
    '<style>@import url("{url}/a.css"); circle {{fill: url({url}/b.svg#p)}}</style>',
    '<rect width="9" height="9" style="fill:url({url}/c.svg#p)"/>',
    '<rect width="9" height="9" fill="url(\'{url}/d.svg#p\')"/>',
    '<filter id="f"><feImage href="{url}/e.png"/></filter><rect width="9" height="9" filter="url(#f)"/>',
]


@pytest.mark.parametrize("body", LEADS_OUT)
def test_no_drawing_reaches_the_network(tmp_path: Path, visitors: tuple[str, list[str]], body: str) -> None:
    """References that lead out are dropped and reported; the server sees nobody."""
    url, seen = visitors
    artwork = open_file(tmp_path, "a.svg", svg(SQUARE + body.format(url=url)))
    assert artwork.warnings
    assert not seen


@pytest.mark.parametrize(
    "reference", ["secret.png", "file://{folder}/secret.png", "{folder}/secret.png", "../x/secret.png"]
)
def test_no_drawing_reads_a_file(tmp_path: Path, reference: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A picture lying beside the drawing does not appear in it."""
    Image.new("RGB", (50, 50), "lime").save(tmp_path / "secret.png")
    monkeypatch.chdir(tmp_path)
    hidden = reference.format(folder=tmp_path)
    body = f'{HARD["filters"]}<image href="{hidden}" x="0" y="0" width="50" height="50"/>'
    artwork = open_file(tmp_path, "a.svg", svg(body))
    form = artwork.master.fit(25)
    assert isinstance(form, PixelForm)
    pixels = np.asarray(form.picture)
    assert not ((pixels[..., 1] > 200) & (pixels[..., 3] > 0)).any()


def test_a_drawing_that_repeats_itself_without_end_is_refused(tmp_path: Path) -> None:
    """Ten levels of ten copies end at once, by counting."""
    levels = "".join(
        f'<g id="l{i}">' + f'<use href="#l{i - 1}"/>' * 10 + "</g>" if i else f'<g id="l0">{SQUARE}</g>'
        for i in range(10)
    )
    with pytest.raises(ArtworkError, match="repeats itself"):
        open_file(tmp_path, "a.svg", svg(f'<defs>{levels}</defs><use href="#l9"/>'))


def test_a_drawing_that_refers_to_itself_is_refused(tmp_path: Path) -> None:
    """A circle of references is a fault, not a hang."""
    with pytest.raises(ArtworkError, match="circle"):
        open_file(tmp_path, "a.svg", svg('<g id="a"><use href="#a"/></g>'))


BROKEN = {
    "a.svg": (b"<svg", "not valid SVG"),
    "b.svg": (b"<html/>", "no SVG"),
    "c.svg": (b'<!DOCTYPE x [<!ENTITY a "b"><!ENTITY c "&a;">]><svg xmlns="http://www.w3.org/2000/svg"/>', "entities"),
    "d.svg": (b"\x1f\x8b\x08\x00", "svgz"),
    "e.svg": (svg(""), "empty"),
    "f.png": (b"not a picture", "cannot be read"),
    "g.jpg": (encode(Image.new("RGB", (64, 64)), "JPEG")[:200], "cannot be read"),
    "h.png": (encode(Image.new("RGBA", (9, 9)), "PNG"), "empty"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_picture_is_a_fault_with_its_line(tmp_path: Path, name: str) -> None:
    """Whatever is wrong with a file, the user reads which symbol it is and what to do."""
    data, words = BROKEN[name]
    (tmp_path / name).write_bytes(data)
    _, (fault,) = examine_gallery([symbol("kat", ImageFile(tmp_path / name), line=7)])
    assert words in fault.what
    assert str(fault).startswith(f'theme.yaml:7:5: symbol "kat" ({name}): ')


def test_a_photo_is_its_rectangle_with_rounded_corners(tmp_path: Path) -> None:
    """A JPEG has no transparency: its silhouette is nearly its box."""
    artwork = open_file(tmp_path, "a.jpg", encode(Image.new("RGB", (400, 300), "teal"), "JPEG"))
    box = 1.0 * 0.75 / artwork.silhouette.reach**2
    assert 0.98 * box < artwork.silhouette.area < box
    assert artwork.silhouette.reach < 0.625


def test_a_back_keeps_its_corners(tmp_path: Path) -> None:
    """A picture that fills the back must cover it."""
    (tmp_path / "back.jpg").write_bytes(encode(Image.new("RGB", (300, 300), "teal"), "JPEG"))
    form = open_back(tmp_path / "back.jpg").master.fit(90)
    assert isinstance(form, PixelForm)
    assert form.picture.getchannel("A").getextrema() == (255, 255)


def test_a_plain_background_can_be_removed(tmp_path: Path) -> None:
    """The disc remains, with the white eye inside it that does not touch the border."""
    picture = Image.new("RGB", (400, 300), "white")
    draw = ImageDraw.Draw(picture)
    draw.ellipse((100, 50, 300, 250), fill="navy")
    draw.ellipse((180, 130, 220, 170), fill="white")
    artwork = open_file(tmp_path, "a.png", encode(picture, "PNG"), remove_background=True)
    assert artwork.silhouette.area == pytest.approx(np.pi, rel=0.02)
    assert artwork.width == artwork.height == 1.0


def test_a_busy_background_cannot_be_removed(tmp_path: Path) -> None:
    """The user is told to cut it out by hand."""
    noise = np.random.default_rng(0).integers(0, 255, (80, 80, 3), dtype=np.uint8)
    with pytest.raises(ArtworkError, match="no plain background"):
        open_file(tmp_path, "a.png", encode(Image.fromarray(noise), "PNG"), remove_background=True)


def test_exif_rotation_is_obeyed(tmp_path: Path) -> None:
    """A phone's photo taken upright stands upright."""
    exif = Image.Exif()
    exif[0x0112] = 6
    artwork = open_file(tmp_path, "a.jpg", encode(Image.new("RGB", (400, 200), "teal"), "JPEG", exif=exif))
    assert (artwork.width, artwork.height) == (0.5, 1.0)


@pytest.mark.parametrize("mode", ["L", "P", "1", "LA", "CMYK"])
def test_every_colour_mode_is_understood(tmp_path: Path, mode: str) -> None:
    """Grey, palette, bitmap and CMYK pictures become ordinary colours."""
    kind, name = ("JPEG", "a.jpg") if mode == "CMYK" else ("PNG", "a.png")
    artwork = open_file(tmp_path, name, encode(Image.new("RGB", (60, 40), "teal").convert(mode), kind))
    form = artwork.master.fit(10)
    assert isinstance(form, PixelForm)
    assert form.picture.mode == "RGBA"


def test_sixteen_bits_keep_their_brightness(tmp_path: Path) -> None:
    """A scanner's 16-bit grey of 40,000 prints as 156 of 255, not as white."""
    deep = Image.fromarray(np.full((40, 60), 40_000, np.uint16))
    form = open_file(tmp_path, "a.png", encode(deep, "PNG")).master.fit(10)
    assert isinstance(form, PixelForm)
    assert np.asarray(form.picture)[20, 30, 0] == 156


def test_text_becomes_outlines(tmp_path: Path) -> None:
    """Letters go to print as vectors, not as a font."""
    artwork = make_artwork(Text("cat"))
    assert isinstance(artwork.master, DrawingMaster) and artwork.master.pdf
    assert b"/Font" not in artwork.master.pdf


def test_nothing_may_come_between_the_letters_of_a_word() -> None:
    """A sum is placed as one convex thing with air around it; a single letter keeps its hollows."""
    (ring,) = make_artwork(Text("3 × 4")).silhouette.rings
    assert shapely.Polygon(ring).area == pytest.approx(shapely.Polygon(ring).convex_hull.area)
    (letter,) = make_artwork(Text("L")).silhouette.rings
    assert shapely.Polygon(letter).area < 0.8 * shapely.Polygon(letter).convex_hull.area


def test_a_badge_is_a_shield_in_two_colours() -> None:
    """Field, border and letters are drawn; the outline is the shield's."""
    plain, badge = make_artwork(Text("FC")), make_artwork(Text("FC", "#ffffff", ("#cc0000", "#000066")))
    assert badge.silhouette.area > plain.silhouette.area
    assert badge.height > badge.width


def test_long_text_breaks_into_balanced_lines() -> None:
    """Two words of equal length stand above each other, so that they print larger."""
    together, apart = make_artwork(Text("birthday birthday")), make_artwork(Text("birthdaybirthday"))
    assert together.height / together.width > apart.height / apart.width


def test_a_letter_the_font_lacks_is_a_fault_that_names_it() -> None:
    """Never a silent gap."""
    with pytest.raises(ArtworkError, match=r'"𒀀" \(U\+12000\)'):
        make_artwork(Text("𒀀"))


def test_two_symbols_with_the_same_picture_are_a_fault(tmp_path: Path) -> None:
    """A copied file would give a match two right answers."""
    for name in ("a.svg", "b.svg"):
        (tmp_path / name).write_bytes(svg(SQUARE))
    symbols = [symbol("one", ImageFile(tmp_path / "a.svg"), 3), symbol("two", ImageFile(tmp_path / "b.svg"), 4)]
    with pytest.raises(
        ArtworkError, match=r'theme.yaml:4:5: symbol "two" \(b.svg\): shows the same picture as "one" \(line 3\)'
    ):
        open_gallery(symbols)


def test_live_text_in_a_drawing_is_doubtful() -> None:
    """It is drawn in our font, which is told: the user should convert text to paths."""
    text = '<text x="10" y="50" font-family="Comic Sans MS, cursive">hello</text>'
    (warning,) = open_drawing(svg(text)).warnings
    assert '"Comic Sans MS" is printed in our font FiraGO' in warning.what
    assert "paths" in warning.hint
