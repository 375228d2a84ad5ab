"""A WSGI application behind the body layer, and servers to put under it."""

from __future__ import annotations

import json
import os
import socketserver
import sys
from typing import TYPE_CHECKING, Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

import django
from django.http import JsonResponse

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "accord_server.settings")
django.setup()

from accord_server.kit.error_tables import Dialect, ErrorTable, Problem  # noqa: E402  # Django stands only now
from accord_server.kit.errors import register  # noqa: E402  # Django stands only now
from accord_server.kit.intake import Intake  # noqa: E402  # Django stands only now

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from django.http import HttpRequest


def render(_request: HttpRequest, problem: Problem) -> JsonResponse:
    """Render an error as a dialect of its own would."""
    return JsonResponse(
        {"error_code": problem.status}, status=problem.status, content_type="application/x-echo"
    )


def echo(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    """Say what Django would see of the request."""
    if environ["PATH_INFO"] == "/healthz":
        start_response("200 OK", [("Content-Length", "0")])
        return [b""]
    body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
    seen = {
        "body": body.decode("latin-1"),
        "length": environ.get("CONTENT_LENGTH"),
        "path": environ["PATH_INFO"],
        "raw": environ.get("accord.raw_path"),
    }
    answer = json.dumps(seen).encode()
    start_response("200 OK", [("Content-Type", "application/json"), ("Content-Length", str(len(answer)))])
    return [answer]


register(Dialect("echo", lambda path: path.startswith("/echo"), ErrorTable({}), render))
application = Intake(echo)


class ThreadingServer(socketserver.ThreadingMixIn, WSGIServer):
    """One thread per connection, as most servers have."""

    daemon_threads = True


class QuietHandler(WSGIRequestHandler):
    """Logs nothing."""

    def log_message(self, *_words: Any) -> None:
        """Say nothing."""


if __name__ == "__main__":
    make_server("127.0.0.1", int(sys.argv[1]), application, ThreadingServer, QuietHandler).serve_forever()
