"""Places in lists, in the addresses of pages: sealed as those of the native API."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from accord_server.kit.paging import next_cursor, number_in, place_in

if TYPE_CHECKING:
    from django.http import HttpRequest

    from accord_server.kit.paging import Batch

Row = TypeVar("Row")
AFTER = "after"


def read_place(request: HttpRequest, name: str = AFTER) -> str:
    """Return the place after which a list goes on, empty at its beginning.

    Raises:
        HttpError: 400 for a text that no page had.
    """
    return place_in(request, request.GET.get(name, ""))


def read_number(request: HttpRequest) -> int:
    """Return the place as a number, 0 at the beginning; raises as `read_place`."""
    return number_in(read_place(request))


def sealed(request: HttpRequest, found: Batch[Row]) -> Batch[Row]:
    """Return a part of a list with the next place as addresses say it."""
    return replace(found, after=next_cursor(request, found.after))


def sealed_place(request: HttpRequest, place: str | None) -> str:
    """Return the next place of a list as addresses say it, empty where there is none."""
    return next_cursor(request, place) or ""
