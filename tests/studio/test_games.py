"""What a page does with a game: words, pictures, cards, undo, builds, shared files; through a real server."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import openpyxl
import pytest
from PIL import Image, ImageDraw

from dobble_print.build import preview
from dobble_print.cache import Cache, use_cache
from dobble_print.theme.reader import read_theme
from dobble_print.verify.prove import prove_pdf
from tests.studio.server import WORDS, Running, running


@pytest.fixture(name="studio")
def share_studio(server: Running) -> Running:
    """The studio that all tests share; each makes games of its own."""
    return server


def draw_photo(number: int, kind: str = "JPEG") -> bytes:
    """A stand-in for a photo, each of its own colours."""
    picture, sink = Image.new("RGB", (500, 400), f"hsl({number * 47 % 360}, 60%, 70%)"), io.BytesIO()
    ImageDraw.Draw(picture).ellipse((80 + number * 9, 60, 300, 340), fill=f"hsl({number * 47 % 360 + 150}, 70%, 40%)")
    picture.save(sink, kind)
    return sink.getvalue()


def test_words_become_cards_and_a_proved_deck(studio: Running) -> None:
    """Typed words give cards at once, and a game whose every pair is checked; the pages can be looked at."""
    deck = studio.make_deck(WORDS, title="First words")
    cards = studio.wait_for_cards(deck)
    assert len(cards["cards"]) == 13 and all(len(card["spots"]) == 4 for card in cards["cards"])
    job = studio.wait_for_job(studio.ask("POST", f"/api/decks/{deck['id']}/jobs", {"booklet": False}, 202))
    assert job["state"] == "done" and job["proof"]["pairs"] == 78 and job["fault"] is None
    pdf = studio.get(f"/api/jobs/{job['id']}/files/cards.pdf")
    assert prove_pdf(pdf.body).verdict == "proved" and "attachment" in pdf.headers["content-disposition"]
    page = studio.get(f"/api/jobs/{job['id']}/pages/cards.pdf/1?width=300")
    assert Image.open(io.BytesIO(page.body)).size[0] == 322
    packed = studio.get(f"/api/jobs/{job['id']}/files.zip")
    assert "First%20words.zip" in packed.headers["content-disposition"]
    assert set(zipfile.ZipFile(io.BytesIO(packed.body)).namelist()) == {file["name"] for file in job["files"]}
    assert studio.ask("GET", f"/api/jobs/{job['id']}/report.json")["theme"] == deck["id"]


def test_the_page_shows_what_the_program_prints(studio: Running) -> None:
    """Placements of the page are those of a build, to the hundredth of a millimetre."""
    deck = studio.make_deck(WORDS)
    cards = studio.wait_for_cards(deck)
    use_cache(Cache())
    composed = preview(read_theme(studio.folder / "games" / deck["id"] / "theme.yaml"))
    for card in cards["cards"]:
        for spot, placed in zip(card["spots"], composed.layouts[card["n"]], strict=True):
            assert abs(spot[2] - 42.5 - placed.x_mm) < 0.01 and abs(42.5 - spot[3] - placed.y_mm) < 0.01
            assert abs(spot[5] - placed.diameter_mm) < 0.01
            assert abs((spot[4] + placed.rotation_deg + 180) % 360 - 180) < 0.01


def test_what_is_there_already_is_told_and_not_added_twice(studio: Running) -> None:
    """A pasted list says what it took, in one step that one undo takes back."""
    deck = studio.make_deck(WORDS)
    read = studio.ask("POST", f"/api/decks/{deck['id']}/read", {"text": "cow\tpig\ncat\nhegdehog"})
    assert "cat" in read["there"] and "hegdehog" in read["added"]
    dry = studio.ask("POST", f"/api/decks/{deck['id']}/read?dry=1", {"text": "sheep"})
    assert dry["added"] == ["sheep"] and "deck" not in dry
    back = studio.ask("POST", f"/api/decks/{deck['id']}/undo")
    assert len(back["symbols"]) == 13 and back["redo"]["code"] == "paste"


def test_a_spreadsheet_gives_both_languages(studio: Running) -> None:
    """Columns become languages, as on the command line."""
    book, sink = openpyxl.Workbook(), io.BytesIO()
    for row in [("nl", "fr"), ("hond", "chien"), ("kat", "chat"), ("koe", "vache"), ("varken", "cochon")]:
        book.active.append(row)
    book.save(sink)
    kind = {"Content-Type": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"}
    made = studio.call("POST", "/api/decks?name=our%20words.xlsx", sink.getvalue(), kind)
    assert made.status == 201 and made.plain["languages"] == ["nl", "fr"]
    assert made.plain["symbols"][0]["names"] == {"nl": "hond", "fr": "chien"} and made.plain["title"] == "Our words"


def test_unknown_words_are_remarked_on_until_kept(studio: Running) -> None:
    """A slip comes with what may be meant; Keep is remembered."""
    deck = studio.make_deck(f"{WORDS}\nhegdehog")
    (remark,) = deck["remarks"]
    assert remark["code"] == "unknown" and remark["values"]["near"] == ["hedgehog"]
    mended = studio.change(deck, {"op": "set", "id": "hegdehog", "picture": {"kind": "word", "text": "hedgehog"}})
    assert mended["remarks"] == [] and mended["symbols"][-1]["id"] == "hegdehog"
    back = studio.ask("POST", f"/api/decks/{deck['id']}/undo")
    kept = studio.change(back, {"op": "keep", "ids": ["hegdehog"], "remark": "unknown"})
    assert kept["remarks"] == []


def test_sums_are_worked_out(studio: Running) -> None:
    """A wrong answer comes with the right one; sums of one value are told of."""
    text = "3 × 4\t13\n2 × 6\t12\n5 × 5\t25\n6 × 7\t42\n7 × 8\t56\n8 × 9\t72\n3 × 3\t9\n4 × 3\t12"
    deck = studio.make_deck(text)
    found = {remark["code"]: remark["values"] for remark in deck["remarks"]}
    assert found["sum"] == {"sum": "3 × 4", "right": "12", "given": "13"}
    assert "equal" in found


def test_photos_are_added_and_what_is_none_is_refused_by_itself(studio: Running) -> None:
    """Names come from file names; a broken file and a document hold nothing up."""
    deck = studio.make_deck(WORDS)
    files = {
        "anna-sofie.jpg": draw_photo(1),
        "broken.png": b"nothing",
        "notes.docx": b"PK",
        "Kees.PNG": draw_photo(2, "PNG"),
        "mia.jpg": draw_photo(9),
    }
    answer = studio.upload(deck, files)
    faults = {each["name"]: each["fault"] for each in answer.plain["pictures"]}
    assert faults["anna-sofie.jpg"] is None and faults["Kees.PNG"] is None
    assert faults["notes.docx"]["code"] == "no_picture" and "broken.png" in faults["broken.png"]["sentence"]
    added = answer.plain["deck"]["symbols"][13:]
    assert [symbol["names"]["en"] for symbol in added] == ["Anna-Sofie", "Kees", "Mia"]
    studio.wait_for_cards(answer.plain["deck"])
    shown = studio.ask("GET", f"/api/decks/{deck['id']}")["symbols"][13]["art"][0]
    assert studio.get(f"/api/art/{shown}").headers["content-type"] == "image/webp"
    assert Image.open(io.BytesIO(studio.get(f"/api/art/{shown}/thumb").body)).size[0] == 128


def test_a_logo_takes_the_place_of_the_pattern_on_the_backs(studio: Running) -> None:
    """What stands on a back is told as it prints: many symbols, or the one picture, centred."""
    deck = studio.make_deck(WORDS)
    assert len(studio.wait_for_cards(deck)["back"]["spots"]) > 20
    changed = studio.upload(deck, {"logo.png": draw_photo(8, "PNG")}, role="back").plain["deck"]
    cards = studio.wait_for_cards(changed)
    ((art, _, x, y, turn, _),) = cards["back"]["spots"]
    assert (cards["back"]["kind"], x, y, turn) == ("image", 42.5, 42.5, 0.0)
    assert studio.get(f"/api/art/{art}").status == 200 and art in cards["art"]


def test_replacing_a_picture_keeps_the_symbol(studio: Running) -> None:
    """A drop on a tile changes what it shows, and nothing else."""
    deck = studio.make_deck(WORDS)
    answer = studio.upload(deck, {"tom.jpg": draw_photo(3)}, symbol="cat").plain["deck"]
    cat = answer["symbols"][0]
    assert (cat["id"], cat["kind"], cat["names"]) == ("cat", "image", {"en": "cat"})
    assert answer["undo"]["code"] == "replace"


def test_a_shared_game_opens_elsewhere(studio: Running, tmp_path: Path) -> None:
    """The zip holds the theme and its pictures alone, and gives the same game, which builds on the command line."""
    deck = studio.upload(studio.make_deck(WORDS, title="Ours"), {"tom.jpg": draw_photo(4)}).plain["deck"]
    studio.ask("POST", f"/api/decks/{deck['id']}/undo")
    deck = studio.ask("POST", f"/api/decks/{deck['id']}/redo")
    packed = studio.get(f"/api/decks/{deck['id']}/theme.zip")
    names = zipfile.ZipFile(io.BytesIO(packed.body)).namelist()
    assert names == ["pictures/tom.jpg", "theme.yaml"]
    other = studio.call("POST", "/api/decks?name=Ours.zip", packed.body, {"Content-Type": "application/zip"}).plain
    assert [symbol["id"] for symbol in other["symbols"]] == [symbol["id"] for symbol in deck["symbols"]]
    assert studio.wait_for_cards(other)["key"] == studio.wait_for_cards(deck)["key"]


def test_ready_made_games_can_be_changed(studio: Running) -> None:
    """One that has photos brings them along; the original stays as it is."""
    deck = studio.ask("POST", "/api/decks", {"from": "theme", "theme": "class-photos"}, 201)
    assert deck["symbols"][0]["kind"] == "image"
    changed = studio.change(deck, {"op": "look", "values": {"title": "Class 3b"}})
    assert changed["title"] == "Class 3b" and studio.wait_for_cards(changed)["cards"]


def test_a_theme_written_by_hand_is_kept_as_it_is(studio: Running) -> None:
    """Comments stay; faults are refused with their line, and change nothing."""
    deck = studio.make_deck(WORDS)
    path = f"/api/decks/{deck['id']}/theme.yaml"
    text = "title: Mine # my own\nlanguages: [en]\nsymbols: [cat, dog, sun, moon, tree, fish, star] # seven\n"
    assert studio.call("PUT", path, text.encode()).plain["title"] == "Mine"
    changed = studio.change(deck, {"op": "look", "values": {"card.shape": "hex"}})
    assert "# my own" in studio.get(path).body.decode() and changed["look"]["card.shape"] == "hex"
    refused = studio.call("PUT", path, b"title: X\ncard: {shape: star}\nsymbols: [cat, dog, sun, moon, tree, fish]\n")
    assert refused.status == 422 and refused.fault["where"] == {"line": 2, "column": 15}
    assert studio.call("PUT", path, b"symbols: [cat, dog").status == 422
    assert studio.ask("GET", f"/api/decks/{deck['id']}")["title"] == "Mine"


def test_a_theme_edited_elsewhere_meanwhile_is_taken_over(studio: Running) -> None:
    """The file is the truth: what an editor saves is a step, which undo takes back; nonsense is not taken."""
    deck = studio.make_deck(WORDS)
    path = studio.folder / "games" / deck["id"] / "theme.yaml"
    path.write_text(path.read_text().replace("title: My game", "title: By hand # mine"))
    assert studio.ask("GET", f"/api/decks/{deck['id']}")["title"] == "By hand"
    changed = studio.change(deck, {"op": "remove", "ids": ["cat"]})
    assert changed["title"] == "By hand" and "# mine" in path.read_text()
    path.write_text("title: [")
    assert studio.ask("GET", f"/api/decks/{deck['id']}")["title"] == "By hand"
    studio.ask("POST", f"/api/decks/{deck['id']}/undo")
    assert studio.ask("POST", f"/api/decks/{deck['id']}/undo")["title"] == "My game"


def test_an_empty_game_takes_the_language_of_its_first_words(studio: Running) -> None:
    """Few words are no deck yet, and no fault; the line counts."""
    deck = studio.ask("POST", "/api/decks", {"from": "empty", "language": "nl"}, 201)
    assert deck["symbols"] == [] and deck["languages"] == ["nl"]
    read = studio.ask("POST", f"/api/decks/{deck['id']}/read", {"text": "hond, kat, boom"})["deck"]
    assert [symbol["text"] for symbol in read["symbols"]] == ["hond", "kat", "boom"]
    assert studio.ask("GET", f"/api/decks/{deck['id']}/cards")["cards"] is None and read["line"]["cards"] == 0


def test_two_tabs_do_not_overwrite_each_other(studio: Running) -> None:
    """Who has not seen the last step gets the newer game instead of a change; undo is shared."""
    deck = studio.make_deck(WORDS)
    studio.change(deck, {"op": "remove", "ids": ["cat"]}, rev=deck["rev"])
    late = studio.call(
        "PATCH", f"/api/decks/{deck['id']}", {"rev": deck["rev"], "ops": [{"op": "remove", "ids": ["dog"]}]}
    )
    assert late.status == 409 and late.fault["code"] == "old" and len(late.plain["deck"]["symbols"]) == 12


def test_whoever_listens_hears_of_every_step(studio: Running) -> None:
    """A step brings its events in order: the step, that it is saved, the line, and only the cards that changed."""
    import http.client

    deck = studio.make_deck(WORDS)
    studio.wait_for_cards(deck)
    connection = http.client.HTTPConnection("127.0.0.1", studio.port, timeout=30)
    connection.request("GET", f"/api/decks/{deck['id']}/events", headers={"Authorization": f"Bearer {studio.token}"})
    stream = connection.getresponse()
    studio.change(deck, {"op": "add", "text": "duck"}, by="one")
    heard: list[tuple[str, dict[str, object]]] = []
    while not any(kind == "cards" for kind, _ in heard):
        line = stream.readline().decode().strip()
        if line.startswith("event: "):
            heard.append((line[7:], json.loads(stream.readline().decode()[6:])))
    connection.close()
    kinds = [kind for kind, _ in heard if kind in ("hello", "deck", "saved", "line", "cards")]
    assert kinds == ["hello", "deck", "saved", "line", "cards"]
    cards = heard[-1][1]
    assert cards["changed"] == [] and cards["count"] == 13, "a symbol that only waits changes no card"


def test_restarted_after_a_kill_everything_is_as_it_was(tmp_path: Path) -> None:
    """The last step is there, the steps before it can be undone, and the finished game can be downloaded again."""
    with running(tmp_path) as first:
        deck = first.make_deck(WORDS)
        for number in range(52):
            first.change(deck, {"op": "look", "values": {"deck.seed": number + 2}})
        last = first.change(deck, {"op": "look", "values": {"title": "Kept"}})
        first.kill()
    (tmp_path / "games" / deck["id"] / "theme.yaml").write_text("", encoding="utf-8")  # it was being written
    with running(tmp_path) as again:
        found = again.ask("GET", f"/api/decks/{deck['id']}")
        assert (found["title"], found["rev"]) == ("Kept", last["rev"])
        for _ in range(53):
            found = again.ask("POST", f"/api/decks/{deck['id']}/undo")
        assert found["look"]["deck.seed"] == 1 and found["undo"] is None
        assert again.ask("POST", f"/api/decks/{deck['id']}/redo")["look"]["deck.seed"] == 2
        assert [each["id"] for each in again.ask("GET", "/api/decks")["decks"]] == [deck["id"]]


def test_a_removed_game_comes_back(studio: Running) -> None:
    """Games are put aside, never deleted."""
    deck = studio.make_deck(WORDS)
    studio.ask("DELETE", f"/api/decks/{deck['id']}")
    assert studio.get(f"/api/decks/{deck['id']}").status == 404
    assert studio.ask("POST", f"/api/decks/{deck['id']}/restore")["symbols"] == deck["symbols"]


def test_a_second_build_ends_the_first(studio: Running) -> None:
    """Two at once would only slow each other; the first has no files."""
    deck = studio.make_deck(WORDS)
    one = studio.ask("POST", f"/api/decks/{deck['id']}/jobs", {}, 202)
    two = studio.ask("POST", f"/api/decks/{deck['id']}/jobs", {"booklet": False, "legend": False}, 202)
    assert studio.wait_for_job(one)["state"] == "stopped"
    assert studio.get(f"/api/jobs/{one['id']}/files/cards.pdf").status == 409
    assert studio.wait_for_job(two)["state"] == "done"


def test_a_build_that_cannot_be_says_why(studio: Running) -> None:
    """A sentence instead of files; the list is safe."""
    deck = studio.make_deck(WORDS)
    studio.change(deck, {"op": "look", "values": {"card.size": 31, "layout.min_size": 12}})
    job = studio.wait_for_job(studio.ask("POST", f"/api/decks/{deck['id']}/jobs", {}, 202))
    assert job["state"] == "failed" and job["fault"]["code"] == "layout" and job["files"] == []
    assert job["fault"]["sentence"] and job["fault"]["hint"]


def test_what_there_is_can_be_asked_for(studio: Running) -> None:
    """Texts, games, machines, papers, languages, limits, arithmetic and drawings."""
    dutch = studio.ask("GET", "/api/texts/nl")
    assert dutch["language"] == "nl" and dutch["plurals"] == ["one", "other"] and dutch["texts"]["faults"]["token"]
    assert {"kids", "classic"} <= {each["id"] for each in studio.ask("GET", "/api/themes")["themes"]}
    assert "punch" in {each["id"] for each in studio.ask("GET", "/api/profiles")["profiles"]}
    assert studio.ask("GET", "/api/papers")["papers"][0]["id"] == "A4"
    table = studio.ask("GET", "/api/arithmetic")["table"]
    assert table["28"] == [21, 5, 7] and table["31"] == [31, 6, 0]
    boats = studio.ask("GET", "/api/drawings?q=boat&lang=nl")["drawings"]
    assert len(boats) >= 3 and studio.get(f"/api/art/{boats[0]['art']}").headers["content-type"] == "image/svg+xml"
    assert studio.ask("GET", "/api/drawings?q=zeilboot&lang=en")["drawings"][0]["id"] == "sailing boat"
