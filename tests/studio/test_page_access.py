"""The page for everybody: by keyboard, with a screen reader, in eight languages, on small screens, light and dark."""

from __future__ import annotations

import re

import pytest
from axe_playwright_python.base import AXE_FILE_PATH
from playwright.sync_api import Page, expect

from dobble_print.studio.texts import describe_texts, studio_languages
from tests.studio.conftest import Visit, Visits
from tests.studio.test_page import drop

WORDS = "dog\ncat\nrabbit\nduck\napple\ntomato\nkey\nhegdehog"
PLACES = ("start", "list", "cards", "game")
AXE = AXE_FILE_PATH.read_text(encoding="utf-8")


def show(page: Page, place: str) -> None:
    """Go to a place by its address."""
    page.evaluate("(place) => { location.hash = place; }", place)
    page.wait_for_selector(f'body[data-place="{place}"]')


def list_violations(page: Page) -> list[str]:
    """Return what axe-core finds wrong with the page as it is now."""
    page.evaluate(AXE)  # a script tag would be stopped by the page's policy
    found = page.evaluate("() => axe.run()")
    return [f"{rule['id']}: {node['html'][:120]}" for rule in found["violations"] for node in rule["nodes"]]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_no_violation_in_any_place(visit: Visits, theme: str) -> None:
    """Every place, the editor, a pair of cards, a dialog: none hides anything from anybody."""
    found = visit(color_scheme=theme)
    found.begin(f"{WORDS}\nsun")
    page = found.page
    expect(page.locator("#look-list .tile")).to_have_count(2)
    expect(page.locator("#waiting .tile")).to_have_count(1)
    drop(found, {"notes.docx": b"no picture"})
    page.wait_for_selector(".notice")
    violations = {}
    for place in PLACES:
        show(page, place)
        violations[place] = list_violations(page)
    show(page, "list")
    page.click("#tiles .tile .face >> nth=0")
    page.click("#editor >> text=Other drawing")
    page.wait_for_selector(".found button")
    violations["editor"] = list_violations(page)
    page.keyboard.press("Escape")
    show(page, "cards")
    page.click(".more-choices summary")
    page.click('#deck [data-n="1"]')
    page.click('#deck [data-n="2"]')
    violations["pair"] = list_violations(page)
    page.click("#more")
    violations["menu"] = list_violations(page)
    page.click("#menu-keys")
    violations["keys"] = list_violations(page)
    page.keyboard.press("Escape")
    show(page, "game")
    page.check('[value="screen"]', force=True)
    page.click("#screen-start")
    violations["slides"] = list_violations(page)
    page.click("#slides [data-role=match]")
    violations["answer"] = list_violations(page)
    assert {place: each for place, each in violations.items() if each} == {}
    assert page.get_attribute("html", "data-theme") == theme


@pytest.mark.parametrize("language", studio_languages())
def test_every_language_is_complete_and_fits_a_phone(visit: Visits, language: str) -> None:
    """No text is missing, and nothing is wider than a phone, in any place."""
    texts = describe_texts(language)["texts"]
    found = visit(390, 844, locale=language)
    found.begin(WORDS)
    page = found.page
    page.wait_for_selector("#look-list .tile")
    assert page.get_attribute("html", "lang") == language
    for place in PLACES:
        show(page, place)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, place
        assert page.evaluate(TOO_WIDE) == [], place
        assert not re.search(
            r"\b(page|empty|line|list|cards|look|game|making|remarks)\.[a-z_]+\b", page.inner_text("body")
        )
    expect(page.locator("#h-game")).to_have_text(texts["game"]["title"])
    show(page, "list")
    page.click("#tiles .tile .face >> nth=0")
    page.wait_for_selector("#sheet[open]")
    assert page.evaluate(TOO_WIDE) == []


# Buttons, links and labels whose text is cut off, or that stick out of the screen.
TOO_WIDE = """() => {
  const isCut = (node) => node.scrollWidth > node.clientWidth + 2 && getComputedStyle(node).display !== "inline";
  return [...document.querySelectorAll("button, a, label, h1, h2, p")]
    .filter((node) => node.checkVisibility() && !node.closest(".strip, .sr, .skip, .page-list, .deck, .mini"))
    .filter((node) => node.getBoundingClientRect().right > innerWidth + 1 || isCut(node))
    .map((node) => node.outerHTML.slice(0, 140));
}"""


def test_a_game_is_made_by_keyboard_alone(visit: Visits) -> None:
    """Words, a remark, a symbol's editor, order, a pair, a look, and the way to the files, without a mouse."""
    found = visit()
    found.open()
    page, keys = found.page, found.page.keyboard
    page.focus("#first")
    keys.type(WORDS)
    keys.press("Control+Enter")
    expect(page.locator("#mini .card")).to_have_count(7)
    expect(page.locator("#h-list")).to_be_focused()
    press_until(found, "Tab", "#word")
    keys.type("sun")
    keys.press("Enter")
    expect(page.locator("#n-list")).to_have_text("9")
    press_until(found, "Tab", "#look-list .face")
    press_until(found, "ArrowRight", '#tiles [data-id="dog"] .face')
    keys.press("Alt+ArrowRight")
    expect(page.locator("#tiles .tile[data-id] b").first).to_have_text("cat")
    expect(page.locator('#tiles [data-id="dog"] .face')).to_be_focused()
    keys.press("F2")
    expect(page.locator("#editor h2").first).to_be_focused()
    keys.press("Escape")
    expect(page.locator('#tiles [data-id="dog"] .face')).to_be_focused()
    keys.press("Delete")
    expect(page.locator('.tile[data-id="dog"]')).to_have_count(0)
    keys.press("Control+z")
    expect(page.locator('.tile[data-id="dog"]')).to_have_count(1)
    keys.press("Alt+2")
    expect(page.locator("#h-cards")).to_be_focused()
    press_until(found, "Tab", '#deck [data-n="1"]')
    keys.press("Space")
    expect(page.locator('#deck [data-n="1"]')).to_have_attribute("aria-pressed", "true")
    keys.press("ArrowRight")
    keys.press("Enter")
    expect(page.locator("#live")).to_contain_text("Cards 1 and 2 share")
    keys.press("Alt+3")
    expect(page.locator("#h-game")).to_be_focused()
    press_until(found, "Tab", '[value="scissors"]')
    keys.press("ArrowRight")
    expect(page.locator('[value="punch"]')).to_be_checked()


def press_until(found: Visit, key: str, selector: str) -> None:
    """Press a key until what is wanted has the focus."""
    for _ in range(60):
        found.page.keyboard.press(key)
        if found.page.evaluate("(wanted) => Boolean(document.activeElement?.matches(wanted))", selector):
            return
    raise AssertionError(f"{key} never comes to {selector}")


def test_a_dark_page_and_another_language_stay(visit: Visits) -> None:
    """What one chooses for the page is there again when one comes back."""
    found = visit()
    found.open()
    found.page.click("#more")
    found.page.click("#menu-dark")
    found.page.click("#more")
    found.page.click("#menu-language")
    found.page.click("text=Nederlands")
    expect(found.page.locator("#h-start")).to_have_text("Wat moet er op je kaarten staan?")
    found.page.reload()
    expect(found.page.locator("#h-start")).to_have_text("Wat moet er op je kaarten staan?")
    expect(found.page.locator("html")).to_have_attribute("data-theme", "dark")


def test_zoomed_to_double_size_it_is_the_page_of_a_tablet(visit: Visits) -> None:
    """At 200 % on a desktop nothing scrolls sideways, and live cards are a strip."""
    found = visit(640, 400, device_scale_factor=2)
    found.begin(WORDS)
    for place in PLACES:
        show(found.page, place)
        assert found.page.evaluate("document.documentElement.scrollWidth") <= 640
    show(found.page, "list")
    expect(found.page.locator("#strip")).to_be_visible()
