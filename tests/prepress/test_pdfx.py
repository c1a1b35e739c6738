"""PDF/X: files that say what they are, and are it; art that was made flat for them."""

from __future__ import annotations

import hashlib
import io
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import get_args

import numpy as np
import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name, Pdf, Stream
from PIL import Image, ImageDraw, ImageFilter

from dobble_print.art.artwork import Form, PixelForm, VectorForm
from dobble_print.art.emoji import find_emoji
from dobble_print.art.svg.render import draw_svg
from dobble_print.errors import OutputError
from dobble_print.pdf.document import save_pdf
from dobble_print.pdf.render import render_page
from dobble_print.pdf.report import ShopLimits, Standard
from dobble_print.preflight.check import examine_pdf
from dobble_print.prepress.forms import FormLibrary
from dobble_print.prepress.inks import Inks, OutputProfile, load_output_profile
from dobble_print.prepress.pdfx import claim_standard
from dobble_print.prepress.prepare import OFFICE, Prepress
from dobble_print.press.document import share_forms
from dobble_print.theme.options import PressOptions
from tests.plates import separate
from tests.separations import find_screen_colors
from tests.tools import run_tool

BACKGROUND = "#fdf6e3"
SIDE_MM = 12.0
STANDARDS = get_args(Standard)
TRANSLUCENT = b"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><defs><linearGradient id="a">
<stop offset="0" stop-color="red"/><stop offset="1" stop-color="red" stop-opacity="0"/></linearGradient></defs>
<rect width="100" height="50" fill="url(#a)"/><g opacity=".5"><circle cx="50" cy="70" r="25" fill="#070"/></g></svg>"""


@pytest.fixture(scope="module")
def profile() -> OutputProfile:
    """The profile that ships."""
    return load_output_profile()


def photo() -> Image.Image:
    """A picture with a soft edge."""
    noise = np.random.default_rng(1).integers(0, 255, (120, 120, 3), np.uint8)
    picture = Image.fromarray(noise).convert("RGBA")
    mask = Image.new("L", picture.size, 0)
    ImageDraw.Draw(mask).ellipse((20, 20, 100, 100), fill=255)
    picture.putalpha(mask.filter(ImageFilter.GaussianBlur(4)))
    return picture


def emoji(char: str) -> VectorForm:
    """The drawing of an emoji."""
    path = find_emoji(char)
    assert path
    return VectorForm(draw_svg(path.read_bytes()).pdf)


def all_forms() -> dict[int, Form]:
    """Opaque and translucent drawings, and pictures of both kinds."""
    drawn = VectorForm(draw_svg(TRANSLUCENT).pdf)
    return {0: emoji("🐱"), 1: drawn, 2: PixelForm(photo(), photo=True), 3: PixelForm(photo(), photo=False)}


def flatten_form(form: Form, ground: str, side_mm: float) -> Form:
    """A form without transparency."""
    return FormLibrary().flatten(form, ground, side_mm)


def has_transparency(form: Form) -> bool:
    """Whether a form lets its ground shine through."""
    return FormLibrary().has_transparency(form)


def page_of(forms: dict[int, Form], prepress: Prepress = OFFICE) -> bytes:
    """Forms in a row on a page of the background's colour, drawn for a machine."""
    pdf = Pdf.new()
    page = pdf.add_blank_page(page_size=(400, 100))
    red, green, blue = (int(BACKGROUND[i : i + 2], 16) / 255 for i in (1, 3, 5))
    shown = "".join(f"q 100 0 0 100 {100 * i} 0 cm /S{i} Do Q\n" for i in forms)
    ground = f"{red} {green} {blue} rg"
    if prepress.inks:
        ground = "{} {} {} {} k".format(*prepress.inks.vector(red, green, blue))
    page.obj.Contents = pdf.make_stream(f"{ground} 0 0 400 100 re f\n{shown}".encode())
    page.obj.Resources = Dictionary()
    share_forms(pdf, forms, FormLibrary(prepress), prepress.inks)
    sink = io.BytesIO()
    pdf.save(sink)
    return sink.getvalue()


def claimed(
    standard: Standard, profile: OutputProfile, forms: dict[int, Form], title: str = "Cats & <dogs>", **dates: datetime
) -> bytes:
    """A finished file that claims a standard."""
    if standard == "PDF/X-1a":
        forms = {key: flatten_form(form, BACKGROUND, SIDE_MM) for key, form in forms.items()}
    options = PressOptions(standard="x-1a" if standard == "PDF/X-1a" else "x-4")
    with Pdf.open(io.BytesIO(page_of(forms, Prepress(options, profile)))) as pdf:
        claim_standard(pdf, standard, profile, title, **dates)
        return save_pdf(pdf, standard)


@pytest.fixture(scope="module")
def files(profile: OutputProfile) -> dict[str, bytes]:
    """One file of each standard, with all kinds of art."""
    return {standard: claimed(standard, profile, all_forms()) for standard in STANDARDS}


@pytest.mark.parametrize("standard", STANDARDS)
def test_the_output_intent_holds_the_profile(
    standard: Standard, files: dict[str, bytes], profile: OutputProfile
) -> None:
    """The condition of printing is named and its profile is inside."""
    with Pdf.open(io.BytesIO(files[standard])) as pdf:
        (intent,) = pdf.Root.OutputIntents
        assert (intent.Type, intent.S) == (Name.OutputIntent, Name.GTS_PDFX)
        assert str(intent.OutputConditionIdentifier)
        assert str(intent.Info) == profile.name
        assert int(intent.DestOutputProfile.N) == 4
        assert intent.DestOutputProfile.read_bytes() == profile.data


@pytest.mark.parametrize(
    ("described", "target", "condition"),
    [
        ("PSO Coated v3", b"", "FOGRA51"),
        ("ISO Coated v2 300% (ECI)", b"", "FOGRA39"),
        ("ISO Coated sb", b"", "FOGRA27"),
        ("Coated FOGRA39 (ISO 12647-2:2004)", b"", "FOGRA39"),
        ("Our press, Monday", b"ICCHDAT FOGRA52L", "FOGRA52"),
        ("Our press, Monday", b"measured by us", "Custom"),
    ],
)
def test_a_registered_condition_is_named_by_its_identifier(
    profile: OutputProfile, described: str, target: bytes, condition: str
) -> None:
    """As the profile describes itself, or as its record of measured prints does."""
    data = profile.data
    if target:  # a tag more, at the end
        count, table = int.from_bytes(data[128:132], "big"), data[132:]
        entry = b"targ" + (len(data) + 12).to_bytes(4, "big") + (8 + len(target)).to_bytes(4, "big")
        moved = bytearray(table)
        for i in range(count):
            start = int.from_bytes(moved[12 * i + 4 : 12 * i + 8], "big") + 12
            moved[12 * i + 4 : 12 * i + 8] = start.to_bytes(4, "big")
        at = 12 * count
        data = data[:128] + (count + 1).to_bytes(4, "big") + moved[:at] + entry + moved[at:] + b"text\0\0\0\0" + target
        data = len(data).to_bytes(4, "big") + data[4:]
    file = claimed("PDF/X-4", OutputProfile(data, described), all_forms())
    with Pdf.open(io.BytesIO(file)) as pdf:
        (intent,) = pdf.Root.OutputIntents
        assert str(intent.OutputConditionIdentifier) == condition
        assert ("/RegistryName" in intent) == (condition != "Custom")


@pytest.mark.parametrize("standard", STANDARDS)
def test_the_information_is_complete(standard: Standard, files: dict[str, bytes]) -> None:
    """Title, dates, trapping, the standard itself, an id, and a trim box on every page."""
    with Pdf.open(io.BytesIO(files[standard])) as pdf:
        info = pdf.docinfo
        assert str(info.Title) == "Cats & <dogs>"
        assert str(info.GTS_PDFXVersion) == {"PDF/X-4": "PDF/X-4", "PDF/X-1a": "PDF/X-1a:2003"}[standard]
        assert "/GTS_PDFXConformance" not in info
        assert info.Trapped == Name("/False")
        assert str(info.CreationDate) == str(info.ModDate) == "D:20240101000000Z"
        assert len(pdf.trailer.ID) == 2
        assert pdf.pdf_version == {"PDF/X-4": "1.6", "PDF/X-1a": "1.4"}[standard]
        assert all("/TrimBox" in page.obj and "/ArtBox" not in page.obj for page in pdf.pages)
        assert find_screen_colors(pdf) == []


def test_x4_says_the_same_to_machines(files: dict[str, bytes]) -> None:
    """The metadata agree with the information, and hold all that PDF/X-4 demands."""
    with Pdf.open(io.BytesIO(files["PDF/X-4"])) as pdf:
        assert Name.Filter not in pdf.Root.Metadata
        with pdf.open_metadata(set_pikepdf_as_editor=False, update_docinfo=False) as meta:
            found = {str(key): meta[key] for key in meta}
        names = {
            "{http://www.npes.org/pdfx/ns/id/}GTS_PDFXVersion": "PDF/X-4",
            "{http://purl.org/dc/elements/1.1/}title": "Cats & <dogs>",
            "{http://ns.adobe.com/pdf/1.3/}Trapped": "False",
            "{http://ns.adobe.com/pdf/1.3/}Producer": str(pdf.docinfo.Producer),
            "{http://ns.adobe.com/xap/1.0/}CreateDate": "2024-01-01T00:00:00Z",
            "{http://ns.adobe.com/xap/1.0/}ModifyDate": "2024-01-01T00:00:00Z",
            "{http://ns.adobe.com/xap/1.0/}MetadataDate": "2024-01-01T00:00:00Z",
            "{http://ns.adobe.com/xap/1.0/mm/}RenditionClass": "default",
            "{http://ns.adobe.com/xap/1.0/mm/}VersionID": "1",
        }
        assert {key: str(found[key]) for key in names} == names
        assert str(found["{http://ns.adobe.com/xap/1.0/mm/}DocumentID"]).startswith("uuid:")


def test_poppler_recognises_x4(files: dict[str, bytes], tmp_path: Path) -> None:
    """Another program reads the claim, and finds all letters inside."""
    path = tmp_path / "x4.pdf"
    path.write_bytes(files["PDF/X-4"])
    said = run_tool(["pdfinfo", str(path)]).stdout
    assert "PDF/X-4" in said
    assert "ISO 15930-7" in said


@pytest.mark.parametrize("standard", STANDARDS)
def test_qpdf_finds_nothing_wrong(standard: Standard, files: dict[str, bytes], tmp_path: Path) -> None:
    """The files are sound."""
    path = tmp_path / "x.pdf"
    path.write_bytes(files[standard])
    check = run_tool(["qpdf", "--check", str(path)])
    assert check.returncode == 0, check.stdout + check.stderr


def test_x1a_is_old_and_flat(files: dict[str, bytes]) -> None:
    """No object stream, no soft mask, no group, no opacity, no layer, no JPEG 2000: not even as a word in the file."""
    data = files["PDF/X-1a"]
    assert data.startswith(b"%PDF-1.4")
    for word in (b"/ObjStm", b"/SMask", b"/Group", b"/OCProperties", b"/OCG", b"/JPXDecode", b"/BM", b"/Metadata"):
        assert word not in data, word
    with Pdf.open(io.BytesIO(data)) as pdf:
        stencils = [thing for thing in pdf.objects if isinstance(thing, Stream) and Name.Mask in thing]
        assert len(stencils) == 3  # two pictures and the translucent drawing; the cat stays vectors
        assert all(thing.Mask.ImageMask and int(thing.Mask.BitsPerComponent) == 1 for thing in stencils)


def test_a_false_claim_is_found(profile: OutputProfile) -> None:
    """Transparency that was not flattened is named by the preflight, every kind of it."""
    page = page_of(all_forms(), Prepress(PressOptions(standard="x-4"), profile))
    with Pdf.open(io.BytesIO(page)) as pdf:
        claim_standard(pdf, "PDF/X-1a", profile, "No")
        report = examine_pdf(save_pdf(pdf, "PDF/X-1a"), ShopLimits(standard="PDF/X-1a"))
    (said,) = [finding.what for finding in report.findings if finding.rule == "standard"]
    assert "transparency group" in said
    assert "soft mask" in said
    assert "something is transparent" in said


def test_x1a_refuses_a_younger_profile(profile: OutputProfile) -> None:
    """PDF 1.4 knows profiles of ICC version 2 only."""
    younger = OutputProfile(profile.data[:8] + b"\x04" + profile.data[9:], "Young")
    pdf = Pdf.new()
    pdf.add_blank_page(page_size=(72, 72))
    with pytest.raises(OutputError, match="ICC version 4"):
        claim_standard(pdf, "PDF/X-1a", younger, "No")
    claim_standard(pdf, "PDF/X-4", younger, "Yes")


def test_nothing_to_click_on_is_left(profile: OutputProfile) -> None:
    """Links, actions and slide shows belong to a screen."""
    pdf = Pdf.new()
    page = pdf.add_blank_page(page_size=(72, 72))
    page.obj.Annots = Array([Dictionary(Type=Name.Annot, Subtype=Name.Link, Rect=[0, 0, 9, 9])])
    page.obj.Trans = Dictionary()
    pdf.Root.OpenAction = Dictionary(S=Name.JavaScript, JS=pikepdf.String("beep"))
    claim_standard(pdf, "PDF/X-4", profile, "Quiet")
    assert "/Annots" not in page.obj
    assert "/Trans" not in page.obj
    assert "/OpenAction" not in pdf.Root


@pytest.mark.parametrize("standard", STANDARDS)
def test_the_same_input_gives_the_same_bytes(
    standard: Standard, files: dict[str, bytes], profile: OutputProfile
) -> None:
    """Ids come from the content, not from a clock: another title gives another id, the same gives the same."""
    assert claimed(standard, profile, all_forms()) == files[standard]
    other = claimed(standard, profile, all_forms(), title="Another")
    assert hashlib.sha256(other).digest() != hashlib.sha256(files[standard]).digest()
    with Pdf.open(io.BytesIO(other)) as one, Pdf.open(io.BytesIO(files[standard])) as two:
        assert bytes(one.trailer.ID[0]) != bytes(two.trailer.ID[0])


def test_a_date_can_be_given(profile: OutputProfile) -> None:
    """A date in any zone is written as universal time."""
    noon = datetime(2026, 5, 4, 12, 30, tzinfo=timezone(timedelta(hours=2)))
    with Pdf.open(io.BytesIO(claimed("PDF/X-4", profile, {0: emoji("🍎")}, date=noon))) as pdf:
        assert str(pdf.docinfo.CreationDate) == "D:20260504103000Z"
        assert b"2026-05-04T10:30:00Z" in pdf.Root.Metadata.read_bytes()
    naive = datetime(2026, 5, 4, 12, 30)
    with Pdf.open(io.BytesIO(claimed("PDF/X-4", profile, {0: emoji("🍎")}, date=naive))) as pdf:
        assert str(pdf.docinfo.CreationDate) == f"D:{naive.replace(tzinfo=UTC):%Y%m%d%H%M%S}Z"


def test_flat_art_looks_as_it_did() -> None:
    """On the colour it was made for, flattened art differs from what it was by no more than edges of pixels."""
    flat = {key: flatten_form(form, BACKGROUND, 60.0) for key, form in all_forms().items()}
    before, after = (
        np.asarray(Image.open(io.BytesIO(render_page(page_of(forms), 800))), int) for forms in (all_forms(), flat)
    )
    difference = np.abs(before - after)
    drawings = difference[:, :400]
    assert drawings.mean() < 1
    assert np.quantile(drawings, 0.99) <= 12
    assert difference.mean() < 6  # noise is the hardest picture to keep through a JPEG and another resolution
    assert not any(has_transparency(form) for form in flat.values())


def test_opaque_drawings_stay_vectors() -> None:
    """Only what is translucent becomes pixels, 600 to the inch."""
    forms = all_forms()
    assert [has_transparency(form) for form in forms.values()] == [False, True, True, True]
    assert isinstance(flatten_form(forms[0], BACKGROUND, SIDE_MM), VectorForm)
    flat = flatten_form(forms[1], BACKGROUND, 25.4)
    assert isinstance(flat, PixelForm)
    assert flat.hard_mask
    assert max(flat.picture.size) == 600
    assert set(np.unique(np.asarray(flat.picture.getchannel("A")))) == {0, 255}


MIXED = b"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><defs><linearGradient id="a">
<stop offset="0" stop-color="#ff0"/><stop offset="1" stop-color="#0af"/></linearGradient></defs>
<rect width="100" height="60" fill="url(#a)"/><rect x="10" y="10" width="80" height="40" fill="#f0f" opacity=".5"/>
<rect x="10" y="70" width="80" height="6" fill="#000"/><rect x="10" y="84" width="80" height="6" fill="#777"/></svg>"""


@pytest.mark.parametrize("standard", STANDARDS)
def test_opacity_is_mixed_as_on_the_screen(standard: Standard, profile: OutputProfile, tmp_path: Path) -> None:
    """Half-clear magenta over a gradient prints in the inks of the colours that the preview shows."""
    form = VectorForm(draw_svg(MIXED).pdf)
    shown = np.asarray(Image.open(io.BytesIO(render_page(page_of({0: form}), 400))).convert("RGB"))
    made = claimed(standard, profile, {0: flatten_form(form, BACKGROUND, SIDE_MM)})
    (tmp_path / "mixed.pdf").write_bytes(made)
    plates, inks = separate(tmp_path / "mixed.pdf", 72), Inks(profile)
    for x in (20, 40, 60, 80):
        wanted = inks.vector(*(float(value) / 255 for value in shown[30, x]))
        found = [plates[name].ink[30, x] for name in ("Cyan", "Magenta", "Yellow", "Black")]
        assert found == pytest.approx(wanted, abs=0.04), x


def test_black_lines_of_a_flattened_drawing_are_on_one_plate(profile: OutputProfile, tmp_path: Path) -> None:
    """Black is solid black ink and grey a tint of it; the same line in a photo keeps its four inks."""
    flat = flatten_form(VectorForm(draw_svg(MIXED).pdf), BACKGROUND, SIDE_MM)
    assert isinstance(flat, PixelForm)
    dice = np.random.default_rng(5).integers(-6, 6, (*flat.picture.size[::-1], 3))
    noisy = np.clip(np.asarray(flat.picture.convert("RGB"), int) + dice, 0, 255).astype(np.uint8)
    noisy[int(0.72 * len(noisy)) : int(0.75 * len(noisy))] = 40
    noisy_photo = Image.fromarray(noisy).convert("RGBA")
    (tmp_path / "lines.pdf").write_bytes(
        claimed("PDF/X-1a", profile, {0: flat, 1: PixelForm(noisy_photo, photo=False, hard_mask=True)})
    )
    plates = separate(tmp_path / "lines.pdf", 72)
    colored = [plates[name].ink for name in ("Cyan", "Magenta", "Yellow")]
    assert all(plate[y, 20:80].max() == 0 for plate in colored for y in (73, 87))
    assert plates["Black"].ink[73, 20:80].min() == 1
    assert plates["Black"].ink[87, 50] == pytest.approx(Inks(profile).vector(*[0x77 / 255] * 3)[3], abs=0.01)
    assert all(plate[73, 120:180].min() > 0.1 for plate in colored)
