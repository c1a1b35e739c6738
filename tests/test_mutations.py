"""The mutation check: each line it breaks is still in the program, once."""

from __future__ import annotations

import pytest

from benchmarks.mutations import MUTATIONS, Mutation
from tests.conftest import ROOT


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.name)
def test_a_mutation_finds_its_line(mutation: Mutation) -> None:
    """Otherwise nobody knows any more whether a test guards it."""
    assert (ROOT / mutation.file).read_text(encoding="utf-8").count(mutation.old) == 1
    assert all((ROOT / test).is_file() for test in mutation.tests)
