"""The log of answers: one line each, with whose request it was and without what callers wrote into it."""

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING, Any

import pytest

from accord_server.kit.errors import SCOPE_KEY
from accord_server.kit.logs import JsonFormatter
from accord_server.kit.meter import Meter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pytest_django import Settings

    from accord_server.kit.scope import Scope

PATH = "/sr/north/default/subjects/größe"


def application(_environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
    start("404 Not Found", [])
    return [b""]


def line_of(caplog: pytest.LogCaptureFixture, **more: object) -> dict[str, Any]:
    """The one line that a call leaves in the log."""
    environ: dict[str, Any] = {
        "REQUEST_METHOD": "GET",
        "PATH_INFO": PATH.encode().decode("latin-1"),
        "QUERY_STRING": "token=hunter2hunter2",
        "REMOTE_ADDR": "192.0.2.7",
        "HTTP_AUTHORIZATION": "Bearer hunter2hunter2",
        "HTTP_X_REQUEST_ID": "request-7",
        **more,
    }
    with caplog.at_level(logging.INFO, logger="accord.access"):
        list(Meter(application)(environ, lambda *_words: None))
    (record,) = (one for one in caplog.records if one.name == "accord.access")
    line: dict[str, Any] = json.loads(JsonFormatter().format(record))
    return line


def test_an_answer_is_one_line(settings: Settings, caplog: pytest.LogCaptureFixture) -> None:
    settings.ACCORD_ACCESS_LOG = True
    line = line_of(caplog)
    assert line.pop("milliseconds") >= 0
    assert line.pop("time")
    assert line == {
        "level": "INFO",
        "logger": "accord.access",
        "message": f"GET {PATH} 404",
        "request_id": "request-7",
        "method": "GET",
        "path": PATH,
        "status": 404,
        "address": "192.0.2.7",
    }


@pytest.mark.django_db
def test_the_line_says_whose_request_it_was(
    settings: Settings, caplog: pytest.LogCaptureFixture, north: Scope
) -> None:
    settings.ACCORD_ACCESS_LOG = True
    line = line_of(caplog, **{SCOPE_KEY: north})
    assert (line["tenant"], line["tenant_id"]) == (north.tenant.slug, str(north.tenant.id))


def test_no_line_is_written_unless_asked_for(settings: Settings, caplog: pytest.LogCaptureFixture) -> None:
    settings.ACCORD_ACCESS_LOG = False
    with pytest.raises(ValueError, match="not enough values"):
        line_of(caplog)


def test_what_opens_an_account_is_not_in_the_line(
    settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    settings.ACCORD_ACCESS_LOG = True
    line = line_of(caplog, PATH_INFO="/sign-in/new-password/2-d3jk9f-0123456789abcdef")
    assert line["path"] == "/sign-in/new-password/[hidden]"
    assert "d3jk9f" not in json.dumps(line)
