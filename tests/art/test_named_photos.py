"""Names below photos are letters, sharp at any size of the photo, just where the layout believes them."""

from __future__ import annotations

import io
import re
from pathlib import Path

import numpy as np
import pytest
from pikepdf import Array, Dictionary, Pdf, Stream
from PIL import Image

from dobble_print.art.artwork import Artwork, PictureMaster, PixelForm, make_artwork
from dobble_print.pdf.render import render_page
from dobble_print.prepress.forms import FormLibrary
from dobble_print.theme.model import Captioned, ImageFile, Text

SIDE_PT = 600


def name_photo(folder: Path, size: tuple[int, int]) -> Artwork:
    """A red photo of that size with a name below."""
    Image.new("RGB", size, "#c02020").save(folder / "ada.png")
    return make_artwork(Captioned(ImageFile(folder / "ada.png"), Text("Anna-Sofie", "#1d3557")))


def draw(form: PixelForm) -> Image.Image:
    """The form as it prints, on a square page of its longer side."""
    with Pdf.new() as pdf:
        pdf.add_blank_page(page_size=(SIDE_PT, SIDE_PT))
        page = pdf.pages[0]
        page.Resources = Dictionary(XObject=Dictionary(F=FormLibrary().embed(pdf, form, None)))
        page.Contents = pdf.make_stream(b"q %d 0 0 %d 0 0 cm /F Do Q" % (SIDE_PT, SIDE_PT))
        page.MediaBox = Array([0, 0, SIDE_PT, SIDE_PT])
        sink = io.BytesIO()
        pdf.save(sink)
    return Image.open(io.BytesIO(render_page(sink.getvalue(), SIDE_PT))).convert("RGB")


@pytest.mark.parametrize("size", [(60, 80), (900, 1200), (1200, 500)])
def test_a_name_below_a_photo_is_letters_whatever_the_photos_size(tmp_path: Path, size: tuple[int, int]) -> None:
    """They were baked into its pixels: jagged below a small photo."""
    master = name_photo(tmp_path, size).master
    assert isinstance(master, PictureMaster)
    form = master.fit(50)
    assert isinstance(form, PixelForm)
    assert form.letters
    assert form.picture.getpixel((form.picture.width // 2, form.picture.height - 1))[:3] == (192, 32, 32)  # type: ignore[index]
    with Pdf.open(io.BytesIO(form.letters.pdf)) as letters:
        assert any(
            re.search(rb"\d c\s", each.read_bytes()) for each in letters.objects if isinstance(each, Stream)
        )  # curves
        assert "/Image" not in str([each.get("/Subtype") for each in letters.objects if isinstance(each, Dictionary)])


def test_a_named_photo_prints_as_the_layout_sees_it(tmp_path: Path) -> None:
    """Photo and letters lie where their one silhouette was measured."""
    artwork = name_photo(tmp_path, (900, 1200))
    assert isinstance(artwork.master, PictureMaster)
    form = artwork.master.fit(50)
    assert isinstance(form, PixelForm)
    printed = np.asarray(draw(form)).astype(int)
    whole = artwork.master.picture
    seen = whole.resize((round(SIDE_PT * artwork.width), round(SIDE_PT * artwork.height)))
    page = Image.new("RGBA", (SIDE_PT, SIDE_PT), "white")
    page.alpha_composite(seen, (0, SIDE_PT - seen.height))
    expected = np.asarray(page.convert("RGB")).astype(int)
    assert (abs(printed - expected).max(axis=-1) > 90).mean() < 0.01
