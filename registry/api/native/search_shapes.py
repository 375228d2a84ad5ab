"""What the native API answers to a search, member by member."""

from __future__ import annotations

from typing import NotRequired, TypedDict

from accord_server.kit.shapes import Moment


class HitShape(TypedDict):
    """A field, type or subject that answers a search."""

    kind: str
    nearness: str
    namespace: str
    subject: str
    version: int
    id: int
    format: str
    path: str
    name: str
    type: str
    logical: str
    doc: str
    tags: list[str]
    is_required: bool | None
    is_nullable: bool | None
    has_default: bool | None
    owner: str
    is_deleted: bool
    is_past: bool
    level: str
    updated_at: Moment


class FacetShape(TypedDict):
    """A value, and how many hits have it."""

    value: str
    count: int


class FoundShape(TypedDict):
    """A part of the hits, with counts of kinds and values of all of them."""

    items: list[HitShape]
    total: int
    is_capped: bool
    kinds: dict[str, int]
    facets: dict[str, list[FacetShape]]
    next: str | None


class FieldPlaceShape(TypedDict):
    """A field with the subject whose latest version has it."""

    namespace: str
    subject: str
    version: int
    path: str


class FieldTypeShape(TypedDict):
    """A type that fields of one name have, in how many subjects, and the first of those for one name."""

    format: str
    type: str
    subjects: int
    places: NotRequired[list[FieldPlaceShape]]


class FieldNameShape(TypedDict):
    """A name of fields with the types that they have."""

    name: str
    is_conflicting: bool
    types: list[FieldTypeShape]


class SimilarShape(TypedDict):
    """A subject whose latest schema is like another."""

    namespace: str
    subject: str
    version: int
    format: str
    percent: int


class SimilarSubjectsShape(TypedDict):
    """The subjects that are like a candidate, the likest first."""

    items: list[SimilarShape]
