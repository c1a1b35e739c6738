"""The picture of the studio for the documentation: `tools.pictures` asks for it.

A studio starts on an empty folder, a game of some words is made in the system's Chromium, and what is seen is kept.
"""

from __future__ import annotations

import io
import shutil
import subprocess
import sys
import tempfile

from PIL import Image
from playwright.sync_api import sync_playwright

WIDTH, HEIGHT, SHOWN = 1280, 800, 1200  # of the window, and how wide the picture of it is
WORDS = """dog, cat, rabbit, duck, hegdehog, butterfly, ladybird, apple, tomato, strawberry, banana, carrot, cheese,
bread, house, key, umbrella, book, pencil, scissors, clock, bicycle, train, rocket, sun, tree, guitar, rainbow,
football, snail, frog"""
WAIT_MS = 120_000


def make_studio() -> Image.Image:
    """Show the list of a game, with what is worth a look and the cards beside it."""
    with tempfile.TemporaryDirectory() as folder:
        code = "from dobble_print.cli.app import main; main()"
        command = [sys.executable, "-c", code, "studio", "--no-open", "--folder", folder]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as studio:
            assert studio.stdout
            try:
                data = photograph(studio.stdout.readline().strip())
            finally:
                studio.terminate()
    with Image.open(io.BytesIO(data)) as picture:
        return picture.convert("RGB").resize((SHOWN, HEIGHT * SHOWN // WIDTH), Image.Resampling.LANCZOS)


def photograph(address: str) -> bytes:
    """Return the list of a game as the browser shows it."""
    with sync_playwright() as playwright:
        program = shutil.which("chromium") or shutil.which("google-chrome")
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light", locale="en-GB")
        page.set_default_timeout(WAIT_MS)
        page.goto(address)
        page.fill("#first", WORDS)
        page.click("#make-cards")
        page.wait_for_selector("#mini .card >> nth=30")
        page.fill("#title", "First words")
        page.keyboard.press("Enter")
        page.wait_for_selector("#look-list .tile >> nth=1")
        page.wait_for_timeout(1000)
        data = page.screenshot()
        browser.close()
    return data
