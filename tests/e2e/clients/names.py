"""The awkward names that every client's tests use: what a path, a query or a column might spoil."""

from __future__ import annotations

from typing import Final

# The most characters that a subject may have (``registry.models.schemas``).
LONGEST: Final = 255
# Each stands behind a name that no other test uses, so that the same table serves every client.
AWKWARD: Final = {
    "slash": "/a/b",
    "percent": "%2F%252F%zz",
    "plus": "+b",
    "colon": ":b:c",
    "space": " b  c",
    "letters": "-ü漢ж",
    "emoji": "-😀👩‍🚀",
    "query and fragment": "?a=b&c#d",
    "dots": "/../b",
    "brackets": "[{<\"'`|\\^>}]",
    "tail in the middle": "/versions/1/schema/b",
    "longest": "x" * LONGEST,
    "longest of emoji": "😀" * LONGEST,
}


def awkward(kind: str, topic: str) -> str:
    """Return the name of this kind that starts with ``topic``."""
    return (topic + AWKWARD[kind])[:LONGEST]


def far_id(topic: str) -> int:
    """Return an id of a schema to import that no other test uses and no registration reaches."""
    return 1_000_000_000 + int(topic[-7:], 16)
