"""New themes: what is handed out reads back without a fault, whatever the names of titles, folders and files."""

from __future__ import annotations

import io
import re
import shutil
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dobble_print.art.artwork import PictureMaster, make_artwork
from dobble_print.art.guarded import read_pixels_guarded
from dobble_print.art.raster import can_read_without_files, read_pixels
from dobble_print.errors import ArtworkError, UsageError
from dobble_print.importing.starter import (
    find_nameless,
    list_entries,
    list_left_out,
    quote_yaml,
    starter_theme,
    write_theme,
)
from dobble_print.theme.model import ImageFile, Theme
from dobble_print.theme.reader import read_theme
from dobble_print.theme.source import parse_tree
from tests.trees import simplify


@pytest.fixture(autouse=True)
def inside_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in an empty folder."""
    monkeypatch.chdir(tmp_path)


def read(text: str, folder: Path = Path(".")) -> Theme:
    """The theme of a text, written into a folder."""
    path = folder / "theme.yaml"
    path.write_text(text, encoding="utf-8")
    return read_theme(path)


def theme_from_folder(folder: Path, name: str, *languages: str) -> str:
    """The text of a theme made of a folder."""
    codes = languages or ("en",)
    return write_theme(name, codes, list_entries(folder, codes))


def fill(*names: str) -> Path:
    """A folder of empty pictures."""
    folder = Path("pictures")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name in names:
        (folder / name).touch()
    return folder


def make_phone_photo(width: int, height: int, orientation: int = 1) -> bytes:
    """A photo as a phone takes it: HEIC, with the way it was held."""
    from PIL import Image
    from pillow_heif import register_heif_opener

    register_heif_opener()
    exif, data = Image.Exif(), io.BytesIO()
    exif[0x0112] = orientation
    Image.new("RGB", (width, height), (200, 40, 40)).save(data, "HEIF", quality=50, exif=exif.tobytes())
    return data.getvalue()


def message_of(folder: Path) -> str:
    """What is said about a folder that makes no theme."""
    with pytest.raises(UsageError) as caught:
        theme_from_folder(folder, "x")
    return str(caught.value)


def test_the_starter_is_a_small_real_deck_in_four_languages() -> None:
    """Thirteen symbols make thirteen cards of four."""
    theme = read(starter_theme("my-harbour"))
    assert (len(theme.symbols), theme.languages) == (13, ("en", "nl", "fr", "de"))
    assert theme.title_in("nl") == "My harbour"


def test_the_starter_begins_with_the_modeline() -> None:
    """Editors look for it in the first line."""
    assert starter_theme("x").splitlines()[0] == "# yaml-language-server: $schema=./theme.schema.json"


def test_every_switched_off_setting_of_the_starter_works() -> None:
    """Removing the # gives a good theme."""
    theme = read(re.sub(r"(?m)^  # (\w+: )", r"  \1", starter_theme("x")))
    assert (theme.deck.cards, theme.card.number_on_rim, theme.layout.rotation) == (10, True, "upright")


@pytest.mark.parametrize("key", ["article", "faces", "fill", "font", "art", "crop", "profile"])
def test_every_switched_off_key_of_the_starter_works(key: str) -> None:
    """Removing the # gives a good theme, and another one."""
    text = starter_theme("x")
    switched = re.sub(rf"(?m)^# ({key}: )", r"\1", text)
    assert switched != text
    assert read(switched) != read(text) or key == "crop"  # there is no photo in it


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=90))
def test_any_title_reads_back(name: str) -> None:
    """Quotes, colons, control characters, nothing at all."""
    assert read(starter_theme(name)).title_in("en")


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet=st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp"), exclude_characters="\ufffe\uffff")))
def test_quoted_text_reads_back_unchanged(text: str) -> None:
    """In a list in brackets, where YAML is strictest."""
    tree, _ = parse_tree(f"a: [{quote_yaml(text)}]", "x")
    assert simplify(tree) == {"a": [text]}


def test_a_folder_of_pictures_gives_one_symbol_a_file() -> None:
    """In the order a person would count, named after the files."""
    folder = fill("cat 10.png", "cat 2.SVG", "my_red-car 02.jpg", "x.png", "y.png", "z.png", "notes.txt", ".hidden.png")
    theme = read(theme_from_folder(folder, "My pictures"), folder)
    assert [symbol.names["en"] for symbol in theme.symbols] == ["cat 2", "cat 10", "my red car 02", *"xyz"]
    assert theme.symbols[0].source == ImageFile((folder / "cat 2.SVG").resolve())
    assert (theme.title_in(), theme.languages) == ("My pictures", ("en",))


def test_names_from_files_may_be_in_another_language() -> None:
    """Also in Indonesian, whose code is also a key."""
    folder = fill("kat.png", "hond.png", "vis.png", "koe.png", "paard.png", "varken.png")
    assert read(theme_from_folder(folder, "x", "nl"), folder).languages == ("nl",)
    assert read(theme_from_folder(folder, "x", "id"), folder).languages == ("id",)
    with pytest.raises(UsageError, match='there is no language "nll"'):
        theme_from_folder(folder, "x", "nll")


def test_names_of_children_keep_their_hyphens_and_get_their_capitals() -> None:
    """Where most files are called after people; what they show is written as the file is."""
    class_folder = fill("anna-sofie.jpg", "tom.jpg", "Mia.jpg", "ben v.jpg", "ada.jpg", "kees.jpg", "IMG_2034.jpg")
    theme = read(theme_from_folder(class_folder, "x", "nl"), class_folder)
    assert {symbol.names["nl"] for symbol in theme.symbols} >= {"Anna-Sofie", "Tom", "Mia", "Ada", "Kees", "IMG 2034"}
    things = fill("rode-auto.jpg", "hond.jpg", "kat.jpg", "vis.jpg", "koe.jpg", "paard.jpg")
    assert "rode auto" in {symbol.names["nl"] for symbol in read(theme_from_folder(things, "x", "nl"), things).symbols}


def test_files_named_in_one_language_get_the_names_of_others_from_the_lexicon() -> None:
    """A name that it does not know is one in every language."""
    folder = fill("kat.png", "hond.png", "vis.png", "koe.png", "paard.png", "Wubbo.png")
    theme = read(theme_from_folder(folder, "x", "nl", "fr"), folder)
    assert theme.languages == ("nl", "fr")
    assert sorted(symbol.names["fr"] for symbol in theme.symbols)[:3] == ["Wubbo", "chat", "cheval"]


def test_names_that_a_camera_gave_are_found() -> None:
    """And nothing that a person would write."""
    camera = ["IMG 2034", "DSC01234", "PXL 20240102 120000123", "IMG 20240102 WA0003", "20240102 120000", "P1010023"]
    camera += ["WhatsApp Image 2024 01 02 at 10.11.12", "1f3a9c0e 77b2 4c1d", "IMG 2034 (1)", "Foto 0012", "img e2034"]
    people = ["kat", "cat 2", "12", "my red car 02", "Tom", "bus 7", "photo of us", "IMG", "facade", "P"]
    assert find_nameless([*camera, *people]) == camera


def test_files_that_differ_only_in_ending_or_accent_stay_apart() -> None:
    """Names and ids are all different."""
    folder = fill("cat.png", "cat.jpg", "Cat.webp", "ete.png", "été.png", "a_b.png", "a-b.png")
    theme = read(theme_from_folder(folder, "x"), folder)
    names = [symbol.names["en"] for symbol in theme.symbols]
    assert sorted(names) == ["Cat 3", "a b", "a b 2", "cat", "cat 2", "ete", "été"]
    assert len({symbol.id for symbol in theme.symbols}) == 7


ODD = [
    "-dash.png",
    'it\'s "q".png',
    "a: b #c.svg",
    " lead.png",
    "null.png",
    "no.png",
    "___.png",
    "★.png",
    "[x], {y}.png",
]


def test_odd_file_names_are_quoted() -> None:
    """Whatever YAML would take for something else."""
    folder = fill(*ODD, "~.png", "&a.png", "*b.png", "!c.png", "%d.png", "@e.png", "`f.png", "x" * 200 + ".png")
    assert len(read(theme_from_folder(folder, "x"), folder).symbols) == len(ODD) + 8


FILE_NAMES = st.text(alphabet=st.characters(exclude_characters="/\0"), min_size=1, max_size=30)


@settings(max_examples=100, deadline=None)
@given(st.lists(FILE_NAMES, min_size=6, max_size=9))
def test_any_folder_gives_a_good_theme_or_a_clear_refusal(names: list[str]) -> None:
    """Nothing in between."""
    encodable = [name for name in names if name.isprintable()]
    folder = fill(*(f"{name}.png" for name in encodable))
    try:
        text = theme_from_folder(folder, "x")
    except UsageError as error:
        assert all(fault.what and fault.hint for fault in error.faults)
        return
    assert len(read(text, folder).symbols) >= 6


def test_a_folder_without_pictures_is_refused() -> None:
    """The accepted kinds are listed."""
    hint = "A theme needs 6 to 1000, each a .svg, .png, .jpg, .jpeg, .webp, .heic or .heif file."
    assert message_of(fill("notes.txt")) == f'the folder "pictures" holds no pictures. {hint}'
    assert message_of(fill("a.png", "b.png")) == f'the folder "pictures" holds 2 pictures. {hint}'


def test_pictures_that_cannot_be_used_are_listed() -> None:
    """Other files are nobody's business, and hidden ones neither."""
    folder = fill("cat.png", "page 10.TIF", "page 2.tif", "scan.tiff", "old.bmp", "a.svgz", "notes.txt", ".x.bmp")
    assert list_left_out(folder) == ["a.svgz", "old.bmp", "page 2.tif", "page 10.TIF", "scan.tiff"]
    assert message_of(folder).endswith('"a.svgz" must be saved as one of these first.')


def test_photos_of_phones_are_pictures() -> None:
    """As they come, with the ending in capitals."""
    folder = fill(*(f"IMG_{number}.HEIC" for number in range(6)))
    assert len(read(theme_from_folder(folder, "x"), folder).symbols) == 6
    assert not list_left_out(folder)


def test_a_photo_of_a_phone_is_opened_upright() -> None:
    """Turned as its camera says, whatever its ending, in a process that can open no file."""
    data = make_phone_photo(300, 200, orientation=6)
    Path("tom.jpg").write_bytes(data)
    master = make_artwork(ImageFile(Path("tom.jpg").resolve())).master
    assert isinstance(master, PictureMaster) and master.picture.size == (200, 300)
    assert can_read_without_files(data)


def test_the_largest_photo_of_a_phone_fits_into_memory() -> None:
    """48 million pixels."""
    assert read_pixels_guarded(make_phone_photo(8064, 6048)).size == (2000, 1500)


def test_a_broken_photo_of_a_phone_is_a_fault() -> None:
    """Cut short anywhere."""
    data = make_phone_photo(300, 200)
    for length in (12, 100, len(data) - 40):
        with pytest.raises(ArtworkError, match="cannot be read"):
            read_pixels(data[:length])


def test_a_folder_that_is_not_there_is_refused() -> None:
    """With the system's reason."""
    assert message_of(Path("nowhere")) == 'the folder "nowhere" cannot be read: No such file or directory.'


def test_a_file_name_that_no_theme_can_hold_is_refused() -> None:
    """All of them at once, with what to do."""
    message = message_of(fill("a\x07b.png", "c\\d.png", "1.png", "2.png", "3.png", "4.png"))
    assert message.count("Rename the file to plain letters and digits.") == 2
