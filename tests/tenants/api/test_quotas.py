"""Quotas over HTTP: read by who may, set by operators and, for less, by the tenant's own people."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.utils import timezone

from accord_server.kit import tenancy
from tenants.models import UsageDay
from tenants.principals import operator_scope
from tenants.services.operators import issue_operator_token
from tests.cast import bearer
from tests.contract.refusals import Caller, document

if TYPE_CHECKING:
    from tests.cast import Actor, TokenFor

pytestmark = pytest.mark.django_db

QUOTAS = "/api/v1/tenants/north/quotas"
USAGE = "/api/v1/tenants/north/usage"


@pytest.fixture
def admin(alice: Actor, token_for: TokenFor) -> Caller:
    return Caller(bearer(token_for(alice)))


@pytest.fixture
def operator(db: None) -> Caller:
    return Caller(bearer(issue_operator_token(name="ops").value))


def row(caller: Caller, name: str) -> dict[str, Any]:
    (found,) = [one for one in document(caller.send("GET", QUOTAS))["items"] if one["name"] == name]
    return dict(found)


def set_to(caller: Caller, version: str, **limits: Any) -> tuple[int, str]:
    answer = caller.send("PATCH", QUOTAS, {"limits": limits}, {"If-Match": version})
    return answer.status_code, answer.headers.get("ETag") or document(answer)["code"]


def test_an_operator_sets_what_a_tenant_may_have_and_its_people_less(admin: Caller, operator: Caller) -> None:
    assert set_to(operator, '"1"', tokens=20, versions=0) == (200, '"2"')
    assert set_to(admin, '"1"', tokens=9) == (412, "changed_meanwhile")
    assert set_to(admin, '"2"', tokens=30) == (422, "invalid_detail")
    assert set_to(admin, '"2"', tokens=10) == (200, '"3"')
    found = row(admin, "tokens")
    assert {name: found[name] for name in ("limit", "ceiling", "default", "used", "percent")} == {
        "limit": 10,
        "ceiling": 20,
        "default": 10_000,
        "used": 1,
        "percent": 10,
    }
    assert (row(admin, "versions")["limit"], row(admin, "versions")["percent"]) == (None, None)


@pytest.mark.parametrize(
    ("limits", "code"),
    [({}, 400), ({"chairs": 1}, 422), ({"tokens": "many"}, 400), ({"tokens": -1}, 400)],
)
def test_what_can_be_no_limit_is_refused(operator: Caller, admin: Caller, limits: Any, code: int) -> None:
    answer = operator.send("PATCH", QUOTAS, {"limits": limits}, {"If-Match": "*"})
    assert (answer.status_code, row(admin, "tokens")["limit"]) == (code, 10_000)


def test_who_reads_is_not_who_sets(bob: Actor, carol: Actor, token_for: TokenFor) -> None:
    assert Caller(bearer(token_for(bob))).send("GET", QUOTAS).status_code == 403
    assert Caller(bearer(token_for(carol))).send("GET", USAGE).status_code in {403, 404}


def test_what_was_used_is_listed_day_by_day(admin: Caller, alice: Actor) -> None:
    today = timezone.now().date()
    scope = operator_scope(alice.tenant.ref)
    with tenancy.tenant_context(alice.tenant.id):
        for ago in (0, 1, 40):
            UsageDay.objects.insert(scope, day=today - timedelta(days=ago), resource="tokens", used=ago)
    found = document(admin.send("GET", USAGE))
    assert [one["used"] for one in found["items"]] == [{"tokens": 1}, {"tokens": 0}]
    first = (today - timedelta(days=40)).isoformat()
    assert len(document(admin.send("GET", f"{USAGE}?from={first}&to={today}"))["items"]) == 3


@pytest.mark.parametrize(
    "query", ["from=today", "from=2026-01-02&to=2026-01-01", "from=2020-01-01&to=2026-01-01"]
)
def test_days_that_cannot_be_meant_are_refused(admin: Caller, query: str) -> None:
    assert admin.send("GET", f"{USAGE}?{query}").status_code == 400
