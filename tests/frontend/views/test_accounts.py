"""Signing in and out, and the theme."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.test import Client

from accord_server.kit import attempts
from accord_server.kit.attempts import FAILURES_OF_NAME

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.cast import Actor


@pytest.fixture(autouse=True)
def _no_attempts_yet(redis_url: str) -> Iterator[None]:
    attempts.forget()
    yield
    attempts.forget()


def signed_in_as(client: Client, actor: Actor, *, goes_to: str = "", password: str = "") -> int:
    form = {"username": actor.name, "password": password or actor.password, "next": goes_to}
    return client.post("/sign-in", form).status_code


def test_the_right_password_opens_the_page_that_was_asked_for(client: Client, bob: Actor) -> None:
    answer = client.post(
        "/sign-in", {"username": bob.name, "password": bob.password, "next": "/t/north/ns/default/"}
    )
    assert answer.status_code == 302
    assert answer.headers["Location"] == "/t/north/ns/default/"
    assert client.get("/t/north/ns/default/").status_code == 200


@pytest.mark.parametrize(
    "goes_to", ["https://evil.example/", "//evil.example", "javascript:alert(1)", "\\\\evil"]
)
def test_nobody_is_sent_to_a_foreign_place(client: Client, bob: Actor, goes_to: str) -> None:
    answer = client.post("/sign-in", {"username": bob.name, "password": bob.password, "next": goes_to})
    assert answer.headers["Location"] == "/"


def test_a_wrong_password_keeps_the_name_and_tells_nothing_more(client: Client, bob: Actor) -> None:
    known = client.post("/sign-in", {"username": bob.name, "password": "wrong"})
    unknown = client.post("/sign-in", {"username": "nobody", "password": "wrong"})
    sentence = b"This name and password do not match an account."
    assert known.status_code == unknown.status_code == 403
    assert sentence in known.content
    assert sentence in unknown.content
    assert b'value="bob"' in known.content


def test_guessing_is_stopped_even_with_the_right_password(client: Client, bob: Actor) -> None:
    for _ in range(FAILURES_OF_NAME):
        assert signed_in_as(client, bob, password="wrong") == 403
    assert signed_in_as(client, bob) == 429


def test_guessing_at_one_name_locks_out_no_other(client: Client, bob: Actor, carol: Actor) -> None:
    for _ in range(FAILURES_OF_NAME):
        signed_in_as(client, bob, password="wrong")
    assert signed_in_as(client, carol) == 302


def test_guessing_at_many_names_is_stopped_too(
    client: Client, carol: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attempts, "FAILURES_OF_ADDRESS", 20)
    for number in range(20):
        assert client.post("/sign-in", {"username": f"n{number}", "password": "x"}).status_code == 403
    assert signed_in_as(client, carol) == 429


def test_signing_in_uses_nothing_up(client: Client, carol: Actor) -> None:
    assert {signed_in_as(client, carol) for _ in range(FAILURES_OF_NAME + 2)} == {302}


def test_signing_out_ends_the_session(as_bob: Client) -> None:
    assert as_bob.post("/sign-out").headers["Location"] == "/sign-in"
    assert as_bob.get("/t/north/").status_code == 302
    assert as_bob.get("/sign-out").status_code == 405


def test_forms_need_their_token(bob: Actor) -> None:
    strict = Client(enforce_csrf_checks=True)
    answer = strict.post("/sign-in", {"username": bob.name, "password": bob.password})
    assert answer.status_code == 403
    assert b"could not be checked" in answer.content


def test_who_has_one_tenant_goes_straight_there(as_bob: Client) -> None:
    assert as_bob.get("/").headers["Location"] == "/t/north/"


def test_the_theme_is_kept_in_a_cookie_and_drawn_by_the_server(client: Client, db: None) -> None:
    answer = client.post("/theme", {"theme": "dark", "next": "/rules/"})
    assert answer.headers["Location"] == "/rules/"
    assert b'data-theme="dark"' in client.get("/rules/").content


def test_a_script_that_changed_the_theme_needs_no_page(client: Client, db: None) -> None:
    answer = client.post("/theme", {"theme": "light"}, headers={"HX-Request": "true"})
    assert (answer.status_code, answer.content) == (204, b"")
    assert answer.cookies["accord_theme"].value == "light"


@pytest.mark.parametrize("theme", ["", "neon", '"><script>'])
def test_a_theme_of_nonsense_is_the_machines(client: Client, db: None, theme: str) -> None:
    client.cookies["accord_theme"] = theme
    assert b'data-theme="system"' in client.get("/rules/").content
