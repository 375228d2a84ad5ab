"""Lists part by part: how many rows, after which place, and where the next part begins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar
from uuid import UUID

from accord_server.kit.error_tables import HttpError
from accord_server.kit.errors import scope_of
from accord_server.kit.sealed_places import BadPlace, seal, unseal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from django.http import HttpRequest
    from rest_framework.request import Request

LARGEST_BATCH: Final = 200
DEFAULT_BATCH: Final = 50
LONGEST_WORDS: Final = 200
NOBODY: Final = UUID(int=0)
BAD_CURSOR: Final = (
    "cursor is not one that an answer to you gave for this list: send back what next says, "
    "or leave it out and begin again"
)
Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class Batch(Generic[Row]):
    """Rows of a list after a place in it; ``after`` is the place where the next batch begins, if any."""

    rows: tuple[Row, ...]
    after: str | None


def batch_of(rows: Iterable[Row], limit: int, key: Callable[[Row], str]) -> Batch[Row]:
    """Cut a part of ``limit`` rows from rows of which one more was asked for."""
    found = tuple(rows)
    kept = found[:limit]
    return Batch(kept, key(kept[-1]) if len(found) > limit else None)


def part_of(request: Request, rows: Sequence[Row]) -> Batch[Row]:
    """Return the part that is asked for of a list so short that all of it was read.

    Raises:
        HttpError: 400 for a part that cannot be.
    """
    start, limit = number_in(cursor(request)), batch_size(request)
    end = start + limit
    return Batch(tuple(rows[start:end]), str(end) if end < len(rows) else None)


def batch_document(
    batch: Batch[Row], document: Callable[[Row], Mapping[str, object]], after: str | None
) -> dict[str, Any]:
    """Return a part of a list as it is answered."""
    return {"items": [document(row) for row in batch.rows], "next": after}


def batch_size(request: Request) -> int:
    """Return how many rows of a list are asked for.

    Raises:
        HttpError: 400 for what is no number between 1 and `LARGEST_BATCH`.
    """
    given = request.query_params.get("limit", str(DEFAULT_BATCH))
    is_number = given.isascii() and given.isdigit() and len(given) <= len(str(LARGEST_BATCH))
    if not is_number or not 1 <= int(given) <= LARGEST_BATCH:
        raise HttpError(400, f"limit is a number from 1 to {LARGEST_BATCH}")
    return int(given)


def words_asked(request: Request) -> str:
    """Return the part of a name that a list is narrowed down by, empty for all.

    Raises:
        HttpError: 400 for what no name holds.
    """
    given = request.query_params.get("q", "").strip()
    if len(given) > LONGEST_WORDS or not given.isprintable():
        raise HttpError(400, f"q is a part of a name, at most {LONGEST_WORDS} characters")
    return given


def cursor(request: Request, *, listing: str = "") -> str:
    """Return the place in a list that is asked for: empty at its beginning; ``listing`` as in `place_in`.

    Raises:
        HttpError: 400 for a text that no answer had: to this tenant, in this list.
    """
    return place_in(request, request.query_params.get("cursor", ""), listing=listing)


def place_in(request: HttpRequest, text: str, *, listing: str = "") -> str:
    """Return the place that a caller sends back: in the list at this path, or in one that has several.

    ``listing`` is what such a list is called.

    Raises:
        HttpError: 400 for a text that no answer had.
    """
    if not text:
        return ""
    try:
        return unseal(_tenant(request), listing or request.path, text)
    except BadPlace:
        raise HttpError(400, BAD_CURSOR) from None


def number_in(place: str) -> int:
    """Return the number that a place in a list is, 0 at the beginning.

    Raises:
        HttpError: 400 for anything else.
    """
    if not place:
        return 0
    if not (place.isascii() and place.isdigit() and len(place) < len(str(2**63))):
        raise HttpError(400, BAD_CURSOR)
    return int(place)


def next_cursor(request: HttpRequest, place: str | None, *, listing: str = "") -> str | None:
    """Return a place in a list as callers send it back; ``listing`` as in `place_in`."""
    return None if place is None else seal(_tenant(request), listing or request.path, place)


def _tenant(request: HttpRequest) -> UUID:
    """Return whose list it is; those of the installation are nobody's."""
    scope = scope_of(request)
    return scope.tenant.id if scope else NOBODY
