"""What a drawing refers to is neither fetched nor read: servers see nobody, and pipes that would block do not."""

from __future__ import annotations

import os
import re
import signal
import socket
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from dobble_print.art import guarded
from dobble_print.art.svg.render import draw_svg, render_svg
from dobble_print.errors import ArtworkError
from dobble_print.sandbox import pool
from tests.hostile.drawings import SQUARE, svg
from tests.hostile.harness import MOST_SECONDS, run, with_symbol

BLUR = '<filter id="blur"><feGaussianBlur stdDeviation="1"/></filter>'  # sends a drawing to resvg

REFERENCES = [
    '<image href="{to}" width="50" height="50"/>',
    '<image xlink:href="{to}" width="50" height="50"/>',
    '<image xlink:href=" {to} " width="50" height="50"/>',
    '<use href="{to}#x"/>',
    '<use xlink:href="{to}#x"/>',
    '<style>@import url("{to}");</style>',
    "<style>@import '{to}';</style>",
    '<style>@\\69mport "{to}";</style>',
    "<style>rect {{fill: url({to}#p)}}</style>",
    "<style>rect {{fill: u\\72l({to}#p)}}</style>",
    "<style>@font-face {{font-family: x; src: url({to})}}</style><text font-family='x'>a</text>",
    '<rect width="9" height="9" style="fill:url({to}#p)"/>',
    '<rect width="9" height="9" style="mask:u\\72l({to}#p)"/>',
    '<rect width="9" height="9" fill="url(\'{to}#p\')"/>',
    '<rect width="9" height="9" clip-path="url({to}#p)"/>',
    '<rect width="9" height="9" filter="url({to}#p)"/>',
    '<path d="M0 0L9 9" stroke="red" marker-end="url({to}#p)"/>',
    '<filter id="f"><feImage href="{to}"/></filter><rect width="9" height="9" filter="url(#f)"/>',
    '<linearGradient id="g" href="{to}#g"/><rect width="9" height="9" fill="url(#g)"/>',
    '<pattern id="p" xlink:href="{to}#g"/><rect width="9" height="9" fill="url(#p)"/>',
    '<text><tref xlink:href="{to}#t"/></text>',
    '<text><textPath href="{to}#t">a</textPath></text>',
    '<foreignObject width="9" height="9"><img xmlns="http://www.w3.org/1999/xhtml" src="{to}"/></foreignObject>',
    '<script href="{to}"/>',
    '<animate attributeName="href" to="{to}"/>',
    '<image href="x" width="9" height="9"><set attributeName="href" to="{to}"/></image>',
    '<g xml:base="{to}"><image href="a.png" width="9" height="9"/></g>',
    '<image href="data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22%3E%3Cimage href=%22{to}%22/%3E'
    '%3C/svg%3E" width="9" height="9"/>',
]


def write_theme(folder: Path, targets: list[str]) -> Path:
    """A theme of drawings, each with one reference to one of the targets, half of them drawn by resvg."""
    lines = []
    for i, reference in enumerate(reference.format(to=to) for reference in REFERENCES for to in targets):
        name = f"d{i}.svg"
        mark = f'<circle cx="{i % 90}" cy="{i // 90}" r="3"/>'  # no two alike
        (folder / name).write_bytes(svg(SQUARE + mark + reference + (BLUR if i % 2 else "")))
        lines.append(f"  - {name}\n")
    (folder / "theme.yaml").write_text("symbols:\n" + "".join(lines), encoding="utf-8")
    return folder / "theme.yaml"


def test_no_drawing_reaches_the_network(tmp_path: Path, visitors: tuple[str, list[str]]) -> None:
    """28 ways to refer to a server: each is left out and reported with its symbol's line; the server sees nobody."""
    server, seen = visitors
    url = f"{server}/a.png"
    theme = write_theme(tmp_path, [url])
    outcome = run("check", theme, "--json", cwd=tmp_path)
    assert not seen
    assert "Traceback" not in outcome.err and outcome.seconds < MOST_SECONDS
    warned = {
        warning["place"]["line"]
        for warning in outcome.report_of(theme)["warnings"]
        if "left out of the drawing" in warning["what"]
    }
    assert warned == set(range(2, 2 + len(REFERENCES)))


def test_no_drawing_reads_a_file(tmp_path: Path) -> None:
    """References to pipes: whoever opened one would wait for ever; nobody does, however they are written."""
    os.mkfifo(tmp_path / "pipe.png")
    targets = ["pipe.png", f"file://{tmp_path}/pipe.png"]
    theme = write_theme(tmp_path, targets)
    outcome = run("check", theme, "--json", cwd=tmp_path)
    assert "Traceback" not in outcome.err
    assert len(outcome.report_of(theme)["warnings"]) >= len(REFERENCES) * len(targets)


@pytest.mark.parametrize(
    "reference", ["secret.png", "./secret.png", "{folder}/secret.png", "file://{folder}/secret.png"]
)
def test_a_picture_beside_a_drawing_stays_out_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reference: str
) -> None:
    """Not one green pixel, from either renderer."""
    Image.new("RGB", (50, 50), "lime").save(tmp_path / "secret.png")
    monkeypatch.chdir(tmp_path)
    body = f'{SQUARE}<image href="{reference.format(folder=tmp_path)}" width="100" height="100"/>'
    for extra in ("", BLUR):
        pixels = np.asarray(guarded.render_guarded(guarded.open_guarded(svg(body + extra)).svg, 64))
        assert pixels[32, 32, 0] > 200
        assert not ((pixels[..., 1] > 200) & (pixels[..., 0] < 100) & (pixels[..., 3] > 0)).any()


def test_the_worker_itself_can_open_nothing(tmp_path: Path) -> None:
    """Even a drawing that slipped past the gate meets a process without files: what it refers to is not there."""
    Image.new("RGB", (50, 50), "lime").save(tmp_path / "secret.png")
    hidden = svg(f'<image href="{tmp_path}/secret.png" width="100" height="100"/><circle r="5"/>')
    assert np.asarray(render_svg(hidden, 64))[32, 32, 1] > 200  # so it would be without both
    pixels = np.asarray(guarded.render_guarded(hidden, 64))
    assert not ((pixels[..., 1] > 200) & (pixels[..., 0] < 100) & (pixels[..., 3] > 0)).any()


def test_cairo_is_told_to_fetch_nothing(visitors: tuple[str, list[str]]) -> None:
    """The renderer for vectors refuses on its own, too."""
    server, seen = visitors
    url = f"{server}/a.png"
    draw_svg(svg(f'{SQUARE}<image href="{url}" width="50" height="50"/><style>@import "{url}";</style>'))
    assert not seen


def test_links_of_a_theme_are_not_followed(tmp_path: Path) -> None:
    """A theme that names addresses is refused without a connection: the port would answer the first one with a hang."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.2)
        port = server.getsockname()[1]
        theme = tmp_path / "theme.yaml"
        theme.write_text(with_symbol(f"{{image: 'http://127.0.0.1:{port}/a.png'}}"), encoding="utf-8")
        assert run("build", theme, cwd=tmp_path).code == 3
        with pytest.raises(TimeoutError):
            server.accept()


def test_a_dead_worker_is_replaced(monkeypatch: pytest.MonkeyPatch, endless_drawing: bytes) -> None:
    """After a picture that had to be ended, the next one is drawn as if nothing had been."""
    monkeypatch.setattr(guarded, "SECONDS", 0.3)
    with pytest.raises(ArtworkError, match="takes too long"):
        guarded.open_guarded(endless_drawing)
    assert guarded.open_guarded(svg(SQUARE)).mask.width == 1.0


@pytest.mark.parametrize("starts_fresh", [False, True])
def test_both_kinds_of_worker_draw_the_same(monkeypatch: pytest.MonkeyPatch, starts_fresh: bool) -> None:
    """A forked one and a fresh interpreter, as on Windows."""
    guarded.WORKER.close()
    monkeypatch.setattr(pool, "can_fork", lambda: not starts_fresh)
    opened = guarded.open_guarded(svg(SQUARE))
    guarded.WORKER.close()
    assert opened.pdf is not None
    dates = re.compile(rb"CreationDate \(.*?\)")
    assert dates.sub(b"", opened.pdf) == dates.sub(b"", draw_svg(opened.svg).pdf)


@pytest.mark.parametrize(("how", "words"), [(signal.SIGSEGV, "breaks the library"), (signal.SIGKILL, "memory")])
def test_a_worker_that_dies_is_a_fault(how: signal.Signals, words: str) -> None:
    """A decoder that crashes, or a system short of memory, ends only the worker."""
    guarded.WORKER.close()
    guarded.open_guarded(svg(SQUARE))
    assert guarded.WORKER.worker is not None
    os.kill(guarded.WORKER.worker.pid, how)
    with pytest.raises(ArtworkError, match=words):
        guarded.open_guarded(svg(SQUARE))
    assert guarded.open_guarded(svg(SQUARE)).mask.width == 1.0


def test_modules_in_the_current_folder_are_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fresh worker started in a stranger's folder runs nothing that lies there."""
    for name in ("json", "PIL", "numpy", "dobble_print", "sitecustomize"):
        (tmp_path / f"{name}.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(pool, "can_fork", lambda: False)
    guarded.WORKER.close()
    assert guarded.open_guarded(svg(SQUARE)).mask.width == 1.0
    guarded.WORKER.close()
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize("family", ["sans-serif", "DejaVu Sans"])
def test_live_text_finds_the_same_letters_as_outside(family: str) -> None:
    """The one thing for which the worker may open files: the fonts that come with the program."""
    text = svg(f'<text x="5" y="70" font-size="60" font-family="{family}">AB</text>')
    opened = guarded.open_guarded(text)
    assert (opened.mask.alpha == draw_svg(opened.svg).mask.alpha).all()
    assert guarded.render_guarded(text, 64).tobytes() == render_svg(text, 64).tobytes()


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """A picture within the limit of pixels that needs more than a fresh worker may have is a fault."""
    from tests.hostile.pixels import make_png

    guarded.WORKER.close()
    monkeypatch.setattr(pool, "can_fork", lambda: False)  # a forked one may find room that the tests before have left
    monkeypatch.setattr(guarded, "MEMORY_BYTES", 20 << 20)
    with pytest.raises(ArtworkError, match="memory"):
        guarded.read_pixels_guarded(make_png(7000, 7000))
    guarded.WORKER.close()
