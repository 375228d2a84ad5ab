"""Members, invitations and service accounts over HTTP."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.utils import timezone

from accord_server.kit import attempts, tenancy
from accord_server.kit.attempts import FAILURES_OF_NAME
from tenants.models import Invitation
from tenants.principals import operator_scope
from tenants.queries import scope_for_user
from tests import factories
from tests.cast import bearer
from tests.contract.refusals import Caller, document

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.cast import Actor, TokenFor

pytestmark = pytest.mark.django_db

NORTH = "/api/v1/tenants/north"
ACCEPT = "/api/v1/invitations/accept"
WHATEVER = {"If-Match": "*"}


@pytest.fixture
def admin(alice: Actor, token_for: TokenFor) -> Caller:
    return Caller(bearer(token_for(alice)))


def code(answer: Any) -> tuple[int, str]:
    return answer.status_code, document(answer)["code"]


def invited(caller: Caller, **members: Any) -> Any:
    answer = caller.send("POST", f"{NORTH}/invitations", members)
    assert answer.status_code == 201, answer.content
    return document(answer)


def accept(invitation: Any, username: str, password: str = factories.PASSWORD) -> Any:
    body = {"token": invitation["token"], "username": username, "password": password}
    return Caller(None).send("POST", ACCEPT, body)


def test_a_stranger_becomes_a_member_with_the_roles_that_came_along(admin: Caller, carol: Actor) -> None:
    bindings = [{"role": "viewer", "namespace": "payments", "subjects": "orders-*"}]
    invitation = invited(admin, email="erin@example.org", bindings=bindings)
    answer = accept(invitation, "erin")
    assert (answer.status_code, document(answer)["principal"]) == (201, "person:erin")
    held = document(admin.send("GET", f"{NORTH}/role-bindings?principal=person:erin"))["items"]
    assert [(one["role"], one["namespace"], one["subjects"]) for one in held] == [
        ("viewer", "payments", "orders-*")
    ]
    assert code(accept(invitation, "erin")) == (404, "invitation_not_found")
    assert document(admin.send("GET", f"{NORTH}/invitations"))["items"][0]["state"] == "accepted"
    assert document(admin.send("GET", f"{NORTH}/invitations?state=open"))["items"] == []


def test_an_account_that_is_there_accepts_with_its_own_password(admin: Caller, mallory: Actor) -> None:
    invitation = invited(admin, username="mallory")
    assert code(accept(invitation, "mallory", "wrong")) == (403, "invitation_refused")
    assert code(accept(invitation, "zoe")) == (403, "invitation_refused")
    assert accept(invitation, "mallory").status_code == 201
    assert scope_for_user(mallory.user, "north").grants == ()
    by_mail = invited(admin, email="x@example.org")
    assert code(accept(by_mail, "mallory", "wrong")) == (403, "invitation_refused")


def test_passwords_cannot_be_tried_out_with_an_invitation(admin: Caller, mallory: Actor) -> None:
    invitation = invited(admin, username="mallory")
    answers = [code(accept(invitation, "mallory", "wrong"))[0] for _ in range(6)]
    assert answers == [403] * 5 + [404]
    assert accept(invitation, "mallory").status_code == 404


def test_nor_with_many_invitations(admin: Caller, mallory: Actor) -> None:
    answers = [accept(invited(admin, username="mallory"), "mallory", "wrong") for _ in range(10)]
    assert [one.status_code for one in answers] == [403] * FAILURES_OF_NAME + [429] * 2
    assert int(answers[-1].headers["Retry-After"]) > 0


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    """Nobody has tried anything yet."""
    attempts.forget()
    yield
    attempts.forget()


def test_an_invitation_ends(admin: Caller, alice: Actor) -> None:
    revoked, late = (invited(admin, email="erin@example.org") for _ in range(2))
    assert document(admin.send("DELETE", f"{NORTH}/invitations/{revoked['id']}"))["state"] == "revoked"
    assert admin.send("DELETE", f"{NORTH}/invitations/{revoked['id']}").status_code == 200
    with tenancy.tenant_context(alice.tenant.id):
        rows = Invitation.objects.scoped(operator_scope(alice.tenant.ref)).filter(id=late["id"])
        rows.update(expires_at=timezone.now() - timedelta(hours=1))
    for one in (revoked, late, {"token": "acci_nothing"}):
        assert code(accept(one, "erin")) == (404, "invitation_not_found")
    states = [one["state"] for one in document(admin.send("GET", f"{NORTH}/invitations"))["items"]]
    assert sorted(states) == ["expired", "revoked"]
    gone = admin.send("DELETE", f"{NORTH}/invitations/{'0' * 8}-0000-4000-8000-{'0' * 12}")
    assert code(gone) == (404, "invitation_not_found")


@pytest.mark.parametrize(
    ("members", "code_"),
    [
        ({}, "invalid_detail"),
        ({"email": "x@example.org", "username": "x"}, "invalid_detail"),
        ({"email": "x"}, "invalid_detail"),
        ({"username": "a b"}, "invalid_detail"),
        ({"email": "x@example.org", "bindings": [{"role": "owner"}]}, "unknown_role"),
        ({"email": "x@example.org", "bindings": [{"role": "viewer", "subjects": "a"}]}, "invalid_grant"),
        ({"email": "x@example.org", "lifetime_days": 31}, "bad_request"),
    ],
)
def test_what_is_no_invitation_is_refused(admin: Caller, members: Any, code_: str) -> None:
    assert code(admin.send("POST", f"{NORTH}/invitations", members))[1] == code_


def test_a_password_that_is_too_weak_makes_no_account(admin: Caller) -> None:
    invitation = invited(admin, email="erin@example.org")
    assert code(accept(invitation, "erin", "1234")) == (422, "invalid_user")
    assert accept(invitation, "erin").status_code == 201


def test_whoever_goes_takes_roles_and_tokens_along_and_may_come_back(
    admin: Caller, alice: Actor, bob: Actor, token_for: TokenFor
) -> None:
    value = Caller(bearer(token_for(bob)))
    there = f"{NORTH}/members/bob"
    etag = admin.send("GET", there).headers["ETag"]
    assert value.send("GET", NORTH).status_code == 200
    assert admin.send("POST", f"{there}/suspend").status_code == 200
    assert code(admin.send("DELETE", there, None, {"If-Match": etag})) == (412, "changed_meanwhile")
    assert admin.send("POST", f"{there}/resume").status_code == 200
    assert value.send("GET", NORTH).status_code == 200
    assert admin.send("DELETE", there, None, WHATEVER).status_code == 204
    assert value.send("GET", NORTH).status_code == 401
    assert code(admin.send("GET", there)) == (404, "principal_not_found")
    assert [one["username"] for one in document(admin.send("GET", f"{NORTH}/members"))["items"]] == ["alice"]
    assert accept(invited(admin, username="bob"), "bob").status_code == 201
    assert value.send("GET", NORTH).status_code == 401
    assert document(admin.send("GET", f"{NORTH}/role-bindings?principal=person:bob"))["items"] == []


def test_programs_are_made_described_suspended_and_removed(admin: Caller) -> None:
    made = admin.send("POST", f"{NORTH}/service-accounts", {"slug": "robot", "description": "Loads"})
    there = f"{NORTH}/service-accounts/robot"
    assert (made.status_code, made.headers["Location"]) == (201, there)
    changed = admin.send("PATCH", there, {"description": "Unloads"}, {"If-Match": made.headers["ETag"]})
    assert document(changed)["description"] == "Unloads"
    assert not document(admin.send("POST", f"{there}/suspend"))["is_active"]
    assert document(admin.send("POST", f"{there}/resume"))["is_active"]
    assert admin.send("DELETE", there, None, WHATEVER).status_code == 204
    assert code(admin.send("POST", f"{NORTH}/service-accounts", {"slug": "robot"})) == (409, "slug_taken")
    assert document(admin.send("GET", f"{NORTH}/service-accounts"))["items"] == []
