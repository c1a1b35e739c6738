"""Problems are sentences with the buttons that solve them: every one of "worth a look" and of "cannot" is provoked."""

from __future__ import annotations

import io
import zipfile

from PIL import Image, ImageDraw
from playwright.sync_api import Page, expect

from tests.studio.conftest import Visits
from tests.studio.test_hostile import EVIL_SVG
from tests.studio.test_page import SEVEN, draw_photo, drop, find_game

FIND_REMARK = """sentence => {
    if (document.querySelector("#look-list").textContent.replace(/\\s+/g, " ").includes(sentence)) return true;
    document.querySelector("#look-more button")?.click();
    return false;
}"""


def find_remark(page: Page, sentence: str) -> None:
    """Wait for a remark, whichever place it has among the others; they come and go while it is looked for."""
    page.wait_for_function(FIND_REMARK, arg=sentence, polling=100)


def press(page: Page, sentence: str, label: str) -> None:
    """Press a button of the remark with this sentence."""
    page.locator("#look-list .tile", has_text=sentence).get_by_role("button", name=label, exact=True).click()


def make_picture(color: tuple[int, int, int], pixels: int, corner: int = 0) -> bytes:
    """Return a picture of one colour, perhaps with a corner that tells it from others."""
    picture = Image.new("RGB", (pixels, pixels), color)
    picture.paste((0, 0, 0), (0, 0, corner, corner))
    sink = io.BytesIO()
    picture.save(sink, "PNG")
    return sink.getvalue()


def test_words_that_need_a_look_are_mended_with_one_press(visit: Visits) -> None:
    """A slip, a word without a drawing, a look-alike, and a long one."""
    found = visit()
    found.begin(f"{SEVEN}\nhegdehog\nliberty\ntomato\nconstitutional monarchy")
    page = found.page
    find_remark(page, "No drawing is called “hegdehog”. Did you mean hedgehog?")
    press(page, "“hegdehog”", "Use hedgehog")
    expect(page.locator('.tile[data-name="hedgehog"]')).to_have_count(1)
    find_remark(page, "No drawing is called “liberty”")
    press(page, "“liberty”", "Keep")
    expect(page.locator("#look-list")).not_to_contain_text("“liberty”")
    find_remark(page, "Hard to tell from apple at a glance. For young children, change one.")
    press(page, "Hard to tell from apple", "See both")
    expect(page.locator("#dialog .twins img")).to_have_count(2)
    page.keyboard.press("Escape")
    press(page, "Hard to tell from apple", "Change tomato")
    expect(page.locator("#search-drawings")).to_be_focused()
    page.keyboard.press("Escape")
    find_remark(page, "Long for a card: shorter words print larger.")
    press(page, "Long for a card", "Keep")
    find_remark(page, "No drawing is called “constitutional monarchy”; it prints as a word.")
    press(page, "“constitutional monarchy”", "Keep")
    expect(page.locator("#look-list .tile")).to_have_count(1)


def test_sums_are_worked_out(visit: Visits) -> None:
    """A wrong answer is put right, and two sums with one answer become one."""
    found = visit()
    found.begin(
        "3 x 4 = 13\n2 x 6 = 12\n5 x 6 = 30\n6 x 7 = 42\n7 x 8 = 56\n8 x 9 = 72\n9 x 9 = 81\n5 x 5 = 25\n2 x 2 = 4"
    )
    page = found.page
    find_remark(page, "3 × 4 is 12, not 13.")
    expect(page.get_by_role("button", name="for me")).to_have_count(0)
    press(page, "not 13", "Use 12")
    find_remark(page, "a match would have two answers")
    press(page, "two answers", "Make them one")
    expect(page.locator("#n-list")).to_have_text("8")


def test_pictures_that_print_badly_or_twice_are_told(visit: Visits) -> None:
    """Small, pale, the same again, without a name in a new language, and what is no picture at all."""
    found = visit()
    found.begin(SEVEN)
    page = found.page
    drop(found, {"tiny.png": make_picture((200, 30, 30), 40, 20), "ghost.png": make_picture((253, 253, 253), 900)})
    find_remark(page, "This photo is small and will print blurred.")
    find_remark(page, "Too pale to see on this card.")
    press(page, "Too pale", "Change the card")
    expect(page.locator("body")).to_have_attribute("data-place", "cards")
    found.go("list")
    twin = draw_photo(3)
    drop(found, {"one.jpg": twin, "other.jpg": twin})
    find_remark(page, "The same picture as")
    press(page, "The same picture as", "Remove other")
    expect(page.locator('.tile[data-id="other"]')).to_have_count(0)
    page.click("#names button:has-text('+')")
    page.click("#dialog button:has-text('French')")
    find_remark(page, "No French name yet.")
    page.get_by_label("one: French").fill("un")
    page.keyboard.press("Enter")
    expect(page.locator('.tile[data-name="one"] i')).to_have_text("un")
    drop(found, {"evil.svg": EVIL_SVG.encode()})
    evil = page.locator('.tile[data-id="evil"] img')
    expect(evil).to_have_js_property("complete", True)
    assert evil.evaluate("(image) => image.naturalWidth") > 0, "it is shown, without what would run in it"
    other = page.context.new_page()
    other.goto(f"{found.studio.origin}{evil.get_attribute('src')}")
    assert not other.locator("script, foreignObject").count() and other.evaluate("origin") == "null"
    other.close()
    drop(found, {"broken.jpg": b"\xff\xd8 no more than this", "notes.docx": b"words"})
    expect(page.locator(".notices")).to_contain_text("“notes.docx” is not a picture.")
    expect(page.locator(".notices")).to_contain_text("“broken.jpg”")


def make_ball(color: str) -> bytes:
    """Return a ball of a colour."""
    picture, sink = Image.new("RGB", (400, 400), "white"), io.BytesIO()
    ImageDraw.Draw(picture).ellipse((40, 40, 360, 360), fill=color)
    picture.save(sink, "PNG")
    return sink.getvalue()


def test_many_remarks_are_few_to_look_at(visit: Visits) -> None:
    """More than four: three and a number, and one button for all alike; colours and what is there twice are told."""
    found = visit()
    found.begin(f"{SEVEN}\nliberty\nequality\nwisdom")
    page = found.page
    drop(found, {"red ball.png": make_ball("#d62828"), "green ball.png": make_ball("#3f7d20")})
    expect(page.locator("#look-more button").first).to_have_text("2 more")
    expect(page.locator("#look-list .tile")).to_have_count(3)
    page.get_by_role("button", name="Keep all as words").click()
    find_remark(page, "Only colour tells it from red ball.")
    path = f"{found.studio.origin}/api/decks/{find_game(found)}/theme.yaml"
    theme = page.request.get(path).text().replace("- duck", "- duck\n  - duck")
    assert page.request.put(path, data=theme).ok
    find_remark(page, "“duck” is there twice.")
    press(page, "is there twice", "Remove one")
    expect(page.locator("#look-list")).not_to_contain_text("is there twice")


def test_a_word_that_two_languages_share_is_asked_for_its_other_name(visit: Visits) -> None:
    """Where cards show both; it is one of few things that would stop the game."""
    found = visit()
    found.begin(f"{SEVEN}\nliberty")
    page = found.page
    path = f"{found.studio.origin}/api/decks/{find_game(found)}/theme.yaml"
    theme = page.request.get(path).text().replace("languages: [en]", "languages: [en, fr]\nfaces: [word:en, word:fr]")
    assert page.request.put(path, data=theme).ok
    find_remark(page, "No French name yet.")
    page.get_by_label("liberty: French").fill("liberté")
    page.keyboard.press("Enter")
    expect(page.locator("#look-list")).not_to_contain_text("No French name yet.")


def test_what_cannot_be_is_said_in_a_sentence(visit: Visits) -> None:
    """Words too long for a card, and a file that is no game; each with a way on."""
    found = visit()
    found.open()
    page = found.page
    page.fill("#first", "\n".join(f"Donaudampfschifffahrtsgesellschaft {letter}" for letter in "abcdefghijklm"))
    page.click("#make-cards")
    expect(page.locator("#list-problem")).to_contain_text("These symbols do not fit on a card of 85 mm.")
    page.locator("#list-problem").get_by_role("button", name="Make it 105 mm").click()
    found.go("cards")
    expect(page.locator("#size-told")).to_contain_text("105 mm")
    found.go("list")
    found.expected = "status of 422"
    drop(found, {"letter.zip": b"no zip at all"})
    expect(page.locator(".notice")).to_contain_text("This file is not a game of the studio.")
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("theme.yaml", "symbols: [cat, dog, sun, moon, tree, {image: x.png, en: x}]")
        packed.writestr("x.png", bytes((64 << 20) + 1))
    drop(found, {"bomb.zip": sink.getvalue()})
    expect(page.locator(".notice")).to_contain_text("This file grows too large when opened, so it was left closed.")
    expect(page.locator("body")).to_have_attribute("data-place", "list")


def test_too_much_is_left_outside(visit: Visits) -> None:
    """A file of more than 64 MB, and more pictures than a game holds; the first of them are in."""
    found = visit()
    found.page.route("**/api/limits", lambda route: route.fulfill(json={"most_symbols": 8}))
    found.begin(SEVEN)
    page = found.page
    page.unroute("**/api/limits")
    drop(found, {"one.jpg": draw_photo(1), "two.jpg": draw_photo(2), "three.jpg": draw_photo(3)})
    expect(page.locator(".notices")).to_contain_text("That is 3 pictures; a game holds 8. The first 1 are in.")
    expect(page.locator("#n-list")).to_have_text("8")
    drop(found, {"four.jpg": draw_photo(4)})
    expect(page.locator(".notices")).to_contain_text("One did not fit; a game holds 8.")
    page.click("#undo")
    expect(page.locator("#n-list")).to_have_text("7")
    page.evaluate(
        """() => {
            const transfer = new DataTransfer();
            transfer.items.add(new File([new Uint8Array((64 << 20) + 1)], "huge.png"));
            const drop = new DragEvent("drop", { dataTransfer: transfer, bubbles: true });
            document.querySelector("main").dispatchEvent(drop);
        }"""
    )
    expect(page.locator(".notices")).to_contain_text(
        "“huge.png” is larger than 64 MB. Save it smaller and drop it again."
    )


def test_a_game_that_cannot_be_made_says_why(visit: Visits) -> None:
    """What the program says, what to do, and that the list is safe; a failed check is our mistake."""
    found = visit(permissions=["clipboard-write", "clipboard-read"])
    found.begin(SEVEN)
    page = found.page
    failed = {"id": "0" * 12, "state": "failed", "files": [], "details": "Line 12"}
    fault = {"code": "artwork", "sentence": "The drawings were lost.", "hint": ""}
    page.route("**/api/decks/*/jobs", lambda route: route.fulfill(json=failed | {"fault": fault}))
    found.go("game")
    problem = page.locator("#game-problem")
    expect(problem).to_contain_text("The game could not be made: The drawings were lost. Your list is safe.")
    problem.get_by_role("button", name="Copy the details").click()
    assert page.evaluate("navigator.clipboard.readText()") == "Line 12"
    page.route("**/api/decks/*/jobs", lambda route: route.fulfill(json=failed | {"fault": {"code": "unproved"}}))
    problem.get_by_role("button", name="Try again").click()
    expect(problem).to_contain_text("A check failed, so there is nothing to download. This is our mistake, not yours.")
    expect(page.locator("#all")).to_have_attribute("aria-disabled", "true")


def test_a_full_disk_is_told_and_loses_nothing(visit: Visits) -> None:
    """What could not be saved stays on the page, and is saved as soon as there is room."""
    found = visit()
    found.expected = "status of 507"
    found.begin(SEVEN)
    page = found.page
    expect(page.locator("#saved")).to_have_text("Saved")
    journal = found.studio.folder / "games" / find_game(found) / "journal.jsonl"
    kept = journal.read_bytes()
    journal.unlink()
    journal.symlink_to("/dev/full")
    page.fill("#word", "sun")
    page.keyboard.press("Enter")
    expect(page.locator(".notice")).to_contain_text("Not saved: the disk is full. Your work is still on this page.")
    expect(page.locator("#saved")).to_have_text("Not saved")
    expect(page.locator("#word")).to_have_value("sun")
    journal.unlink()
    journal.write_bytes(kept)
    page.locator(".notice").get_by_role("button", name="Try again").click()
    expect(page.locator("#n-list")).to_have_text("8")
    expect(page.locator("#saved")).to_have_text("Saved")
