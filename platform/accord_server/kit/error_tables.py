"""How an error becomes an answer: tables from error class to status and wire code, per dialect."""

from __future__ import annotations

from dataclasses import dataclass, field
from http import HTTPStatus
from typing import TYPE_CHECKING

from accord.errors import AccordError, Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

STATUS_OF_KIND: Mapping[Kind, int] = {
    Kind.NOT_FOUND: 404,
    Kind.INVALID: 422,
    Kind.CONFLICT: 409,
    Kind.DENIED: 403,
    Kind.UNAVAILABLE: 503,
}


class HttpError(Exception):
    """A refusal by HTTP itself: no such route, wrong method, wrong type, body too long.

    ``message`` is for people; without one the dialect says it in its own words.
    """

    def __init__(self, status: int, message: str = "", *, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(message or HTTPStatus(status).phrase)
        self.status = status
        self.message = message
        self.headers = dict(headers or {})


@dataclass(frozen=True, slots=True)
class Flaw:
    """One thing that is wrong with a body: where (keys and positions from outside in), what, a short code."""

    place: tuple[str, ...]
    message: str
    code: str


@dataclass(frozen=True, slots=True)
class Problem:
    """What an answer says: the status, the dialect's code, the sentence, headers.

    ``error`` is what was raised, for dialects that show more of its fields; ``code`` is None for
    refusals by HTTP itself, and then ``message`` may be empty. ``flaws`` are what ``message`` sums up.
    """

    status: int
    code: int | str | None
    message: str
    headers: Mapping[str, str] = field(default_factory=dict)
    error: Exception | None = None
    flaws: tuple[Flaw, ...] = ()

    @property
    def phrase(self) -> str:
        """HTTP's own words for the status."""
        return HTTPStatus(self.status).phrase


@dataclass(frozen=True, slots=True)
class Row:
    """What a dialect makes of one error class; without ``message`` the error's own is said."""

    status: int
    code: int | str
    message: str | Callable[[AccordError], str] | None = None


class ErrorTable:
    """Maps error classes to rows; a class without a row gets that of its nearest base.

    Families without any row fall back to the status of their kind and the error's own code.
    """

    def __init__(self, rows: Mapping[type[AccordError], Row]) -> None:
        self._rows = dict(rows)

    def __contains__(self, error_class: type[AccordError]) -> bool:
        return error_class in self._rows

    def statuses(self) -> dict[str, int]:
        """Return the status of each code."""
        return {str(row.code): row.status for row in self._rows.values()}

    def problem(self, error: AccordError) -> Problem:
        """Return what to answer."""
        row = self._row(error)
        return Problem(row.status, row.code, _message(row, error), headers_of(error), error)

    def _row(self, error: AccordError) -> Row:
        rows = (self._rows[base] for base in type(error).__mro__ if base in self._rows)
        return next(rows, None) or Row(STATUS_OF_KIND[error.kind], error.code)


@dataclass(frozen=True, slots=True)
class Dialect:
    """One HTTP vocabulary: whose paths, which codes, what an error looks like.

    ``owns`` tells whether a path (as Django decodes it) belongs to the dialect. ``render`` must not
    raise, whatever the request looks like.
    """

    name: str
    owns: Callable[[str], bool]
    table: ErrorTable
    render: Callable[[HttpRequest, Problem], HttpResponseBase]


def headers_of(error: Exception) -> dict[str, str]:
    """Return the headers that an error asks for by its attributes."""
    headers = dict(getattr(error, "headers", None) or {})
    retry_after = getattr(error, "retry_after", None)
    if retry_after is not None:
        headers.setdefault("Retry-After", str(retry_after))
    return headers


def _message(row: Row, error: AccordError) -> str:
    if row.message is None:
        return error.message
    return row.message if isinstance(row.message, str) else row.message(error)
