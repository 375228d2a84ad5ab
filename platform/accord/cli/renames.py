"""Which file of before a new one was: the most alike of those that are gone."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

WORDS: Final = re.compile(rb"\w+")
MOST_COMPARED: Final = 200
ENOUGH: Final = 0.5


def likeliest(text: str, gone: Mapping[str, bytes]) -> str | None:
    """The path of the text that shares most words with a new one, at least half of them; or None."""
    new = Counter(WORDS.findall(text.encode(errors="replace")))
    best, path = ENOUGH, None
    for name, content in sorted(gone.items())[:MOST_COMPARED]:
        likeness = _likeness(new, Counter(WORDS.findall(content)))
        if likeness > best or (path is None and likeness == best):
            best, path = likeness, name
    return path


def _likeness(one: Counter[bytes], other: Counter[bytes]) -> float:
    """The share of words in common, from 0 to 1."""
    whole = one.total() + other.total()
    return 2 * (one & other).total() / whole if whole else 0.0
