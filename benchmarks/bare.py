"""The yardstick of the web server: a WSGI application that answers the same bytes and does nothing else."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from wsgiref.types import StartResponse, WSGIEnvironment

BODY_VARIABLE = "BARE_BODY"
BODY = os.environ.get(BODY_VARIABLE, "{}").encode()
HEADERS = [
    ("Content-Type", "application/vnd.schemaregistry.v1+json"),
    ("Content-Length", str(len(BODY))),
]


def application(_: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
    """Answer every request alike."""
    start_response("200 OK", HEADERS)
    return [BODY]
