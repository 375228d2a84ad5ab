"""Whether fields of one name have types that go together, whatever the formats they are written in."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

# The words of the formats for the same kind of value.
FAMILIES: Final[Mapping[str, str]] = {
    word: family
    for family, words in {
        "integer": "int long int32 int64 uint32 uint64 sint32 sint64 fixed32 fixed64 sfixed32 sfixed64",
        "number": "float double",
        "boolean": "bool",
    }.items()
    for word in words.split()
}
WORD: Final = re.compile(r"[\w.]+")


class TypeUse(NamedTuple):
    """A type of a field in words, and the format that it is written in."""

    format: str
    type: str


def family(type_: str) -> str:
    """Return a type in words that all formats share: ``array of integer`` for an ``array of int64``."""
    return WORD.sub(lambda word: FAMILIES.get(word[0], word[0]), type_)


def is_conflicting(uses: Iterable[TypeUse]) -> bool:
    """Tell whether values of these types cannot be taken for one another.

    Types of one format conflict when they differ, those of two formats when their values are of another kind.
    """
    of_format: dict[str, set[str]] = defaultdict(set)
    for one in uses:
        of_format[one.format].add(one.type)
    families = {family(type_) for types in of_format.values() for type_ in types}
    return len(families) > 1 or any(len(types) > 1 for types in of_format.values())
