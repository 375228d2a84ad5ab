"""Who may do what on which, over HTTP."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tenants.principals import operator_scope
from tenants.records import TokenRules
from tenants.services import bind_role, create_role, suspend_principal, suspend_token, update_tenant
from tests import factories
from tests.cast import bearer, issued_for
from tests.contract.refusals import Caller, document

if TYPE_CHECKING:
    from tests.cast import Actor, TokenFor

pytestmark = pytest.mark.django_db

ACCESS = "/api/v1/tenants/north/access"


@pytest.fixture
def admin(alice: Actor, token_for: TokenFor) -> Caller:
    return Caller(bearer(token_for(alice)))


def ask(caller: Caller, **asked: str) -> Any:
    return caller.send("GET", f"{ACCESS}?{urlencode(asked)}")


def told(caller: Caller, principal: str, action: str, thing: str = "") -> tuple[bool, str]:
    found = document(ask(caller, principal=principal, action=action, object=thing))
    return found["allowed"], found["reason"]


def test_the_deciding_role_is_named(admin: Caller, bob: Actor, carol: Actor) -> None:
    found = document(ask(admin, principal=carol.key, action="subject.write", object="payments/orders"))
    assert (found["allowed"], found["reason"]) == (True, "role developer in payments")
    assert (found["binding"]["role"], found["binding"]["principal"]) == ("developer", carol.key)
    assert told(admin, bob.key, "subject.read", "payments/orders") == (
        True,
        "role viewer in the whole tenant",
    )
    is_allowed, reason = told(admin, bob.key, "subject.write", "payments/orders")
    assert not is_allowed
    assert "developer" in reason
    assert not told(admin, carol.key, "subject.read", "default/orders")[0]
    assert not told(admin, carol.key, "member.read")[0]


def test_a_role_on_a_prefix_and_a_custom_one_decide_too(admin: Caller, alice: Actor, bob: Actor) -> None:
    scope = operator_scope(alice.tenant.ref)
    create_role(scope, name="purger", rights=frozenset({"subject.purge"}))
    bind_role(scope, principal=bob.key, role="purger", namespace_slug="default", subjects="orders-*")
    where = "role purger in default, on orders-*"
    assert told(admin, bob.key, "subject.purge", "default/orders-value") == (True, where)
    assert not told(admin, bob.key, "subject.purge", "default/bills")[0]
    found = document(ask(admin, action="subject.purge", object="default/orders-value"))["items"]
    assert [one["principal"] for one in found] == [alice.key, bob.key]


def test_who_is_suspended_may_nothing(admin: Caller, alice: Actor, bob: Actor) -> None:
    suspend_principal(operator_scope(alice.tenant.ref), principal=bob.key)
    assert told(admin, bob.key, "subject.read", "default") == (False, f"{bob.key} is suspended")
    found = document(ask(admin, action="subject.read", object="default"))["items"]
    assert [one["principal"] for one in found] == [alice.key]


def test_of_a_token_grant_rules_and_owner_decide_together(admin: Caller, alice: Actor, bob: Actor) -> None:
    scope = operator_scope(alice.tenant.ref)
    token = issued_for(bob, "subject.read", "subject.write", "subject.list").record.key_id
    key, thing = f"token:{token}", "default/orders"
    found = document(ask(admin, principal=key, action="subject.read", object=thing))
    assert (found["allowed"], found["binding"]["principal"]) == (True, bob.key)
    assert found["grant"]["actions"] == ["subject.list", "subject.read", "subject.write"]
    assert told(admin, key, "subject.write", thing) == (False, f"its owner {bob.key} may not")
    assert "no grant" in told(admin, key, "config.read", thing)[1]
    rules = TokenRules(forbidden=frozenset({"subject.list"}))
    update_tenant(scope, name=None, rules=rules, expected=None)
    assert "lets no token" in told(admin, key, "subject.list", thing)[1]
    suspend_token(scope, key_id=token)
    assert told(admin, key, "subject.read", thing) == (False, "the token is suspended")


def test_all_who_may_are_listed_part_by_part(admin: Caller, alice: Actor, bob: Actor, carol: Actor) -> None:
    first = document(ask(admin, action="subject.read", object="payments/x", limit="2"))
    rest = document(ask(admin, action="subject.read", object="payments/x", cursor=first["next"]))
    found = [one["principal"] for one in first["items"] + rest["items"]]
    assert found == [alice.key, bob.key, carol.key]


@pytest.mark.parametrize(
    ("asked", "status", "code"),
    [
        ({"action": "subject.dream"}, 422, "unknown_right"),
        ({}, 422, "unknown_right"),
        ({"action": "member.read", "object": "default"}, 422, "invalid_detail"),
        ({"action": "export", "object": "default/x"}, 422, "invalid_detail"),
        ({"action": "subject.read", "object": "/x"}, 422, "invalid_detail"),
        ({"action": "subject.read", "object": "nowhere"}, 404, "namespace_not_found"),
        ({"action": "subject.read", "principal": "person:nobody"}, 404, "principal_not_found"),
        ({"action": "subject.read", "principal": "token:000000000000"}, 404, "token_not_found"),
    ],
)
def test_a_question_that_means_nothing_is_refused(
    admin: Caller, asked: dict[str, str], status: int, code: str
) -> None:
    answer = ask(admin, **asked)
    assert (answer.status_code, document(answer)["code"]) == (status, code)


def test_the_answer_costs_the_same_however_many_may(admin: Caller, alice: Actor) -> None:
    def cost() -> int:
        with CaptureQueriesContext(connection) as counted:
            ask(admin, action="subject.read", object="default/x")
        return len(counted)

    cost()
    few = cost()
    for _ in range(5):
        factories.make_person(alice.tenant, role="viewer")
    cost()
    assert cost() == few
