"""Problems are sentences with the buttons that solve them: every one of "worth a look" and of "cannot" is provoked."""

from __future__ import annotations

import io

from PIL import Image
from playwright.sync_api import Page, expect

from tests.studio.conftest import Visits
from tests.studio.test_page import SEVEN, draw_photo, drop


def find_remark(page: Page, sentence: str) -> None:
    """Wait for a remark, whichever place it has among the others."""
    more = page.locator("#look-more button").first
    if more.is_visible():
        more.click()
    expect(page.locator("#look-list")).to_contain_text(sentence)


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
    drop(found, {"broken.jpg": b"\xff\xd8 no more than this", "notes.docx": b"words"})
    expect(page.locator(".notices")).to_contain_text("“notes.docx” is not a picture.")
    expect(page.locator(".notices")).to_contain_text("“broken.jpg”")


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
    expect(page.locator(".notice")).to_contain_text("Letter.zip is no zip that can be read.")
    expect(page.locator("body")).to_have_attribute("data-place", "list")
