"""The only exception handler: whatever is raised becomes the answer of the path's dialect.

A dialect registers itself (`register`) with a table and a renderer; `tenants` registers what
records refusals (`on_denied`). Nothing of a crash reaches the caller but the request's id.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.exceptions import (
    BadRequest,
    PermissionDenied,
    RequestDataTooBig,
    SuspiciousOperation,
    TooManyFieldsSent,
)
from django.db import DataError, InterfaceError, OperationalError
from django.http import Http404, HttpRequest
from django.http.multipartparser import MultiPartParserError
from django.http.response import HttpResponseBase
from rest_framework.exceptions import APIException

from accord.errors import AccordError, Kind
from accord_server.kit.error_tables import (
    Dialect,
    ErrorTable,
    HttpError,
    Problem,
    Row,
    headers_of,
)
from accord_server.kit.paths import is_machine_path, is_native_path
from accord_server.kit.plain_problems import render_problem_document, render_text
from accord_server.kit.request_id import request_id_of
from accord_server.kit.rest_details import flaws_of, message_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from accord_server.kit.scope import Scope

__all__ = [
    "Denial",
    "Dialect",
    "ErrorBoundary",
    "ErrorTable",
    "HttpError",
    "Problem",
    "Row",
    "answer_as",
    "handle_rest_exception",
    "on_denied",
    "register",
    "remember_scope",
    "respond",
    "scope_of",
    "statuses_of",
]

log = logging.getLogger("accord.errors")

GetResponse = Callable[[HttpRequest], HttpResponseBase]
SCOPE_KEY = "accord.scope"
DIALECT_KEY = "accord.dialect"

SERVER_ERROR = 500
UNAVAILABLE = 503
# Refusals by Django itself, most special class first.
STATUS_OF_DJANGO: tuple[tuple[type[Exception], int], ...] = (
    (RequestDataTooBig, 413),
    (TooManyFieldsSent, 400),
    (Http404, 404),
    (PermissionDenied, 403),
    (SuspiciousOperation, 400),
    (BadRequest, 400),
    (MultiPartParserError, 400),
    (DataError, 400),
    (OperationalError, UNAVAILABLE),
    (InterfaceError, UNAVAILABLE),
)
# psycopg refuses it before it reaches the server; the class says nothing, the sentence does.
NUL_REFUSED = "cannot contain NUL"
SECONDS_UNTIL_BETTER = 1


@dataclass(frozen=True, slots=True)
class Denial:
    """A call that was refused for want of a right or of a good token."""

    error: AccordError
    status: int
    method: str
    path: str
    request_id: str
    address: str | None
    scope: Scope | None


DenialHook = Callable[[Denial], None]

_dialects: list[Dialect] = []
_denial_hooks: list[DenialHook] = []
_for_programs = Dialect("problem", is_native_path, ErrorTable({}), render_problem_document)
_for_anybody = Dialect("text", lambda _path: True, ErrorTable({}), render_text)


def register(dialect: Dialect) -> None:
    """Let a dialect answer for its paths; the one registered last is asked first."""
    _dialects[:] = [known for known in _dialects if known.name != dialect.name]
    _dialects.insert(0, dialect)


def on_denied(hook: DenialHook) -> None:
    """Have refusals reported, after the rollback of what was refused and before the answer."""
    if hook not in _denial_hooks:
        _denial_hooks.append(hook)


def remember_scope(request: HttpRequest, scope: Scope) -> None:
    """Note who is asking, so that a refusal can say so."""
    request.META[SCOPE_KEY] = scope


def scope_of(request: HttpRequest) -> Scope | None:
    """Return who is asking, if that is known."""
    scope: Scope | None = request.META.get(SCOPE_KEY)
    return scope


def statuses_of(dialect: str) -> Mapping[str, int]:
    """Return the status of each code of a dialect's own table."""
    known = next(one for one in _dialects if one.name == dialect)
    return known.table.statuses()


def answer_as(request: HttpRequest, dialect: str) -> None:
    """Let a dialect answer though the path is not its own."""
    request.META[DIALECT_KEY] = dialect


def dialect_of(request: HttpRequest) -> Dialect:
    """Return the dialect that answers for a request."""
    chosen = request.META.get(DIALECT_KEY)
    every = (*_dialects, _for_programs)
    known = (one for one in every if one.name == chosen or (not chosen and one.owns(request.path_info)))
    return next(known, _for_anybody)


def respond(request: HttpRequest, error: Exception) -> HttpResponseBase:
    """Answer an error in the words of the path's dialect."""
    dialect = dialect_of(request)
    problem = _problem(dialect, error)
    _log(request, problem, error)
    _report_denial(request, problem, error)
    response = dialect.render(request, problem)
    for name, value in problem.headers.items():
        response.headers.setdefault(name, value)
    return response


class ErrorBoundary:
    """The middleware that sees what views raise and pages leave to it, with every transaction rolled back."""

    def __init__(self, get_response: GetResponse) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer the request."""
        return self._get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponseBase | None:
        """Answer what a view raised; while debugging pages, Django shows the crash instead."""
        if (
            settings.DEBUG
            and not is_machine_path(request.path_info)
            and _problem(_for_anybody, error).status >= SERVER_ERROR
        ):
            return None
        return respond(request, error)


def handle_rest_exception(error: Exception, context: dict[str, Any]) -> HttpResponseBase:
    """Answer what a view of the REST framework raised."""
    request: HttpRequest = context["request"]._request  # noqa: SLF001  # the plain request inside, as REST framework itself reads it
    return respond(request, error)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponseBase:  # noqa: ARG001  # the signature is Django's
    """Answer for Django's own 400."""
    return respond(request, HttpError(400))


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponseBase:  # noqa: ARG001  # the signature is Django's
    """Answer for Django's own 403."""
    return respond(request, HttpError(403))


def not_found(request: HttpRequest, exception: Exception) -> HttpResponseBase:  # noqa: ARG001  # the signature is Django's
    """Answer for a path without a route."""
    return respond(request, HttpError(404))


def unknown_route(request: HttpRequest, **_names: str) -> HttpResponseBase:
    """Answer as a view for programs' paths that nothing else answers, while debugging too."""
    return respond(request, HttpError(404))


def crash(request: HttpRequest) -> HttpResponseBase:
    """Answer for a crash outside any view; Django has logged it."""
    return respond(request, HttpError(SERVER_ERROR))


def _problem(dialect: Dialect, error: Exception) -> Problem:
    if isinstance(error, AccordError):
        return dialect.table.problem(error)
    if isinstance(error, HttpError):
        return Problem(error.status, None, error.message, error.headers, error)
    if isinstance(error, APIException):
        return _rest_problem(error)
    return Problem(_status_of(error), None, "", _headers_for(_status_of(error)), error)


def _rest_problem(error: APIException) -> Problem:
    headers = headers_of(error)
    if challenge := getattr(error, "auth_header", None):
        headers["WWW-Authenticate"] = challenge
    if wait := getattr(error, "wait", None):
        headers["Retry-After"] = str(int(wait))
    flaws = flaws_of(error)
    return Problem(error.status_code, None, message_of(error, flaws), headers, error, flaws)


def _status_of(error: Exception) -> int:
    if isinstance(error, ValueError) and NUL_REFUSED in str(error):
        return 400
    return next((status for known, status in STATUS_OF_DJANGO if isinstance(error, known)), SERVER_ERROR)


def _headers_for(status: int) -> dict[str, str]:
    return {"Retry-After": str(SECONDS_UNTIL_BETTER)} if status == UNAVAILABLE else {}


def _log(request: HttpRequest, problem: Problem, error: Exception) -> None:
    if problem.status < SERVER_ERROR or isinstance(error, HttpError):
        return
    where = f"{request.method} {request.path_info}"
    if isinstance(error, AccordError) and error.kind is Kind.UNAVAILABLE:
        # Foreseen, and told to the caller: it has no trace to look into.
        log.warning("%s was answered %s: %s", where, problem.status, type(error).__name__)
    else:
        log.error("%s failed with %s", where, type(error).__name__, exc_info=error)


def _report_denial(request: HttpRequest, problem: Problem, error: Exception) -> None:
    if not isinstance(error, AccordError) or not _is_refusal(error):
        return
    denial = _denial(request, problem, error)
    for hook in _denial_hooks:
        try:
            hook(denial)
        except Exception:
            log.exception("a refusal could not be recorded")


def _is_refusal(error: AccordError) -> bool:
    # A known caller in a place that is none of their business looks like a missing page to them only.
    return error.kind is Kind.DENIED or getattr(error, "caller", None) is not None


def _denial(request: HttpRequest, problem: Problem, error: AccordError) -> Denial:
    return Denial(
        error=error,
        status=problem.status,
        method=request.method or "",
        path=request.path_info,
        request_id=request_id_of(request.META),
        address=request.META.get("REMOTE_ADDR"),
        scope=scope_of(request),
    )
