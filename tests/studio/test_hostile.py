"""Attacks on the studio: each is refused or survived with a sentence, and the studio goes on."""

from __future__ import annotations

import asyncio
import http.client
import io
import json
import socket
import struct
import time
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dobble_print.studio import safety
from dobble_print.studio.faults import StudioFault
from tests.studio.server import TOKEN, WORDS, Answer, Client, Running, make_form, running
from tests.studio.test_games import draw_photo

ZIP = {"Content-Type": "application/zip"}
EVIL_SVG = """\
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 100 100"
     onload="fetch('//evil')"><script>fetch('//evil')</script><circle cx="50" cy="50" r="45" fill="red" onclick="x()"/>
  <image href="http://evil/x.png" width="9" height="9"/><image xlink:href="file:///etc/passwd" width="9" height="9"/>
  <foreignObject width="9" height="9"><b xmlns="http://www.w3.org/1999/xhtml"><iframe src="//evil"/></b></foreignObject>
  <a href="javascript:alert(1)"><rect width="20" height="20"/></a></svg>"""


@pytest.fixture(name="studio")
def share_studio(server: Running) -> Running:
    """The studio that all tests share; each makes games of its own."""
    return server


@pytest.fixture(autouse=True)
def lives(studio: Running) -> Iterator[None]:
    """After every attack, the studio still answers."""
    yield
    assert studio.ask("GET", "/api/limits")["version"]


def refuse(answer: Answer, status: int, code: str = "") -> None:
    """Check that something was refused with a sentence."""
    assert answer.status == status, answer.body[:500]
    assert answer.fault["code"] == code or not code


def send_raw(port: int, data: bytes, timeout_s: float = 10) -> bytes:
    """Send bytes that no browser sends, and return what comes back before the connection ends."""
    with socket.create_connection(("127.0.0.1", port), timeout=timeout_s) as line:
        line.sendall(data)
        line.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: line.recv(65536), b""))


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:{port}", "127.0.0.1:1", "127.0.0.1.evil.example", "8.8.8.8", ""]
)
def test_1_another_name_for_this_computer(studio: Running, host: str) -> None:
    """A page whose name was bent to this computer (DNS rebinding) gets nothing."""
    refuse(studio.get("/api/decks", Host=host.format(port=studio.port)), 403, "host")


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://127.0.0.1:1", "http://localhost:1"])
def test_2_posts_of_another_page(studio: Running, origin: str) -> None:
    """Another page cannot post, not even with the cookie."""
    refuse(studio.call("POST", "/api/decks", {"from": "empty"}, {"Origin": origin}), 403, "origin")


def test_3_links_and_pictures_of_another_page(studio: Running) -> None:
    """Another page cannot show what is in here either; the browser says that it asks."""
    refuse(studio.get("/api/decks", **{"Sec-Fetch-Site": "cross-site"}), 403, "origin")
    refuse(studio.get("/static/style.css", **{"Sec-Fetch-Site": "cross-site"}), 403, "origin")
    assert studio.get("/api/decks", **{"Sec-Fetch-Site": "same-origin"}).status == 200


def test_4_without_the_token(studio: Running) -> None:
    """Nothing is answered but a sentence, in the language that was asked for."""
    for path in ("/api/decks", "/api/limits", "/api/art/" + "0" * 32, "/api/texts/en"):
        refuse(Client(studio.port, None).get(path), 401, "token")
    page = Client(studio.port, None).get("/")
    assert page.status == 401 and b"<p>" in page.body and TOKEN.encode() not in page.body
    assert Client(studio.port, None).get(f"/api/decks?token={TOKEN}").status == 401


def test_5_the_cookie_is_out_of_reach(studio: Running) -> None:
    """The address gives a cookie that no script can read and no other page can send, and hides the token."""
    answer = Client(studio.port, None).get(f"/?token={TOKEN}")
    cookie = answer.headers["set-cookie"]
    assert answer.status == 303 and answer.headers["location"] == "/"
    assert "HttpOnly" in cookie and "SameSite=strict" in cookie and TOKEN not in cookie
    own = cookie.partition(";")[0]
    assert Client(studio.port, None, {"Cookie": own}).get("/api/decks").status == 200
    assert Client(studio.port, None, {"Cookie": own[:-1] + "x"}).get("/api/decks").status == 401


def test_6_guessing_the_token(tmp_path: Path) -> None:
    """Wrong tokens soon wait a minute; the right one is let in meanwhile."""
    with running(tmp_path) as studio:
        answers = [Client(studio.port, f"guess-{i}").get("/api/decks").status for i in range(30)]
        assert set(answers[:20]) == {401} and set(answers[20:]) == {429}
        refuse(Client(studio.port, None).get("/?token=guess"), 429, "guesses")
        assert studio.get("/api/decks").status == 200


TRICKS = [
    "..",
    "../../etc/passwd",
    "%2e%2e%2f%2e%2e%2fetc%2fpasswd",
    "..%5c..%5c",
    ".",
    "a/../../b",
    "x%00y",
    "~root",
    "A" * 4000,
    "con",
]


@pytest.mark.parametrize("name", TRICKS)
@pytest.mark.parametrize(
    "path", ["/api/decks/{}", "/api/decks/{}/cards", "/api/art/{}", "/api/jobs/{}", "/static/{}", "/api/texts/{}"]
)
def test_7_paths_that_lead_out(studio: Running, path: str, name: str) -> None:
    """Names in paths are those that the studio made, or nothing."""
    answer = studio.get(path.format(name))
    assert b"root:" not in answer.body
    assert (
        answer.status == 404
        or path.startswith("/api/texts")
        or answer.headers["content-type"] == "text/html; charset=utf-8"
    )


def test_8_files_of_a_job_lie_in_its_folder(studio: Running) -> None:
    """Only names that the job itself has made are served."""
    deck = studio.make_deck(WORDS)
    wishes = {"booklet": False, "legend": False}
    job = studio.wait_for_job(studio.ask("POST", f"/api/decks/{deck['id']}/jobs", wishes, 202))
    for name in ("../job.json", "..%2fjob.json", "/etc/passwd", "%2e%2e/%2e%2e/games", "nothing.pdf"):
        assert studio.get(f"/api/jobs/{job['id']}/files/{name}").status == 404
    for page in ("0", "999", "-1", "x"):
        assert studio.get(f"/api/jobs/{job['id']}/pages/cards.pdf/{page}").status in (404, 422)
    width = studio.get(f"/api/jobs/{job['id']}/pages/cards.pdf/1?width=99999999")
    assert width.status == 200 and len(width.body) < 1_000_000


def make_zip(files: dict[str, bytes], **more: Any) -> bytes:
    """Return a zip, the worst there is."""
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            info = zipfile.ZipInfo(name)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = more.get("mode", 0o100644) << 16
            archive.writestr(info, data)
    return sink.getvalue()


THEME = b"title: X\nlanguages: [en]\nsymbols: [cat, dog, sun, moon, tree, fish, star]\n"


@pytest.mark.parametrize(
    "name", ["../../outside.yaml", "/etc/cron.d/x", "a/../../../b", "..\\..\\x.png", "C:\\x.png", "NUL.png"]
)
def test_9_zips_that_write_outside(studio: Running, name: str) -> None:
    """Zip slip: one bad name, and nothing of it is unpacked."""
    before = sorted(studio.folder.parent.rglob("*outside*"))
    refuse(studio.call("POST", "/api/decks?name=x.zip", make_zip({"theme.yaml": THEME, name: b"x"}), ZIP), 422)
    assert sorted(studio.folder.parent.rglob("*outside*")) == before
    assert not list((studio.folder / "games").glob(".*"))


def test_10_zips_that_are_bombs(studio: Running) -> None:
    """What grows too large when opened is left closed, whatever its list claims."""
    bomb = make_zip({"theme.yaml": THEME, "x.png": bytes(400_000_000)})
    since = time.process_time()
    refuse(studio.call("POST", "/api/decks?name=bomb.zip", bomb, ZIP), 422)
    many = make_zip({"theme.yaml": THEME} | {f"{i}.png": b"" for i in range(3000)})
    refuse(studio.call("POST", "/api/decks?name=many.zip", many, ZIP), 422)
    assert time.process_time() - since < 60


def test_11_zips_with_links(studio: Running) -> None:
    """A link in a zip could show a file of this computer as a picture."""
    refuse(
        studio.call("POST", "/api/decks?name=x.zip", make_zip({"theme.yaml": b"/etc/passwd"}, mode=0o120777), ZIP), 422
    )


@pytest.mark.parametrize(
    "data", [b"PK\x03\x04", b"PK\x03\x04" + bytes(500), b"", b"%PDF-1.4", make_zip({"x.txt": b"x"})]
)
def test_12_files_that_are_no_games(studio: Running, data: bytes) -> None:
    """A file that was never a game is told so."""
    refuse(studio.call("POST", "/api/decks?name=x.zip", data, ZIP), 422)


def test_13_drawings_with_scripts(studio: Running) -> None:
    """A drawing loses its scripts, links and files, and is served so that nothing in it could run."""
    deck = studio.make_deck(WORDS)
    answer = studio.upload(deck, {"evil.svg": EVIL_SVG.encode()})
    assert answer.plain["pictures"][0]["fault"] is None
    studio.wait_for_cards(answer.plain["deck"])
    name = studio.ask("GET", f"/api/decks/{deck['id']}")["symbols"][13]["art"][0]
    art = studio.get(f"/api/art/{name}")
    assert art.headers["content-security-policy"] == "default-src 'none'; style-src 'unsafe-inline'; sandbox"
    assert art.headers["x-content-type-options"] == "nosniff"
    for word in (b"script", b"onload", b"onclick", b"evil", b"passwd", b"foreignObject", b"javascript"):
        assert word not in art.body


def make_png(width: int, height: int) -> bytes:
    """Return a PNG that says it is that large; it is all one grey, so it is small."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    packer, pixels = zlib.compressobj(9), list[bytes]()
    for _ in range(0, height, 100):
        pixels.append(packer.compress(bytes((width + 1) * 100)))
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    data = b"".join(pixels) + packer.flush()
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def test_14_pictures_that_are_bombs(studio: Running) -> None:
    """A small file of four hundred million pixels is refused by itself; its neighbour is taken."""
    deck = studio.make_deck(WORDS)
    files = {"bomb.png": make_png(20000, 20000), "good.jpg": draw_photo(5), "loop.svg": nest_patterns()}
    answer = studio.upload(deck, files)
    faults = [each["fault"] for each in answer.plain["pictures"]]
    assert faults[0]["sentence"] and faults[1] is None and faults[2]["sentence"]


def nest_patterns() -> bytes:
    """A drawing that takes for ever: patterns that draw patterns."""
    layers = "".join(
        f'<pattern id="p{i}" width="2" height="2" patternUnits="userSpaceOnUse"><rect width="100" height="100" '
        f'fill="url(#p{i + 1})"/></pattern>'
        for i in range(40)
    )
    whole = f'<defs>{layers}</defs><rect width="100" height="100" fill="url(#p0)"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">{whole}</svg>'.encode()


@pytest.mark.parametrize("path", ["/api/decks", "/api/decks/{}", "/api/decks/{}/read", "/api/decks/{}/pictures"])
def test_15_uploads_that_say_they_are_huge(studio: Running, path: str) -> None:
    """What says that it is too large is refused before it is read."""
    path = path.format(studio.make_deck("cat, dog")["id"])
    head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{studio.port}\r\nAuthorization: Bearer {TOKEN}\r\n"
    answer = send_raw(studio.port, f"{head}Content-Length: 99999999999\r\n\r\nx".encode())
    assert b" 413 " in answer.split(b"\r\n")[0] and b'"sentence"' in answer


def test_16_uploads_without_an_end(studio: Running) -> None:
    """An upload that never says how long it is, is cut off at the limit."""
    deck = studio.make_deck("cat, dog")
    with socket.create_connection(("127.0.0.1", studio.port), timeout=30) as line:
        head = f"PATCH /api/decks/{deck['id']} HTTP/1.1\r\nHost: 127.0.0.1:{studio.port}\r\n"
        line.sendall(f"{head}Authorization: Bearer {TOKEN}\r\nTransfer-Encoding: chunked\r\n\r\n".encode())
        chunk = b"100000\r\n" + b" " * 0x100000 + b"\r\n"
        answer = b""
        for _ in range(64):
            try:
                line.sendall(chunk)
            except OSError:
                break
        while b"413" not in answer and (more := line.recv(4096)):
            answer += more
    assert b" 413 " in answer.split(b"\r\n")[0]


def test_17_uploads_that_trickle(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who sends a byte now and then, or nothing at all, does not keep the studio waiting."""
    monkeypatch.setattr(safety, "PATIENCE_S", 0.05)
    scope: Any = {"type": "http", "method": "POST", "path": "/api/decks"}

    async def wait(*_: Any) -> Any:
        await asyncio.sleep(9)

    async def drip() -> Any:
        return {"type": "http.request", "body": b"x", "more_body": True}

    async def try_both() -> None:
        with pytest.raises(StudioFault, match="slow"):
            await safety.Shield(scope, wait, wait).receive()
        shield = safety.Shield(scope, drip, wait)
        shield._since -= safety.GRACE_S + 1
        with pytest.raises(StudioFault, match="slow"):
            await shield.receive()

    asyncio.run(try_both())


def test_18_a_thousand_small_uploads(studio: Running) -> None:
    """Neither many parts at once, nor many fields, nor one upload after the other holds it up."""
    deck = studio.make_deck("cat, dog")
    refuse(studio.upload(deck, {f"{i}.png": b"x" for i in range(1000)}), 400)
    body, kind = make_form({}, {f"f{i}": "x" for i in range(1000)})
    refuse(studio.call("POST", f"/api/decks/{deck['id']}/pictures", body, {"Content-Type": kind}), 400)
    for number in range(100):
        assert studio.upload(deck, {f"{number}.txt": b"x"}).plain["pictures"][0]["fault"]["code"] == "no_picture"
    assert not (studio.folder / "games" / deck["id"] / "pictures").exists()


def test_19_more_symbols_than_a_game_holds(studio: Running) -> None:
    """The first 183 are in; the rest is told of, and a list of a million words is only a list."""
    deck = studio.make_deck("cat, dog")
    text = "\n".join(f"word {chr(97 + i % 26)}{chr(97 + i // 26)}" for i in range(400))
    read = studio.ask("POST", f"/api/decks/{deck['id']}/read", {"text": text})
    assert len(read["deck"]["symbols"]) == 183 and read["left_out"] == 219
    refuse(studio.call("PATCH", f"/api/decks/{deck['id']}", {"ops": [{"op": "add", "text": "one, more"}]}), 400)


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"[]",
        b"null",
        b'{"ops": {}}',
        b'{"ops": [1]}',
        b'{"rev": "x", "ops": []}',
        b'{"ops": [{"op": "move", "id": "cat", "to": NaN}]}',
        b'{"ops": [{"op": "move", "id": "cat", "to": "x"}]}',
        b'{"ops": [{"op": "add", "symbols": [{"kind": "image", "text": "/etc/passwd"}]}]}',
        b'{"ops": [{"op": "set", "id": "cat", "picture": {"kind": "image", "text": "../../x.png"}}]}',
        b'{"ops": [{"op": "look", "values": {"back.image": "/etc/passwd.png"}}]}',
        b'{"ops": [{"op": "look", "values": {"font": "../../../x.ttf"}}]}',
        b'{"ops": [{"op": "look", "values": {"title": {"en": ["a"]}}}]}',
        b'{"ops": [{"op": "remove", "ids": 7}]}',
        b'{"ops": [{"op": "set", "id": "cat", "names": {"en": {"a": 1}, "xx": "y"}}]}',
        b"\xff\xfe",
        b'{"ops": ' + b"[" * 100_000,
        json.dumps({"ops": [{"op": "look", "values": {"title": "x" * 3_000_000}}]}).encode(),
    ],
)
def test_20_json_that_is_wrong_or_deep(studio: Running, body: bytes) -> None:
    """Whatever is sent, it is a fault with a sentence, never a bug, and changes nothing."""
    deck = studio.make_deck(WORDS)
    answer = studio.call("PATCH", f"/api/decks/{deck['id']}", body)
    assert answer.status in (400, 413, 422) and answer.fault["sentence"]
    assert studio.ask("GET", f"/api/decks/{deck['id']}")["rev"] == deck["rev"]


@pytest.mark.parametrize(
    "text",
    [
        b"a: &a [x]\nb: [*a, *a]\nsymbols: [cat]",
        b"symbols: " + b"[" * 5000,
        b"\x00\x01",
        b"symbols: !!python/object/apply:os.system [id]",
        b"symbols:\n" + b"  - cat\n" * 30000,
        b"x" * 1_100_000,
        b"symbols: [{image: ../../../etc/passwd.png, en: x}]\nback: {image: /etc/passwd}",
    ],
)
def test_21_themes_that_mean_harm(studio: Running, text: bytes) -> None:
    """A theme is read by the program's own guarded reader, by hand or not."""
    deck = studio.make_deck("cat, dog")
    refuse(studio.call("PUT", f"/api/decks/{deck['id']}/theme.yaml", text), 422, "theme")
    refuse(studio.call("POST", "/api/decks?name=x.yaml", text, {"Content-Type": "application/yaml"}), 422, "theme")


@pytest.mark.parametrize(
    "name",
    [
        "../../../x.png",
        "..\\..\\x.png",
        "/etc/x.png",
        "NUL.png",
        ".png",
        "a" * 300 + ".png",
        "#: {.png",
        "\u202egnp.png",
    ],
)
def test_22_files_with_names_that_mean_harm(studio: Running, name: str) -> None:
    """A file's name is only data: its picture lies in the game's folder under a harmless one."""
    deck = studio.make_deck("cat, dog")
    answer = studio.upload(deck, {name.replace('"', ""): draw_photo(6, "PNG")})
    assert answer.status == 200 and answer.plain["pictures"][0]["fault"] is None, answer.body
    (file,) = (studio.folder / "games" / deck["id"] / "pictures").iterdir()
    assert answer.plain["deck"]["symbols"][-1]["text"] == f"pictures/{file.name}"


def test_23_pages_and_scripts_as_pictures(studio: Running) -> None:
    """What is no picture stays out, whatever it is called."""
    deck = studio.make_deck("cat, dog")
    files = {
        "page.html": b"<script>",
        "x.php": b"<?php",
        "page.svg": b"<html><script>1</script></html>",
        "x.png": b"<html>",
    }
    assert all(each["fault"]["sentence"] for each in studio.upload(deck, files).plain["pictures"])


def test_24_downloads_that_break_off(studio: Running) -> None:
    """Who leaves in the middle of a download or of a build leaves nothing behind that blocks the next."""
    deck = studio.make_deck(WORDS)
    job = studio.wait_for_job(studio.ask("POST", f"/api/decks/{deck['id']}/jobs", {"booklet": False}, 202))
    for _ in range(20):
        with socket.create_connection(("127.0.0.1", studio.port), timeout=10) as line:
            head = f"GET /api/jobs/{job['id']}/files.zip HTTP/1.1\r\nHost: 127.0.0.1:{studio.port}\r\n"
            line.sendall(f"{head}Authorization: Bearer {TOKEN}\r\n\r\n".encode())
            line.recv(100)
    part = studio.get(f"/api/jobs/{job['id']}/files/cards.pdf", Range="bytes=0-99")
    assert part.status == 206 and part.body.startswith(b"%PDF")


def test_25_event_streams_left_open(studio: Running) -> None:
    """Streams that nobody closes have a limit for each game, and end when their reader is gone."""
    deck = studio.make_deck("cat, dog")
    lines = []
    for _ in range(30):
        connection = http.client.HTTPConnection("127.0.0.1", studio.port, timeout=10)
        connection.request("GET", f"/api/decks/{deck['id']}/events", headers={"Authorization": f"Bearer {TOKEN}"})
        lines.append((connection, connection.getresponse()))
    statuses = [answer.status for _, answer in lines]
    assert statuses.count(200) == 24 and set(statuses) == {200, 429}
    for connection, answer in lines:
        answer.close()
        connection.close()
    until = time.monotonic() + 30
    while time.monotonic() < until:
        connection = http.client.HTTPConnection("127.0.0.1", studio.port, timeout=10)
        connection.request("GET", f"/api/decks/{deck['id']}/events", headers={"Authorization": f"Bearer {TOKEN}"})
        status = connection.getresponse().status
        connection.close()
        if status == 200:
            return
        studio.change(deck, {"op": "look", "values": {"deck.seed": int(time.monotonic())}})
    raise AssertionError("streams are still taken")


def test_26_bytes_that_are_no_requests(studio: Running) -> None:
    """Rubbish, two lengths, old verbs and upgrades are answered or cut off."""
    for data in (b"\x16\x03\x01" + bytes(200), b"GET / HTTP/9.9\r\n\r\n", b"A" * 70000, b"GET /\r\n\r\n"):
        assert b" 200 " not in send_raw(studio.port, data).split(b"\r\n")[0]
    smuggled = f"POST /api/decks HTTP/1.1\r\nHost: 127.0.0.1:{studio.port}\r\nContent-Length: 5\r\n"
    answer = send_raw(
        studio.port, f"{smuggled}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\n\r\n".encode()
    )
    assert b" 200 " not in answer.split(b"\r\n")[0]
    for verb in ("TRACE", "OPTIONS", "PROPFIND"):
        assert studio.call(verb, "/api/decks").status == 405
    upgrade = {
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "eA==",
    }
    assert studio.call("GET", "/api/nothing", headers=upgrade).status == 404


def test_27_a_full_disk(tmp_path: Path) -> None:
    """What cannot be saved is told in a sentence; what was saved is still there afterwards."""
    with running(tmp_path) as studio:
        deck = studio.make_deck(WORDS)
        folder = tmp_path / "games" / deck["id"]
        journal = (folder / "journal.jsonl").read_bytes()
        (folder / "journal.jsonl").unlink()
        (folder / "journal.jsonl").symlink_to("/dev/full")
        refused = studio.call("PATCH", f"/api/decks/{deck['id']}", {"ops": [{"op": "remove", "ids": ["cat"]}]})
        refuse(refused, 507, "save")
        assert "No space left" in refused.fault["sentence"]
        (folder / "journal.jsonl").unlink()
        (folder / "journal.jsonl").write_bytes(journal)
        assert len(studio.ask("GET", f"/api/decks/{deck['id']}")["symbols"]) == 13
        assert len(studio.change(deck, {"op": "remove", "ids": ["cat"]})["symbols"]) == 12


def test_28_a_folder_that_cannot_be_used(tmp_path: Path) -> None:
    """The studio says so instead of starting; one that vanishes meanwhile is told of as well."""
    (tmp_path / "file").write_text("")
    with pytest.raises(AssertionError, match="cannot be saved"), running(tmp_path / "file" / "deeper"):
        pass
    with (
        pytest.raises(AssertionError, match="whoever knows the token"),
        running(tmp_path, "--host", "0.0.0.0", token=""),
    ):
        pass
    with running(tmp_path) as studio:
        deck = studio.make_deck("cat, dog")
        for path in sorted((tmp_path / "games" / deck["id"]).iterdir()):
            path.unlink()
        (tmp_path / "games" / deck["id"]).rmdir()
        assert studio.call("PATCH", f"/api/decks/{deck['id']}", {"ops": []}).status == 404


def test_29_every_answer_is_sealed(studio: Running) -> None:
    """No script but the studio's own, no frame around it, nothing guessed from content, nothing kept by others."""
    page = studio.get("/")
    policy = page.headers["content-security-policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy and "frame-ancestors 'none'" in policy
    for path in ("/", "/api/decks", "/static/index.html", "/nothing"):
        headers = studio.get(path).headers
        assert headers["x-content-type-options"] == "nosniff" and headers["referrer-policy"] == "no-referrer"
        assert "server" not in headers


def test_30_other_computers_need_a_chosen_token(tmp_path: Path) -> None:
    """Opened to others, it answers to its addresses, but still to no other name."""
    with running(tmp_path, "--host", "0.0.0.0") as studio:
        assert studio.get("/api/decks", Host="192.168.1.7:8080").status == 200
        refuse(studio.get("/api/decks", Host="evil.example"), 403, "host")
        assert studio.process and studio.process.stderr
        assert "Other computers can reach" in studio.process.stderr.readline()
