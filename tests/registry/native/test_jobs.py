"""All that workers do, in one list over HTTP."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.job_records import WantedJobs
from registry.queries.jobs import list_jobs
from tenants.services.operators import issue_operator_token
from tests.cast import bearer, issued_for
from tests.contract.refusals import Caller, document
from tests.factories import make_namespace

if TYPE_CHECKING:
    from tests.cast import Actor, ScopeFor, TokenFor

pytestmark = pytest.mark.django_db

TENANT = "/api/v1/tenants/north"
NAMESPACE = f"{TENANT}/namespaces/default"
CHECK = {"subject": "orders-value", "schema": '"int"'}


@pytest.fixture
def admin(alice: Actor, token_for: TokenFor) -> Caller:
    """Alice, with one job of each kind: those of the namespace *default*, and an export."""
    caller = Caller(bearer(token_for(alice)))
    path = "/sr/north/default/subjects/orders-value/versions"
    assert caller.send("POST", path, {"schema": '"string"'}).status_code == 200
    for word, body in (
        ("checks", CHECK),
        ("policy-dry-runs", {"level": "FULL"}),
        ("imports", {"source": "x"}),
    ):
        assert caller.send("POST", f"{NAMESPACE}/{word}", body).status_code in {201, 202}
    operator = Caller(bearer(issue_operator_token(name="ada").value))
    assert operator.send("POST", f"{TENANT}/exports").status_code == 201
    return caller


def listed(caller: Caller, query: str = "", place: str = TENANT) -> list[dict[str, Any]]:
    answer = caller.send("GET", f"{place}/jobs{query}")
    assert answer.status_code == 200, answer.content
    found: list[dict[str, Any]] = document(answer)["items"]
    return found


def kinds(rows: list[dict[str, Any]]) -> list[str]:
    return [one["kind"] for one in rows]


def test_every_kind_is_listed_newest_first_with_where_it_is_followed(admin: Caller) -> None:
    rows = listed(admin)
    assert kinds(rows) == ["export", "import", "dry_run", "check"]
    assert kinds(listed(admin, place=NAMESPACE)) == ["import", "dry_run", "check"]
    for one in rows[1:]:
        followed = document(admin.send("GET", one["url"]))
        assert (followed["id"], followed["state"], one["namespace"]) == (one["id"], one["state"], "default")
    assert rows[0]["namespace"] is None
    assert rows[3]["progress"] == {"done": 0, "total": 1}


def test_it_is_narrowed_down_and_comes_in_parts(admin: Caller) -> None:
    assert kinds(listed(admin, "?kind=check")) == ["check"]
    assert kinds(listed(admin, "?state=running")) == ["import"]
    assert len(listed(admin, "?state=open")) == 4
    assert listed(admin, "?kind=check&state=done") == []
    first = document(admin.send("GET", f"{TENANT}/jobs?limit=3"))
    assert kinds(first["items"] + listed(admin, f"?cursor={first['next']}")) == kinds(listed(admin))


@pytest.mark.parametrize("query", ["?kind=nothing", "?state=nothing"])
def test_a_filter_that_cannot_be_meant_is_refused(admin: Caller, query: str) -> None:
    assert admin.send("GET", f"{TENANT}/jobs{query}").status_code == 400


def test_whoever_may_see_the_jobs_of_one_namespace_sees_those_alone(admin: Caller, alice: Actor) -> None:
    other = make_namespace(alice.tenant, "elsewhere")
    narrow = Caller(bearer(issued_for(alice, namespaces=frozenset({other.id})).value))
    assert admin.send("POST", f"{TENANT}/namespaces/elsewhere/checks", CHECK).status_code == 202
    assert [one["namespace"] for one in listed(narrow)] == ["elsewhere"]
    assert narrow.send("GET", f"{NAMESPACE}/jobs").status_code == 404


def test_nobody_sees_the_jobs_of_another_tenant(admin: Caller, mallory: Actor, token_for: TokenFor) -> None:
    theirs = Caller(bearer(token_for(mallory)), "south/default")
    assert listed(theirs, place="/api/v1/tenants/south") == []


def test_the_number_of_statements_does_not_grow(admin: Caller, alice: Actor, scope_for: ScopeFor) -> None:
    def statements() -> int:
        with CaptureQueriesContext(connection) as queries:
            list_jobs(scope_for(alice), wanted=WantedJobs(), limit=50)
        return len(queries)

    before = statements()
    for schema in ('"long"', '"float"', '"double"'):
        assert admin.send("POST", f"{NAMESPACE}/checks", {**CHECK, "schema": schema}).status_code == 202
    assert statements() == before
