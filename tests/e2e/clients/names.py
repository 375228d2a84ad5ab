"""The awkward names that every client's tests use: what a path, a query or a column might spoil."""

from __future__ import annotations

from typing import Final

# The characters of the longest names that other registries allow.
LONGEST: Final = 255
# Where the star is comes a name that no other test uses, so that the same table serves every client.
AWKWARD: Final = {
    "slash": "*/a/b",
    "encoded slash": "*%2F%252Fa%zz",
    "percent": "*%",
    "plus": "*+a++",
    "colon": "*:a:b:",
    "leading colon": ":*",
    "spaces": " *  a ",
    "letters": "*-ü漢ж",
    "emoji": "*😀👩‍🚀",
    "query and fragment": "*?a=b&c#d",
    "dots": "../*/./../..x",
    "brackets": "*[{<\"'`|\\^>}]",
    "tail in the middle": "*/versions/1/schema/b",
    "longest": "*" + "x" * LONGEST,
    "longest of emoji": "*" + "😀" * LONGEST,
}


def awkward(kind: str, topic: str) -> str:
    """Return the name of this kind that holds ``topic``."""
    return AWKWARD[kind].replace("*", topic)[:LONGEST]


def far_id(topic: str) -> int:
    """Return an id of a schema to import that no other test uses and no registration reaches."""
    return 1_000_000_000 + int(topic[-7:], 16)
