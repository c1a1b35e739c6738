"""Programs of the system that tests measure with: Ghostscript, qpdf and poppler."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence

import pytest

PACKAGES = {
    "gs": "ghostscript",
    "qpdf": "qpdf",
    "pdftoppm": "poppler-utils",
    "pdftotext": "poppler-utils",
    "pdfinfo": "poppler-utils",
}


def run_tool(command: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """Run a program; where it is not installed the test is skipped and says what to install, but never in CI."""
    program = command[0]
    if shutil.which(program) is None:
        reason = f"{program} is not installed: sudo apt install {PACKAGES[program]}"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    return subprocess.run(command, check=True, capture_output=True, text=True)
