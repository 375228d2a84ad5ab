"""The named parts of a schema, as policies speak of them: a port that each format fills.

Requirements on content (names, docs, size) are the same for every format. What a format must give for
them is an iterator of its named elements.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator

    from accord.formats.parsed import ParsedSchema


class ElementKind(StrEnum):
    """What a named element is, in the words of policies.

    An object of JSON Schema and a message of Protobuf count as a record, a property as a field.
    """

    RECORD = "record"
    ENUM = "enum"
    FIXED = "fixed"
    FIELD = "field"
    SYMBOL = "symbol"


TYPES = frozenset((ElementKind.RECORD, ElementKind.ENUM, ElementKind.FIXED))
# Symbols of Avro have no place for a doc.
DOCUMENTED = TYPES | {ElementKind.FIELD}


class Element(NamedTuple):
    """One element: its simple name, its namespace, its path and whether it has a doc.

    A type that a format lets go without a name has the empty one; what has no namespaces has None.
    """

    kind: ElementKind
    name: str
    path: tuple[str, ...]
    namespace: str | None = None
    is_documented: bool = False


class Elements(Protocol):
    """What a format provides: the elements written in a schema, in the order of its text.

    What a reference brings belongs to another schema and is left out.
    """

    def __call__(self, schema: ParsedSchema) -> Iterator[Element]:
        """Yield the elements."""
        ...
