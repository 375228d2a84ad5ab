"""What is asked of a search and what it tells: frozen values."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from datetime import datetime

    from accord.discovery.query import Search


# How near a hit is, the subject's name, and our own keys of subject and row: where a part of a list ends.
Place: TypeAlias = tuple[int, str, int, int]
LONGEST_PLACE: Final = 20_000
# What a column of the database counts to.
MOST_PLACE: Final = 2**63 - 1


def read_place(text: str) -> Place | None:
    """Return the place that a text of JSON says; None for one that no list ends at."""
    try:
        match json.loads(text[:LONGEST_PLACE]):
            case [rank, str(name), source, position]:
                numbers = (rank, source, position)
                if all(type(one) is int and abs(one) <= MOST_PLACE for one in numbers) and _is_text(name):
                    return rank, name, source, position
    except (ValueError, RecursionError):
        pass
    return None


def _is_text(name: str) -> bool:
    """Tell whether the database can hold a text: halves of characters, and NUL, it cannot."""
    return "\0" not in name and name == name.encode(errors="replace").decode()


class HitKind(StrEnum):
    """What a hit is, as the tabs of the page have it; ``docs`` are hits by a word of documentation."""

    ALL = ""
    SUBJECTS = "subject"
    FIELDS = "field"
    TYPES = "type"
    DOCS = "doc"


class Nearness(StrEnum):
    """How well a hit answers the words of a search, the best first."""

    EXACT = "exact"
    BEGINNING = "beginning"
    PART = "part"
    TAG = "tag"
    DOC = "doc"
    SIMILAR = "similar"


@dataclass(frozen=True, slots=True)
class SearchAsked:
    """A search, the kind of hits that are listed, and the place in the list after which to go on."""

    search: Search
    kind: HitKind = HitKind.ALL
    after: Place | None = None
    limit: int = 50


@dataclass(frozen=True, slots=True)
class Hit:
    """A field, type or subject that was found, with the version it is of, the last one where ``is_past``."""

    kind: str
    nearness: Nearness
    namespace: str
    subject: str
    version: int
    schema_id: int
    format: str
    path: str
    name: str
    type: str
    logical: str
    doc: str
    tags: tuple[str, ...]
    is_required: bool
    is_nullable: bool
    has_default: bool
    owner: str
    level: str
    is_past: bool
    is_deleted: bool
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class Found:
    """A part of the hits; ``counts`` are those of the kinds, ``facets`` of the values of each operator.

    ``total`` are the hits of the kind that was asked for. ``is_capped`` tells that there are more than are
    counted, so that the counts are those of the best ones. ``after`` is where to go on.
    """

    hits: tuple[Hit, ...]
    total: int
    counts: dict[str, int]
    facets: dict[str, dict[str, int]]
    is_capped: bool
    after: Place | None


@dataclass(frozen=True, slots=True)
class FieldPlace:
    """A field with the subject whose latest version has it."""

    namespace: str
    subject: str
    version: int
    path: str


@dataclass(frozen=True, slots=True)
class FieldType:
    """A type that fields of one name have in a format, in how many subjects, and the first of those."""

    format: str
    type: str
    subjects: int
    places: tuple[FieldPlace, ...] = ()


@dataclass(frozen=True, slots=True)
class FieldName:
    """A name of fields, upper and lower case alike, as it is spelled somewhere, with its types."""

    key: str
    name: str
    types: tuple[FieldType, ...]
    is_conflicting: bool


@dataclass(frozen=True, slots=True)
class FieldNames:
    """A part of the names in their order; ``after`` is where to go on."""

    names: tuple[FieldName, ...]
    after: str | None


@dataclass(frozen=True, slots=True)
class Similar:
    """A subject whose latest schema is like another; ``percent`` of all ways to fields are in both."""

    namespace: str
    subject: str
    version: int
    format: str
    percent: int
