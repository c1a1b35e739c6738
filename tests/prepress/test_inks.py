"""Colours as inks: the profile we ship, flat colours and pictures, and whole documents."""

from __future__ import annotations

import base64
import io
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name, Pdf, Stream
from PIL import Image, ImageCms

from dobble_print.art.artwork import PixelForm, VectorForm
from dobble_print.art.svg.render import draw_svg
from dobble_print.errors import OutputError, UsageError
from dobble_print.pdf.document import walk_form
from dobble_print.prepress.forms import FormLibrary
from dobble_print.prepress.inks import Inks, OutputProfile, load_output_profile
from dobble_print.prepress.prepare import Prepress
from dobble_print.press.document import share_forms
from dobble_print.resources import find_template
from dobble_print.theme.options import PressOptions
from tests.conftest import ROOT, SMALL_THEME
from tests.plates import Plate, separate
from tests.separations import find_screen_colors
from tests.tools import run_tool
from tools.coated_profile import PROFILE, build_profile
from tools.press_model import Press

Floats = npt.NDArray[np.float64]
Bytes = npt.NDArray[np.uint8]
RELATIVE = ImageCms.Intent.RELATIVE_COLORIMETRIC
PROCESS = ("Cyan", "Magenta", "Yellow", "Black")


@pytest.fixture(scope="module")
def inks() -> Inks:
    """The way to inks under the profile we ship."""
    return Inks(load_output_profile())


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a small deck for a print shop, with photos and drawings of every kind."""
    return build_for_shop(tmp_path_factory.mktemp("box"), seed="1")


def build_for_shop(folder: Path, seed: str) -> Path:
    """Build a small deck for a print shop in a process with a hash seed of its own."""
    (folder / "gradients.svg").write_bytes(GRADIENTS)
    noise = np.random.default_rng(2).integers(0, 255, (300, 300, 3), np.uint8)
    Image.fromarray(noise).save(folder / "photo.jpg", quality=95)
    art = "{image: gradients.svg, en: gradients}, {image: photo.jpg, en: photo}"
    (folder / "small.yaml").write_text(SMALL_THEME.replace("🚗, 🚀", art), encoding="utf-8")
    command = ["build", "small.yaml", "--profile", "shop-sra3-x4", "--no-cache", "-o", "out"]
    code = "from dobble_print.cli.app import main; main()"
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": seed}
    done = subprocess.run([sys.executable, "-c", code, *command], cwd=folder, env=environment, capture_output=True)
    assert done.returncode in (0, 9), done.stderr.decode()  # the photo has too few pixels, which is no matter here
    return next(folder.glob("out/**/cards.pdf")).parent


def separated(drawing: bytes, inks: Inks, target: Path) -> Path:
    """A drawing on a page of its own, with its colours turned into inks, in a file."""
    library = FormLibrary(Prepress(PressOptions(standard="x-4"), inks.profile))
    with Pdf.new() as pdf:
        page = pdf.add_blank_page(page_size=(72, 72))
        page.obj.Contents = pdf.make_stream(b"q 72 0 0 72 0 0 cm /S0 Do Q")
        page.obj.Resources = Dictionary()
        share_forms(pdf, {0: VectorForm(drawing)}, library, inks)
        pdf.save(target, deterministic_id=True)
    return target


def operators(content: pikepdf.Page | pikepdf.Object) -> list[tuple[str, list[Any]]]:
    """What a content stream does, with plain numbers."""
    return [
        (str(step.operator), [float(v) if isinstance(v, int | float | Decimal) else str(v) for v in step.operands])
        for step in pikepdf.parse_content_stream(content)
    ]


def ink_at(plates: dict[str, Plate], x: float, y: float) -> list[float]:
    """The four inks at a point, given as shares of the page's width and height from its lower left corner."""
    found = []
    for name in PROCESS:
        rows, columns = plates[name].ink.shape
        found.append(float(plates[name].ink[int((1 - y) * rows), int(x * columns)]))
    return found


def to_lab(picture: Image.Image, source: object) -> Floats:
    """Pixels as rows of CIELAB, within what eight bits allow."""
    transform = ImageCms.buildTransform(source, ImageCms.createProfile("LAB"), picture.mode, "LAB", RELATIVE)  # type: ignore[arg-type]
    seen = ImageCms.applyTransform(picture, transform)
    assert seen is not None
    raw = np.frombuffer(seen.tobytes(), np.uint8).reshape(-1, 3)
    return np.column_stack((raw[:, 0] / 2.55, raw[:, 1:].view(np.int8))).astype(np.float64)


def row_of(colors: npt.ArrayLike, mode: str = "RGB") -> Image.Image:
    """Colours as a picture one pixel high."""
    data = np.asarray(colors, np.uint8)
    return Image.frombytes(mode, (len(data), 1), data.tobytes())


def cube() -> Bytes:
    """17 × 17 × 17 screen colours."""
    steps = np.linspace(0, 255, 17).round().astype(np.uint8)
    return np.stack(np.meshgrid(steps, steps, steps, indexing="ij"), -1).reshape(-1, 3)


def opened(profile: OutputProfile) -> ImageCms.ImageCmsProfile:
    """A profile as Little CMS sees it."""
    return ImageCms.ImageCmsProfile(io.BytesIO(profile.data))


class TestProfile:
    """The profile that ships."""

    def test_it_is_what_the_model_gives(self) -> None:
        """Built anew it has the same header and tags, and tables that differ by no more than processors do."""
        shipped, built = find_template(PROFILE).read_bytes(), build_profile()
        assert len(shipped) == len(built) < 500_000
        assert shipped[:1024] == built[:1024]
        words = [np.frombuffer(data[-(len(data) // 2 * 2) :], ">u2").astype(int) for data in (shipped, built)]
        difference = np.abs(words[0] - words[1])
        assert np.quantile(difference, 0.999) <= 1
        assert difference.mean() < 0.1

    def test_little_cms_knows_it_for_a_cmyk_printer(self) -> None:
        """Any colour management reads it, and it says what it is."""
        profile = opened(load_output_profile()).profile
        assert (profile.device_class, profile.xcolor_space.strip(), profile.connection_space.strip()) == (
            "prtr",
            "CMYK",
            "Lab",
        )
        assert "coated" in load_output_profile().name

    def test_colors_come_back_as_they_were(self, record_property: Callable[[str, object], None]) -> None:
        """What the inks can reach comes back from paper within a small difference."""
        profile, press = opened(load_output_profile()), Press()
        wanted = to_lab(row_of(cube()), ImageCms.createProfile("sRGB"))
        there = ImageCms.buildTransform(ImageCms.createProfile("sRGB"), profile, "RGB", "CMYK", RELATIVE)
        printed = ImageCms.applyTransform(row_of(cube()), there)
        assert printed is not None
        reachable = np.linalg.norm(press.lab_from_inks(press.inks_from_lab(wanted)) - wanted, axis=1) < 1
        missed = np.linalg.norm(to_lab(printed, profile) - wanted, axis=1)[reachable]
        assert reachable.sum() > 1000
        assert missed.mean() < 1.0
        assert missed.max() < 5
        record_property("colour error of the profile (mean, most)", f"{missed.mean():.2f}, {missed.max():.2f}")

    def test_greys_stay_grey(self, inks: Inks) -> None:
        """A photo's greys, built from four inks, have no tint."""
        greys = inks.picture(row_of(np.repeat(np.arange(256)[:, None], 3, 1)))
        lab = to_lab(greys, opened(inks.profile))
        assert np.abs(lab[:, 1:]).max() <= 2
        assert np.diff(lab[:, 0]).min() > -0.5

    @pytest.mark.parametrize("color", [(255, 0, 0), (0, 128, 0), (0, 0, 255), (255, 140, 0), (90, 50, 20)])
    def test_gradients_never_turn_back(self, inks: Inks, color: Sequence[int]) -> None:
        """From white to a colour it only gets darker."""
        steps = np.linspace(0, 1, 64)[:, None]
        ramp = inks.picture(row_of(255 + steps * (np.array(color) - 255)))
        lightness = to_lab(ramp, opened(inks.profile))[:, 0]
        assert np.diff(lightness).max() < 0.8
        assert lightness[0] == 100

    @pytest.mark.parametrize(
        "color", [(255, 0, 0), (0, 160, 0), (0, 0, 255), (255, 0, 255), (0, 255, 255), (0, 0, 128)]
    )
    def test_gradients_to_black_never_turn_back(self, inks: Inks, color: Sequence[int]) -> None:
        """From a colour that no ink reaches to black it only gets darker, in small steps."""
        steps = np.linspace(1, 0, 96)[:, None]
        lab = to_lab(inks.picture(row_of(steps * np.array(color))), opened(inks.profile))
        assert (lab[:, 0] - np.minimum.accumulate(lab[:, 0])).max() < 1.3
        assert np.linalg.norm(np.diff(lab, axis=0), axis=1).max() < 3.5

    def test_dark_blues_are_not_the_blue_of_a_screen(self, inks: Inks) -> None:
        """Blues that no ink reaches stay apart by their lightness: the darker ones hold black, the bright one none."""
        blues = [(0, 0, 255), (0, 0, 205), (0, 0, 139), (0, 0, 128)]
        mixed = np.array([inks.vector(*(value / 255 for value in blue)) for blue in blues])
        light = to_lab(row_of((mixed * 255).round(), "CMYK"), opened(inks.profile))[:, 0]
        assert (np.diff(light) < 0).all()
        assert light[0] - light[-1] > 10
        assert mixed[0, 3] == 0
        assert mixed[-1, 3] > 0.4

    @pytest.mark.parametrize(
        ("color", "chroma"), [((255, 0, 0), 80), ((255, 140, 0), 70), ((0, 255, 0), 65), ((255, 0, 255), 42)]
    )
    def test_bright_colors_stay_lively(self, inks: Inks, color: Sequence[int], chroma: float) -> None:
        """A bright colour that no ink reaches may darken, but does not fade to a pastel."""
        mixed = np.array([inks.vector(*(value / 255 for value in color))])
        lab = to_lab(row_of((mixed * 255).round(), "CMYK"), opened(inks.profile))[0]
        assert np.hypot(lab[1], lab[2]) > chroma

    def test_no_color_holds_more_than_300_percent(self, inks: Inks) -> None:
        """Total ink stays within what dries, without the limit that follows."""
        free = Inks(inks.profile, limit=4.0)
        assert np.asarray(free.picture(row_of(cube()))).sum(-1, dtype=int).max() <= 3 * 255

    def test_pale_colors_hold_no_black(self, inks: Inks) -> None:
        """Skin and pastel tones are free of black dots; darkness is carried by black."""
        skin = np.asarray(inks.picture(row_of([(255, 224, 196), (247, 222, 206), (200, 230, 250), (255, 250, 205)])))
        assert skin[..., 3].max() <= 2
        assert np.asarray(inks.picture(row_of([(30, 30, 30)])))[0, 0, 3] > 200


class TestInks:
    """Single colours and pictures."""

    def test_greys_are_black_ink_alone(self, inks: Inks) -> None:
        """Black is solid black, white is paper, and a grey prints as light as it looks."""
        assert inks.vector(0, 0, 0) == (0, 0, 0, 1)
        assert inks.vector(1, 1, 1) == (0, 0, 0, 0)
        greys = [inks.vector(v / 255, v / 255, v / 255) for v in range(256)]
        assert all(grey[:3] == (0, 0, 0) for grey in greys)
        blacks = np.array(greys)[:, 3]
        assert (np.diff(blacks) <= 0).all()
        light = to_lab(row_of(np.array(greys)[[128, 200]] * 255, "CMYK"), opened(inks.profile))[:, 0]
        assert light == pytest.approx([55.2, 80.9], abs=1.5)  # 53.6 and 80.6, lifted a little since black is no hole

    def test_red_is_magenta_and_yellow(self, inks: Inks) -> None:
        """A flat colour is what a printer would mix."""
        c, m, y, k = inks.vector(0.87, 0.18, 0.27)
        assert c < 0.1
        assert m > 0.85
        assert 0.5 < y < 0.85
        assert k < 0.05

    def test_a_smaller_limit_is_kept(self, inks: Inks) -> None:
        """Black stays, the others give way."""
        tight = Inks(inks.profile, limit=2.2)
        free, limited = (np.asarray(i.picture(row_of(cube())), int).reshape(-1, 4) for i in (inks, tight))
        assert limited.sum(-1).max() <= 2.2 * 255
        assert (limited[:, 3] == free[:, 3]).all()
        assert all(sum(tight.vector(*(color / 255))) <= 2.2 for color in cube()[::97])

    def test_a_photo_keeps_the_limit_as_jpeg(self, inks: Inks) -> None:
        """What a JPEG does to its pixels never makes them too heavy."""
        noise = np.random.default_rng(3).integers(0, 90, (200, 200, 3), np.uint8)
        data = Inks(inks.profile, limit=2.4).encode_photo(Image.fromarray(noise))
        assert data is not None
        assert np.asarray(Image.open(io.BytesIO(data))).sum(-1, dtype=int).max() <= 2.4 * 255

    def test_a_gradient_through_grey_does_not_jump(self, inks: Inks) -> None:
        """Only a gradient of greys alone is black ink alone."""
        assert all(color[:3] == (0, 0, 0) for color in inks.ramp([(v, v, v) for v in (0.0, 0.3, 1.0)]))
        mixed = inks.ramp([(v, v, max(v, 0.1)) for v in np.linspace(0, 0.3, 40)])
        assert np.abs(np.diff(np.array(mixed), axis=0)).max() < 0.12

    @pytest.mark.parametrize(
        ("data", "says"),
        [
            (b"hello", "is not a colour profile"),
            (ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes(), "not one of a CMYK printer"),
            (find_template(PROFILE).read_bytes()[:400], "damaged"),
        ],
        ids=["no profile", "of a screen", "cut short"],  # the second one holds the time of its making
    )
    def test_a_wrong_profile_is_refused(self, tmp_path: Path, data: bytes, says: str) -> None:
        """A file that does not describe a CMYK printer is named, with what to do."""
        path = tmp_path / "wrong.icc"
        path.write_bytes(data)
        with pytest.raises(UsageError, match=says) as caught:
            load_output_profile(path)
        assert "wrong.icc" in caught.value.faults[0].what
        assert caught.value.faults[0].hint

    def test_a_missing_profile_is_refused(self, tmp_path: Path) -> None:
        """A path that leads nowhere is no traceback."""
        with pytest.raises(UsageError, match="cannot be read"):
            load_output_profile(tmp_path / "none.icc")


class TestSheets:
    """The files of a real box for a print shop."""

    def test_no_screen_color_is_left(self, box: Path) -> None:
        """What a press prints is drawn in inks; what is read on a screen is not."""
        for name in ("cards.pdf", "legend.pdf", "booklet-print.pdf"):
            with Pdf.open(box / name) as pdf:
                assert find_screen_colors(pdf) == [], name
            check = run_tool(["qpdf", "--check", str(box / name)])
            assert check.returncode == 0, check.stdout + check.stderr
        with Pdf.open(box / "booklet.pdf") as pdf:
            assert find_screen_colors(pdf)

    def test_plates_are_within_the_limit(self, box: Path) -> None:
        """No point of the cards is too heavy, and all inks are used."""
        with Pdf.open(box / "cards.pdf") as pdf:
            x0, y0, x1, y1 = (float(v) / 72 * 100 for v in pdf.pages[0].obj.BleedBox)
        plates = separate(box / "cards.pdf", 100)
        assert set(PROCESS) <= set(plates)
        rows = plates["Black"].ink.shape[0]
        cards = (slice(int(rows - y1) + 1, int(rows - y0) - 1), slice(int(x0) + 1, int(x1) - 1))
        assert sum(plates[name].ink[cards] for name in PROCESS).max() <= 3.0 + 1e-6  # type: ignore[union-attr]
        assert all(plates[name].ink[cards].max() > 0.5 for name in PROCESS)

    @pytest.mark.parametrize("name", ["cards.pdf", "legend.pdf", "booklet-print.pdf"])
    def test_dark_text_is_solid_black(self, box: Path, name: str) -> None:
        """No letter is a tint of black, which would print as a screen of dots."""
        with Pdf.open(box / name) as pdf:
            fills = {fill for page in list_contents(pdf) for fill in list_text_fills(page)}
        assert ("k", (0.0, 0.0, 0.0, 1.0)) in fills
        tints = [fill for fill in fills if fill[0] == "g" or (fill[1][:3] == (0, 0, 0) and 0 < fill[1][3] < 1)]
        assert tints == []

    def test_any_order_of_hashes_gives_the_same_bytes(self, box: Path, tmp_path: Path) -> None:
        """Another process, whose dictionaries of names come in another order, makes the same files."""
        again = build_for_shop(tmp_path, seed="7")
        for name in ("cards.pdf", "legend.pdf", "booklet-print.pdf"):
            assert (again / name).read_bytes() == (box / name).read_bytes(), name


def list_contents(pdf: Pdf) -> list[pikepdf.Page | pikepdf.Object]:
    """The pages, and where they are imposed the pages on them."""
    return [*pdf.pages, *(thing for thing in pdf.objects if is_page_form(thing))]


def is_page_form(thing: pikepdf.Object) -> bool:
    """Whether a form is an imposed page: it has letters."""
    return isinstance(thing, Stream) and thing.get(Name.Subtype) == Name.Form and "/Font" in thing.get("/Resources", {})


def list_text_fills(content: pikepdf.Page | pikepdf.Object) -> Iterator[tuple[str, tuple[float, ...]]]:
    """The colours that letters are filled with."""
    fill: tuple[str, tuple[float, ...]] = ("g", (0.0,))
    saved = []
    for operator, operands in operators(content):
        if operator == "q":
            saved.append(fill)
        elif operator == "Q":
            fill = saved.pop()
        elif operator in ("g", "rg", "k"):
            fill = (operator, tuple(operands))
        elif operator in ("Tj", "TJ"):
            yield fill


GRADIENTS = b"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><defs>
<linearGradient id="a"><stop offset="0" stop-color="red"/><stop offset=".5" stop-color="yellow"/>
<stop offset=".5" stop-color="#00f"/><stop offset="1" stop-color="#00f"/></linearGradient>
<radialGradient id="b"><stop offset="0" stop-color="#000"/><stop offset="1" stop-color="#ccc"/></radialGradient>
<linearGradient id="c"><stop offset="0" stop-color="#d00"/>
<stop offset="1" stop-color="#d00" stop-opacity="0"/></linearGradient></defs>
<rect width="100" height="40" fill="url(#a)"/><circle cx="50" cy="55" r="14" fill="url(#b)"/>
<rect y="70" width="100" height="30" fill="url(#c)"/></svg>"""


@pytest.fixture(scope="module")
def plates(inks: Inks, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Plate]:
    """The plates of a drawing with a hard stop, a grey gradient and a fading one."""
    path = tmp_path_factory.mktemp("gradients") / "g.pdf"
    separated(draw_svg(GRADIENTS).pdf, inks, path)
    with Pdf.open(path) as pdf:
        assert find_screen_colors(pdf) == []
    return separate(path, 144)


class TestGradients:
    """What cairo writes for gradients."""

    def test_a_hard_stop_stays_hard(self, plates: dict[str, Plate], inks: Inks) -> None:
        """Yellow and blue meet without a mixture between them."""
        assert ink_at(plates, 0.49, 0.8) == pytest.approx(inks.vector(1, 0.98, 0), abs=0.03)
        assert ink_at(plates, 0.51, 0.8) == pytest.approx(inks.vector(0, 0, 1), abs=0.03)
        assert ink_at(plates, 0.25, 0.8) == pytest.approx(inks.vector(1, 0.5, 0), abs=0.03)

    def test_grey_runs_in_black_alone(self, plates: dict[str, Plate]) -> None:
        """A gradient of greys prints from one plate."""
        c, m, y, k = ink_at(plates, 0.5, 0.45)
        assert (c, m, y) == (0, 0, 0)
        assert k > 0.95
        assert ink_at(plates, 0.6, 0.45)[3] < k

    def test_a_fading_gradient_still_fades(self, plates: dict[str, Plate]) -> None:
        """Its soft mask means what it meant."""
        faded = [ink_at(plates, x, 0.15)[1] for x in (0.05, 0.35, 0.65, 0.95)]
        assert faded == sorted(faded, reverse=True)
        assert faded[0] > 0.8
        assert faded[-1] < 0.15


class TestDrawings:
    """What else cairo writes, and what it does not."""

    def test_a_picture_inside_a_drawing(self, inks: Inks, tmp_path: Path) -> None:
        """Its pixels become inks, also those of a JPEG, which stays one."""
        sink = io.BytesIO()
        Image.new("RGB", (8, 8), (200, 60, 30)).save(sink, "PNG")
        data = base64.b64encode(sink.getvalue()).decode()
        svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><image width="8" height="8" '
        svg += f'href="data:image/png;base64,{data}"/></svg>'
        path = separated(draw_svg(svg.encode()).pdf, inks, tmp_path / "i.pdf")
        with Pdf.open(path) as pdf:
            assert find_screen_colors(pdf) == []
        wanted = inks.vector(200 / 255, 60 / 255, 30 / 255)
        assert ink_at(separate(path, 72), 0.5, 0.5) == pytest.approx(wanted, abs=0.03)

    def test_drawings_of_the_theme_keep_their_masks(self, inks: Inks, tmp_path: Path) -> None:
        """The soft mask of a fading gradient stays grey."""
        with Pdf.open(separated(draw_svg(GRADIENTS).pdf, inks, tmp_path / "g.pdf")) as pdf:
            things = walk_form(pdf.pages[0].resources)
            masks = [each.SMask for each in things if isinstance(each.get("/SMask"), Dictionary)]
            assert masks
            assert {str(mask.G.Group.CS) for mask in masks} == {"/DeviceGray"}

    @pytest.mark.parametrize(
        ("content", "resources"),
        [
            (b"/P cs 1 0 0 sc 0 0 9 9 re f", {}),
            (b"/DeviceRGB cs 1 0 0 sc 0 0 9 9 re f", {}),
            (b"BI /W 1 /H 1 /BPC 8 /CS /RGB ID \xc8\x3c\x1e EI", {}),
            (b"0 g", {"/ColorSpace": {"/P": Array([Name.CalRGB, Dictionary(WhitePoint=[0.95, 1, 1.09])])}}),
            (b"/M sh", {"/Shading": {"/M": Dictionary(ShadingType=1, ColorSpace=Name.DeviceRGB)}}),
        ],
    )
    def test_what_cairo_does_not_write_is_refused(
        self, inks: Inks, tmp_path: Path, content: bytes, resources: dict[str, Any]
    ) -> None:
        """A colour that cannot be turned into inks is never passed on as one of a screen."""
        pdf = Pdf.new()
        page = pdf.add_blank_page(page_size=(72, 72))
        page.obj.Resources = Dictionary({key: Dictionary(value) for key, value in resources.items()})
        page.obj.Contents = pdf.make_stream(content)
        sink = io.BytesIO()
        pdf.save(sink)
        with pytest.raises(OutputError, match="cannot be turned into inks"):
            separated(sink.getvalue(), inks, tmp_path / "x.pdf")

    def test_a_photo_is_encoded_once(self, inks: Inks) -> None:
        """What stands in the file is the JPEG of the photo's own inks, not of what another JPEG left of it."""
        noise = Image.fromarray(np.random.default_rng(3).integers(0, 255, (64, 64, 3), np.uint8)).convert("RGBA")
        library = FormLibrary(Prepress(PressOptions(standard="x-4"), inks.profile))
        with Pdf.new() as pdf:
            form = library.embed(pdf, PixelForm(noise, photo=True), inks)
            assert form.Resources.XObject.P.read_raw_bytes() == inks.encode_photo(noise)
