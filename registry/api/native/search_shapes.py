"""What the native API answers to a search, member by member."""

from __future__ import annotations

from typing import TypedDict

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
