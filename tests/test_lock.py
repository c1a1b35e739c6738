"""The lock: everything that is installed for the program, its tests and its build, in one version a machine."""

from __future__ import annotations

import itertools
import re
import subprocess
import tomllib
from collections.abc import Iterator

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.conftest import ROOT

LOCK = ROOT / "requirements.lock"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PINS = [
    Requirement(line.split("#")[0].strip())
    for line in LOCK.read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]
PLATFORMS = {"linux": "Linux", "darwin": "Darwin", "win32": "Windows"}
PYTHONS = ["3.11", "3.12", "3.13", "3.14"]


def list_requirements() -> Iterator[Requirement]:
    """Return all that pyproject.toml asks for: program, extras, tests and build."""
    project = PROJECT["project"]
    lists = [project["dependencies"], PROJECT["build-system"]["requires"]]
    lists += [*project["optional-dependencies"].values(), *PROJECT["dependency-groups"].values()]
    requirements = map(Requirement, itertools.chain(*lists))
    return (requirement for requirement in requirements if requirement.name != project["name"])


def find_pins(name: str, python: str, platform: str) -> list[Requirement]:
    """Return the lines of the lock that hold for a package on a machine."""
    environment = {
        "python_version": python,
        "python_full_version": f"{python}.0",
        "sys_platform": platform,
        "platform_system": PLATFORMS[platform],
    }
    named = [pin for pin in PINS if canonicalize_name(pin.name) == canonicalize_name(name)]
    return [pin for pin in named if pin.marker is None or pin.marker.evaluate(environment)]


@pytest.mark.parametrize(("python", "platform"), [*itertools.product(PYTHONS, PLATFORMS)])
def test_every_requirement_is_locked_at_a_version_that_fits(python: str, platform: str) -> None:
    """One line each, on every Python and system."""
    for requirement in list_requirements():
        (pin,) = find_pins(requirement.name, python, platform)
        (exact,) = pin.specifier
        assert exact.operator == "==" and "*" not in exact.version
        assert requirement.specifier.contains(exact.version, prereleases=True), f"{pin} is not {requirement}"


def test_the_lock_pins_versions_and_nothing_else() -> None:
    """It names no host, no address, no folder and no option of the installer."""
    for line in LOCK.read_text(encoding="utf-8").splitlines():
        assert re.fullmatch(r"#.*|[\w.-]+==[\w.]+( ; [\w.<>=!' ()]+)?\s+# via .*", line), line
        assert "/" not in line and "\\" not in line, line
    assert all(pin.url is None and len(pin.specifier) == 1 for pin in PINS)


def test_whatever_make_installs_obeys_the_lock() -> None:
    """Also the environment that the package is built in, with old and new versions of pip."""
    shown = subprocess.run(
        ["make", "--dry-run", "--always-make", "deck", "test", "update", "one-python"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    by_pip = [line for line in shown.splitlines() if "-m pip install" in line]
    by_uv = [line for line in shown.splitlines() if "uv pip install" in line]
    assert len(by_pip) == 3 and len(by_uv) == 1
    for line in by_pip:
        assert line.startswith(f"PIP_CONSTRAINT={LOCK.name} PIP_BUILD_CONSTRAINT={LOCK.name} ")
    for line in by_uv:
        assert f"--constraint {LOCK.name} --build-constraint {LOCK.name} " in line
