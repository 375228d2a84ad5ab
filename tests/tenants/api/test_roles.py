"""Roles and role bindings over HTTP."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tenants.principals import operator_scope
from tenants.services import bind_role, create_role
from tests import factories
from tests.cast import bearer
from tests.contract.refusals import Caller, document

if TYPE_CHECKING:
    from tests.cast import Actor, ScopeFor, TokenFor

pytestmark = pytest.mark.django_db

ROLES = "/api/v1/tenants/north/roles"
BINDINGS = "/api/v1/tenants/north/role-bindings"
CONFIG = "/sr/north/default/config"
WHATEVER = {"If-Match": "*"}


@pytest.fixture
def admin(alice: Actor, token_for: TokenFor) -> Caller:
    return Caller(bearer(token_for(alice)))


@pytest.fixture
def robot(alice: Actor) -> Caller:
    """A program that holds no role yet, with a token that asks for everything."""
    account = factories.make_account(alice.tenant, "robot")
    return Caller(bearer(factories.make_token(operator_scope(alice.tenant.ref), account.key).value))


def code(answer: Any) -> tuple[int, str]:
    return answer.status_code, document(answer)["code"]


def make(caller: Caller, name: str, *rights: str) -> Any:
    return caller.send("POST", ROLES, {"name": name, "rights": list(rights)})


def bind(caller: Caller, **members: Any) -> Any:
    return caller.send("POST", BINDINGS, {"principal": "service:robot", **members})


def test_a_custom_role_opens_what_it_says_and_what_it_comes_to_say(admin: Caller, robot: Caller) -> None:
    made = make(admin, "lister", "namespace.read")
    assert (made.status_code, made.headers["Location"]) == (201, f"{ROLES}/lister")
    assert bind(admin, role="lister", namespace="default").status_code == 201
    assert robot.send("GET", CONFIG).status_code == 403
    rights = {"rights": ["subject.read", "config.read"]}
    changed = admin.send("PATCH", f"{ROLES}/lister", rights, {"If-Match": made.headers["ETag"]})
    assert document(changed)["rights"] == ["subject.read", "config.read"]
    assert robot.send("GET", CONFIG).status_code == 200


def test_roles_are_listed_ours_first(admin: Caller) -> None:
    make(admin, "another", "subject.read")
    found = document(admin.send("GET", ROLES))["items"]
    assert [one["name"] for one in found][-2:] == ["admin", "another"]
    assert [one["is_built_in"] for one in found] == [True] * 6 + [False]
    assert document(admin.send("GET", f"{ROLES}/viewer"))["is_built_in"]
    assert code(admin.send("GET", f"{ROLES}/nobody")) == (404, "role_not_found")


def test_what_cannot_be_a_role_is_refused(admin: Caller) -> None:
    make(admin, "reader", "subject.read")
    assert code(make(admin, "viewer", "subject.read")) == (409, "role_fixed")
    assert code(make(admin, "reader", "subject.read")) == (409, "slug_taken")
    assert code(make(admin, "Reader", "subject.read")) == (422, "invalid_slug")
    assert code(make(admin, "dreamer", "subject.dream")) == (422, "unknown_right")
    assert code(admin.send("DELETE", f"{ROLES}/viewer", None, WHATEVER)) == (409, "role_fixed")
    assert code(admin.send("PATCH", f"{ROLES}/viewer", {"summary": ""}, WHATEVER)) == (409, "role_fixed")
    assert code(admin.send("DELETE", f"{ROLES}/reader", None, {"If-Match": '"7"'})) == (
        412,
        "changed_meanwhile",
    )


def test_a_role_that_is_held_stays(admin: Caller, robot: Caller) -> None:
    make(admin, "reader", "subject.read")
    held = document(bind(admin, role="reader"))
    refused = admin.send("DELETE", f"{ROLES}/reader", None, WHATEVER)
    assert code(refused) == (409, "role_bound")
    assert admin.send("DELETE", f"{BINDINGS}/{held['id']}").status_code == 204
    assert admin.send("DELETE", f"{ROLES}/reader", None, WHATEVER).status_code == 204
    assert code(bind(admin, role="reader")) == (422, "unknown_role")


def test_nobody_gives_what_they_do_not_hold(alice: Actor, robot: Caller) -> None:
    """Whoever may give roles and nothing else cannot make an admin, of anybody."""
    scope = operator_scope(alice.tenant.ref)
    clerk = factories.make_account(alice.tenant, "clerk")
    create_role(scope, name="clerk", rights=frozenset({"role.manage", "role.read", "subject.read"}))
    bind_role(scope, principal=clerk.key, role="clerk")
    caller = Caller(bearer(factories.make_token(scope, clerk.key).value))
    assert code(bind(caller, role="admin")) == (403, "grant_too_wide")
    assert code(make(caller, "more", "token.manage")) == (403, "grant_too_wide")
    assert code(caller.send("PATCH", f"{ROLES}/clerk", {"rights": ["audit.read"]}, WHATEVER)) == (
        403,
        "grant_too_wide",
    )
    assert make(caller, "less", "subject.read").status_code == 201
    assert bind(caller, role="less").status_code == 201


def test_somebody_is_left_who_can_give_roles(admin: Caller, alice: Actor) -> None:
    (held,) = [
        one
        for one in document(admin.send("GET", f"{BINDINGS}?principal={alice.key}"))["items"]
        if one["role"] == "admin"
    ]
    ways = [
        ("DELETE", f"{BINDINGS}/{held['id']}"),
        ("POST", "/api/v1/tenants/north/members/alice/suspend"),
        ("DELETE", "/api/v1/tenants/north/members/alice"),
    ]
    for method, path in ways:
        assert code(admin.send(method, path, None, WHATEVER)) == (409, "last_admin")
    factories.make_person(alice.tenant, "zoe", role="admin")
    assert admin.send(*ways[0]).status_code == 204


def test_bindings_are_found_by_holder_role_and_place(admin: Caller, robot: Caller, carol: Actor) -> None:
    bind(admin, role="viewer")
    bind(admin, role="developer", namespace="payments", subjects="orders-*")

    def found(query: str) -> list[tuple[str, str, Any]]:
        items = document(admin.send("GET", f"{BINDINGS}?{query}"))["items"]
        return [(one["principal"], one["role"], one["namespace"]) for one in items]

    robots = ("service:robot", "developer", "payments")
    assert found("principal=service:robot") == [robots, ("service:robot", "viewer", None)]
    assert found("namespace=payments") == [robots, (carol.key, "developer", "payments")]
    assert found("role=viewer") == [("service:robot", "viewer", None)]
    first = document(admin.send("GET", f"{BINDINGS}?limit=1"))
    second = document(admin.send("GET", f"{BINDINGS}?limit=1&cursor={first['next']}"))
    assert first["items"][0]["id"] != second["items"][0]["id"]
    assert code(admin.send("GET", f"{BINDINGS}?principal=person:nobody")) == (404, "principal_not_found")
    assert code(admin.send("GET", f"{BINDINGS}/{first['items'][0]['id'][:-4]}0000"))[0] == 404


@pytest.mark.parametrize("place", ["eA==", "MjAyNi0wMS0wMQ==", "MjAyNi0wMS0wMVQwMDowMDowMCB4"])
def test_a_cursor_that_no_answer_gave_is_refused(admin: Caller, place: str) -> None:
    assert admin.send("GET", f"{BINDINGS}?cursor={place}").status_code == 400


def test_what_a_person_may_do_takes_as_many_statements_whatever_they_hold(
    alice: Actor, bob: Actor, scope_for: ScopeFor
) -> None:
    def cost() -> int:
        with CaptureQueriesContext(connection) as counted:
            scope_for(bob)
        return len(counted)

    cost()
    few, scope = cost(), operator_scope(alice.tenant.ref)
    for number in range(5):
        create_role(scope, name=f"role-{number}", rights=frozenset({"subject.read"}))
        bind_role(scope, principal=bob.key, role=f"role-{number}")
    assert cost() == few
