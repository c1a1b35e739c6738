from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

from tests.conftest import ROOT


def test_the_wheel_builds_a_shipped_theme_away_from_the_checkout(tmp_path: Path) -> None:
    """Themes and templates travel inside: an empty environment with only the wheel and its libraries makes a deck."""
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    locked = {**os.environ, "PIP_CONSTRAINT": "requirements.lock", "PIP_BUILD_CONSTRAINT": "requirements.lock"}
    build = [*pip, "wheel", "--no-deps", "-w", str(tmp_path / "dist"), "."]
    subprocess.run(build, cwd=ROOT, env=locked, check=True, capture_output=True)
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    venv.create(tmp_path / "env", with_pip=False)
    python = tmp_path / "env" / ("Scripts" if os.name == "nt" else "bin") / "python"
    site = Path(
        subprocess.run(
            [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
    )
    subprocess.run([*pip, "install", "--no-deps", "--target", str(site), str(wheel)], check=True, capture_output=True)
    # the libraries come from the environment of the tests; the checkout itself stays out of sight
    (site / "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n")
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}

    def run(*arguments: str) -> str:
        command = [str(python), "-c", "from dobble_print.cli.app import main; main()", *arguments]
        return subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True).stdout

    where = [str(python), "-c", "import dobble_print; print(dobble_print.__file__)"]
    found = subprocess.run(where, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True).stdout
    assert Path(found.strip()).is_relative_to(site)
    assert "classic" in run("list", "themes")
    assert "cards.pdf" in run("build", "classic", "--quality", "draft")
    assert (tmp_path / "output" / "classic" / "cards.pdf").stat().st_size > 50_000
