"""Canvases: where every page that ReportLab writes begins.

Invariant: each starts with an embedded font (or ReportLab puts an unembedded Helvetica on every page) and holds
nothing that differs between two runs.
"""

from __future__ import annotations

import io
from typing import Any

from dobble_print.press.lettering import REGULAR


def open_canvas(sink: io.BytesIO, title: str) -> Any:
    """A canvas that writes into the sink; the font must be registered already."""
    from reportlab import rl_config
    from reportlab.pdfgen.canvas import Canvas

    rl_config.useA85 = 0  # letters for bytes, which pikepdf would only have to turn back
    canvas = Canvas(sink, invariant=1, pageCompression=1, initialFontName=REGULAR)
    canvas.setTitle(title)
    canvas.setCreator("dobble-print")
    canvas.setAuthor("")
    canvas.setSubject("")
    return canvas
