"""A line of advice for each direction."""

from __future__ import annotations

from typing import NamedTuple

VALUES = ("name", "reader", "writer", "kept", "example")


class Remedy(NamedTuple):
    """What to do looking backward and looking forward; ``name`` and the values may be used in braces.

    ``kept`` is the value of the stored version, ``stored`` what that version is called.
    """

    backward: str
    forward: str

    @property
    def has_values(self) -> bool:
        """True when the words need a name or a value of the finding."""
        return any(f"{{{one}}}" in words for words in self for one in VALUES)


def both(words: str) -> Remedy:
    """Return advice that holds in both directions."""
    return Remedy(words, words)
