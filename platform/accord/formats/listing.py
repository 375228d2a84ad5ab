"""The fields and types of a schema as people look for them: what the formats share.

A field has the way to it from the root, the names of the fields around it joined by dots. What holds many
values (arrays, maps) adds nothing to the way. A type that holds itself is gone into once on each way. What a
reference brings belongs to another schema: its name is told, its fields are not. The outer come before the
inner, so that a limit cuts what is deepest. Source: house, section 15; ui, section 3.3.
"""

from __future__ import annotations

from collections import deque
from enum import StrEnum
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

# Of rows of one schema, of places gone into for them, and of types around a field.
MOST_ROWS: Final = 5_000
MOST_PLACES: Final = 20_000
DEEPEST: Final = 20
# In characters.
LONGEST_WAY: Final = 1_000
LONGEST_TYPE: Final = 200
LONGEST_DOC: Final = 1_000
LONGEST_TAG: Final = 200
MOST_TAGS: Final = 50

Place = TypeVar("Place")


class RowKind(StrEnum):
    """What a row is about; that of a subject is the registry's to make."""

    SUBJECT = "subject"
    FIELD = "field"
    TYPE = "type"


class Listed(NamedTuple):
    """A field, or a type that the text declares; ``path`` of a type is its full name.

    ``type`` is in words: ``string``, ``array of Line``, for a type its kind. ``logical`` is what the values
    mean beyond it: the logical type of Avro, the format of JSON Schema. ``is_required`` tells whether data
    must bring the field, ``is_nullable`` whether it may be there without a value.
    """

    kind: RowKind
    path: str
    name: str
    type: str
    logical: str = ""
    doc: str = ""
    tags: tuple[str, ...] = ()
    is_required: bool = False
    is_nullable: bool = False
    has_default: bool = False


class Listing(NamedTuple):
    """The rows of a schema; ``is_cut`` where it has more than are listed."""

    rows: tuple[Listed, ...]
    is_cut: bool = False


class Lister(Protocol):
    """What a format provides: the rows of a canonical text, which are read without what it refers to."""

    def __call__(self, text: str) -> Listing:
        """Return the fields, the outer before the inner, and the types."""
        ...


def gathered(starts: Iterable[Place], step: Callable[[Place], Iterator[Listed | Place]]) -> Listing:
    """Return the rows that are found from some places; ``step`` yields rows, and places to go on from."""
    waiting = deque(starts)
    rows: list[Listed] = []
    gone = 0
    while waiting:
        for one in step(waiting.popleft()):
            if not isinstance(one, Listed):
                gone += 1
                waiting.append(one)
            elif len(one.path) <= LONGEST_WAY:
                rows.append(_short(one))
            if len(rows) >= MOST_ROWS or gone >= MOST_PLACES:
                return Listing(tuple(rows), is_cut=True)
    return Listing(tuple(rows))


class Told(dict[int, Listed]):
    """The rows of parts of a text by identity: a part costs once what it costs, wherever it is used."""

    def row(self, part: object, way: str, make: Callable[[], Listed]) -> Listed:
        """Return the row of a part at the end of a way."""
        known = self.get(id(part))
        if known is None:
            known = self[id(part)] = make()
        return known._replace(path=way)


def joined(way: str, name: str) -> str:
    """Return the way to a field."""
    return f"{way}.{name}" if way else name


def _short(row: Listed) -> Listed:
    """Return a row as it may be stored: no NUL, no text without end."""
    tags = [one for one in dict.fromkeys(row.tags) if one and len(one) <= LONGEST_TAG]
    return row._replace(
        path=_clean(row.path),
        name=_clean(row.name),
        type=_clean(row.type)[:LONGEST_TYPE],
        logical=_clean(row.logical)[:LONGEST_TYPE],
        doc=" ".join(_clean(row.doc).split())[:LONGEST_DOC],
        tags=tuple(map(_clean, tags[:MOST_TAGS])),
    )


def _clean(text: str) -> str:
    """Return a text without what a database refuses: NUL, and halves of surrogate pairs."""
    return text.replace("\0", "\ufffd").encode("utf-8", "replace").decode()
