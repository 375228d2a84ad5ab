"""Parts of lists in the order of time: the place of a row is its moment, then its own name."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from django.core.exceptions import ValidationError
from django.db.models import Q

from accord_server.kit.error_tables import HttpError
from accord_server.kit.paging import BAD_CURSOR

if TYPE_CHECKING:
    from django.db.models import QuerySet

BETWEEN: Final = " "


def newest_first(rows: QuerySet[Any], *, after: str, name: str, limit: int) -> QuerySet[Any]:
    """Return one more row than wanted, those after a place that `place_of` wrote.

    Raises:
        HttpError: 400 for a place that no answer had.
    """
    ordered = rows.order_by("-created_at", name)
    if after:
        moment, own = read_place(rows.model._meta.get_field(name), after)
        later = Q(created_at=moment) & Q(**{f"{name}__gt": own})
        ordered = ordered.filter(Q(created_at__lt=moment) | later)
    return ordered[: limit + 1]


def place_of(created_at: datetime, name: object) -> str:
    """Return the place of a row in such a list."""
    return f"{created_at.isoformat()}{BETWEEN}{name}"


def read_place(field: Any, text: str) -> tuple[datetime, Any]:  # noqa: ANN401  # what its column holds
    """Read what `place_of` wrote; ``field`` is that of the name.

    Raises:
        HttpError: 400 for a place that no answer had.
    """
    moment, _, own = text.partition(BETWEEN)
    try:
        found = datetime.fromisoformat(moment), field.to_python(own)
    except (ValueError, ValidationError):
        raise HttpError(400, BAD_CURSOR) from None
    if found[0].tzinfo is None:
        raise HttpError(400, BAD_CURSOR)
    return found
