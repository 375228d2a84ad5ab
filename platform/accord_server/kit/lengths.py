"""Answers with a length: without one a server sends them in chunks, and some clients hang up after."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.http import HttpResponse

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

LENGTH: Final = "Content-Length"
# These have no body by definition, and a length would be that of the body they stand for.
WITHOUT_BODY: Final = frozenset({204, 304})


def with_length(response: HttpResponseBase) -> HttpResponseBase:
    """Say how long an answer is, unless it does so itself or only its end will tell."""
    if isinstance(response, HttpResponse) and response.status_code not in WITHOUT_BODY:
        response.headers.setdefault(LENGTH, str(len(response.content)))
    return response


class LengthMiddleware:
    """The outermost middleware but one: by now nobody changes the body any more."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer the request."""
        return with_length(self._get_response(request))
