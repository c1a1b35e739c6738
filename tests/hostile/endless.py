"""Work that never ends, however fast the machine and whatever a library learns to do sooner."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


def hang_on(mark: str, honest: Callable[P, T]) -> Callable[P, T]:
    """Return a function that does the same, except that it never returns when its arguments hold the mark."""

    def work(*arguments: P.args, **options: P.kwargs) -> T:
        if mark in repr((arguments, options)):
            any(itertools.repeat(False))  # a loop in compiled code, as in a library
        return honest(*arguments, **options)

    return work


def write_hang(module: str, name: str, mark: str = "") -> str:
    """Return a program that makes a function of a library hang on the mark."""
    return (
        f"import {module}; from tests.hostile.endless import hang_on; "
        f"{module}.{name} = hang_on({mark!r}, {module}.{name})"
    )
