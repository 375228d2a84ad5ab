"""Holding a served OpenAPI document against the server: whatever is sent, answers are as it says."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import hypothesis
from django.core.handlers.wsgi import WSGIHandler
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from hypothesis import HealthCheck, Phase, given
from schemathesis import openapi
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi import checks

if TYPE_CHECKING:
    from collections.abc import Iterable

HELD = [
    not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_schema_conformance,
]
# Making the first body of an operation takes most of the time; a soak is for more.
EXAMPLES = 3


def hold(document: dict[str, Any], method: str, path: str, token: str) -> None:
    """Send random calls of one operation, right and nearly right ones; each must be answered as described."""
    operation = openapi.from_dict(document)[path][method]
    sent = {"Authorization": f"Bearer {token}"}

    @hypothesis.settings(
        max_examples=EXAMPLES,
        database=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy())
    def send(case: Any) -> None:
        case.call_and_validate(headers=sent, checks=HELD, app=_application)

    send()


@cache
def _handler() -> WSGIHandler:
    """One handler for all: each new one would load every middleware anew."""
    return WSGIHandler()


def _application(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
    """Serve one request and leave the connection to the database, which is the test's, as it is."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    try:
        answer = _handler()(environ, start_response)
        body = b"".join(answer)
        answer.close()
    finally:
        for signal in (request_started, request_finished):
            signal.connect(close_old_connections)
    return [body]
