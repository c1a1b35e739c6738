"""Proof on paper: every claim holds on a sheet of known geometry, and every damage is caught by the right claim."""

from __future__ import annotations

import io
import math
from dataclasses import replace
from typing import Any

import pikepdf
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pikepdf import Array, Dictionary, Name, Pdf, Stream, String

from dobble_print.errors import UsageError
from dobble_print.units import mm_to_pt
from dobble_print.verify.proof import Claim, Demands, Proof, describe
from dobble_print.verify.prove import prove_pdf
from tests.verify_samples import BackSample, Paper, Sample, Spot, make_deck, make_sheet, save

BACKS = (BackSample(),) * 7
HONEST = make_sheet(make_deck(), Paper(backs=BACKS))
JUNK = (
    b"Q",
    b"q",
    b"cm",
    b"EMC",
    b"/Card <</Number 1>> BDC",
    b"W n",
    b"f",
    b"S",
    b"h",
    b"m",
    b"c",
    b"Do",
    b"-1e30",
    b"0",
    b"/S0",
    b"/S9",
    b"BDC",
    b"[1 2]",
    b"<<",
    b"BI",
    b"1000000000",
)


def claim_of(proof: Proof, name: str) -> Claim:
    """One of the claims."""
    return next(claim for claim in proof.claims if claim.name == name)


def wrong_claims(proof: Proof) -> list[str]:
    """Which claims are broken."""
    return [claim.name for claim in proof.claims if claim.verdict == "wrong"]


def with_card(number: int, *spots: Spot) -> list[Sample]:
    """The plain deck with other symbols on one card."""
    deck = make_deck()
    deck[number - 1] = deck[number - 1].with_spots(*spots)
    return deck


def test_an_honest_sheet_is_proved_in_every_point() -> None:
    """Cards, pairs, sight, gap, margin, variety and backs, with their figures."""
    proof = prove_pdf(make_sheet(make_deck(), Paper(backs=BACKS)))
    assert [(claim.name, claim.verdict) for claim in proof.claims] == [
        (name, "proved") for name in ("cards", "pairs", "sight", "gap", "margin", "variety", "backs")
    ]
    assert proof.verdict == "proved"
    assert claim_of(proof, "cards").figures["symbols"] == 7
    assert claim_of(proof, "pairs").what == "21 pairs of 7 cards share exactly one symbol"
    assert claim_of(proof, "variety").figures["spread"] == pytest.approx(16 / 12, abs=0.02)


@pytest.mark.parametrize("gap_mm", [1.3, 2.0, 5.0])
def test_the_gap_is_measured_between_the_printed_shapes(gap_mm: float) -> None:
    """Two discs of known size at a known distance, one of them turned."""
    spots = (Spot(0, -10.0, 0.0, 12.0), Spot(1, -10.0 + 13 + gap_mm, 0.0, 14.0, 33.0), Spot(2, 0.0, 20.0, 8.0))
    gap = claim_of(prove_pdf(make_sheet(with_card(1, *spots))), "gap")
    assert gap.figures["least_mm"] == pytest.approx(gap_mm, abs=0.05)
    assert gap.figures["card"] == 1


@pytest.mark.parametrize("cut", ["line", "spot", "trim"])
def test_the_margin_is_measured_to_the_cut_however_it_is_told(cut: str) -> None:
    """A hairline in the card, a spot plate, or the clipped card less its bleed."""
    spots = (Spot(0, 20.0, 0.0, 12.0), Spot(1, -10.0, 0.0, 12.0), Spot(2, 0.0, 16.0, 8.0))
    margin = claim_of(prove_pdf(make_sheet(with_card(1, *spots), Paper(cut=cut))), "margin")
    assert margin.verdict == "proved"
    assert margin.figures["least_mm"] == pytest.approx(4.0, abs=0.05)


def test_where_the_cut_is_nowhere_told_the_margin_is_unknown() -> None:
    """Neither right nor wrong."""
    proof = prove_pdf(make_sheet(make_deck(), Paper(cut="nothing")))
    assert claim_of(proof, "margin").verdict == "unknown"
    assert proof.verdict == "unknown"


FIRST = make_deck()[0].spots
DAMAGE = {
    "a symbol swapped for another": (with_card(1, FIRST[0], FIRST[1], replace(FIRST[2], form=3)), ["pairs"]),
    "a symbol missing": (with_card(1, FIRST[0], FIRST[1]), ["cards", "pairs"]),
    "a symbol twice": (with_card(1, FIRST[0], FIRST[1], replace(FIRST[2], form=1)), ["cards", "pairs"]),
    "a card twice": ([*make_deck()[:6], make_deck()[0]], ["cards", "pairs"]),
    "a card again under another number": ([*make_deck()[:6], replace(make_deck()[0], number=7)], ["pairs"]),
    "two symbols overlap by half a millimetre": (
        with_card(1, Spot(0, -8.0, 0.0, 12.0), Spot(1, 4.5, 0.0, 14.0), Spot(2, 0.0, 20.0, 8.0)),
        ["gap"],
    ),
    "two symbols a millimetre apart": (
        with_card(1, Spot(0, -8.0, 0.0, 12.0), Spot(1, 6.0, 0.0, 14.0), Spot(2, 0.0, 20.0, 8.0)),
        ["gap"],
    ),
    "a symbol inside another": (
        with_card(1, Spot(0, 0.0, -4.0, 30.0), Spot(1, 0.0, -4.0, 8.0), Spot(2, 0.0, 20.0, 8.0)),
        ["gap"],
    ),
    "a symbol scaled up over its neighbours": (
        with_card(1, replace(FIRST[0], size_mm=36.0), FIRST[1], FIRST[2]),
        ["gap", "margin"],
    ),
    "a symbol two millimetres from the cut": (
        with_card(1, Spot(0, 22.0, 0.0, 12.0), Spot(1, -10.0, 0.0, 12.0), Spot(2, 0.0, 20.0, 8.0)),
        ["margin"],
    ),
    "a symbol across the cut": (
        with_card(1, Spot(0, 27.0, 0.0, 12.0), Spot(1, -10.0, 0.0, 12.0), Spot(2, 0.0, 20.0, 8.0)),
        ["margin"],
    ),
    "a symbol beyond the cut": (
        with_card(1, Spot(0, 45.0, 0.0, 12.0), Spot(1, -10.0, 0.0, 12.0), Spot(2, 0.0, 20.0, 8.0)),
        ["margin"],
    ),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_damage_to_a_card_is_caught_by_the_right_claim(damage: str) -> None:
    """What is wrong is told with the card, and only that."""
    cards, broken = DAMAGE[damage]
    proof = prove_pdf(make_sheet(cards))
    assert wrong_claims(proof) == broken
    assert proof.verdict == "wrong"
    told = claim_of(proof, broken[0])
    assert "card 1" in told.what or "cards 1" in told.what
    assert told.pages == (1,)


COVER = "1 g -40 -40 80 80 re f"
HIDDEN = {
    "under a white patch": {"after": f"q {COVER} Q"},
    "under a broad white line": {"after": "q 1 G 90 w -60 0 m 60 0 l S Q"},
    "under a white picture": {"after": "q 90 0 0 90 -45 -45 cm BI /W 1 /H 1 /BPC 8 /CS /G ID \xff EI Q"},
    "under a form on the page": {"end": "q 1 0 0 1 113 113 cm /Cover Do Q"},
    "under a note": {"note": True},
    "clipped away": {"before": "0 0 1 1 re W n"},
    "half clipped": {"before": "-100 -100 90 200 re W n"},
    "fully transparent": {"before": "/Clear gs"},
    "on a layer that is off": {"before": "/OC /Off BDC", "after": "EMC"},
    "beside a drawing that is no symbol": {"after": "q 0.9 0.2 0.1 rg -5 -5 10 10 re f Q"},
}


def hide(data: bytes, before: str = "", after: str = "", end: str = "", note: bool = False) -> bytes:
    """Something done to the first card's symbols, which are all still drawn."""
    with Pdf.open(io.BytesIO(data)) as pdf:
        page = pdf.pages[0]
        cover = pdf.make_indirect(
            Stream(pdf, COVER.encode(), Type=Name.XObject, Subtype=Name.Form, BBox=Array([-40, -40, 40, 40]))
        )
        off = pdf.make_indirect(Dictionary(Type=Name.OCG, Name=String("off")))
        pdf.Root.OCProperties = Dictionary(OCGs=Array([off]), D=Dictionary(OFF=Array([off])))
        page.obj.Resources.Properties = Dictionary(Off=off)
        page.obj.Resources.ExtGState = Dictionary(Clear=Dictionary(ca=0, CA=0))
        page.obj.Resources.XObject["/Cover"] = cover
        if note:
            rect, look = Array([73, 73, 153, 153]), Dictionary(N=cover)
            page.obj.Annots = Array([Dictionary(Type=Name.Annot, Subtype=Name.Stamp, Rect=rect, AP=look, F=4)])
        content = page.Contents.read_bytes().decode("latin-1")
        first = content.index("q ", content.index("W n"))
        last = content.index("0 G 0.25 w")
        content = f"{content[:first]}q {before} {content[first:last]} {after} Q {content[last:]} {end}"
        page.Contents.write(content.encode("latin-1"))
        return save(pdf)


def test_what_hides_nothing_changes_nothing() -> None:
    """The same edits with nothing in them."""
    assert prove_pdf(hide(HONEST)).verdict == "proved"


@pytest.mark.parametrize("how", HIDDEN)
def test_symbols_that_are_drawn_but_not_seen_are_caught(how: str) -> None:
    """Whatever hides them, and whatever else is drawn among them: players see paper, not operators."""
    proof = prove_pdf(hide(HONEST, **HIDDEN[how]))  # type: ignore[arg-type]
    assert wrong_claims(proof) == ["sight"]
    assert "card 1" in claim_of(proof, "sight").what and "card 2" not in claim_of(proof, "sight").what


@pytest.mark.parametrize("color", ["1 1 1 rg", "0.99 g", ""])
def test_a_symbol_in_the_colour_of_the_card_is_missed(color: str) -> None:
    """White on white, or in whatever colour the card happens to have set."""
    with Pdf.open(io.BytesIO(HONEST)) as pdf:
        form = pdf.pages[0].Resources.XObject["/S4"]
        form.write(form.read_bytes().replace(b"0.4 0.5 0.6 rg", color.encode()))
        page = pdf.pages[0]
        page.Contents.write(page.Contents.read_bytes().replace(b"/S4 Do", b"1 g /S4 Do"))
        proof = prove_pdf(save(pdf))
    assert "nothing is seen of shape-4" in claim_of(proof, "cards").what


PAGES: dict[str, tuple[dict[str, Any], list[str]]] = {
    "cropped": ({"CropBox": Array([150, 0, 595, 842])}, ["sight"]),
    "turned against its back": ({"Rotate": 90}, ["backs"]),
}


@pytest.mark.parametrize("how", PAGES)
def test_a_page_that_prints_otherwise_than_it_is_drawn_is_caught(how: str) -> None:
    """Its boxes and its turn count as a printer counts them."""
    entries, broken = PAGES[how]
    with Pdf.open(io.BytesIO(HONEST)) as pdf:
        for key, value in entries.items():
            pdf.pages[0].obj[f"/{key}"] = value
        assert wrong_claims(prove_pdf(save(pdf))) == broken


def test_a_sheet_turned_as_a_whole_is_right() -> None:
    """Front and back alike: the paper does not care."""
    with Pdf.open(io.BytesIO(HONEST)) as pdf:
        for page in pdf.pages:
            page.obj.Rotate = 90
        assert prove_pdf(save(pdf)).verdict == "proved"


def test_a_card_that_lost_its_mark_is_missed() -> None:
    """Its symbols are still drawn, but on no card."""
    with Pdf.open(io.BytesIO(make_sheet(make_deck()))) as pdf:
        content = pdf.pages[0].Contents.read_bytes()
        pdf.pages[0].Contents.write(content.replace(b"/Card <</Number 3 ", b"/Note <</Number 3 "))
        proof = prove_pdf(save(pdf))
    assert "drawn outside all cards" in claim_of(proof, "cards").what


def test_a_larger_card_is_caught() -> None:
    """Everything on it is in proportion, and yet it is no card of this deck."""
    with Pdf.open(io.BytesIO(make_sheet(make_deck()))) as pdf:
        content = pdf.pages[0].Contents.read_bytes()
        pdf.pages[0].Contents.write(content.replace(b"/Card <</Number 3 ", b"1.1 0 0 1.1 0 0 cm /Card <</Number 3 "))
        proof = prove_pdf(save(pdf))
    assert claim_of(proof, "cards").what == "card 3 is not as large as the others"


def test_the_last_page_of_cards_without_a_line_is_measured_to_its_cut() -> None:
    """Where it holds few cards, the trim box is far from most of them."""
    near = (Spot(0, 22.0, 0.0, 12.0), Spot(1, -10.0, 0.0, 12.0), Spot(2, 0.0, 20.0, 8.0))
    with Pdf.open(io.BytesIO(make_sheet(with_card(1, *near), Paper(cut="trim")))) as pdf:
        page = pdf.pages[0]
        left, bottom, _, _ = map(float, page.TrimBox)
        page.obj.TrimBox = Array([left, bottom, 595, 842])
        assert wrong_claims(prove_pdf(save(pdf))) == ["margin"]


BAD_BACKS = {
    "one back three millimetres off": (*BACKS[:6], BackSample(x_mm=3.0)),
    "one back turned": (*BACKS[:6], BackSample(turn_deg=60.0)),
    "one back of another colour": (*BACKS[:6], BackSample(color="0.6 0.3 0.1 rg")),
    "one back missing": BACKS[:6],
    "one back of another deck": (*BACKS[:6], BackSample(deck="d2")),
    "all backs far off": (BackSample(x_mm=30.0, y_mm=9.0),) * 7,
}


@pytest.mark.parametrize("damage", BAD_BACKS)
def test_damage_to_a_back_is_caught(damage: str) -> None:
    """Backs lie behind their fronts and betray nothing."""
    proof = prove_pdf(make_sheet(make_deck(), Paper(backs=BAD_BACKS[damage])))
    assert wrong_claims(proof) == ["backs"]


def test_backs_shifted_for_a_printer_are_told_and_right() -> None:
    """A correction moves all backs alike."""
    backs = claim_of(prove_pdf(make_sheet(make_deck(), Paper(backs=(BackSample(0.6, -0.8),) * 7))), "backs")
    assert backs.verdict == "proved"
    assert backs.figures["shift_mm"] == pytest.approx(1.0, abs=0.02)


def test_copies_are_compared_each_with_itself() -> None:
    """Cards of two copies share all their symbols, and that is right."""
    cards = [
        *make_deck()[:3],
        *(replace(card, mark=card.mark.replace("/Copy 1", "/Copy 2")) for card in make_deck()[:3]),
    ]
    proof = prove_pdf(make_sheet(cards))
    assert proof.verdict == "proved"
    assert claim_of(proof, "pairs").figures["pairs"] == 6


def test_copies_that_differ_are_wrong() -> None:
    """A card of the second copy is not the card of the first."""
    second = [replace(card, mark=card.mark.replace("/Copy 1", "/Copy 2")) for card in make_deck()]
    other = replace(second[3], number=2)
    proof = prove_pdf(make_sheet([*make_deck()[:3], second[0], other, second[2]]))
    assert "card 2 is not the same in every copy" in claim_of(proof, "cards").what


def test_decks_on_one_sheet_need_share_nothing() -> None:
    """Two decks with symbols of their own."""
    paper = Paper(names=tuple(f"shape-{i}" for i in range(14)), colors=tuple(range(14)))
    cards = [*make_deck()[:3], *make_deck("/Deck (d2) /Copy 1", 7)[:4]]
    proof = prove_pdf(make_sheet(cards, paper))
    assert proof.verdict == "proved"
    assert claim_of(proof, "pairs").what == "9 pairs of 7 cards in 2 decks share exactly one symbol"


def test_without_marks_decks_are_guessed_or_left_open() -> None:
    """Cards that hang together are a deck; what does not fit is unknown, not wrong."""
    plain = [replace(card, mark="") for card in make_deck()]
    assert claim_of(prove_pdf(make_sheet(plain)), "pairs").verdict == "proved"
    plain[0] = plain[0].with_spots(FIRST[0], FIRST[1], replace(FIRST[2], form=3))
    assert claim_of(prove_pdf(make_sheet(plain)), "pairs").verdict == "unknown"


def make_faces() -> list[Sample]:
    """Symbol 0 has two faces: form 0 on the first card, form 7 on the others."""
    deck = make_deck()
    return [
        deck[0],
        *(card.with_spots(*(replace(s, form=7) if s.form == 0 else s for s in card.spots)) for card in deck[1:]),
    ]


def test_two_faces_are_one_symbol_when_the_file_says_so() -> None:
    """Without their marks nobody can tell; with a name of their own they are wrong."""
    shapes = tuple(f"shape-{i}" for i in range(7))
    colors = tuple(range(8))
    same = prove_pdf(make_sheet(make_faces(), Paper(names=(*shapes, "shape-0"), colors=colors)))
    assert claim_of(same, "pairs").verdict == "proved"
    nameless = prove_pdf(make_sheet(make_faces(), Paper(names=("",) * 8, colors=colors)))
    assert claim_of(nameless, "pairs").verdict == "unknown"
    other = prove_pdf(make_sheet(make_faces(), Paper(names=(*shapes, "shape-7"), colors=colors)))
    assert claim_of(other, "pairs").verdict == "wrong"


def test_without_names_two_common_pictures_are_wrong_all_the_same() -> None:
    """Faces can explain that nothing is shared, never that too much is."""
    cards = with_card(1, FIRST[0], FIRST[1], replace(FIRST[2], form=3))
    assert claim_of(prove_pdf(make_sheet(cards, Paper(names=("",) * 7))), "pairs").verdict == "wrong"


def test_equal_pictures_are_one_symbol_whatever_they_are_called() -> None:
    """Players see what is drawn: a match would have two answers."""
    proof = prove_pdf(make_sheet(make_deck(), Paper(colors=(0, 1, 2, 2, 4, 5, 6))))
    assert "pairs" in wrong_claims(proof)


def test_a_symbol_that_shows_nothing_is_missed() -> None:
    """An empty form is drawn, but no player finds it."""
    proof = prove_pdf(make_sheet(make_deck(), Paper(empty=(4,))))
    assert "cards" in wrong_claims(proof)
    assert "nothing is seen of shape-4" in claim_of(proof, "cards").what


def test_more_room_can_be_asked_for_than_the_file_promises() -> None:
    """The shop's own demand counts where it is higher."""
    data = make_sheet(make_deck())
    assert wrong_claims(prove_pdf(data, Demands(gap_mm=12.0))) == ["gap"]
    assert wrong_claims(prove_pdf(data, Demands(margin_mm=15.0))) == ["margin"]
    assert wrong_claims(prove_pdf(data, Demands(gap_mm=5.0, margin_mm=5.0))) == []


def test_upright_symbols_of_one_size_are_a_statistic_not_a_fault() -> None:
    """A theme may want it so."""
    calm = [card.with_spots(*(replace(s, size_mm=14.0, turn_deg=0.0) for s in card.spots)) for card in make_deck()]
    proof = prove_pdf(make_sheet(calm))
    assert claim_of(proof, "variety").verdict == "none"
    assert claim_of(proof, "variety").figures["differ_in_size"] == 0
    assert proof.verdict == "proved"


def impose(data: bytes, scale: float) -> bytes:
    """The first page as a form on a larger sheet, as imposition programs do."""
    with Pdf.open(io.BytesIO(data)) as pdf, Pdf.new() as sheet:
        form = sheet.copy_foreign(pdf.pages[0].as_form_xobject())
        page = sheet.add_blank_page(page_size=(1200, 1700))
        page.obj.Resources = Dictionary(XObject=Dictionary(P=form))
        page.obj.Contents = sheet.make_stream(f"q 0 {scale} {-scale} 0 1000 30 cm /P Do Q".encode())
        return save(sheet)


def test_an_imposed_sheet_still_proves() -> None:
    """Cards inside forms are found; lengths are those of the card, however it is scaled and turned."""
    proof = prove_pdf(impose(make_sheet(make_deck()), 0.8))
    assert proof.verdict == "proved"
    plain = claim_of(prove_pdf(make_sheet(make_deck())), "gap").figures["least_mm"]
    assert claim_of(proof, "gap").figures["least_mm"] == pytest.approx(plain, abs=0.05)


def test_marks_may_be_kept_with_the_resources() -> None:
    """Some programs move the dictionaries of marks there."""
    with Pdf.open(io.BytesIO(make_sheet(make_deck()))) as pdf:
        page = pdf.pages[0]
        content, marks = page.Contents.read_bytes(), Dictionary()
        for number in range(1, 8):
            mark = f"<</Number {number} /Deck (d1) /Copy 1 /Gap 1.5 /Margin 3>>".encode()
            assert mark in content
            content = content.replace(mark, f"/M{number}".encode())
            marks[f"/M{number}"] = pikepdf.Object.parse(mark)
        page.obj.Resources.Properties = marks
        page.Contents.write(content)
        assert prove_pdf(save(pdf)).verdict == "proved"


def test_images_drawn_without_forms_are_symbols_too() -> None:
    """A picture is a picture: here they are square."""
    with Pdf.open(io.BytesIO(make_sheet(make_deck()))) as pdf:
        forms = pdf.pages[0].Resources.XObject
        for i in range(7):
            entries = {"Width": 1, "Height": 1, "BitsPerComponent": 8, "ColorSpace": Name.DeviceGray}
            forms[f"/S{i}"] = pdf.make_indirect(Stream(pdf, bytes([i * 9]), Subtype=Name.Image, **entries))
        proof = prove_pdf(save(pdf))
    assert [claim_of(proof, name).verdict for name in ("cards", "pairs", "gap", "margin")] == ["proved"] * 4
    discs = claim_of(prove_pdf(make_sheet(make_deck())), "gap").figures["least_mm"]
    assert claim_of(proof, "gap").figures["least_mm"] < discs - 1


def test_a_file_without_marked_cards_proves_nothing() -> None:
    """Cannot tell is neither right nor wrong."""
    with Pdf.new() as pdf:
        pdf.add_blank_page()
        proof = prove_pdf(save(pdf))
    assert proof.verdict == "unknown"
    assert describe(proof)[0].startswith("cannot tell  cards")


@pytest.mark.parametrize(
    ("data", "words"), [(b"hello", "not a PDF"), (b"%PDF-1.7\nrubbish", "damaged"), (b"%PDF-1.4\n%%EOF", "damaged")]
)
def test_what_cannot_be_read_is_refused_in_plain_words(data: bytes, words: str) -> None:
    """No traceback for a broken file."""
    with pytest.raises(UsageError, match=words):
        prove_pdf(data)


@pytest.mark.parametrize("number", ["1e9999", "(x)", "/Nonsense", "-0"])
def test_operands_that_make_no_sense_never_crash(number: str) -> None:
    """A matrix of rubbish is refused or proves nothing right."""
    with Pdf.open(io.BytesIO(make_sheet(make_deck()))) as pdf:
        content = pdf.pages[0].Contents.read_bytes()
        pdf.pages[0].Contents.write(content.replace(b"/S0 Do", f"q {number} 0 0 0 0 0 cm /S0 Do Q".encode(), 1))
        data = save(pdf)
    try:
        assert prove_pdf(data).verdict != "proved"
    except UsageError as error:
        assert "damaged" in str(error)


def test_a_locked_file_is_told_so() -> None:
    """A password is asked for in words."""
    sink = io.BytesIO()
    with Pdf.open(io.BytesIO(make_sheet(make_deck()))) as pdf:
        pdf.save(sink, encryption=pikepdf.Encryption(owner="a", user="b"))
    with pytest.raises(UsageError, match="password"):
        prove_pdf(sink.getvalue())


def test_forms_that_draw_themselves_without_end_are_refused() -> None:
    """A trap is found before it costs time."""
    with Pdf.open(io.BytesIO(make_sheet(make_deck()[:1]))) as pdf:
        page = pdf.pages[0]
        box = {"Subtype": Name.Form, "BBox": Array([0, 0, 600, 900])}
        form = pdf.make_indirect(Stream(pdf, page.Contents.read_bytes(), Resources=page.Resources, **box))
        for _ in range(14):
            inner = Dictionary(XObject=Dictionary(F=form))
            form = pdf.make_indirect(Stream(pdf, b"/F Do /F Do", Resources=inner, **box))
        page.obj.Resources = Dictionary(XObject=Dictionary(F=form))
        page.obj.Contents = pdf.make_stream(b"/F Do")
        data = save(pdf)
    with pytest.raises(UsageError, match="without end"):
        prove_pdf(data)


@given(st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 255)), min_size=1, max_size=6))
def test_damaged_bytes_are_proved_or_refused_but_never_crash(hits: list[tuple[int, int]]) -> None:
    """Any byte may be any other: in words, a verdict or a refusal."""
    data = bytearray(HONEST)
    for place, value in hits:
        data[place % len(data)] = value
    try:
        assert prove_pdf(bytes(data)).claims
    except UsageError as error:
        assert str(error)


@given(st.lists(st.tuples(st.integers(0, 10**6), st.sampled_from(JUNK)), min_size=1, max_size=4))
def test_damaged_content_is_proved_or_refused_but_never_crashes(hits: list[tuple[int, bytes]]) -> None:
    """Operators and numbers in the wrong place, with the file around them intact."""
    with Pdf.open(io.BytesIO(HONEST)) as pdf:
        words = pdf.pages[0].Contents.read_bytes().split(b" ")
        for place, word in hits:
            words[place % len(words)] = word
        pdf.pages[0].Contents.write(b" ".join(words))
        data = save(pdf)
    try:
        assert prove_pdf(data).claims
    except UsageError as error:
        assert str(error)


def test_more_cards_than_any_deck_has_are_refused() -> None:
    """Every pair is compared, so there must be an end."""
    card = make_deck()[0]
    with Pdf.open(io.BytesIO(make_sheet([card]))) as pdf:
        content = pdf.pages[0].Contents.read_bytes()
        pdf.pages[0].Contents.write(content * 1001)
        data = save(pdf)
    with pytest.raises(UsageError, match="more cards or symbols than any deck"):
        prove_pdf(data)


def test_the_cut_of_a_machine_counts_before_the_printed_line() -> None:
    """A cut path moved by three millimetres takes the margin with it."""
    spots = (Spot(0, 19.0, 0.0, 12.0), Spot(1, -10.0, 0.0, 12.0), Spot(2, 0.0, 16.0, 8.0))
    data = make_sheet(with_card(1, *spots), Paper(cut="spot"))
    assert prove_pdf(data).verdict == "proved"
    with Pdf.open(io.BytesIO(data)) as pdf:
        page = pdf.pages[0]
        page.contents_coalesce()
        old = f"q 1 0 0 1 {mm_to_pt(40.0)} {mm_to_pt(40.0)} cm /K CS".encode()
        content = page.Contents.read_bytes()
        assert old in content
        page.Contents.write(content.replace(old, f"q 1 0 0 1 {mm_to_pt(37.0)} {mm_to_pt(40.0)} cm /K CS".encode()))
        proof = prove_pdf(save(pdf))
    assert wrong_claims(proof) == ["margin"]
    assert claim_of(proof, "margin").figures["least_mm"] == pytest.approx(2.0, abs=0.06)


def test_the_proof_reads_as_lines_and_as_data() -> None:
    """One line a claim and one that sums up; the same for programs."""
    proof = prove_pdf(make_sheet(make_deck()))
    lines = describe(proof)
    assert len(lines) == len(proof.claims) + 1
    assert lines[1] == "proved       pairs     21 pairs of 7 cards share exactly one symbol"
    told = proof.as_dict()
    assert told["verdict"] == "proved"
    assert [claim["claim"] for claim in told["claims"]] == [claim.name for claim in proof.claims]
    assert math.isfinite(told["claims"][3]["figures"]["least_mm"])
