"""The id of a request: echoed when the caller gives exactly one, made up otherwise."""

from __future__ import annotations

import re
import uuid
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

HEADER = "X-Request-ID"
ENVIRON_KEY = "accord.request_id"
LONGEST = 128
# What a log line or a header can hold without harm; commas would mean several header values.
ACCEPTABLE = re.compile(rf"[!-+\--~]{{1,{LONGEST}}}")

current: ContextVar[str] = ContextVar("accord_request_id", default="")


def request_id_of(environ: dict[str, Any]) -> str:
    """Return the id of the request behind a WSGI environment, the same one on every call."""
    known = environ.get(ENVIRON_KEY)
    if isinstance(known, str):
        return known
    given = str(environ.get("HTTP_X_REQUEST_ID", "")).strip()
    made = given if ACCEPTABLE.fullmatch(given) else str(uuid.uuid4())
    environ[ENVIRON_KEY] = made
    return made


class RequestIdMiddleware:
    """Puts the request's id on the response and before every log line written meanwhile."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer the request under its id."""
        request_id = request_id_of(request.META)
        token = current.set(request_id)
        try:
            response = self._get_response(request)
        finally:
            current.reset(token)
        response.headers[HEADER] = request_id
        return response
