"""A POST that comes with a key is done once, however often it is sent."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.db import connection, transaction
from django.utils import timezone

from accord_server.kit import kept_answers, tenancy
from accord_server.kit.models import KeptAnswer, OperatorAnswer
from tenants.principals import operator_scope
from tenants.services.operators import issue_operator_token
from tests import factories
from tests.cast import bearer
from tests.contract.refusals import Caller, document
from tests.registry.threads import attended

if TYPE_CHECKING:
    from django.http import HttpResponse

    from tests.cast import Actor, TokenFor

POLICIES = "/api/v1/tenants/north/policies"


def ask(caller: Caller, key: str = "k-1", name: str = "ours", path: str = POLICIES) -> HttpResponse:
    return caller.send("POST", path, {"name": name}, {"Idempotency-Key": key})


@pytest.fixture
def admin(alice: Actor, token_for: TokenFor) -> Caller:
    return Caller(bearer(token_for(alice)))


@pytest.fixture
def operator() -> Caller:
    return Caller(bearer(issue_operator_token(name="ada").value))


def make(operator: Caller, slug: str) -> HttpResponse:
    return operator.send(
        "POST", "/api/v1/tenants", {"slug": slug, "template": None}, {"Idempotency-Key": "k-1"}
    )


def accept(body: dict[str, str]) -> HttpResponse:
    return Caller(None).send("POST", "/api/v1/invitations/accept", body, {"Idempotency-Key": "k-1"})


@pytest.mark.django_db
def test_a_repeated_call_is_answered_as_the_first_and_does_nothing(admin: Caller) -> None:
    first, again = ask(admin), ask(admin)
    assert (first.status_code, first.content) == (again.status_code, again.content) == (201, first.content)
    for header in ("Location", "ETag", "Content-Type"):
        assert first.headers[header] == again.headers[header]
    assert again.headers["Idempotency-Replayed"] == "true"
    assert "Idempotency-Replayed" not in first.headers


@pytest.mark.django_db
def test_a_key_belongs_to_one_call_and_one_caller(admin: Caller, bob: Actor, token_for: TokenFor) -> None:
    ask(admin)
    other = ask(admin, name="theirs")
    assert (other.status_code, document(other)["code"]) == (422, "idempotency_key_reused")
    assert ask(Caller(bearer(token_for(bob)))).status_code == 403


@pytest.mark.django_db
def test_a_refusal_is_not_kept(admin: Caller) -> None:
    ask(admin, "k-1")
    assert ask(admin, "k-2").status_code == 409
    assert admin.send("DELETE", f"{POLICIES}/ours", None, {"If-Match": "*"}).status_code == 204
    assert ask(admin, "k-2").status_code == 201


@pytest.mark.django_db
@pytest.mark.parametrize("key", ["", "two words", "ä", "x" * 201])
def test_a_key_that_is_none_is_refused(admin: Caller, key: str) -> None:
    assert ask(admin, key).status_code == 400


@pytest.mark.django_db
def test_a_question_is_asked_again_each_time(admin: Caller) -> None:
    for _ in range(2):
        assert "Idempotency-Replayed" not in ask(admin, path=f"{POLICIES}/validate").headers


@pytest.mark.django_db
def test_where_nothing_can_be_posted_a_key_changes_nothing(admin: Caller) -> None:
    assert ask(admin, path=f"{POLICIES}/ours").status_code == 405


@pytest.mark.django_db
def test_an_operator_makes_a_tenant_once(operator: Caller) -> None:
    first, again, other = (make(operator, slug) for slug in ("west", "west", "east"))
    assert (first.status_code, first.content) == (again.status_code, again.content) == (201, first.content)
    assert again.headers["Idempotency-Replayed"] == "true"
    assert (other.status_code, document(other)["code"]) == (422, "idempotency_key_reused")
    longest = Caller(bearer(issue_operator_token(name="e" * 200).value))
    assert make(longest, "east").status_code == 201
    assert make(longest, "east").headers["Idempotency-Replayed"] == "true"


@pytest.mark.django_db
def test_an_invitation_is_accepted_once_and_nothing_of_the_password_is_kept(admin: Caller) -> None:
    sent = document(admin.send("POST", "/api/v1/tenants/north/invitations", {"email": "erin@example.org"}))
    body = {"token": sent["token"], "username": "erin", "password": factories.PASSWORD}
    first, again = (accept(body) for _ in range(2))
    assert (first.status_code, first.content) == (again.status_code, again.content) == (201, first.content)
    assert accept({**body, "password": "another"}).content == first.content
    assert document(accept({**body, "username": "zoe"}))["code"] == "idempotency_key_reused"
    assert accept({**body, "token": "acci_nothing"}).status_code == 404


@pytest.mark.django_db
def test_a_wrong_password_is_counted_whatever_key_comes_with_it(admin: Caller, mallory: Actor) -> None:
    sent = document(admin.send("POST", "/api/v1/tenants/north/invitations", {"username": "mallory"}))
    body = {"token": sent["token"], "username": "mallory", "password": "wrong"}
    answers = [accept(body).status_code for _ in range(6)]
    assert answers == [403] * 5 + [404]


@pytest.mark.django_db(transaction=True)
def test_while_the_first_is_answered_the_second_is_asked_to_wait(admin: Caller, alice: Actor) -> None:
    scope = operator_scope(alice.tenant.ref)
    lock = f"{alice.tenant.id} {alice.key} k-1"
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [lock])
        second = attended(scope, lambda: ask(admin), lambda: False)
    assert (second.status_code, document(second)["code"]) == (409, "idempotency_key_in_use")
    assert second.headers["Retry-After"] == "1"


@pytest.mark.django_db
def test_what_was_kept_long_enough_is_forgotten(admin: Caller, alice: Actor) -> None:
    first = ask(admin)
    assert kept_answers.prune() == 0
    old = timezone.now() - kept_answers.KEPT_FOR - timedelta(minutes=1)
    with tenancy.tenant_context(alice.tenant.id):
        KeptAnswer.objects.scoped(operator_scope(alice.tenant.ref)).update(created_at=old)
    assert first.status_code == 201
    assert ask(admin, name="theirs").status_code == 201
    with tenancy.tenant_context(alice.tenant.id):
        KeptAnswer.objects.scoped(operator_scope(alice.tenant.ref)).update(created_at=old)
    OperatorAnswer.objects.create(
        principal="operator:ada", key="k", digest=b"", status=201, headers={}, body="", created_at=old
    )
    assert kept_answers.prune() == 2
