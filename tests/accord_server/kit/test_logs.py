"""Log lines carry the request's id and never a credential."""

from __future__ import annotations

import json
import logging

import pytest

from accord_server.kit import request_id
from accord_server.kit.logs import JsonFormatter, TextFormatter, without_secrets

TOKEN = "acds_" + "aB3" * 20


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
    ],
)
def test_credentials_are_hidden(text: str) -> None:
    assert "hunter2" not in without_secrets(text)
    assert "[hidden]" in without_secrets(text)


def test_tokens_are_hidden() -> None:
    assert without_secrets(f"token {TOKEN}.") == "token [hidden]."


def test_plain_text_stays() -> None:
    text = "GET /sr/north/default/subjects failed with RuntimeError"
    assert without_secrets(text) == text


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
