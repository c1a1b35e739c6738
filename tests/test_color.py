"""Colours as inks: the profile we ship, flat colours and pictures, and whole documents."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name, Pdf, Stream
from PIL import Image, ImageCms

from dobble_print.art.svg.render import draw_svg
from dobble_print.errors import UsageError
from dobble_print.prepress.inks import Inks, OutputProfile, load_output_profile
from dobble_print.prepress.separation import separate_colors
from dobble_print.resources import find_template
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
def sheet(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A real sheet of cards in screen colours, as the program prints it."""
    folder = tmp_path_factory.mktemp("sheet")
    (folder / "small.yaml").write_text(SMALL_THEME, encoding="utf-8")
    command = ["build", "small.yaml", "--no-booklet", "--no-legend", "-o", "out"]
    code = "from dobble_print.cli.app import main; main()"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-c", code, *command], cwd=folder, env=environment, check=True, capture_output=True)
    return next(folder.glob("out/**/cards.pdf"))


def separated(source: Path | bytes, inks: Inks, target: Path) -> Path:
    """A document with its colours turned into inks, in a file."""
    with Pdf.open(source if isinstance(source, Path) else io.BytesIO(source)) as pdf:
        separate_colors(pdf, inks)
        pdf.save(target, deterministic_id=True)
    return target


def one_page(content: bytes) -> tuple[Pdf, pikepdf.Page]:
    """A page of 72 × 72 points with a given content."""
    pdf = Pdf.new()
    page = pdf.add_blank_page(page_size=(72, 72))
    page.obj.Resources = Dictionary()
    page.obj.Contents = pdf.make_stream(content)
    return pdf, page


def operators(content: pikepdf.Page | pikepdf.Object) -> list[tuple[str, list[Any]]]:
    """What a content stream does, with plain numbers."""
    return [
        (str(step.operator), [str(v) if isinstance(v, Name) else float(v) for v in step.operands])
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
    """A real sheet of cards."""

    def test_no_screen_color_is_left(self, sheet: Path, inks: Inks, tmp_path: Path) -> None:
        """The sheet is full of screen colours before, and holds none after."""
        with Pdf.open(sheet) as pdf:
            assert find_screen_colors(pdf)
        with Pdf.open(separated(sheet, inks, tmp_path / "cmyk.pdf")) as pdf:
            assert find_screen_colors(pdf) == []
        check = run_tool(["qpdf", "--check", str(tmp_path / "cmyk.pdf")])
        assert check.returncode == 0, check.stdout + check.stderr

    def test_plates_are_within_the_limit_and_marks_are_black_alone(
        self, sheet: Path, inks: Inks, tmp_path: Path
    ) -> None:
        """No point of the sheet is too heavy; what stands around the cards prints from one plate."""
        path = separated(sheet, inks, tmp_path / "cmyk.pdf")
        plates = separate(path, 100)
        assert set(PROCESS) <= set(plates)
        assert sum(plates[name].ink for name in PROCESS).max() <= 3.0 + 1e-6  # type: ignore[union-attr]
        with Pdf.open(path) as pdf:
            x0, y0, x1, y1 = (float(v) / 72 * 100 for v in pdf.pages[0].obj.BleedBox)
        rows = plates["Black"].ink.shape[0]
        outside = np.ones(plates["Black"].ink.shape, bool)
        outside[int(rows - y1) - 1 : int(rows - y0) + 2, int(x0) - 1 : int(x1) + 2] = False
        assert plates["Black"].ink[outside].max() > 0.9
        assert all(plates[name].ink[outside].max() == 0 for name in PROCESS[:3])
        assert all(plates[name].ink.max() > 0.5 for name in PROCESS)

    def test_the_same_sheet_gives_the_same_bytes(self, sheet: Path, inks: Inks, tmp_path: Path) -> None:
        """Nothing but the input decides."""
        again = Inks(load_output_profile())
        one, other = separated(sheet, inks, tmp_path / "1.pdf"), separated(sheet, again, tmp_path / "2.pdf")
        assert one.read_bytes() == other.read_bytes()


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


class TestContent:
    """Colours wherever a content stream may have them."""

    def test_named_spaces(self, inks: Inks) -> None:
        """Profiles, calibrated colour and tables of colours become inks; spaces of inks stay."""
        profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
        pdf, page = one_page(
            b"/P cs 1 0 0 sc 0 0 9 9 re f /C CS 0 0 1 SC 0 0 m 9 9 l S /T cs 1 scn 0 0 9 9 re f "
            b"/S cs 0.5 scn 0 0 9 9 re f 0.1 0.2 0.3 0.4 k 0.5 g /DeviceRGB cs 9 0 9 9 re f"
        )
        tint = Dictionary(FunctionType=2, Domain=[0, 1], C0=[0, 0, 0, 0], C1=[0, 1, 0, 0], N=1)
        page.obj.Resources.ColorSpace = Dictionary(
            P=Array([Name.ICCBased, Stream(pdf, profile, N=3)]),
            C=Array([Name.CalRGB, Dictionary(WhitePoint=[0.95, 1, 1.09])]),
            T=Array([Name.Indexed, Name.DeviceRGB, 1, pikepdf.String(b"\x00\x00\x00\xff\x00\x00")]),
            S=Array([Name.Separation, Name.Cut, Name.DeviceCMYK, tint]),
        )
        separate_colors(pdf, inks)
        done = operators(page)
        red, blue = ([pytest.approx(v, abs=1e-4) for v in inks.vector(*rgb)] for rgb in ((1, 0, 0), (0, 0, 1)))
        assert ("k", red) in done
        assert ("K", blue) in done
        assert ("k", [0.1, 0.2, 0.3, 0.4]) in done
        assert [values[0] for operator, values in done if operator == "cs"] == ["/T", "/S"]
        assert done[-3] == ("k", [0, 0, 0, 1])  # a new space starts black
        table = page.obj.Resources.ColorSpace.T
        assert table[1] == Name.DeviceCMYK
        assert table[3].read_bytes() == bytes(round(v * 255) for v in (*inks.vector(0, 0, 0), *inks.vector(1, 0, 0)))
        assert page.obj.Resources.ColorSpace.S[0] == Name.Separation
        assert find_screen_colors(pdf) == []

    def test_the_space_in_force_outlives_nothing(self, inks: Inks) -> None:
        """A colour set inside q and Q belongs to the space that was chosen inside."""
        pdf, page = one_page(b"1 0 0 rg q /DeviceGray cs 0 sc Q 0 1 0 sc 0 0 9 9 re f")
        separate_colors(pdf, inks)
        assert [v for operator, v in operators(page) if operator == "k"][-1] == [
            pytest.approx(v, abs=1e-4) for v in inks.vector(0, 1, 0)
        ]

    def test_patterns_glyphs_and_groups(self, inks: Inks, tmp_path: Path) -> None:
        """A tiling pattern, a drawn letter and a group inside a group are found."""
        pdf, page = one_page(b"/Pattern cs /T scn 0 0 72 36 re f BT /F 36 Tf 0 36 Td <41> Tj ET /G Do")
        tile = Stream(pdf, b"1 0 0 rg 0 0 9 9 re f", PatternType=1, PaintType=1, TilingType=1, BBox=[0, 0, 9, 9])
        tile.XStep, tile.YStep, tile.Resources = 9, 9, Dictionary()
        glyph = pdf.make_stream(b"1000 0 d0 0 0 1 rg 0 0 1000 1000 re f")
        font = Dictionary(Type=Name.Font, Subtype=Name.Type3, FontBBox=[0, 0, 1000, 1000], FirstChar=65, LastChar=65)
        font.FontMatrix, font.Widths = Array([0.001, 0, 0, 0.001, 0, 0]), Array([1000])
        font.CharProcs, font.Resources = Dictionary(A=glyph), Dictionary()
        font.Encoding = Dictionary(Type=Name.Encoding, Differences=Array([65, Name.A]))
        group = Dictionary(Type=Name.Group, S=Name.Transparency, CS=Name.DeviceRGB)
        inner = pdf.make_indirect(Stream(pdf, b"0 1 0 rg 50 50 22 22 re f", Type=Name.XObject, Subtype=Name.Form))
        inner.BBox, inner.Group = Array([0, 0, 72, 72]), group
        outer = pdf.make_indirect(Stream(pdf, b"/I Do", Type=Name.XObject, Subtype=Name.Form))
        outer.BBox, outer.Resources = Array([0, 0, 72, 72]), Dictionary(XObject=Dictionary(I=inner))
        page.obj.Resources = Dictionary(Pattern=Dictionary(T=pdf.make_indirect(tile)), XObject=Dictionary(G=outer))
        page.obj.Resources.Font = Dictionary(F=pdf.make_indirect(font))
        separate_colors(pdf, inks)
        assert find_screen_colors(pdf) == []
        assert b"rg" not in glyph.read_bytes()
        pdf.save(tmp_path / "p.pdf")
        plates = separate(tmp_path / "p.pdf", 72)
        assert ink_at(plates, 0.3, 0.3) == pytest.approx(inks.vector(1, 0, 0), abs=0.01)
        assert ink_at(plates, 0.3, 0.7) == pytest.approx(inks.vector(0, 0, 1), abs=0.01)
        assert ink_at(plates, 0.9, 0.9) == pytest.approx(inks.vector(0, 1, 0), abs=0.01)

    def test_a_shared_form_is_converted_once(self, inks: Inks) -> None:
        """Two pages that draw the same form still draw the same one, and its colours are those of one conversion."""
        pdf, page = one_page(b"/F Do")
        form = pdf.make_indirect(Stream(pdf, b"0.5 g 0 0 9 9 re f", Type=Name.XObject, Subtype=Name.Form))
        form.BBox = Array([0, 0, 9, 9])
        page.obj.Resources.XObject = Dictionary(F=form)
        other = pdf.add_blank_page(page_size=(72, 72))
        other.obj.Resources, other.obj.Contents = page.obj.Resources, pdf.make_stream(b"/F Do")
        separate_colors(pdf, inks)
        assert pdf.pages[0].obj.Resources.XObject.F.objgen == pdf.pages[1].obj.Resources.XObject.F.objgen
        assert operators(form)[0] == ("k", [pytest.approx(v, abs=1e-4) for v in inks.vector(0.5, 0.5, 0.5)])

    def test_functions_of_every_kind(self, inks: Inks, tmp_path: Path) -> None:
        """A table of colours, and one function for each channel, stitched of parts."""
        pdf, page = one_page(b"q 0 0 72 36 re W n /A sh Q q 0 36 72 36 re W n /B sh Q")
        table = Stream(pdf, bytes([255, 0, 0, 0, 0, 255]), FunctionType=0, Domain=[0, 1], Size=[2], BitsPerSample=8)
        table.Range = Array([0, 1, 0, 1, 0, 1])
        rise, rest = (Dictionary(FunctionType=2, Domain=[0, 1], C0=[a], C1=[1], N=1) for a in (0, 1))
        stitched = Dictionary(FunctionType=3, Domain=[0, 1], Bounds=[0.5], Encode=[0, 1, 0, 1])
        stitched.Functions = Array([rise, rest])
        none = Dictionary(FunctionType=2, Domain=[0, 1], C0=[0], C1=[0], N=1)
        functions = {"/A": pdf.make_indirect(table), "/B": Array([stitched, none, none])}
        page.obj.Resources.Shading = Dictionary()
        for name, function in functions.items():
            shading = Dictionary(ShadingType=2, ColorSpace=Name.DeviceRGB, Coords=[0, 0, 72, 0], Extend=[True, True])
            shading.Function = function
            page.obj.Resources.Shading[name] = pdf.make_indirect(shading)
        separate_colors(pdf, inks)
        assert find_screen_colors(pdf) == []
        pdf.save(tmp_path / "f.pdf")
        plates = separate(tmp_path / "f.pdf", 72)
        assert ink_at(plates, 0.01, 0.2) == pytest.approx(inks.vector(1, 0, 0), abs=0.03)
        assert ink_at(plates, 0.99, 0.2) == pytest.approx(inks.vector(0, 0, 1), abs=0.03)
        assert ink_at(plates, 0.25, 0.7) == pytest.approx(inks.vector(0.507, 0, 0), abs=0.03)
        assert ink_at(plates, 0.75, 0.7) == pytest.approx(inks.vector(1, 0, 0), abs=0.01)

    def test_a_stencil_pattern_takes_the_color_given_to_it(self, inks: Inks) -> None:
        """A pattern without colours of its own is tinted where it is used."""
        pdf, page = one_page(b"/U cs 1 0 0 /T scn 0 0 72 72 re f")
        tile = Stream(pdf, b"0 0 9 9 re f", PatternType=1, PaintType=2, TilingType=1, BBox=[0, 0, 9, 9])
        tile.XStep, tile.YStep, tile.Resources = 18, 18, Dictionary()
        page.obj.Resources.Pattern = Dictionary(T=pdf.make_indirect(tile))
        page.obj.Resources.ColorSpace = Dictionary(U=Array([Name.Pattern, Name.DeviceRGB]))
        separate_colors(pdf, inks)
        assert operators(page)[1] == ("scn", [*(pytest.approx(v, abs=1e-4) for v in inks.vector(1, 0, 0)), "/T"])
        assert page.obj.Resources.ColorSpace.U[1] == Name.DeviceCMYK

    def test_a_mesh_is_converted_corner_by_corner(self, inks: Inks, tmp_path: Path) -> None:
        """A triangle with a colour at each corner."""
        corner = [b"\x00" + bytes(point) + bytes(color) for point, color in zip(
            ((0, 0), (255, 0), (0, 255)), ((255, 0, 0), (255, 0, 0), (255, 0, 0)), strict=True)]  # fmt: skip
        pdf, page = one_page(b"/M sh")
        mesh = Stream(pdf, b"".join(corner), ShadingType=4, ColorSpace=Name.DeviceRGB, BitsPerCoordinate=8)
        mesh.BitsPerComponent, mesh.BitsPerFlag, mesh.Decode = 8, 8, Array([0, 72, 0, 72, 0, 1, 0, 1, 0, 1])
        page.obj.Resources.Shading = Dictionary(M=pdf.make_indirect(mesh))
        separate_colors(pdf, inks)
        assert find_screen_colors(pdf) == []
        pdf.save(tmp_path / "m.pdf")
        plates = separate(tmp_path / "m.pdf", 72)
        assert ink_at(plates, 0.2, 0.2) == pytest.approx(inks.vector(1, 0, 0), abs=0.02)


class TestPictures:
    """Pictures inside a document."""

    def image(self, pdf: Pdf, data: bytes, space: pikepdf.Object, **entries: object) -> pikepdf.Object:
        """A picture of 8 × 8 pixels."""
        stream = Stream(pdf, data, Type=Name.XObject, Subtype=Name.Image, Width=8, Height=8, BitsPerComponent=8)
        stream.ColorSpace = space
        for key, value in entries.items():
            stream[f"/{key}"] = value
        return pdf.make_indirect(stream)

    def test_each_kind_in_its_way(self, inks: Inks, tmp_path: Path) -> None:
        """Pixels become inks, a JPEG stays one, a table is converted, greys and masks stay."""
        color = (200, 60, 30)
        flat = Image.new("RGB", (8, 8), color)
        sink = io.BytesIO()
        flat.save(sink, "JPEG", quality=95, subsampling=0)
        pdf, page = one_page(
            b"q 36 0 0 36 0 0 cm /A Do Q q 36 0 0 36 36 0 cm /J Do Q q 36 0 0 36 0 36 cm /T Do Q "
            b"q 18 0 0 18 36 36 cm /G Do Q q 18 0 0 18 54 54 cm BI /W 1 /H 1 /BPC 8 /CS /RGB ID \xc8\x3c\x1e EI Q"
        )
        mask = self.image(pdf, bytes([255] * 64), Name.DeviceGray)
        table = Array([Name.Indexed, Name.DeviceRGB, 0, pikepdf.String(bytes(color))])
        page.obj.Resources.XObject = Dictionary(
            A=self.image(pdf, zlib.compress(flat.tobytes()), Name.DeviceRGB, Filter=Name.FlateDecode, SMask=mask),
            J=self.image(pdf, sink.getvalue(), Name.DeviceRGB, Filter=Name.DCTDecode),
            T=self.image(pdf, bytes(64), table),
            G=self.image(pdf, bytes([128] * 64), Name.DeviceGray),
        )
        separate_colors(pdf, inks)
        assert find_screen_colors(pdf) == []
        found = page.obj.Resources.XObject
        assert found.J.Filter == Name.DCTDecode
        assert found.G.ColorSpace == found.A.SMask.ColorSpace == Name.DeviceGray
        assert found.T.ColorSpace[1] == Name.DeviceCMYK
        pdf.save(tmp_path / "i.pdf")
        plates = separate(tmp_path / "i.pdf", 72)
        wanted = inks.vector(*(v / 255 for v in color))
        for x, y in ((0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.9, 0.9)):
            assert ink_at(plates, x, y) == pytest.approx(wanted, abs=0.03), (x, y)

    def test_a_hidden_color_stays_hidden(self, inks: Inks) -> None:
        """A picture that hides one of its colours gets a stencil, since as inks that colour is another."""
        pdf, page = one_page(b"/A Do")
        pixels = bytes([255, 0, 255] * 32 + [0, 128, 0] * 32)
        page.obj.Resources.XObject = Dictionary(A=self.image(pdf, pixels, Name.DeviceRGB))
        page.obj.Resources.XObject.A.Mask = Array([255, 255, 0, 0, 255, 255])
        separate_colors(pdf, inks)
        mask = page.obj.Resources.XObject.A.Mask
        assert mask.ImageMask
        assert mask.read_bytes() == b"\xff" * 4 + b"\x00" * 4
