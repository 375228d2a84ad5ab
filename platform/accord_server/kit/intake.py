"""Request bodies, read whole before Django sees the request.

Django takes a body without a length for an empty one, and clients in the field send chunked bodies
under every WSGI server. This layer reads up to the limit, in bounded time, and hands Django a body
with a length. What it refuses, it refuses in the words of the path's dialect.
"""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Any

from django.core.handlers.wsgi import WSGIRequest

from accord_server.kit import hosts, paths
from accord_server.kit.bodies import Unfinished, part, read_in_time, too_long
from accord_server.kit.configuration import configured
from accord_server.kit.errors import HttpError, respond
from accord_server.kit.lengths import with_length
from accord_server.kit.request_id import HEADER, request_id_of
from accord_server.kit.settings_table import BEHIND_PROXY, BODY_LIMIT, DESCRIPTOR_LIMIT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from django.http.response import HttpResponseBase

    Environ = dict[str, Any]
    WsgiApplication = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]

BODYLESS = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})


class Intake:
    """The layer in front of Django: bodies with a length, paths that are text."""

    def __init__(self, application: WsgiApplication) -> None:
        self._application = application

    def __call__(self, environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Answer the request, or refuse what cannot be read."""
        try:
            paths.check_path(environ)
            hosts.lead(environ)
            trust_proxy(environ)
            read_body(environ)
        except Unfinished as refusal:
            response = response_to(environ, refusal)
            return part(environ, start_response, response, refusal.reading)
        except HttpError as refusal:
            return answer(environ, start_response, refusal)
        return self._application(environ, start_response)


def read_body(environ: Environ) -> None:
    """Replace the stream of the server by the body itself.

    Raises:
        HttpError: 400 incomplete, 408 too slow, 411 no end in sight, 413 too long, 503 too many slow ones.
    """
    length = _length(environ)
    if length is None and not _may_have_body(environ):
        return
    if length is None and not environ.get("wsgi.input_terminated"):
        raise HttpError(411, "This server needs a Content-Length.")
    limit = body_limit(environ)
    if length is not None and length > limit and "HTTP_EXPECT" in environ:
        raise too_long(limit)
    body = read_in_time(environ["wsgi.input"], length, limit)
    if length is not None and len(body) < length:
        raise HttpError(400, "The body ended before its Content-Length.")
    environ["wsgi.input"] = BytesIO(body)
    environ["CONTENT_LENGTH"] = str(len(body))
    environ.pop("HTTP_TRANSFER_ENCODING", None)


def body_limit(environ: Environ) -> int:
    """Return how many bytes a body may have; whole sets of descriptors are longer than anything else."""
    path = str(environ.get("PATH_INFO", ""))
    return configured(DESCRIPTOR_LIMIT if paths.is_descriptor_path(path) else BODY_LIMIT)


def trust_proxy(environ: Environ) -> None:
    """Take the caller's address from the proxy, where there is one: what *it* saw stands last."""
    seen = str(environ.get("HTTP_X_FORWARDED_FOR", "")).rpartition(",")[2].strip()
    if seen and configured(BEHIND_PROXY):
        environ["REMOTE_ADDR"] = seen


def answer(environ: Environ, start_response: Callable[..., Any], error: HttpError) -> Iterable[bytes]:
    """Answer an error outside of Django, in the shape that the path's dialect gives it."""
    response = response_to(environ, error)
    start_response(f"{response.status_code} {response.reason_phrase}", list(response.items()))
    return [b"".join(response)]


def response_to(environ: Environ, error: HttpError) -> HttpResponseBase:
    """Return what the path's dialect says of an error."""
    response = with_length(respond(WSGIRequest(environ), error))
    response.headers[HEADER] = request_id_of(environ)
    return response


def _length(environ: Environ) -> int | None:
    text = str(environ.get("CONTENT_LENGTH") or "")
    if not text or "HTTP_TRANSFER_ENCODING" in environ:
        return None
    if not (text.isascii() and text.isdigit()):
        raise HttpError(400, "The Content-Length is not a number.")
    return int(text)


def _may_have_body(environ: Environ) -> bool:
    return "HTTP_TRANSFER_ENCODING" in environ or environ["REQUEST_METHOD"] not in BODYLESS
