"""A value that cannot be, before it is known where it stands."""

from __future__ import annotations


class Refusal(Exception):
    """What is wrong with a value and what to do about it; whoever knows the place turns it into a `Fault`."""

    def __init__(self, what: str, hint: str = "") -> None:
        super().__init__(what)
        self.what, self.hint = what, hint
