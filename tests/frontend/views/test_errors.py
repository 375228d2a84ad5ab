"""How the pages say that something went wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.test import RequestFactory

from accord_server.kit.errors import HttpError, respond
from tenants.errors import RightMissing

if TYPE_CHECKING:
    from django.test import Client


def words_of(error: Exception) -> tuple[int, str]:
    answer = respond(RequestFactory().get("/t/north/"), error)
    return answer.status_code, answer.content.decode()  # type: ignore[attr-defined]  # no page streams


def test_a_missing_right_names_the_right_and_the_roles_that_hold_it() -> None:
    status, page = words_of(RightMissing("subject.purge"))
    assert status == 403
    assert "<code>subject.purge</code>" in page
    assert "editor, admin" in page


@pytest.mark.parametrize(
    ("status", "sentence"),
    [(400, "That did not work"), (404, "Page not found"), (405, "Not like this"), (503, "Back in a moment")],
)
def test_each_status_has_its_words_and_a_way_on(status: int, sentence: str) -> None:
    answered, page = words_of(HttpError(status))
    assert answered == status
    assert f"<h1>{sentence}</h1>" in page
    assert "Go to your tenants" in page


def test_a_crash_tells_the_request_and_nothing_else(caplog: pytest.LogCaptureFixture) -> None:
    status, page = words_of(RuntimeError("the secret is swordfish"))
    assert status == 500
    assert "swordfish" not in page
    assert 'id="request-id">' in page


def test_an_address_of_nothing_is_a_page_of_ours(client: Client, db: None) -> None:
    answer = client.get("/nothing/here")
    assert answer.status_code == 404
    assert b"Page not found" in answer.content


def test_the_policy_for_browsers_allows_nothing_unsafe(client: Client, db: None) -> None:
    policy = client.get("/rules/").headers["Content-Security-Policy"]
    assert "unsafe" not in policy
    assert "default-src 'none'" in policy
