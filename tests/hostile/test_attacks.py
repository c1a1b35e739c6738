"""What once broke a promise: each attack is answered in words, in time, with the exit code that the manual tells."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.hostile.attacks import ATTACKS
from tests.hostile.harness import MOST_SECONDS


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_breaks_nothing(tmp_path: Path, name: str) -> None:
    """What it aims at does not happen, and it costs neither time nor memory."""
    attack = ATTACKS[name](tmp_path)
    problems = attack.judge(tmp_path, attack.run(tmp_path), MOST_SECONDS)
    assert not problems, "\n".join(problems)
