"""Log lines carry the request's id and never a credential."""

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING

import pytest

from accord_server.kit import logs, request_id
from accord_server.kit.logs import JsonFormatter, TextFormatter, without_secrets

if TYPE_CHECKING:
    from collections.abc import Iterator

TOKEN = "acds_" + "aB3" * 20


@pytest.fixture(autouse=True)
def nobody_is_served() -> Iterator[None]:
    """Other tests of this process may have left the tenant that they served."""
    served = logs.tenant.set("")
    yield
    logs.tenant.reset(served)


def record(message: str) -> logging.LogRecord:
    return logging.LogRecord("accord.test", logging.INFO, __file__, 1, message, (), None)


@pytest.mark.parametrize(
    "text",
    [
        "connecting to postgresql://app:hunter2hunter2@db/accord",
        "Authorization: Bearer hunter2hunter2",
        "authorization: basic aHVudGVyMmh1bnRlcjI=hunter2hunter2",
        "host=db password=hunter2hunter2 user=app",
        "redis://:hunter2hunter2@localhost:6379/0",
        "postgresql://app:hun@ter:hunter2hunter2@db/accord",
        "PGPASSWORD=hunter2hunter2 psql",
        "Set-Cookie: accord_session=hunter2hunter2; Path=/",
        "csrftoken=hunter2hunter2&next=/",
        "{'HTTP_AUTHORIZATION': 'hunter2hunter2'}",
        '{"password": "hunter2 hunter2"}',
        "{'ACCORD_SECRET_KEY': b'hunter2hunter2'}",
    ],
)
def test_credentials_are_hidden(text: str) -> None:
    assert "hunter2" not in without_secrets(text)
    assert "[hidden]" in without_secrets(text)


def test_tokens_are_hidden() -> None:
    assert without_secrets(f"token {TOKEN}.") == "token [hidden]."


@pytest.mark.parametrize(
    "text",
    [
        "GET /sr/north/default/subjects failed with RuntimeError",
        "connecting to postgresql://app@db:5432/accord",
        "http://127.0.0.1:8081/t/north@home",
        "the password is wrong",
        "3 sessions pruned",
    ],
)
def test_plain_text_stays(text: str) -> None:
    assert without_secrets(text) == text


def test_what_is_told_of_a_secret_keeps_its_name() -> None:
    assert without_secrets("redis://:hunter2@cache/0") == "redis://[hidden]@cache/0"
    assert without_secrets("a password=hunter2 b") == "a password=[hidden] b"


def test_facts_are_members_of_the_line() -> None:
    told = record("GET /x 200")
    told.facts = {"path": "/x/" + TOKEN, "status": 200}
    line = json.loads(JsonFormatter().format(told))
    assert (line["path"], line["status"]) == ("/x/[hidden]", 200)


def test_a_line_names_the_tenant_that_is_served() -> None:
    served = logs.tenant.set("00000000-0000-0000-0000-000000000001")
    line = json.loads(JsonFormatter().format(record("hello")))
    logs.tenant.reset(served)
    assert line["tenant_id"] == "00000000-0000-0000-0000-000000000001"
    assert "tenant_id" not in json.loads(JsonFormatter().format(record("hello")))


def test_a_line_of_json_has_the_id() -> None:
    token = request_id.current.set("request-1")
    line = json.loads(JsonFormatter().format(record("hello")))
    request_id.current.reset(token)
    line.pop("time")
    assert line == {"level": "INFO", "logger": "accord.test", "message": "hello", "request_id": "request-1"}


def test_a_line_of_text_has_the_id() -> None:
    token = request_id.current.set("request-1")
    line = TextFormatter().format(record("hello"))
    request_id.current.reset(token)
    assert line.endswith("INFO accord.test: hello [request-1]")


def test_a_crash_is_one_line_of_json() -> None:
    crash = record("it broke")
    crash.exc_info = (RuntimeError, RuntimeError("password=hunter2"), None)
    text = JsonFormatter().format(crash)
    assert "\n" not in text
    assert "hunter2" not in text
    assert "RuntimeError" in json.loads(text)["exception"]
