"""What a form is told when a service refuses, and with which status."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from accord.errors import Conflict, Invalid, NotFound
from tenants.errors import GrantTooWide

if TYPE_CHECKING:
    from accord.errors import AccordError

STATUSES: Final = {NotFound: 404, Conflict: 409, Invalid: 422, GrantTooWide: 403}
# Whoever lacks a right gets the page that names it instead.
REFUSALS: Final = tuple(STATUSES)


def status_of(error: AccordError) -> int:
    """Return the status of one of the refusals."""
    return next(status for kind, status in STATUSES.items() if isinstance(error, kind))
