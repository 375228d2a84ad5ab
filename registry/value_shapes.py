"""The values of policies as JSON, member by member."""

from __future__ import annotations

from typing import Any, NotRequired, TypedDict


class PlaceShape(TypedDict):
    """Where a policy is bound."""

    reach: str
    name: str


class OriginShape(TypedDict):
    """Where a value comes from."""

    kind: str
    policy: str | None
    version: int | None
    place: PlaceShape | None
    section: str | None
    scope: str | None
    words: str


class ValuedShape(TypedDict):
    """A value with where it comes from."""

    value: Any
    origin: OriginShape


class BoundPolicyShape(TypedDict):
    """A policy that is part of what is in force."""

    policy: str
    version: int | None
    place: PlaceShape
    is_tried: NotRequired[bool]
