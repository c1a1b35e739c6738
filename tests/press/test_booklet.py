"""The booklet, read back from its pages: texts, bookmarks, links, fonts, drawings."""

from __future__ import annotations

import io
import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pikepdf
import pypdfium2
import pytest
import shapely
from pikepdf import Pdf

from dobble_print.errors import ThemeError, UsageError
from dobble_print.press.booklet.book import plan_booklet, plan_pages
from dobble_print.press.booklet.flowables import SideBySide, make_prose
from dobble_print.press.booklet.format import make_format
from dobble_print.press.booklet.scene import Caption, CardAt, DeckCards, Item, Ring, Scene, draw_scene
from dobble_print.press.booklet.setups import SETUPS, TableSetup
from dobble_print.press.booklet.typeset import BookContext
from dobble_print.press.typography import register_fonts
from dobble_print.resources import shipped_themes
from dobble_print.rules.facts import GAMES, PictureKind
from dobble_print.rules.rulebook import compose_rules
from dobble_print.rules.texts import read_rules
from dobble_print.theme.reader import read_theme
from dobble_print.words.typesetting import set_type
from tests.booklets import TEAMS, WHOLE, Press, classic, read_text, set_up, write_theme

LABELS = dict.fromkeys(("pile", "pile_up", "face_up", "the_match", "start_card"), "x")


@pytest.fixture(autouse=True)
def fonts() -> None:
    """Drawings measure their words."""
    register_fonts()


OPENING = 120  # characters: the running head and the title of a page


@cache
def booklet(*languages: str, size: str | None = None) -> bytes:
    """The classic deck's booklet."""
    press = classic()
    return plan_booklet(press.printer, press.decks, press.artworks, languages, size).draw()


def make_deck_cards(press: Press) -> DeckCards:
    """The cards for drawings."""
    return DeckCards(press.printer, press.artworks, tuple(card.number for card in press.decks[0].cards))


def outline(pdf: Pdf) -> list[str]:
    """The bookmarks of the first level."""
    with pdf.open_outline() as found:
        return [str(item.title) for item in found.root]


@pytest.mark.parametrize("language", WHOLE)
def test_every_game_and_every_name_can_be_found(language: str) -> None:
    """The text of the pages holds the title of each game and the name of each symbol."""
    press = classic()
    text = " ".join(read_text(booklet(language)))
    for game in GAMES:
        assert read_rules(language).line(f"games.{game.key}.title") in text
    for symbol in press.theme.symbols:
        assert symbol.names[language] in text


def test_two_languages_stand_side_by_side() -> None:
    """On the same page, each column marked with its language."""
    pages = read_text(booklet("nl", "fr"))
    tower = [read_rules(code).line("games.tower.title") for code in ("nl", "fr")]
    assert any(all(title in page for title in tower) and "3" in page for page in pages[4:])
    with Pdf.open(io.BytesIO(booklet("nl", "fr"))) as pdf:
        assert b"/Lang (fr)" in pdf.pages[4].Contents.read_bytes()
        assert str(pdf.Root.Lang) == "nl"


@pytest.mark.parametrize("languages", [("nl", "fr"), ("de", "fr"), ("en", "nl"), ("es", "pt"), ("pl", "it"), ("fr",)])
def test_every_game_has_a_page_of_its_own(languages: tuple[str, ...]) -> None:
    """Players turn to one page for one game: five pages in a row begin with the five titles."""
    pages = read_text(booklet(*languages))
    titles = [read_rules(languages[0]).line(f"games.{game.key}.title") for game in GAMES]
    opened = [[i for i, text in enumerate(pages) if title in text[:OPENING]] for title in titles]
    assert any(all(first + n in found for n, found in enumerate(opened)) for first in opened[0])


def test_more_languages_follow_each_other() -> None:
    """Each under a bookmark of its own, in its own words."""
    with Pdf.open(io.BytesIO(booklet("nl", "fr", "de"))) as pdf:
        assert outline(pdf)[:3] == ["Nederlands", "Français", "Deutsch"]


def test_contents_lead_to_the_right_pages() -> None:
    """Every line of the contents is a link, and its number is the page where its title stands."""
    data = booklet("en")
    with Pdf.open(io.BytesIO(data)) as pdf:
        links = [note for page in pdf.pages for note in page.get("/Annots", ()) if "/Dest" in note]
        titles = outline(pdf)
        assert len(links) == len(titles) >= 14
        numbers = {page.obj.objgen: number for number, page in enumerate(pdf.pages, start=1)}
        texts = read_text(data)
        for link, title in zip(links, titles, strict=True):
            number = numbers[link.Dest[0].objgen]
            assert title in texts[number - 1]
            assert f"{title} {number}" in texts[1].replace(" .", "")


@pytest.mark.parametrize("languages", [("en",), ("nl", "fr"), ("nl", "fr", "de")])
def test_no_page_is_empty_and_none_overflows(languages: tuple[str, ...]) -> None:
    """Every page between the covers says something; the last one is the back cover."""
    pages = read_text(booklet(*languages))
    assert all(len(page) > 40 for page in pages[1:])
    assert "55" in pages[-1]


LEAST_FULL = 0.6


def list_thin_pages(press: Press, languages: Sequence[str]) -> list[int]:
    """The pages between the covers that are less than 60 % full."""
    made = plan_booklet(press.printer, press.decks, press.artworks, languages)
    height = made.page.frame_pt[1]
    return [i for i, page in enumerate(made.pages, 1) if not page.paint and page.fill_pt < LEAST_FULL * height]


@pytest.mark.parametrize("languages", [(code,) for code in WHOLE] + [("nl", "fr"), ("pl", "it")])
def test_no_page_is_half_empty(languages: tuple[str, ...]) -> None:
    """Measured by how far down it reaches; pages 4 and 12 were."""
    assert list_thin_pages(classic(), languages) == []


def test_no_page_is_half_empty_where_languages_follow_each_other() -> None:
    """Nor the one that says where each of them begins."""
    assert list_thin_pages(classic(), ("en", "nl", "fr")) == []


@pytest.mark.parametrize("languages", [("en",), ("en", "nl")])
def test_no_page_is_half_empty_where_a_game_takes_several(tmp_path: Path, languages: tuple[str, ...]) -> None:
    """The game of teams."""
    press = set_up(write_theme(tmp_path, 31, f"languages: [en, nl]\n{TEAMS}"))
    assert list_thin_pages(press, languages) == []


@pytest.mark.parametrize(("languages", "width_mm"), [(("en",), 148), (("nl", "fr"), 148), (("nl", "fr", "de"), 105)])
def test_a_booklet_in_one_language_is_as_large_as_one_in_two(languages: tuple[str, ...], width_mm: float) -> None:
    """A5; only many languages make it small and thick."""
    press = classic()
    assert plan_booklet(press.printer, press.decks, press.artworks, languages).page.width_mm == width_mm


def test_the_score_page_is_in_the_contents() -> None:
    """By its number, once, however many there are."""
    text = read_text(booklet("en"))
    (number,) = re.findall(r"Points[ .]+([0-9]+)", text[1])
    assert "Points" in text[int(number) - 1]
    assert "The Cuckoo" in text[int(number) - 1]


def test_cards_face_down_look_as_they_print() -> None:
    """White where they have no back; they were navy."""
    press = classic()
    white = replace(press.printer, back=None)
    assert DeckCards(press.printer, press.artworks, (1,)).back.color == press.theme.back.color
    assert DeckCards(white, press.artworks, (1,)).back.color == "#ffffff"


def test_the_legend_is_the_last_spread() -> None:
    """It opens on a left page, just before the back cover."""
    for languages in (("en",), ("nl", "fr"), ("de",)):
        pages = read_text(booklet(*languages))
        heading = read_rules(languages[0]).line("labels.symbols")
        assert heading in pages[-3]
        assert heading in pages[-2]
        assert (len(pages) - 2) % 2 == 0


def test_fonts_are_embedded_and_symbols_shared() -> None:
    """Nothing relies on the reader's computer; each symbol is in the file once."""
    with Pdf.open(io.BytesIO(booklet("nl", "fr"))) as pdf:
        fonts = [font for page in pdf.pages for font in page.Resources.get("/Font", {}).values()]
        assert fonts
        assert all("/FontFile2" in font.FontDescriptor for font in fonts)
        assert len({page.Resources.XObject.objgen for page in pdf.pages}) == 1
        assert len(pdf.pages[0].Resources.XObject.keys()) == 57


def test_the_same_theme_gives_the_same_bytes() -> None:
    """Twice in one process, after other documents used the same font."""
    press = classic()
    assert plan_booklet(press.printer, press.decks, press.artworks, ("nl", "fr")).draw() == booklet("nl", "fr")


@pytest.mark.parametrize("size", ["A6", "A5"])
@pytest.mark.parametrize("languages", [("de",), ("de", "fr")])
def test_no_line_is_wider_than_its_column(size: str, languages: tuple[str, ...]) -> None:
    """Every letter lies inside the text area, in narrow columns of long words too."""
    page_format = make_format(size, languages, "#1d3557")
    margin = min(page_format.inner_mm, page_format.outer_mm) * 72 / 25.4 - 1
    document = pypdfium2.PdfDocument(booklet(*languages, size=size))
    for number in range(1, len(document) - 1):
        page = document[number]
        text = page.get_textpage()
        boxes = [text.get_rect(i) for i in range(text.count_rects())]
        assert min(box[0] for box in boxes) >= margin
        assert max(box[2] for box in boxes) <= page.get_width() - margin


def test_an_unknown_size_is_refused() -> None:
    """With the sizes there are."""
    with pytest.raises(UsageError, match="A6, A5"):
        booklet("en", size="A7")


def test_the_match_shown_is_the_match() -> None:
    """Two real cards, the ringed symbol on both of them."""
    deck = make_deck_cards(classic())
    scene = SETUPS["match"](TableSetup(deck, [LABELS], 4, 40.0))
    cards = [item for item in scene.items if isinstance(item, CardAt)]
    symbol = deck.find_shared(cards[0].number, cards[1].number)
    assert len([item for item in scene.items if isinstance(item, Ring)]) == 2
    for card in cards:
        assert symbol in [stamp.piece for stamp in deck.printable.fronts[card.number].stamps]


def test_contents_stand_on_one_level(tmp_path: Path) -> None:
    """No game looks like a part of the chapter before it, nor a game without enough cards like a chapter."""
    press = set_up(write_theme(tmp_path, 7, "languages: [en]\n"))
    text = pypdfium2.PdfDocument(plan_booklet(press.printer, press.decks, press.artworks).draw())[1].get_textpage()
    lefts = []
    for title in ("A tie for first place?", "Squirrels", "Empty Hands", "Pass It On", "Credits"):
        found = text.search(title).get_next()
        assert found
        lefts.append(text.get_charbox(found[0], loose=True)[0])
    assert max(lefts) - min(lefts) < 0.5


@pytest.mark.parametrize("kind", ["match", "potato", "gift", "triplet"])
def test_no_ring_lies_over_another_word(kind: PictureKind) -> None:
    """In a deck of sums, the printed breadth of every ring stays off all the other sums of its card."""
    deck = make_deck_cards(set_up(read_theme(shipped_themes()["times-tables"])))
    scene = SETUPS[kind](TableSetup(deck, [LABELS], 4, 20.0))
    cards = [item for item in scene.items if isinstance(item, CardAt) and not item.down and not item.blank]
    rings = [item for item in scene.items if isinstance(item, Ring)]
    assert rings
    for ring in rings:
        card = min(cards, key=lambda card: math.dist((card.x_mm, card.y_mm), (ring.x_mm, ring.y_mm)))
        line = ring_line(ring).buffer(ring.breadth_pt / 2 * 25.4 / 72 - 0.01)
        struck = [word for word in place_words(deck, card, scene.card_mm) if line.intersects(word)]
        assert len(struck) <= 1  # its own


def ring_line(ring: Ring) -> shapely.LineString:
    """The middle of a ring's line on the table."""
    turn = math.radians(ring.turn_deg)
    around = [(math.cos(i * math.pi / 60), math.sin(i * math.pi / 60)) for i in range(121)]
    along, across = (ring.radius_mm * part for part in ring.flat)
    turned = [
        (
            along * x * math.cos(turn) - across * y * math.sin(turn),
            along * x * math.sin(turn) + across * y * math.cos(turn),
        )
        for x, y in around
    ]
    return shapely.LineString([(ring.x_mm + x, ring.y_mm + y) for x, y in ring.outline or turned])


def place_words(deck: DeckCards, card: CardAt, card_mm: float) -> list[shapely.Geometry]:
    """What the symbols of a card cover on the table."""
    scale, turn = card_mm / deck.look.shape.width_mm, math.radians(card.turn_deg)
    matrix = np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]]) * scale
    words = []
    for stamp in deck.printable.fronts[card.number].stamps:
        a, b, c, d, e, f = stamp.matrix
        shape = deck.artworks[stamp.piece].silhouette
        points = np.concatenate(shape.rings) * shape.reach + shape.centre
        on_card = points @ np.array([[a, b], [c, d]]) + (e, f)
        words.append(shapely.convex_hull(shapely.multipoints(on_card @ matrix + (card.x_mm, card.y_mm))))
    return words


@pytest.mark.parametrize("kind", ["tower", "well", "potato", "gift", "triplet"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_set_ups_show_every_player(kind: PictureKind, players: int) -> None:
    """No card twice on the table face up, everything inside the drawing."""
    scene = SETUPS[kind](TableSetup(make_deck_cards(classic()), [LABELS], players, 20.0))
    cards = [item for item in scene.items if isinstance(item, CardAt)]
    open_cards = [card.number for card in cards if not card.down and not card.blank]
    assert len(open_cards) == len(set(open_cards))
    assert len(cards) >= players
    assert all(10 <= card.x_mm <= scene.width_mm - 10 and 10 <= card.y_mm <= scene.height_mm - 10 for card in cards)


def labels_in(language: str) -> dict[str, str]:
    """The short words of drawings."""
    return {key: read_rules(language).line(f"labels.{key}", symbol="x") for key in LABELS}


def print_items(scene: Scene, deck: DeckCards, items: Iterable[Item]) -> npt.NDArray[np.bool_]:
    """Some items of a drawing on a page of its own, cards without symbols, as pixels: true where there is ink."""
    from reportlab.pdfgen.canvas import Canvas

    sink, size = io.BytesIO(), (scene.width_mm * 72 / 25.4, scene.height_mm * 72 / 25.4)
    shown = tuple(replace(item, blank=True, down=False) if isinstance(item, CardAt) else item for item in items)
    canvas = Canvas(sink, pagesize=size)
    draw_scene(canvas, replace(scene, items=shown), deck, "#1d3557")
    canvas.showPage()
    canvas.save()
    page = pypdfium2.PdfDocument(sink.getvalue())[0]
    return np.asarray(page.render(scale=3).to_pil().convert("L")) < 250


@pytest.mark.parametrize("shape", ["round", "hex", "square"])
def test_no_caption_lies_over_anything_nor_sticks_out(tmp_path: Path, shape: str) -> None:
    """Every game, in one language or two, with small cards: printed apart, words and cards never meet."""
    teams = TEAMS[TEAMS.index("teams") :]
    head = f'languages: [en, nl]\ncard: {{shape: {shape}, background: "#cfe8ff"}}\n{teams}'
    deck = make_deck_cards(set_up(write_theme(tmp_path, 31, head)))
    for languages in [("pl",), *combinations(("nl", "fr", "pt"), 2)]:  # the longest words there are
        labels = [labels_in(code) for code in languages]
        for kind in SETUPS:
            scene = SETUPS[kind](TableSetup(deck, labels, 4, 16.0, 7.4))
            captions = [item for item in scene.items if isinstance(item, Caption)]
            words = print_items(scene, deck, captions)
            others = print_items(scene, deck, (item for item in scene.items if not isinstance(item, Caption)))
            assert words.any() == (kind != "potato")
            assert not (words & others).any(), (languages, kind)
            assert not (words[0].any() or words[-1].any() or words[:, 0].any() or words[:, -1].any())


def test_captions_say_the_same_on_one_line_or_on_two() -> None:
    """Where there is room, two languages stand on one line; else each has its own."""
    labels = [labels_in(code) for code in ("nl", "fr")]
    large, small = (
        SETUPS["gift"](TableSetup(make_deck_cards(classic()), labels, 4, card_mm)) for card_mm in (40.0, 14.0)
    )
    texts = [item.lines for scene in (large, small) for item in scene.items if isinstance(item, Caption)]
    assert texts == [("Open stapel  |  Pile, face visible",), ("Open stapel", "Pile, face visible")]


def test_three_cards_of_a_triplet_share_its_symbol() -> None:
    """Three rings, on three cards that show the same symbol."""
    deck = make_deck_cards(classic())
    symbol, three = deck.find_triplet()
    assert all(symbol in [stamp.piece for stamp in deck.printable.fronts[number].stamps] for number in three)
    scene = SETUPS["triplet"](TableSetup(deck, [LABELS], 4, 20.0))
    assert len([item for item in scene.items if isinstance(item, Ring)]) == 3


def test_the_line_of_four_is_a_legal_position(tmp_path: Path) -> None:
    """Cards lie side to side around the start card; four of one colour in a row, no other four."""
    press = set_up(write_theme(tmp_path, 31, f"languages: [en, nl]\n{TEAMS}"))
    deck = make_deck_cards(press)
    scene = SETUPS["line"](TableSetup(deck, [LABELS], 4, 20.0))
    cards = [item for item in scene.items if isinstance(item, CardAt)]
    rims = [deck.printable.fronts[card.number].rim_color for card in cards]
    assert len({card.number for card in cards}) == len(cards)
    assert rims.count("#e63946") == 4
    assert rims[0] == "#000000"
    pitch = min(abs(complex(a.x_mm - b.x_mm, a.y_mm - b.y_mm)) for a in cards for b in cards if a is not b)
    row = sorted(card.x_mm for card, rim in zip(cards, rims, strict=True) if rim == "#e63946")
    assert [b - a for a, b in pairwise(row)] == pytest.approx([pitch] * 3)
    for i, card in enumerate(cards[1:], start=1):
        distances = [abs(complex(card.x_mm - o.x_mm, card.y_mm - o.y_mm)) for o in cards if o is not card]
        assert min(distances) == pytest.approx(pitch), i


def test_a_team_deck_explains_the_line_game(tmp_path: Path) -> None:
    """Title, table of teams and the drawing's start card are in the booklet."""
    press = set_up(write_theme(tmp_path, 31, f"languages: [en, nl]\n{TEAMS}"))
    text = " ".join(read_text(plan_booklet(press.printer, press.decks, press.artworks, ["en"]).draw()))
    for words in ("Four in a Line", "3+3", "Start card"):
        assert words in text


def test_a_small_deck_still_has_a_booklet(tmp_path: Path) -> None:
    """Seven cards: two games drop to a line, nothing breaks."""
    press = set_up(write_theme(tmp_path, 7, "languages: [en]\n"))
    text = " ".join(read_text(plan_booklet(press.printer, press.decks, press.artworks).draw()))
    assert "Needs at least 10 cards; there are only 7." in text
    assert "Needs at least 12 cards; there are only 7." in text


@pytest.mark.parametrize(
    ("symbols", "deck"), [(7, "{cards: 2}"), (7, "{cards: 5}"), (57, "{symbols_per_card: 8, cards: 12}")]
)
def test_odd_decks_have_a_booklet_too(tmp_path: Path, symbols: int, deck: str) -> None:
    """Two cards, no game at all; twelve out of fifty-seven, hardly a triplet."""
    press = set_up(write_theme(tmp_path, symbols, f"languages: [en, nl]\ndeck: {deck}\n"))
    for languages in (["en"], ["en", "nl"]):
        assert len(read_text(plan_booklet(press.printer, press.decks, press.artworks, languages).draw())) >= 6


def test_a_title_without_letters_is_refused(tmp_path: Path) -> None:
    """It is named, not left out."""
    press = set_up(write_theme(tmp_path, 7, "title: 猫\nlanguages: [en]\n"))
    with pytest.raises(ThemeError, match=r"the title: .*U\+732B"):
        plan_booklet(press.printer, press.decks, press.artworks).draw()


def test_right_to_left_names_need_no_rules_of_their_own(tmp_path: Path) -> None:
    """A deck in Arabic and English has English rules and Arabic names in the legend."""
    path = tmp_path / "theme.yaml"
    arabic = "قطة كلب تفاحة موزة سيارة صاروخ مرساة".split()  # noqa: SIM905
    rows = zip("🐱🐶🍎🍌🚗🚀⚓", arabic, "abcdefg", strict=True)
    lines = [f"  - {{emoji: {e}, ar: {ar}, en: {en}}}\n" for e, ar, en in rows]
    note = "credits: {ar: رسمت هذه البطاقات في المدرسة مع الأطفال في فصل الربيع الماضي}\n"
    path.write_text(f"languages: [ar, en]\n{note}symbols:\n" + "".join(lines), encoding="utf-8")
    press = set_up(read_theme(path))
    assert "Pass It On" in " ".join(read_text(plan_booklet(press.printer, press.decks, press.artworks).draw()))


def test_pages_are_valid_pdf() -> None:
    """pikepdf finds nothing to complain about."""
    with pikepdf.open(io.BytesIO(booklet("nl", "fr"))) as pdf:
        assert pdf.check_pdf_syntax() == []


@pytest.mark.parametrize("size", ["A6", "A5"])
def test_no_heading_stays_behind(size: str) -> None:
    """In every column of every page, what ends it is not a heading."""
    press = classic()
    books = compose_rules(press.theme, press.decks, ("de", "fr"))
    register_fonts()
    page = make_format(size, ("de", "fr"), "#1d3557")
    pages = plan_pages(books, BookContext(make_deck_cards(press), page, {}), ("de", "fr"))
    for one in pages[1:-1]:
        last = one.placed[-1].flowable
        columns = last.columns if isinstance(last, SideBySide) else [[last]]
        assert not any(column[-1].getKeepWithNext() for column in columns if column)


def test_sums_and_french_marks_stay_together() -> None:
    """Spaces inside a sum and before a French question mark never end a line."""
    register_fonts()
    style = make_format("A6", ("fr",), "#1d3557").styles["body"]
    prose = make_prose(set_type("« Combien font 5 × 5 + 5 + 1 = 31 ? »", "fr"), style)
    prose.wrap(110, 1000)
    assert [line[1] for line in prose.blPara.lines] == [
        ["«\u00a0Combien", "font"],
        ["5\u00a0×\u00a05\u00a0+\u00a05\u00a0+\u00a01\u00a0=\u00a031\u00a0?\u00a0»"],
    ]


def test_soft_hyphens_break_words_and_are_not_seen() -> None:
    """A hyphen where the line ends there, nothing where it does not."""
    register_fonts()
    style = make_format("A6", ("de",), "#1d3557").styles["body"]
    prose = make_prose("Streich\u00adholz\u00adschachtel " * 3, style)
    prose.wrap(110, 1000)
    assert [len(line[1]) for line in prose.blPara.lines]
    assert all(line[0] >= -0.01 for line in prose.blPara.lines)
