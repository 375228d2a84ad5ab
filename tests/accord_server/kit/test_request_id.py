"""The id of a request: echoed when it is one good value, made up otherwise."""

from __future__ import annotations

import uuid

import pytest
from django.test import Client

from accord_server.kit.request_id import request_id_of


def sent(value: str) -> str:
    return str(Client().get("/healthz", headers={"X-Request-ID": value}).headers["X-Request-ID"])


@pytest.mark.parametrize("value", ["abc", "0a1b-2c", "x" * 128, "a/b:c;d=e"])
def test_one_good_value_comes_back(value: str) -> None:
    assert sent(value) == value


@pytest.mark.parametrize("value", ["", " ", "one, two", "x" * 129, "new\nline", "naïve", "a b"])
def test_anything_else_is_replaced(value: str) -> None:
    assert uuid.UUID(sent(value)).version == 4


def test_it_is_the_same_all_along() -> None:
    environ = {"REQUEST_METHOD": "GET"}
    assert request_id_of(environ) == request_id_of(environ)
    assert request_id_of(environ) != request_id_of({})
