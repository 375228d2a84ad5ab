"""A line of advice for each direction."""

from __future__ import annotations

from typing import NamedTuple


class Remedy(NamedTuple):
    """What to do looking backward and looking forward; ``name`` and the values may be used in braces.

    ``kept`` is the value of the stored version, ``stored`` what that version is called.
    """

    backward: str
    forward: str


def both(words: str) -> Remedy:
    """Return advice that holds in both directions."""
    return Remedy(words, words)
