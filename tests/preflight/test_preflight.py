"""A finished PDF is checked by rules of our own: a good file passes, and each kind of damage fails just its rule."""

from __future__ import annotations

import io
import math
import zlib
from collections.abc import Callable
from typing import Literal

import numpy as np
import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name, Pdf, Stream, String

from dobble_print.errors import DobbleError
from dobble_print.pdf.report import Report, ShopLimits, describe
from dobble_print.preflight.check import examine_pdf
from dobble_print.units import CardShape, hex_card, mm_to_pt, round_card, square_card
from tests import preflight_samples as samples

RULES = [
    "boxes",
    "bleed",
    "fonts",
    "images",
    "lines",
    "overprint",
    "text",
    "colour",
    "ink",
    "cut",
    "standard",
    "encryption",
]


def failed(report: Report) -> set[str]:
    """The rules that failed."""
    return {finding.rule for finding in report.findings if finding.verdict == "fail"}


def told(report: Report, rule: str) -> str:
    """What a rule says."""
    return next(finding.what for finding in report.findings if finding.rule == rule)


def verdict(report: Report, rule: str) -> str:
    """How a rule decides."""
    return next(finding.verdict for finding in report.findings if finding.rule == rule)


@pytest.fixture(scope="module")
def good() -> bytes:
    """A sheet that claims PDF/X-4 and keeps it."""
    return samples.make_sheet()


@pytest.fixture(scope="module")
def unclaimed() -> bytes:
    """The same sheet without a claim."""
    return samples.make_sheet(claim=False)


def test_a_good_sheet_passes_every_rule(good: bytes) -> None:
    """All twelve rules look at a good PDF/X-4 sheet and pass it."""
    report = examine_pdf(good, ShopLimits(standard="PDF/X-4", cut_expected=True))
    assert [(finding.rule, finding.verdict) for finding in report.findings] == [(rule, "pass") for rule in RULES], (
        describe(report)
    )
    assert report.passed


def test_a_honeycomb_that_shares_edges_passes() -> None:
    """Open runs whose ends lie on other cuts are no fault, and the bleed goes around the whole comb."""
    report = examine_pdf(samples.make_honeycomb())
    assert failed(report) == set()
    assert told(report, "cut") == (
        "3 paths, 1 closed and 2 ending on others: all cards enclosed, thin and overprinting, on CutContour"
    )


def test_cards_apart_have_closed_cuts(good: bytes) -> None:
    """Where no edge is shared, every path closes."""
    assert told(examine_pdf(good), "cut") == "2 paths, closed, thin and overprinting, on CutContour"


def test_a_honeycomb_with_short_bleed_fails_bleed() -> None:
    """Cards cut from each other still need bleed towards the paper."""
    shape = hex_card(40.0, corner_mm=0.0)
    centres = [(60.0, 50.0), (60.0 + 60.0 / 3**0.5, 70.0)]
    assert failed(examine_pdf(samples.make_sheet(2.0, shape, centres))) == {"bleed"}


SIDE_MM = 40.0 / 3**0.5
TOUCHING = {
    "hexagons": (hex_card(40.0, 0.0), [(60.0, 50.0), (60.0 + 1.5 * SIDE_MM, 70.0), (60.0 + 1.5 * SIDE_MM, 30.0)]),
    "round hexagons": (hex_card(40.0), [(60.0, 50.0), (60.0 + 1.5 * SIDE_MM, 70.0), (60.0 + 1.5 * SIDE_MM, 30.0)]),
    "squares": (square_card(30.0, 0.0), [(60.0, 50.0), (90.0, 50.0), (120.0, 50.0)]),
    "round squares": (square_card(30.0), [(60.0, 50.0), (90.0, 50.0), (120.0, 50.0)]),
}


def make_rimmed(shape: CardShape, centres: list[tuple[float, float]], bleed_mm: float = 3.0) -> bytes:
    """Touching cards, white but for a rim of 1 mm, so that white begins 1 mm beyond every shared edge."""

    def whiten(pdf: Pdf) -> None:
        pdf.pages[0].contents_add(b"".join(blank(shape.grow(-1.0), centre) for centre in centres))

    return samples.change(samples.make_sheet(bleed_mm, shape, centres), whiten)


def blank(shape: CardShape, centre: tuple[float, float]) -> bytes:
    """A white shape."""
    corners = [(mm_to_pt(centre[0] + x), mm_to_pt(centre[1] + y)) for x, y in shape.polygon(24)]
    path = " ".join(f"{x:.3f} {y:.3f} {'l' if i else 'm'}" for i, (x, y) in enumerate(corners))
    return f"\nq 0 0 0 0 k {path} h f Q".encode()


@pytest.mark.parametrize("kind", TOUCHING)
def test_beyond_a_shared_edge_lies_a_card_and_no_bleed(kind: str) -> None:
    """A neighbour's narrow rim is no bleed that ends too soon."""
    report = examine_pdf(make_rimmed(*TOUCHING[kind]))
    assert failed(report) == set(), describe(report)


@pytest.mark.parametrize("kind", TOUCHING)
def test_touching_cards_need_bleed_at_their_outer_edges(kind: str) -> None:
    """Bleed that is too short around the whole group is found."""
    assert failed(examine_pdf(make_rimmed(*TOUCHING[kind], bleed_mm=1.5))) == {"bleed"}


@pytest.mark.parametrize("card", [0, 1, 2])
@pytest.mark.parametrize("kind", TOUCHING)
def test_white_over_the_bleed_of_touching_cards_is_found(kind: str, card: int) -> None:
    """At the lower edge of any card, whether its cut is closed or ends on others."""
    shape, centres = TOUCHING[kind]
    x, y = centres[card]
    if shape.name == "hex" and card == 1:  # its lower edge is shared: take the upper one
        y += shape.height_mm + 4.0
    below = (x, y - shape.height_mm / 2 - 2.0)

    def cover(pdf: Pdf) -> None:
        pdf.pages[0].contents_add(blank_strip(below, 16.0, 4.0))

    report = examine_pdf(samples.change(make_rimmed(shape, centres), cover))
    assert told(report, "bleed") == "page 1: the bleed is covered with white: the colour ends at the cut"


def blank_strip(middle: tuple[float, float], width_mm: float, height_mm: float) -> bytes:
    """A white box."""
    box = (middle[0] - width_mm / 2, middle[1] - height_mm / 2, width_mm, height_mm)
    return f"\nq 0 0 0 0 k {' '.join(f'{mm_to_pt(value):.3f}' for value in box)} re f Q".encode()


# --- one kind of damage, one rule -------------------------------------------------------------------------------------


def lose_trim_box(pdf: Pdf) -> None:
    """A page forgets where it is trimmed."""
    del pdf.pages[1].obj["/TrimBox"]


def misplace_trim_box(pdf: Pdf) -> None:
    """The trim reaches out of the bleed."""
    left, bottom, right, top = (float(value) for value in pdf.pages[0].obj.TrimBox)
    pdf.pages[0].obj.TrimBox = Array([left - 20, bottom, right, top])


def lose_font(pdf: Pdf) -> None:
    """The font stays at home."""
    del next(iter(pdf.pages[0].Resources.Font.values())).FontDescriptor["/FontFile2"]


def coarsen_photo(pdf: Pdf) -> None:
    """150 dpi."""
    samples.set_photo(pdf, samples.make_image(pdf, samples.photo_px(150)))


def coarsen_mask(pdf: Pdf) -> None:
    """A fine photo behind a coarse mask."""
    image = samples.make_image(pdf, samples.photo_px(400))
    image.SMask = pdf.make_indirect(samples.make_image(pdf, samples.photo_px(150), "DeviceGray"))
    samples.set_photo(pdf, image)


def move_back(pdf: Pdf) -> None:
    """The back lies 2 mm aside."""
    pdf.pages[1].contents_add(b"1 0 0 1 5.7 0 cm\n", prepend=True)


def overload_fill(pdf: Pdf) -> None:
    """All four inks in full."""
    samples.replace_in_page(pdf, b".1 .6 .9 0 k", b"1 1 1 1 k")


def overload_photo(pdf: Pdf) -> None:
    """A photo of 345 %."""
    samples.set_photo(pdf, samples.make_image(pdf, samples.photo_px(400), ink=220))


def overload_jpeg(pdf: Pdf) -> None:
    """The same as JPEG, whose inks are turned over."""
    samples.set_photo(pdf, samples.make_image(pdf, samples.photo_px(400), ink=220, jpeg=True))


def overload_gradient(pdf: Pdf) -> None:
    """A gradient that ends in too much."""
    pdf.pages[0].Resources.XObject.Photo.Resources.Shading.G.Function.C1 = Array([1, 1, 1, 0.5])


def overload_palette(pdf: Pdf) -> None:
    """An image with a palette, one of its colours too heavy."""
    image = samples.make_image(pdf, samples.photo_px(400), "DeviceGray", 1)
    image.ColorSpace = Array([Name.Indexed, Name.DeviceCMYK, 1, String(bytes([0, 0, 0, 0, 255, 255, 255, 128]))])
    samples.set_photo(pdf, image)


def open_cut(pdf: Pdf) -> None:
    """The last stretch of the first cut is missing."""
    pdf.pages[0].contents_coalesce()
    content = pdf.pages[0].Contents.read_bytes()
    head, tail = content.split(b" c h S", 1)
    pdf.pages[0].Contents.write(head.rsplit(b" c ", 1)[0] + b" c S" + tail)


def knock_out_cut(pdf: Pdf) -> None:
    """The cut does not overprint."""
    pdf.pages[0].Resources.ExtGState.CutState.OP = False


def broaden_cut(pdf: Pdf) -> None:
    """A line of 1.5 pt."""
    samples.replace_in_page(pdf, b"0.25 w", b"1.5 w")


def fade_cut(pdf: Pdf) -> None:
    """A cut at half its ink."""
    samples.replace_in_page(pdf, b"CS 1 SCN", b"CS 0.5 SCN")


def fill_with_cut_ink(pdf: Pdf) -> None:
    """A box filled on the cut plate."""
    pdf.pages[0].contents_add(b"\nq /CutInk cs 1 scn 200 140 9 9 re f Q")


def hide_cut(pdf: Pdf) -> None:
    """The layer of the cut is off."""
    pdf.Root.OCProperties.D.OFF = pdf.Root.OCProperties.D.ON
    del pdf.Root.OCProperties.D["/ON"]


def hide_all_layers(pdf: Pdf) -> None:
    """All layers start off."""
    pdf.Root.OCProperties.D.BaseState = Name.OFF
    del pdf.Root.OCProperties.D["/ON"]


def cut_in_black(pdf: Pdf) -> None:
    """The layer says cutting, the ink says printing."""
    pdf.pages[0].Resources.ColorSpace.CutInk[1] = Name.Black


def cut_in_cmyk(pdf: Pdf) -> None:
    """A line of process black beside the cut, on its layer."""
    samples.replace_in_page(pdf, b"0.25 w", b"0.25 w q 0 0 0 1 K 150 120 20 20 re S Q")


def draw_hairline(pdf: Pdf) -> None:
    """As thin as the machine can."""
    pdf.pages[1].contents_add(b"\nq 0 0 0 1 K 0 w 150 140 m 170 140 l S Q")


def draw_thin_line(pdf: Pdf) -> None:
    """A tenth of a millimetre in a drawing that prints at half its size."""
    pdf.pages[1].contents_add(b"\nq 0.5 0 0 0.5 0 0 cm 0 0 0 1 K 0.4 w 300 280 m 340 280 l S Q")


def overprint_heavily(pdf: Pdf) -> None:
    """Two fills of 200 % each, the second of which leaves the first where it is."""
    pdf.pages[1].Resources.ExtGState = Dictionary(Over=Dictionary(OP=True, op=True, OPM=1))
    under, over = b"1 1 0 0 k 150 140 20 20 re f", b"/Over gs 0 0 1 1 k 150 140 20 20 re f"
    pdf.pages[1].contents_add(b"\nq " + under + b" " + over + b" Q")


def overprint_white(pdf: Pdf) -> None:
    """A white dot that a press leaves out."""
    pdf.pages[1].Resources.ExtGState = Dictionary(Over=Dictionary(OP=True, op=True, OPM=1))
    pdf.pages[1].contents_add(b"\nq /Over gs 0 0 0 0 k 150 140 5 5 re f Q")


def write_small_in_four_inks(pdf: Pdf) -> None:
    """Five points, by a matrix."""
    font = next(iter(pdf.pages[0].Resources.Font.keys()))
    pdf.pages[0].contents_add(f"\nq 0.5 0.4 0.4 0.6 k BT {font} 1 Tf 5 0 0 5 150 140 Tm (!) Tj ET Q".encode())


def write_in_dark_grey(pdf: Pdf) -> None:
    """Black text as a screen of dots."""
    font = next(iter(pdf.pages[0].Resources.Font.keys()))
    pdf.pages[0].contents_add(f"\nq 0 0 0 0.92 k BT {font} 12 Tf 150 140 Td (!) Tj ET Q".encode())


def print_on_a_stray_plate(pdf: Pdf) -> None:
    """A spot ink that is no cut."""
    tint = Dictionary(FunctionType=2, Domain=[0, 1], C0=[0, 0, 0, 0], C1=[0, 1, 1, 0], N=1)
    spot = Array([Name.Separation, Name("/Warm Red"), Name.DeviceCMYK, tint])
    pdf.pages[1].Resources.ColorSpace = Dictionary(Spot=spot)
    pdf.pages[1].contents_add(b"\nq /Spot cs 1 scn 150 140 5 5 re f Q")


def lend_hairline(pdf: Pdf) -> None:
    """A form strokes with the width that it finds."""
    form = pdf.pages[0].Resources.XObject.Photo
    form.write(form.read_bytes() + b" 0 0 0 1 K 0 0 m 1 1 l S")
    pdf.pages[0].contents_add(b"0 w\n", prepend=True)


def whiten_bleed(pdf: Pdf) -> None:
    """A white frame around the first card, from its cut on."""
    pdf.pages[0].contents_add(ring(samples.CENTRES[0], 30.0, 40.0))


def whiten_half_the_bleed(pdf: Pdf) -> None:
    """A white frame that leaves 1 mm of the bleed."""
    pdf.pages[0].contents_add(ring(samples.CENTRES[0], 31.0, 40.0))


def whiten_a_side(pdf: Pdf) -> None:
    """A white box over one side of a card, up to the cut."""
    x, y = samples.CENTRES[0]
    left, bottom, width, height = (mm_to_pt(value) for value in (x - 45, y - 20, 15, 40))
    pdf.pages[0].contents_add(f"\nq 0 0 0 0 k {left} {bottom} {width} {height} re f Q".encode())


def ring(centre: tuple[float, float], inner_mm: float, outer_mm: float) -> bytes:
    """A white ring."""
    path = []
    for radius in (inner_mm, outer_mm):
        corners = [(mm_to_pt(centre[0] + x), mm_to_pt(centre[1] + y)) for x, y in round_card(2 * radius).polygon(24)]
        path += [f"{x:.3f} {y:.3f} {'l' if i else 'm'}" for i, (x, y) in enumerate(corners)] + ["h"]
    return f"\nq 0 0 0 0 k {' '.join(path)} f* Q".encode()


def lose_intent(pdf: Pdf) -> None:
    """A claim without a press."""
    del pdf.Root["/OutputIntents"]


def forge_profile(pdf: Pdf) -> None:
    """The profile is another file."""
    pdf.Root.OutputIntents[0].DestOutputProfile.write(b"not a profile" * 20)


def disagree_on_date(pdf: Pdf) -> None:
    """Info and metadata tell different days."""
    pdf.trailer.Info.CreationDate = String("D:20250102030405+01'00'")


def forget_trapping(pdf: Pdf) -> None:
    """Neither trapped nor not."""
    pdf.trailer.Info.Trapped = Name.Unknown


def add_script(pdf: Pdf) -> None:
    """Something to run."""
    pdf.Root.Names = Dictionary(JavaScript=Dictionary(Names=Array()))


def add_note(pdf: Pdf) -> None:
    """A sticky note on a card."""
    pdf.pages[0].obj.Annots = Array([Dictionary(Type=Name.Annot, Subtype=Name.Text, Rect=[150, 130, 170, 150])])


def set_transfer_curve(pdf: Pdf) -> None:
    """A curve behind the printer's back."""
    pdf.pages[0].Resources.ExtGState.CutState.TR = Name.Identity


def unname_layers(pdf: Pdf) -> None:
    """Layers without a name for their settings."""
    del pdf.Root.OCProperties.D["/Name"]


DAMAGE: list[tuple[Callable[[Pdf], None], str]] = [
    (lose_trim_box, "boxes"),
    (misplace_trim_box, "boxes"),
    (move_back, "bleed"),
    (whiten_bleed, "bleed"),
    (whiten_half_the_bleed, "bleed"),
    (draw_hairline, "lines"),
    (lend_hairline, "lines"),
    (draw_thin_line, "lines"),
    (overprint_white, "overprint"),
    (write_small_in_four_inks, "text"),
    (write_in_dark_grey, "text"),
    (print_on_a_stray_plate, "colour"),
    (hide_cut, "cut"),
    (hide_all_layers, "cut"),
    (cut_in_black, "cut"),
    (cut_in_cmyk, "cut"),
    (lose_font, "fonts"),
    (coarsen_photo, "images"),
    (coarsen_mask, "images"),
    (overload_fill, "ink"),
    (overload_photo, "ink"),
    (overload_jpeg, "ink"),
    (overload_gradient, "ink"),
    (overprint_heavily, "ink"),
    (overload_palette, "ink"),
    (open_cut, "cut"),
    (knock_out_cut, "cut"),
    (broaden_cut, "cut"),
    (fade_cut, "cut"),
    (fill_with_cut_ink, "cut"),
    (lose_intent, "standard"),
    (forge_profile, "standard"),
    (disagree_on_date, "standard"),
    (forget_trapping, "standard"),
    (add_script, "standard"),
    (add_note, "standard"),
    (set_transfer_curve, "standard"),
    (unname_layers, "standard"),
]


@pytest.mark.parametrize(("damage", "rule"), DAMAGE, ids=lambda value: getattr(value, "__name__", value))
def test_each_damage_fails_just_its_rule(good: bytes, damage: Callable[[Pdf], None], rule: str) -> None:
    """One thing is broken, one rule says so."""
    report = examine_pdf(samples.change(good, damage))
    assert failed(report) == {rule}, describe(report)


def test_short_bleed_is_measured_not_believed() -> None:
    """The boxes promise 3 mm, the paint ends after 1 mm: the rule says where and how far it reaches."""
    report = examine_pdf(samples.make_sheet(bleed_mm=1.0))
    assert failed(report) == {"bleed"}
    assert "paint ends 1.0 mm outside a cut" in told(report, "bleed")
    assert next(finding for finding in report.findings if finding.rule == "bleed").pages == (1, 2)


@pytest.mark.parametrize("bleed_mm", [2.0, 2.5, 2.7])
def test_bleed_is_measured_finely(bleed_mm: float) -> None:
    """Three tenths of a millimetre too little are found; one tenth is not held against a file."""
    assert failed(examine_pdf(samples.make_sheet(bleed_mm))) == {"bleed"}
    assert failed(examine_pdf(samples.make_sheet(2.9))) == set()


def test_a_photo_covers_no_more_than_its_mask_shows(good: bytes) -> None:
    """Bleed made of one large photo counts; where the photo is masked away, paper shows."""

    def cover_with_photo(pdf: Pdf, hole: bool) -> None:
        image = samples.make_image(pdf, samples.photo_px(400))
        opacity = np.full((100, 100), 255, np.uint8)
        opacity[:, 48:52] = 0 if hole else 255
        entries = {"Width": 100, "Height": 100, "BitsPerComponent": 8, "ColorSpace": Name.DeviceGray}
        mask = Stream(pdf, opacity.tobytes(), Type=Name.XObject, Subtype=Name.Image, **entries)
        image.SMask = pdf.make_indirect(mask)
        samples.set_photo(pdf, image)
        form = pdf.pages[0].Resources.XObject.Photo
        form.BBox, form.Matrix = Array([-9, -9, 9, 9]), Array([1, 0, 0, 1, 0, 0])
        form.write(b"q 4 0 0 4 -1.5 -1.25 cm /P Do Q")  # 80 mm around each card
        samples.replace_in_page(pdf, b" h\nf*", b" h\nn")  # the flat ink goes

    whole = samples.change(good, lambda pdf: cover_with_photo(pdf, hole=False))
    torn = samples.change(good, lambda pdf: cover_with_photo(pdf, hole=True))
    report = examine_pdf(whole, ShopLimits(least_dpi=10))
    assert (failed(report), "2 pages" in told(report, "bleed")) == (set(), True)
    assert failed(examine_pdf(torn, ShopLimits(least_dpi=10))) == {"bleed"}


@pytest.mark.parametrize("flip", ["long", "short"])
def test_backs_are_found_whichever_way_the_sheet_turns(flip: str) -> None:
    """A back is cut where its front is cut, seen from behind."""
    report = examine_pdf(samples.make_sheet(flip=flip))
    assert verdict(report, "bleed") == "pass"
    assert "2 pages" in told(report, "bleed")


@pytest.mark.parametrize("turn", [90, 180, 270])
def test_turned_pages_are_understood(good: bytes, turn: int) -> None:
    """A page that is shown turned has its cuts and its paint where they were."""

    def rotate(pdf: Pdf) -> None:
        for page in pdf.pages:
            page.obj.Rotate = turn

    assert failed(examine_pdf(samples.change(good, rotate))) == set()
    assert failed(examine_pdf(samples.change(samples.make_sheet(bleed_mm=1.0), rotate))) == {"bleed"}


def test_a_media_box_away_from_the_origin_is_understood(good: bytes) -> None:
    """Boxes may start anywhere, name their corners in any order, and be inherited."""

    def shift(pdf: Pdf) -> None:
        for page in pdf.pages:
            page.contents_add(b"1 0 0 1 -300 200 cm\n", prepend=True)
            for name in ("/MediaBox", "/BleedBox", "/TrimBox"):
                x0, y0, x1, y1 = (float(value) for value in page.obj[name])
                page.obj[name] = Array([x1 - 300, y1 + 200, x0 - 300, y0 + 200])
        pdf.Root.Pages.MediaBox = pdf.pages[0].obj.MediaBox
        for page in pdf.pages:
            del page.obj["/MediaBox"]

    assert failed(examine_pdf(samples.change(good, shift))) == set()


def add_rgb_photo(pdf: Pdf) -> None:
    """A photo as cameras make them."""
    samples.set_photo(pdf, samples.make_image(pdf, samples.photo_px(400), "DeviceRGB"))


def add_rgb_fill(pdf: Pdf) -> None:
    """A fill for screens."""
    samples.replace_in_page(pdf, b".1 .6 .9 0 k", b"1 0 0 rg")


def add_rgb_inline(pdf: Pdf) -> None:
    """A picture in the middle of the drawing."""
    pdf.pages[0].contents_add(b"\nq 0.1 0 0 0.1 200 140 cm BI /W 1 /H 1 /CS /RGB /BPC 8 ID abc EI Q")


def add_rgb_gradient(pdf: Pdf) -> None:
    """A gradient for screens."""
    shading = pdf.pages[0].Resources.XObject.Photo.Resources.Shading.G
    shading.ColorSpace, shading.Function.C0, shading.Function.C1 = Name.DeviceRGB, Array([0, 0, 0]), Array([1, 0, 0])


def add_rgb_group(pdf: Pdf) -> None:
    """A group that mixes in RGB."""
    pdf.pages[0].Resources.XObject.Photo.Group.CS = Name.DeviceRGB


def add_rgb_alternate(pdf: Pdf) -> None:
    """A spot ink that falls back on RGB."""
    pdf.pages[0].Resources.ColorSpace.CutInk[2] = Name.DeviceRGB


@pytest.mark.parametrize(
    "damage", [add_rgb_photo, add_rgb_fill, add_rgb_inline, add_rgb_gradient, add_rgb_group, add_rgb_alternate]
)
def test_rgb_fails_colour_wherever_it_hides(good: bytes, unclaimed: bytes, damage: Callable[[Pdf], None]) -> None:
    """RGB fails the colour rule, and makes a claim of PDF/X-4 false as well."""
    report = examine_pdf(samples.change(unclaimed, damage))
    assert failed(report) == {"colour"}, describe(report)
    assert "DeviceRGB" in told(report, "colour")
    assert failed(examine_pdf(samples.change(good, damage))) == {"colour", "standard"}


def test_an_encrypted_file_that_opens_fails_encryption_alone(good: bytes) -> None:
    """Without a password to open it, all other rules still look."""
    with Pdf.open(io.BytesIO(good)) as pdf:
        locked = samples.save(pdf, encryption=pikepdf.Encryption(owner="owner", user="", R=4))
    assert failed(examine_pdf(locked)) == {"encryption"}
    assert len(examine_pdf(locked).findings) == len(RULES)


def test_a_file_behind_a_password_tells_only_that(good: bytes) -> None:
    """What cannot be opened cannot be judged."""
    with Pdf.open(io.BytesIO(good)) as pdf:
        locked = samples.save(pdf, encryption=pikepdf.Encryption(owner="owner", user="secret", R=4))
    report = examine_pdf(locked)
    assert [finding.rule for finding in report.findings] == ["encryption"]
    assert not report.passed


# --- the standard -----------------------------------------------------------------------------------------------------


def make_x1a(damage: Callable[[Pdf], object] = lambda pdf: None) -> bytes:
    """A sheet for PDF/X-1a: no layers, no groups, no masks."""
    with Pdf.open(io.BytesIO(samples.make_sheet(claim=False))) as pdf:
        del pdf.Root["/OCProperties"]
        samples.replace_in_page(pdf, b"/OC /Cut BDC", b"/Cut BMC")
        samples.set_photo(pdf, samples.make_image(pdf, samples.photo_px(400)))
        del pdf.pages[0].Resources.XObject.Photo["/Group"]
        samples.claim_x1a(pdf)
        damage(pdf)
        return samples.save_x1a(pdf)


def test_a_good_x1a_passes() -> None:
    """A flat file of PDF 1.4 keeps what it claims."""
    report = examine_pdf(make_x1a(), ShopLimits(standard="PDF/X-1a"))
    assert failed(report) == set(), describe(report)
    assert verdict(report, "standard") == "pass"


def add_opacity(pdf: Pdf) -> None:
    """Something shines through."""
    pdf.pages[0].Resources.ExtGState.CutState.CA = 0.5


def add_soft_mask(pdf: Pdf) -> None:
    """A photo with soft edges."""
    coarsen = samples.make_image(pdf, samples.photo_px(400))
    coarsen.SMask = pdf.make_indirect(samples.make_image(pdf, samples.photo_px(400), "DeviceGray"))
    samples.set_photo(pdf, coarsen)


def add_page_group(pdf: Pdf) -> None:
    """A page that mixes."""
    pdf.pages[0].obj.Group = Dictionary(S=Name.Transparency, CS=Name.DeviceCMYK)


def add_layers(pdf: Pdf) -> None:
    """Layers, which X-1a does not know."""
    pdf.Root.OCProperties = Dictionary(OCGs=Array(), D=Dictionary(Name=String("Layers")))


@pytest.mark.parametrize("damage", [add_opacity, add_soft_mask, add_page_group, add_layers])
def test_x1a_takes_no_transparency_and_no_layers(damage: Callable[[Pdf], object]) -> None:
    """What PDF 1.4 for printing leaves out makes the claim false."""
    assert failed(examine_pdf(make_x1a(damage))) == {"standard"}


def test_x1a_in_a_modern_file_is_a_false_claim() -> None:
    """Object streams came after PDF 1.4."""
    with Pdf.open(io.BytesIO(make_x1a())) as pdf:
        packed = samples.save(pdf, object_stream_mode=pikepdf.ObjectStreamMode.generate)
    assert failed(examine_pdf(packed)) == {"standard"}


def test_no_claim_is_nothing_to_check_unless_one_is_expected(unclaimed: bytes) -> None:
    """A teacher's file claims nothing; a shop that wants PDF/X-4 misses it."""
    assert verdict(examine_pdf(unclaimed), "standard") == "none"
    assert failed(examine_pdf(unclaimed, ShopLimits(standard="PDF/X-4"))) == {"standard"}
    assert failed(examine_pdf(make_x1a(), ShopLimits(standard="PDF/X-4"))) == {"standard"}


@pytest.mark.parametrize("standard", ["PDF/X-4", "PDF/X-1a"])
def test_what_the_press_makes_passes(standard: Literal["PDF/X-4", "PDF/X-1a"]) -> None:
    """Drawings and photos made inks, the cut laid over and the claim made by our press leave nothing to object to."""
    from dobble_print.pdf.document import save_pdf
    from dobble_print.prepress.cut_layer import CutLayer
    from dobble_print.prepress.inks import Inks, load_output_profile
    from dobble_print.prepress.pdfx import claim_standard
    from dobble_print.prepress.separation import separate_form
    from dobble_print.sheets.cutting import trace_cuts

    def color_for_screens(pdf: Pdf) -> None:
        for damage in (add_rgb_photo, add_rgb_gradient):
            damage(pdf)
        del pdf.pages[0].Resources.XObject.Photo["/Group"]

    profile = load_output_profile(None)
    drawn = samples.change(samples.make_sheet(claim=False, cut=False), color_for_screens)
    with Pdf.open(io.BytesIO(drawn)) as pdf:
        separate_form(pdf, pdf.pages[0].Resources.XObject.Photo, Inks(profile, 3.0))
        cuts = trace_cuts(samples.CARD, samples.CENTRES, 0.0)
        CutLayer(pdf, "CutContour", layers=standard == "PDF/X-4").draw(pdf.pages[0], cuts)
        claim_standard(pdf, standard, profile, "Sample")
        made = save_pdf(pdf, standard)
    report = examine_pdf(made, ShopLimits(standard=standard, cut_expected=True))
    assert {finding.verdict for finding in report.findings} == {"pass"}, describe(report)


# --- cut paths and limits ---------------------------------------------------------------------------------------------


def test_no_cut_path_is_nothing_to_check_unless_one_is_expected() -> None:
    """Cards that only touch the trim end askew to it, which is no fault."""
    plain = samples.make_sheet(cut=False)
    report = examine_pdf(plain)
    assert (verdict(report, "cut"), verdict(report, "bleed"), report.passed) == ("none", "pass", True)
    assert failed(examine_pdf(plain, ShopLimits(cut_expected=True))) == {"cut"}


@pytest.mark.parametrize(
    ("box", "verdict_", "words"),
    [
        ("17 17 166 66", "pass", "ink runs 3 mm beyond the trim on 1 page"),
        ("18 18 164 64", "fail", "1.9 mm outside"),
        ("20 20 160 60", "fail", "0.0 mm outside it (3 mm needed)"),
        ("25 25 150 50", "pass", "no ink reaches the trim"),
    ],
)
def test_ink_that_reaches_the_trim_of_a_page_must_bleed(box: str, verdict_: str, words: str) -> None:
    """A booklet's cover is trimmed, not cut out: its colour runs over the edge, or ends well inside."""
    with Pdf.new() as pdf:
        page = pdf.add_blank_page(page_size=(mm_to_pt(200), mm_to_pt(100)))
        scale = mm_to_pt(1)
        page.obj.Contents = pdf.make_stream(f"{scale} 0 0 {scale} 0 0 cm 1 0.5 0 0 k {box} re f".encode())
        page.obj.TrimBox = Array([mm_to_pt(value) for value in (20, 20, 180, 80)])
        report = examine_pdf(samples.save(pdf))
    assert verdict(report, "bleed") == verdict_, told(report, "bleed")
    assert words in told(report, "bleed")


def test_bleed_is_looked_for_around_cuts_in_a_file_of_their_own(good: bytes) -> None:
    """The art alone shows no cut; with the file of the cuts, a white frame from the cut on is found."""
    art = samples.make_sheet(cut=False)

    def leave_cuts(pdf: Pdf) -> None:
        del pdf.pages[1]
        steps = pikepdf.parse_content_stream(pdf.pages[0])
        first = next(i for i, step in enumerate(steps) if str(step.operator) == "BDC")
        pdf.pages[0].Contents = pdf.make_stream(pikepdf.unparse_content_stream(steps[first:]).rsplit(b"Q", 1)[0])

    cuts = samples.change(good, leave_cuts)
    assert "beyond every cut" in told(examine_pdf(art, cut_files=[cuts]), "bleed")
    assert verdict(examine_pdf(art, cut_files=[cuts]), "bleed") == "pass"
    hidden = samples.change(art, whiten_bleed)
    assert verdict(examine_pdf(hidden, cut_files=[cuts]), "bleed") == "fail"
    assert verdict(examine_pdf(hidden), "bleed") == "pass"  # along the trim there is nothing to see


def test_cut_names_are_what_the_shop_says(good: bytes) -> None:
    """A plate of another name is an ink like any other, unless its layer says that it is cut."""
    flat = make_x1a()
    report = examine_pdf(flat, ShopLimits(cut_names=("Stanze",)))
    assert verdict(report, "cut") == "none"
    assert "on a plate of its own, CutContour, that is no cut" in told(report, "colour")
    assert verdict(examine_pdf(flat, ShopLimits(cut_names=("cutcontour",))), "cut") == "pass"
    assert verdict(examine_pdf(flat), "colour") == "pass"


def test_a_cut_of_any_name_is_known_by_its_layer(good: bytes) -> None:
    """Processing steps say what a layer is for; whoever wants no cuts at all gets none."""

    def rename(pdf: Pdf) -> None:
        pdf.pages[0].Resources.ColorSpace.CutInk[1] = Name("/Stanze neu")

    def forget_step(pdf: Pdf) -> None:
        rename(pdf)
        del pdf.Root.OCProperties.OCGs[0]["/GTS_Metadata"]

    report = examine_pdf(samples.change(good, rename), ShopLimits(cut_expected=True))
    assert failed(report) == set(), describe(report)
    assert told(report, "cut").endswith("on Stanze neu")
    assert verdict(report, "bleed") == "pass"
    assert verdict(examine_pdf(samples.change(good, forget_step)), "cut") == "none"
    assert verdict(examine_pdf(samples.change(good, rename), ShopLimits(cut_names=None)), "cut") == "none"


@pytest.mark.parametrize("own", [True, False])
def test_a_layer_around_a_form_counts(good: bytes, own: bool) -> None:
    """A cut drawn by a form lies on the layers that the form is drawn on, or that the form itself names."""

    def wrap(pdf: Pdf, own: bool) -> None:
        page = pdf.pages[0]
        page.contents_coalesce()
        art, cut = page.Contents.read_bytes().split(b"/OC /Cut BDC")
        form = Stream(pdf, cut.split(b"EMC")[0], Type=Name.XObject, Subtype=Name.Form, BBox=[-900, -900, 900, 900])
        form.Resources = Dictionary(ColorSpace=page.Resources.ColorSpace, ExtGState=page.Resources.ExtGState)
        page.Resources.ColorSpace.CutInk[1] = Name.Stanze
        if own:
            form.OC = page.Resources.Properties.Cut
        page.Resources.XObject.Lines = pdf.make_indirect(form)
        page.Contents.write(art + (b"/Lines Do Q" if own else b"/OC /Cut BDC /Lines Do EMC Q"))

    report = examine_pdf(samples.change(good, lambda pdf: wrap(pdf, own)), ShopLimits(cut_expected=True))
    assert failed(report) == set(), describe(report)


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (cut_in_black, "Black is a process ink"),
        (cut_in_cmyk, "Black is a process ink"),
        (hide_cut, "hidden layer"),
    ],
)
def test_a_wrong_cut_is_told_with_its_reason(good: bytes, damage: Callable[[Pdf], None], words: str) -> None:
    """The line says what is wrong."""
    assert words in told(examine_pdf(samples.change(good, damage)), "cut")


def test_a_cut_named_like_a_process_ink_fails(good: bytes) -> None:
    """Even where the shop's options call it the cut."""

    def rename(pdf: Pdf) -> None:
        pdf.pages[0].Resources.ColorSpace.CutInk[1] = Name.Black
        del pdf.Root.OCProperties.OCGs[0]["/GTS_Metadata"]

    report = examine_pdf(samples.change(good, rename), ShopLimits(cut_names=("Black",)))
    assert "Black is a process ink" in told(report, "cut")


def test_white_over_the_bleed_is_no_bleed(good: bytes) -> None:
    """It counts over one side of a card too, and the line says so."""
    report = examine_pdf(samples.change(good, whiten_a_side))
    assert failed(report) == {"bleed"}
    assert told(report, "bleed") == "page 1: the bleed is covered with white: the colour ends at the cut"


@pytest.mark.parametrize("inner_mm", [0.0, 20.0, 28.5])
def test_a_white_rim_and_a_white_card_are_meant(good: bytes, inner_mm: float) -> None:
    """White on both sides of the cut passes: a card without a back is painted white."""

    def whiten(pdf: Pdf) -> None:
        for x, y in samples.CENTRES:
            pdf.pages[0].contents_add(ring((x, y), inner_mm, 33.5))
            pdf.pages[1].contents_add(ring((x, samples.HIGH_MM - y), inner_mm, 33.5))

    report = examine_pdf(samples.change(good, whiten))
    assert failed(report) == set(), describe(report)
    assert "2 pages" in told(report, "bleed")


def test_pictures_that_end_near_the_cut_are_no_fault(good: bytes) -> None:
    """A white card with dots across its edge: some end just outside the cut."""

    def dot(pdf: Pdf) -> None:
        pdf.pages[0].contents_add(ring(samples.CENTRES[0], 0.0, 33.5))
        x, y = samples.CENTRES[0]
        for turn in range(0, 360, 40):
            way = (math.cos(math.radians(turn)), math.sin(math.radians(turn)))
            centre = (x + 28.5 * way[0], y + 28.5 * way[1])
            pdf.pages[0].contents_add(ring(centre, 0.0, 3.0).replace(b"0 0 0 0 k", b"0 1 1 0 k"))

    assert failed(examine_pdf(samples.change(good, dot))) == set()


def test_cuts_on_a_page_of_their_own_measure_the_art_before_them() -> None:
    """A cut page needs no bleed itself; the sheets are measured by its lines."""
    from dobble_print.prepress.cut_layer import CutLayer
    from dobble_print.sheets.cutting import trace_cuts
    from dobble_print.units import Paper
    from tests.cuts import box_cards

    def add_cut_page(pdf: Pdf) -> None:
        paper = Paper("small", samples.WIDE_MM, samples.HIGH_MM)
        boxes, cuts = box_cards(paper, samples.CARD, samples.CENTRES), trace_cuts(samples.CARD, samples.CENTRES, 0.0)
        CutLayer(pdf, "DieLine", layers=True).append_page(cuts, boxes, [1])

    apart = examine_pdf(samples.change(samples.make_sheet(cut=False), add_cut_page))
    assert failed(apart) == set(), describe(apart)
    assert "2 pages" in told(apart, "bleed")
    assert failed(examine_pdf(samples.change(samples.make_sheet(1.0, cut=False), add_cut_page))) == {"bleed"}


def test_a_cut_page_may_carry_marks(good: bytes) -> None:
    """Marks and numbers beside the cuts make no sheet of a cut page."""

    def keep_only_cuts(pdf: Pdf) -> None:
        pdf.pages[0].contents_coalesce()
        cut = pdf.pages[0].Contents.read_bytes().split(b"/OC /Cut BDC")[1]
        pdf.pages[0].Contents.write(b"q 0 0 0 1 k 5 5 20 2 re f Q q /OC /Cut BDC" + cut)

    report = examine_pdf(samples.change(good, keep_only_cuts))
    assert failed(report) == set(), describe(report)
    assert "1 page" in told(report, "bleed")


def test_a_cut_drawn_by_a_form_counts_as_if_the_page_drew_it(good: bytes) -> None:
    """Colour, width and overprint may come from outside a form, its place from its matrix."""

    def wrap(pdf: Pdf) -> None:
        page = pdf.pages[0]
        page.contents_coalesce()
        art, cut = page.Contents.read_bytes().split(b"/OC /Cut BDC")
        setting, lines = cut.split(b" w\n", 1)
        form = Stream(pdf, lines.split(b"EMC")[0], Type=Name.XObject, Subtype=Name.Form, BBox=[-900, -900, 900, 900])
        form.Matrix = Array([1, 0, 0, 1, -40, 0])
        page.Resources.XObject.Lines = pdf.make_indirect(form)
        page.Contents.write(art + setting + b" w 1 0 0 1 40 0 cm /Lines Do Q")

    assert failed(examine_pdf(samples.change(good, wrap))) == set()
    assert verdict(examine_pdf(samples.change(good, wrap)), "bleed") == "pass"


def test_fineness_is_that_of_the_printed_size(good: bytes) -> None:
    """An image of 400 dpi that a form draws twice as large has 200."""

    def enlarge(pdf: Pdf) -> None:
        pdf.pages[0].Resources.XObject.Photo.Matrix = Array([2, 0, 0, 2, 0, 0])

    report = examine_pdf(samples.change(good, enlarge))
    assert failed(report) == {"images"}
    assert "of 40 × 40 mm at 200 dpi (300 needed)" in told(report, "images")
    assert examine_pdf(samples.change(good, enlarge), ShopLimits(least_dpi=150)).passed


def test_ink_is_told_with_its_largest(good: bytes) -> None:
    """The rule names the heaviest colour of each page that has too much."""
    report = examine_pdf(samples.change(good, overload_fill))
    assert "page 1: 400 % in a line, fill or text (300 % at most)" in told(report, "ink")
    assert "188 % in an image" in told(examine_pdf(good), "ink")


def test_what_overprints_is_added_to_what_lies_under_it(good: bytes) -> None:
    """On the rendered plates: 160 % of the card and 100 % of black; the cut's own overprinting is no ink."""

    def overprint(pdf: Pdf) -> None:
        pdf.pages[1].Resources.ExtGState = Dictionary(Over=Dictionary(OP=True, OPM=1))
        pdf.pages[1].contents_add(b"\nq /Over gs 0 0 0 1 k 150 140 9 9 re f Q")

    assert "overprint" not in told(examine_pdf(good), "ink")
    report = examine_pdf(samples.change(good, overprint))
    assert failed(report) == set()
    assert told(report, "ink") == "at most 260 % in what overprints and what lies under it"


def test_a_jpeg_of_four_inks_is_weighed_as_a_press_prints_it(good: bytes) -> None:
    """Without its Decode array the same JPEG means the opposite inks."""

    def turn_over(pdf: Pdf) -> None:
        image = samples.make_image(pdf, samples.photo_px(400), ink=20, jpeg=True)
        del image["/Decode"]
        samples.set_photo(pdf, image)

    assert failed(examine_pdf(samples.change(good, turn_over))) == {"ink"}


def test_fonts_are_looked_for_in_forms_and_annotations(good: bytes) -> None:
    """Text hides in forms, and in how an annotation looks."""
    font = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica)

    def hide(pdf: Pdf) -> None:
        look = Stream(pdf, b"BT /H 9 Tf (a) Tj ET", Type=Name.XObject, Subtype=Name.Form, BBox=[0, 0, 9, 9])
        look.Resources = Dictionary(Font=Dictionary(H=font))
        note = Dictionary(Type=Name.Annot, Subtype=Name.FreeText, Rect=[0, 0, 9, 9])
        note.AP = Dictionary(N=pdf.make_indirect(look))
        pdf.pages[1].obj.Annots = Array([note])

    report = examine_pdf(samples.change(good, hide))
    assert failed(report) == {"fonts"}
    assert told(report, "fonts") == "page 2: Helvetica is not embedded"


# --- files that are none, and words -----------------------------------------------------------------------------------


@pytest.mark.parametrize("data", [b"", b"hello", b"\x89PNG\r\n", b"%PDF-1.6\nnothing more", b"%PDF-1.6\n%%EOF"])
def test_what_is_no_pdf_is_told_plainly(data: bytes) -> None:
    """No traceback, a sentence."""
    with pytest.raises(DobbleError) as caught:
        examine_pdf(data)
    assert "PDF" in str(caught.value)


def test_a_truncated_file_is_damaged(good: bytes) -> None:
    """Half a file is not mended in silence."""
    with pytest.raises(DobbleError, match="damaged"):
        examine_pdf(good[: len(good) // 2])


def test_forms_that_draw_themselves_are_refused(good: bytes) -> None:
    """A file without end is no reason to run without end."""

    def loop(pdf: Pdf) -> None:
        form = pdf.pages[0].Resources.XObject.Photo
        form.Resources.XObject.Me = form
        form.write(b"/Me Do")

    with pytest.raises(DobbleError, match="without end"):
        examine_pdf(samples.change(good, loop))


def test_a_file_that_unpacks_without_measure_is_refused(good: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """A little that becomes very much is not read, and neither is what is packed twice."""
    monkeypatch.setattr("dobble_print.pdf.document.MOST_BYTES", 20_000_000)
    packed = zlib.compress(bytes(30_000_000))
    for data, filters in ((packed, [Name.FlateDecode]), (zlib.compress(packed), [Name.FlateDecode] * 2)):
        with Pdf.open(io.BytesIO(good)) as pdf:
            pdf.Root.Bomb = pdf.make_indirect(Stream(pdf, data, Filter=Array(filters)))
            bomb = samples.save(pdf, compress_streams=False, stream_decode_level=pikepdf.StreamDecodeLevel.none)
        with pytest.raises(DobbleError, match="unpacks to more"):
            examine_pdf(bomb)


def test_a_cut_of_kilometres_is_refused(good: bytes) -> None:
    """A damaged number must not be measured along."""

    def stretch(pdf: Pdf) -> None:
        samples.replace_in_page(pdf, b"0.25 w", b"0.25 w 0 0 m 99999999 0 l S")

    with pytest.raises(DobbleError, match="longer than any sheet"):
        examine_pdf(samples.change(good, stretch))


def test_bent_files_never_end_in_a_traceback(good: bytes) -> None:
    """Whatever is wrong inside a file, it is a report or a sentence."""
    with Pdf.open(io.BytesIO(good)) as pdf:
        sink = io.BytesIO()
        plain = {"compress_streams": False, "object_stream_mode": pikepdf.ObjectStreamMode.disable}
        pdf.save(sink, stream_decode_level=pikepdf.StreamDecodeLevel.generalized, **plain)
    data = sink.getvalue()
    dice = np.random.default_rng(7)
    for _ in range(25):
        bent = bytearray(data)
        for place in dice.integers(0, len(data), 12):
            bent[place] = dice.integers(32, 127)
        try:
            describe(examine_pdf(bytes(bent)))
        except DobbleError as error:
            assert error.faults


def test_the_report_for_programs_has_a_fixed_shape(good: bytes) -> None:
    """Rules in order, each with its verdict, words and pages; nothing that JSON cannot hold."""
    import json

    report = json.loads(json.dumps(examine_pdf(samples.change(good, coarsen_photo)).as_dict()))
    assert set(report) == {"passed", "checked_against", "rules"}
    assert report["passed"] is False
    assert [set(rule) for rule in report["rules"]] == [{"rule", "verdict", "what", "pages"}] * len(RULES)
    assert {rule["verdict"] for rule in report["rules"]} == {"pass", "fail"}
    assert report["rules"][3]["pages"] == [1]


def test_the_report_for_people_is_one_line_a_rule(good: bytes) -> None:
    """Verdict, rule, words; at the end what it was checked against, and never a promise."""
    lines = describe(examine_pdf(samples.change(good, coarsen_photo)))
    assert lines[2] == "pass  fonts       the one font is embedded"
    assert lines[3] == "fail  images      page 1: an image of 20 × 20 mm at 150 dpi (300 needed)"
    assert lines[-1] == "1 of 12 rules failed; checked against our rules"
    assert "certif" not in " ".join(lines)


def test_the_same_file_gives_the_same_report(good: bytes) -> None:
    """Two looks, one answer."""
    assert examine_pdf(good) == examine_pdf(good)
