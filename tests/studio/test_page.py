"""The page of the studio as a teacher uses it, in a real browser: from nothing to a game that is printed."""

from __future__ import annotations

import base64
import io
import re
import time
import zipfile
from pathlib import Path
from typing import Any

import pikepdf
from PIL import Image, ImageDraw
from playwright.sync_api import Browser, Route, expect

from dobble_print import verify_pdf
from dobble_print.verify.scan import scan_pages
from tests.hostile.test_formats import make_heic
from tests.studio.conftest import Studio, Visit, Visits

SEVEN = "dog\ncat\nrabbit\nduck\napple\nbanana\nkey"
THIRTY_ONE = [
    *("dog", "cat", "rabbit", "duck", "hedgehog", "butterfly", "ladybird", "apple", "strawberry", "banana", "carrot"),
    *("cheese", "bread", "house", "key", "umbrella", "book", "pencil", "scissors", "clock", "bicycle", "train"),
    *("rocket", "sun", "tree", "guitar", "rainbow", "football", "snail", "frog", "whale"),
]


def draw_photo(number: int) -> bytes:
    """Return a photo of its own, with enough pixels to print."""
    picture = Image.new("RGB", (700, 700), (240, 240, 235))
    draw = ImageDraw.Draw(picture)
    shade = (number * 37 % 200, number * 91 % 200, number * 53 % 200)
    draw.regular_polygon((350, 350, 300), 3 + number % 6, rotation=number * 17, fill=shade)
    draw.ellipse((250 + number * 5, 250, 400 + number * 5, 400), fill=(255, 255, 255))
    sink = io.BytesIO()
    picture.save(sink, "JPEG", quality=80)
    return sink.getvalue()


def drop(found: Visit, files: dict[str, bytes], selector: str = "main") -> None:
    """Drop files on the page as a file manager does."""
    packed = [[name, base64.b64encode(data).decode()] for name, data in files.items()]
    transfer = found.page.evaluate_handle(
        """(packed) => {
            const transfer = new DataTransfer();
            for (const [name, data] of packed) {
                const bytes = Uint8Array.from(atob(data), (c) => c.charCodeAt(0));
                transfer.items.add(new File([bytes], name, { type: name.endsWith("jpg") ? "image/jpeg" : "" }));
            }
            return transfer;
        }""",
        packed,
    )
    for kind in ("dragenter", "dragover", "drop"):
        found.page.dispatch_event(selector, kind, {"dataTransfer": transfer})


def ask(found: Visit, path: str) -> Any:
    """Return what the API tells the page."""
    answer = found.page.request.get(f"{found.studio.origin}/api/{path}")
    assert answer.ok, answer.text()
    return answer.json()


def find_game(found: Visit) -> str:
    """Return the id of the game that is open."""
    game = re.search(r"game=([^#&]+)", found.page.url)
    assert game
    return game[1]


def download(found: Visit) -> dict[str, bytes]:
    """Download everything, as soon as it is ready."""
    found.page.wait_for_selector("#all:not([aria-disabled])")
    with found.page.expect_download() as coming:
        found.page.click("#all")
    with zipfile.ZipFile(coming.value.path()) as packed:
        return {Path(name).name: packed.read(name) for name in packed.namelist()}


def untick(found: Visit, *labels: str) -> None:
    """Take ticks away before the game is made."""
    for label in labels:
        found.page.get_by_role("checkbox", name=re.compile(label)).uncheck()


def test_cards_appear_as_soon_as_words_are_there(visit: Visits) -> None:
    """Seven words make seven cards, and the line and the ladder count along while one types."""
    found = visit()
    found.open()
    found.page.fill("#first", "dog, cat, rabbit")
    expect(found.page.locator("#count")).to_have_text("3 words so far. Four more and you can try it.")
    found.page.fill("#first", SEVEN)
    expect(found.page.locator("#count")).to_have_text("7 symbols: 7 cards of 3. A full deck.")
    expect(found.page.locator("#start-ladder li.here")).to_have_text("7 cards of 3")
    found.page.click("#make-cards")
    expect(found.page.locator("#line")).to_contain_text("7 symbols: 7 cards of 3. A full deck.")
    expect(found.page.locator("#mini .card")).to_have_count(7)
    expect(found.page.locator("#tiles .tile b").first).to_have_text("dog")
    expect(found.page.locator("#saved")).to_have_text("Saved")


def test_thirty_one_typed_words_become_a_proved_deck(visit: Visits) -> None:
    """From the empty page to the files: everything is downloaded, and the sheets prove themselves."""
    found = visit()
    found.open()
    found.page.click("#first")
    for word in THIRTY_ONE:
        found.page.keyboard.type(f"{word}\n")
    found.page.keyboard.press("Control+Enter")
    expect(found.page.locator("#mini .card")).to_have_count(31)
    found.page.fill("#title", "Our words")
    found.page.keyboard.press("Enter")
    found.go("game")
    untick(found, "Rules", "Poster")
    expect(found.page.locator("#proof")).to_have_text("Checked: all 465 pairs of cards share exactly one symbol.")
    files = download(found)
    proof = verify_pdf(files["cards.pdf"])
    assert proof.verdict == "proved"
    assert sorted(draw_cards(files["cards.pdf"])) == list(range(1, 32))
    expect(found.page.locator("#files .file")).to_have_count(2)
    found.page.click("#files .file:first-child .pages")
    expect(found.page.locator("#dialog .page-list li")).to_have_count(12)


def test_twenty_dropped_photos_become_symbols_with_their_names(visit: Visits) -> None:
    """JPEG and HEIC; names come from the files; the line says what twenty give, and what one more would."""
    found = visit()
    found.open()
    photos = {f"child-{chr(97 + number)}.jpg": draw_photo(number) for number in range(19)}
    drop(found, photos | {"child-t.heic": make_heic(1200, 900)})
    expect(found.page.locator("#tiles .tile[data-id], #look-list .tile, #waiting .tile")).to_have_count(20)
    expect(found.page.locator(".tile[data-name]").first).to_have_attribute("data-name", re.compile("child.a", re.I))
    found.page.wait_for_selector("#mini .card", state="attached")
    expect(found.page.locator("#line")).to_contain_text("20 symbols: 16 cards of 5. One more gives 21 cards of 5.")
    drop(found, {"notes.docx": b"no picture"})
    expect(found.page.locator(".notice")).to_contain_text("“notes.docx” is not a picture.")


PASTE = """(text) => {
    const data = new DataTransfer();
    data.setData("text/plain", text);
    document.activeElement.blur();
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
}"""


def test_an_answer_that_comes_after_its_pictures_does_not_hide_them(visit: Visits) -> None:
    """The stream of events may be quicker than the answer to the change that it tells of."""
    found = visit()
    found.begin(SEVEN)

    def answer_late(route: Route) -> None:
        if route.request.method == "GET":
            route.continue_()
            return
        answer = route.fetch()
        time.sleep(1.5)
        route.fulfill(response=answer)

    found.page.route("**/api/decks/**", answer_late)
    found.page.fill("#word", "snail")
    found.page.keyboard.press("Enter")
    expect(found.page.locator('.tile[data-name="snail"] .art img')).to_be_visible()


def test_a_pasted_table_brings_two_languages(visit: Visits) -> None:
    """Columns of a spreadsheet become names in two languages; what was there is told."""
    found = visit()
    found.open()
    french = ["chien", "chat", "lapin", "canard", "pomme", "banane", "clé"]
    table = "\n".join(f"{one}\t{other}" for one, other in zip(SEVEN.split(), french, strict=True))
    found.page.evaluate(PASTE, table)
    expect(found.page.locator("#names .chip")).to_have_text(["English", "French", "+"])
    expect(found.page.locator("#tiles .tile i").first).to_have_text("chien")
    found.page.fill("#word", "dog, sun, cat")
    found.page.keyboard.press("Enter")
    expect(found.page.locator("#line")).to_have_text("Added sun. Two were there already.")
    found.page.evaluate(PASTE, "1. snail, frog\n2. owl; chien\n")
    expect(found.page.locator("#line")).to_have_text("Added snail, frog and owl. One was there already.")


def test_a_shared_game_opens_with_its_words_and_pictures(visit: Visits, tmp_path: Path) -> None:
    """What "Save to share" gives is opened from the menu, in a game of its own."""
    found = visit()
    found.begin(SEVEN)
    found.page.fill("#title", "Shared with you")
    found.page.keyboard.press("Enter")
    expect(found.page.locator("#undo")).to_have_attribute("aria-label", "Undo: Name of the game")
    found.go("game")
    with found.page.expect_download() as coming:
        found.page.click("#save-to-share")
    packed = tmp_path / "shared.zip"
    coming.value.save_as(packed)
    first = found.page.url
    found.page.click("#more")
    with found.page.expect_file_chooser() as chooser:
        found.page.click("#menu-open")
    chooser.value.set_files(packed)
    expect(found.page).not_to_have_url(first)
    expect(found.page.locator("body")).to_have_attribute("data-place", "list")
    expect(found.page.locator("#title")).to_have_value("Shared with you")
    expect(found.page.locator("#mini .card")).to_have_count(7)


def test_steps_are_undone_and_redone_after_the_program_was_killed(
    browser: Browser, tmp_path_factory: Any, visit: Visits
) -> None:
    """A killed studio says so on the page; started again, it has every step, and makes the game it was making."""
    own = Studio(tmp_path_factory.mktemp("killed"))
    own.start()
    try:
        page = browser.new_context(locale="en-GB").new_page()
        found = Visit(page, own)
        page.set_default_timeout(60_000)
        found.begin(SEVEN)
        page.fill("#word", "sun")
        page.keyboard.press("Enter")
        expect(page.locator("#n-list")).to_have_text("8")
        page.focus("#tiles .tile .face")
        page.keyboard.press("Delete")
        expect(page.locator("#line")).to_contain_text("Removed “dog”.")
        found.go("game")
        expect(page.locator("#progress")).to_be_visible()
        untick(found, "Rules", "Poster")
        own.kill()
        expect(page.locator(".notice")).to_contain_text("The studio has stopped.")
        own.start()
        page.click(".notice >> text=Try again")
        expect(page.locator(".notice")).to_have_count(0)
        expect(page.locator("#h-make")).to_have_text("Your game is ready")
        page.reload()
        expect(page.locator("#n-list")).to_have_text("7")
        for left, name in (("8", "dog"), ("7", "sun")):
            page.keyboard.press("Control+z")
            expect(page.locator("#n-list")).to_have_text(left)
            expect(page.locator(f'.tile[data-name="{name}"]')).to_have_count(1 if name == "dog" else 0)
        page.keyboard.press("Control+Shift+z")
        expect(page.locator("#n-list")).to_have_text("8")
        page.context.close()
    finally:
        own.stop()


def test_another_picture_changes_only_its_own_cards(visit: Visits) -> None:
    """A replaced drawing moves nothing on the cards without it, on the page and in the PDF."""
    found = visit()
    found.begin("\n".join(THIRTY_ONE[:13]))
    expect(found.page.locator("#mini .card")).to_have_count(13)
    found.go("game")
    untick(found, "Rules", "Poster")
    before, first = ask(found, f"decks/{find_game(found)}/cards"), download(found)
    holding = {card["n"] for card in before["cards"] if "rabbit" in [spot[1] for spot in card["spots"]]}
    found.go("list")
    found.page.click('.tile[data-id="rabbit"] .face')
    found.page.click("#editor >> text=Other drawing")
    found.page.fill("#search-drawings", "sailing boat")
    found.page.click(".found button >> nth=0")
    expect(found.page.locator('.tile[data-id="rabbit"] b')).to_have_text("sailing boat")
    expect(found.page.locator("body")).not_to_have_class("cards-late")
    after = before
    while after["key"] == before["key"]:
        found.page.wait_for_timeout(100)
        after = ask(found, f"decks/{find_game(found)}/cards")
    pairs = zip(before["cards"], after["cards"], strict=True)
    assert {one["n"] for one, other in pairs if one["spots"] != other["spots"]} == holding
    found.go("game")
    second = download(found)
    drawn = [draw_cards(files["cards.pdf"]) for files in (first, second)]
    assert {number for number, look in drawn[0].items() if drawn[1][number] != look} == holding


def draw_cards(pdf: bytes) -> dict[int, list[tuple[float, ...]]]:
    """Return where the symbols of each card are drawn, by its number."""
    with pikepdf.open(io.BytesIO(pdf)) as opened:
        cards = [card for page in scan_pages(opened) for card in page.cards]
    return {
        card.number: [tuple(round(part, 2) for part in spot.matrix.shorthand) for spot in card.placed] for card in cards
    }


def test_two_tabs_show_the_same_game(visit: Visits) -> None:
    """What one tab changes is on the other at once, and undo is shared."""
    one = visit()
    one.begin(SEVEN)
    other = one.page.context.new_page()
    other.goto(one.page.url)
    expect(other.locator("#n-list")).to_have_text("7")
    one.page.fill("#word", "sun")
    one.page.keyboard.press("Enter")
    expect(other.locator("#n-list")).to_have_text("8")
    other.click("#undo")
    expect(one.page.locator("#n-list")).to_have_text("7")


def test_two_cards_that_are_clicked_show_what_they_share(visit: Visits) -> None:
    """The match is ringed on both cards, and said in a sentence; Escape clears."""
    found = visit()
    found.begin(SEVEN)
    found.go("cards")
    found.page.click('#deck [data-n="1"]')
    expect(found.page.locator("#dock")).to_contain_text("Click another card to see what they share.")
    found.page.click('#deck [data-n="2"]')
    expect(found.page.locator("#dock .ring.in")).to_have_count(2)
    expect(found.page.locator("#deck .ring.in")).to_have_count(2)
    said = found.page.inner_text("#dock .say strong").strip()
    names = [found.page.get_attribute(f'#deck [data-n="{n}"]', "aria-label") or "" for n in (1, 2)]
    assert set(re.split(": |, ", names[0])[1:]) & set(re.split(": |, ", names[1])[1:]) == {said}
    found.page.keyboard.press("Escape")
    expect(found.page.locator("#dock")).to_be_hidden()


def test_looks_change_the_cards_and_shuffle_can_be_undone(visit: Visits) -> None:
    """Shape, colours and letters are steps like any other; the views of others' eyes are filters."""
    found = visit()
    found.begin(SEVEN)
    found.go("cards")
    found.page.get_by_label("Hexagon").check(force=True)
    expect(found.page.locator("#deck .cardbtn.hex")).to_have_count(7)
    found.page.click("[aria-label='Teal']")
    expect(found.page.locator("#deck .card polygon[fill='#00798c']")).to_have_count(7)
    before = found.page.get_attribute('#deck [data-n="1"]', "data-cards")
    found.page.click("#shuffle")
    expect(found.page.locator('#deck [data-n="1"]')).not_to_have_attribute("data-cards", before or "")
    found.page.click("#undo")
    expect(found.page.locator('#deck [data-n="1"]')).to_have_attribute("data-cards", before or "")
    with found.page.expect_file_chooser() as chooser:
        found.page.click("text=Logo…")
    chooser.value.set_files({"name": "logo.jpg", "mimeType": "image/jpeg", "buffer": draw_photo(4)})
    expect(found.page.locator("#undo")).to_have_attribute("aria-label", "Undo: Another back")
    found.page.select_option("#view", "copy")
    expect(found.page.locator("#deck .card").first).to_have_css("filter", re.compile("grayscale"))
    found.page.select_option("#view", "cvd")
    expect(found.page.locator("#deck .card").first).to_have_css("filter", re.compile("red-green-blind"))
