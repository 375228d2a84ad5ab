"""Signing in and out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.contrib.auth.hashers import MD5PasswordHasher
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accord_server.kit import attempts, tenancy
from accord_server.kit.attempts import FAILURES_OF_ACCOUNT, FAILURES_OF_NAME
from tenants.models import AuditRecord, RefusedSignIn
from tenants.principals import operator_scope
from tenants.services.sign_ins import note_refusals

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.cast import Actor


@pytest.fixture(autouse=True)
def _no_attempts_yet(redis_url: str) -> Iterator[None]:
    attempts.forget()
    yield
    attempts.forget()


def actions(actor: Actor) -> list[tuple[str, str]]:
    """What the audit log says of signing in, once workers are done: action and outcome, oldest first."""
    note_refusals()
    with tenancy.tenant_context(actor.tenant.id):
        rows = AuditRecord.objects.scoped(operator_scope(actor.tenant.ref)).order_by("id")
        rows = rows.filter(object_kind="account", object_name=actor.name)
        return list(rows.values_list("action", "outcome"))


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


def test_each_sign_in_and_each_failure_is_in_the_audit_log(client: Client, bob: Actor) -> None:
    signed_in_as(client, bob, password="wrong")
    assert actions(bob) == [("sign_in", "denied")]
    signed_in_as(client, bob)
    assert actions(bob) == [("sign_in", "denied"), ("sign_in", "allowed")]
    assert (note_refusals(), RefusedSignIn.objects.count()) == (0, 0)


def test_a_refusal_costs_the_same_whoever_has_the_name(
    client: Client, bob: Actor, alice: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Closed accounts, and those without a password, included."""
    alice.user.set_unusable_password()
    alice.user.save()
    hashed: list[str] = []
    encode = MD5PasswordHasher.encode

    def counted(self: MD5PasswordHasher, password: str, salt: str) -> str:
        hashed.append(salt)
        return encode(self, password, salt)

    monkeypatch.setattr(MD5PasswordHasher, "encode", counted)
    costs = set()
    for name in (bob.name, alice.name, "nobody"):
        hashed.clear()
        with CaptureQueriesContext(connection) as asked:
            assert client.post("/sign-in", {"username": name, "password": "x"}).status_code == 403
        costs.add((len(hashed), tuple(one["sql"].partition(name)[0][:60] for one in asked)))
    assert len(costs) == 1


def test_being_locked_out_is_told_once(client: Client, bob: Actor) -> None:
    for _ in range(FAILURES_OF_NAME + 3):
        signed_in_as(client, bob, password="wrong")
    denied = [("sign_in", "denied")] * FAILURES_OF_NAME
    assert actions(bob) == [*denied, ("sign_in.lock", "denied")]


def test_a_name_that_nobody_has_is_locked_as_one_that_somebody_has(client: Client, bob: Actor) -> None:
    answers = {}
    for name in (bob.name, "nobody"):
        tries = [client.post("/sign-in", {"username": name, "password": "x"}) for _ in range(10)]
        answers[name] = [(one.status_code, len(one.content) - len(name)) for one in tries]
    assert answers[bob.name] == answers["nobody"]
    assert answers["nobody"][-1][0] == 429


def test_guessing_at_one_name_from_many_addresses_is_stopped(client: Client, bob: Actor) -> None:
    for number in range(FAILURES_OF_ACCOUNT):
        assert attempts.may_try(f"192.0.2.{number}", bob.name)
    assert signed_in_as(client, bob) == 429


def test_signing_in_begins_a_session_under_a_new_key(client: Client, bob: Actor) -> None:
    client.get("/sign-in")
    session = client.session
    session["note"] = "from before"
    session.save()
    client.cookies["accord_session"] = str(session.session_key)
    signed_in_as(client, bob)
    assert client.session.session_key != session.session_key


def test_a_closed_account_is_nobody(client: Client, bob: Actor) -> None:
    user = bob.user
    user.is_active = False
    user.save()
    assert signed_in_as(client, bob) == 403


@pytest.mark.parametrize(
    "path", ["login/", "signup", "signup/", "account/email/", "accounts/login/", "sign-in/code"]
)
def test_nothing_else_of_allauth_can_be_reached(client: Client, db: None, path: str) -> None:
    assert client.get(f"/{path}").status_code == 404
