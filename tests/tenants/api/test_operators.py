"""Tenants for whoever runs the installation: created, listed, suspended, entered with their token."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import CommandError, call_command

from accord_server.kit import tenancy
from tenants.models import AuditRecord
from tenants.principals import operator_scope
from tenants.queries import resolve_place
from tenants.services.operators import issue_operator_token, revoke_operator_token
from tests import factories
from tests.cast import bearer
from tests.contract.refusals import Caller, document, spoiled

if TYPE_CHECKING:
    from tenants.records import TenantRecord
    from tests.cast import Actor, TokenFor

pytestmark = pytest.mark.django_db

TENANTS = "/api/v1/tenants"


@pytest.fixture
def operator() -> Caller:
    return Caller(bearer(issue_operator_token(name="ada").value))


def code(answer: Any) -> tuple[int, str]:
    return answer.status_code, document(answer)["code"]


def test_from_nothing_to_a_token_that_may_check_and_not_register(operator: Caller) -> None:
    made = operator.send("POST", TENANTS, {"slug": "west", "name": "West", "template": "drop-in"})
    assert (made.status_code, made.headers["Location"]) == (201, f"{TENANTS}/west")
    west = f"{TENANTS}/west"
    steps = [
        ("service-accounts", {"slug": "ci"}),
        ("role-bindings", {"principal": "service:ci", "role": "developer"}),
        ("tokens", {"name": "CI", "owner": "service:ci", "kind": "ci", "grants": [{"preset": "ci-check"}]}),
    ]
    answers = [operator.send("POST", f"{west}/{word}", body) for word, body in steps]
    assert [one.status_code for one in answers] == [201, 201, 201]
    ci = Caller(bearer(document(answers[-1])["token"]))
    there = "/sr/west/default"
    check = ci.send("POST", f"{there}/compatibility/subjects/orders/versions/latest", {"schema": '"int"'})
    assert check.status_code in {200, 404}
    assert ci.send("POST", f"{there}/subjects/orders/versions", {"schema": '"int"'}).status_code == 403


def test_what_an_operator_does_is_in_the_log_of_the_tenant(operator: Caller, north: TenantRecord) -> None:
    operator.send("POST", f"{TENANTS}/north/service-accounts", {"slug": "robot"})
    with tenancy.tenant_context(north.id):
        rows = AuditRecord.objects.scoped(operator_scope(north.ref))
        record = rows.get(action="service_account.create")
    assert (record.actor, record.actor_kind) == ("operator:ada", "operator")


def test_tenants_are_listed_by_name_part_by_part(operator: Caller, north: TenantRecord, south: Any) -> None:
    first = document(operator.send("GET", f"{TENANTS}?limit=1"))
    rest = document(operator.send("GET", f"{TENANTS}?cursor={first['next']}"))
    found = [one["slug"] for one in first["items"] + rest["items"]]
    assert [one for one in found if one in {"north", "south"}] == ["north", "south"]
    assert operator.send("POST", f"{TENANTS}/north/suspend").status_code == 200
    listed = document(operator.send("GET", f"{TENANTS}?state=suspended"))["items"]
    assert [one["slug"] for one in listed] == ["north"]


def test_nobody_is_let_into_a_suspended_tenant(operator: Caller, alice: Actor, token_for: TokenFor) -> None:
    caller = Caller(bearer(token_for(alice)))
    statuses = []
    for step in ("suspend", "resume"):
        assert document(operator.send("POST", f"{TENANTS}/north/{step}"))["slug"] == "north"
        statuses.append(caller.send("GET", f"{TENANTS}/north").status_code)
    assert statuses == [403, 200]
    assert code(operator.send("POST", f"{TENANTS}/nowhere/suspend")) == (404, "namespace_not_found")
    assert code(operator.send("GET", f"{TENANTS}/nowhere")) == (404, "namespace_not_found")


def test_a_deleted_tenant_is_in_a_list_of_its_own_and_comes_back(operator: Caller, north: Any) -> None:
    there = f"{TENANTS}/north"
    assert code(operator.send("POST", f"{there}/delete", {"confirm": "south"})) == (422, "not_confirmed")
    gone = document(operator.send("POST", f"{there}/delete", {"confirm": "north"}))
    assert (gone["state"], gone["deleted_at"] < gone["kept_until"]) == ("deleted", True)
    lists = [document(operator.send("GET", f"{TENANTS}?state={one}"))["items"] for one in ("", "deleted")]
    assert [[one["slug"] for one in found if one["slug"] == "north"] for found in lists] == [[], ["north"]]
    assert lists[1][0]["kept_until"] == gone["kept_until"]
    assert code(operator.send("GET", there)) == (404, "namespace_not_found")
    assert document(operator.send("POST", f"{there}/restore"))["state"] == "active"
    assert code(operator.send("POST", f"{there}/restore")) == (404, "tenant_not_deleted")
    assert code(operator.send("POST", f"{TENANTS}/No Such/restore")) == (404, "tenant_not_deleted")


@pytest.mark.parametrize("way", ["spoiled", "revoked", "over", "a tenant's"])
def test_nobody_else_is_an_operator(alice: Actor, token_for: TokenFor, way: str) -> None:
    issued = issue_operator_token(name="ada")
    values = {"spoiled": spoiled(issued.value), "revoked": issued.value, "a tenant's": token_for(alice)}
    if way == "revoked":
        revoke_operator_token(key_id=issued.key_id)
    if way == "over":
        values["over"] = issue_operator_token(name="bob", lifetime=timedelta(microseconds=1)).value
    caller = Caller(bearer(values[way]))
    assert code(caller.send("GET", TENANTS)) == (401, "unauthorized")
    if way != "a tenant's":
        assert code(caller.send("GET", f"{TENANTS}/north")) == (401, "unauthorized")


def test_a_token_of_an_operator_is_no_good_for_schemas(operator: Caller, north: TenantRecord) -> None:
    assert operator.send("GET", "/sr/north/default/subjects").status_code == 401


def test_people_of_the_tenant_change_its_name_and_the_rules_of_its_tokens(
    alice: Actor, token_for: TokenFor
) -> None:
    caller, there = Caller(bearer(token_for(alice))), f"{TENANTS}/north"
    shown = caller.send("GET", there)
    rules = {"lifetime_days": 30, "approval": True, "forbidden": ["subject.purge"]}
    body = {"name": "The North", "token_rules": rules}
    # The token that changes the rules lives longer than they let it.
    changed = caller.send("PATCH", there, body, {"If-Match": shown.headers["ETag"]})
    assert (document(changed)["name"], document(changed)["token_rules"]) == ("The North", rules)
    assert caller.send("GET", there).status_code == 401


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"token_rules": {"forbidden": ["subject.dream"]}}, 422),
        ({"token_rules": {"lifetime_days": 400}}, 400),
        ({"token_rules": {}}, 400),
        ({"name": " "}, 400),
        ({}, 400),
    ],
)
def test_what_cannot_be_a_rule_is_refused(operator: Caller, north: Any, body: Any, status: int) -> None:
    assert operator.send("PATCH", f"{TENANTS}/north", body, {"If-Match": "*"}).status_code == status


def test_whoever_runs_the_installation_issues_and_ends_tokens_of_operators(db: None) -> None:
    out, err = StringIO(), StringIO()
    call_command("issue_operator_token", "ada", "--lifetime", "1h", stdout=out, stderr=err)
    value = out.getvalue().strip()
    assert Caller(bearer(value)).send("GET", TENANTS).status_code == 200
    assert "operator:ada" in err.getvalue()
    key_id = value.removeprefix("acco_")[:12]
    call_command("revoke_operator_token", key_id, stdout=out)
    call_command("revoke_operator_token", key_id, stdout=out)
    assert Caller(bearer(value)).send("GET", TENANTS).status_code == 401
    for command in (("issue_operator_token", "ada"), ("revoke_operator_token", "0" * 12)):
        with pytest.raises(CommandError):
            call_command(*command, stdout=out)
    with pytest.raises(CommandError, match="366 days"):
        call_command("issue_operator_token", "bob", "--lifetime", "999d", stdout=out)


def test_an_operator_can_give_the_last_role_away(operator: Caller, alice: Actor) -> None:
    answer = operator.send("POST", f"{TENANTS}/north/members/alice/suspend")
    assert answer.status_code == 200
    assert resolve_place("north", None) is not None
    assert factories.make_account(alice.tenant, "robot").is_active
