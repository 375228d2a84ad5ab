"""What a form is told when a service refuses, and with which status."""

from __future__ import annotations

from typing import Final

from accord.errors import AccordError, Conflict, Invalid, NotFound
from tenants.errors import GrantTooWide

STATUSES: Final[dict[type[AccordError], int]] = {
    NotFound: 404,
    Conflict: 409,
    Invalid: 422,
    GrantTooWide: 403,
}
# Whoever lacks a right gets the page that names it instead.
REFUSALS: Final[tuple[type[AccordError], ...]] = tuple(STATUSES)


def status_of(error: AccordError) -> int:
    """Return the status of one of the refusals."""
    return next(status for kind, status in STATUSES.items() if isinstance(error, kind))
