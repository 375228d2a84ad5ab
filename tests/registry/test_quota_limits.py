"""A limit that is met, in the words of each dialect: nothing is half stored."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accord_server.kit import tenancy
from tenants.queries.quotas import in_use
from tenants.services import quotas
from tests.cast import issued_for
from tests.registry.client import Registry, optional, record
from tests.registry.descriptors.asking import GROWN, TEXTS
from tests.registry.imports.bringing import line

if TYPE_CHECKING:
    from accord_server.kit.scope import Scope
    from tests.cast import Actor
    from tests.registry.descriptors.asking import Shelf
    from tests.registry.imports.bringing import Bringer
    from tests.registry.quota_limits import Limit

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("compiler")]

NATIVE = "/api/v1/tenants/north"
AS_JSON = {"Content_Type": "application/json", "Accept": "application/json"}


def used_in(operator: Scope) -> dict[str, int]:
    """What is in use; a request leaves no tenant behind."""
    with tenancy.tenant_context(operator.tenant.id):
        return in_use(operator)


def native(api: Registry) -> Registry:
    """The native interface of the same tenant."""
    return Registry(api.token, NATIVE)


@pytest.mark.parametrize("resource", ["subjects", "versions"])
def test_a_registration_that_finds_no_room_is_refused_and_a_repeated_one_is_not(
    api: Registry, limit: Limit, operator: Scope, resource: str
) -> None:
    api.registered("first", record("a"))
    limit(**{resource: 1})
    before = used_in(operator)
    refused = api.register("second", record("b"))
    assert (refused.status, refused.body["error_code"]) == (422, 42290)
    assert "may have 1 " in refused.body["message"]
    assert "Nothing was stored. Delete for good" in refused.body["message"]
    assert (used_in(operator), api.ok("GET", "/subjects")) == (before, ["first"])
    api.registered("first", record("a"))
    if resource == "subjects":
        api.registered("first", record("a", optional("b")))


def test_deleting_for_good_makes_room_and_deleting_softly_does_not(api: Registry, limit: Limit) -> None:
    api.registered("first", record("a"))
    limit(subjects=1)
    api.ok("DELETE", "/subjects/first")
    assert api.register("second", record("b")).status == 422
    api.ok("DELETE", "/subjects/first?permanent=true")
    api.registered("second", record("b"))


def test_stored_bytes_are_those_of_texts_each_counted_once(
    api: Registry, limit: Limit, operator: Scope
) -> None:
    api.registered("first", record("a"))
    quotas.fold_tenant(operator)
    used = used_in(operator)["stored_bytes"]
    limit(stored_bytes=used)
    api.registered("second", record("a"))
    assert used_in(operator)["stored_bytes"] == used
    refused = api.register("second", record("a", optional("much")))
    assert (refused.status, refused.body["error_code"]) == (422, 42290)
    assert f"it has {used}" in refused.body["message"]


def test_one_long_schema_is_refused_as_too_large(api: Registry, limit: Limit) -> None:
    limit(schema_bytes=100)
    refused = api.register("s", record(*[optional(f"field{number}") for number in range(9)]))
    assert (refused.status, refused.body["error_code"]) == (422, 42209)
    assert "A schema of this tenant may have 100 bytes" in refused.body["message"]
    api.registered("s", record("a"))


def test_an_upload_that_finds_no_room_says_which_limit_it_met(
    shelf: Shelf, limit: Limit, operator: Scope
) -> None:
    assert shelf.push("shop", TEXTS).status == 201
    quotas.fold_tenant(operator)
    before = used_in(operator)
    assert before["stored_bytes"] > 0
    limit(versions=1)
    refused = shelf.push("shop", GROWN)
    assert refused.error == (409, "quota_reached")
    members = {name: refused.body[name] for name in ("resource", "limit", "usage")}
    assert members == {"resource": "versions", "limit": 1, "usage": 1}
    assert refused.body["advice"].startswith("Delete for good")
    assert (used_in(operator), len(shelf.ok("GET", "/modules/shop/versions"))) == (before, 1)
    limit(versions=None, schema_bytes=10)
    assert shelf.push("shop", GROWN).error == (413, "schema_above_quota")


def test_a_batch_of_an_import_is_stored_whole_or_not_at_all(
    bringer: Bringer, limit: Limit, operator: Scope
) -> None:
    run = bringer.begun()
    limit(versions=2)
    lines = [line("s", number, record(f"f{number}"), id=number) for number in (1, 2, 3)]
    refused = bringer.send(run, lines)
    assert (refused.status, refused.body["code"], refused.body["usage"]) == (409, "quota_reached", 0)
    assert used_in(operator)["versions"] == 0
    assert bringer.send(run, lines[:2]).status == 200
    limit(schema_bytes=10)
    told = bringer.send(run, [line("t", 1, record("long"), id=9)])
    assert (told.status, told.body["refused"][0]["code"]) == (200, "schema_above_quota")


def test_tokens_and_namespaces_are_refused_as_problem_documents(api: Registry, limit: Limit) -> None:
    limit(namespaces=1)
    refused = native(api).call("POST", "/namespaces", {"slug": "more", "template": None}, **AS_JSON)
    assert (refused.status, refused.body["code"]) == (409, "quota_reached")
    assert (refused.body["resource"], refused.body["limit"], refused.body["usage"]) == ("namespaces", 1, 1)


@pytest.mark.usefixtures("in_one_moment")
def test_more_requests_than_may_come_are_refused_in_every_dialect(
    api: Registry, shelf: Shelf, limit: Limit
) -> None:
    limit(requests_per_second=1)
    assert api.call("GET", "/subjects").status == 200
    refused = api.call("GET", "/subjects")
    assert (refused.status, refused.body["error_code"], refused.headers["Retry-After"]) == (429, 42901, "1")
    assert "More than 1 requests a second came from this tenant" in refused.body["message"]
    told = native(api).call("GET", "/quotas")
    assert (told.status, told.body["code"], told.headers["Retry-After"]) == (429, "too_many_requests", "1")
    assert (told.body["resource"], told.body["limit"]) == ("requests_per_second", 1)
    assert shelf.get("/modules").error == (429, "too_many_requests")


@pytest.mark.usefixtures("in_one_moment")
def test_what_is_answered_from_memory_is_counted_as_well(alice: Actor, api: Registry, limit: Limit) -> None:
    number = api.registered("s", record("a"))
    token = issued_for(alice, requests_per_second=2).value
    reader = Registry(token)
    answers = [reader.get(f"/schemas/ids/{number}").status for _ in range(4)]
    assert answers == [200, 200, 429, 429]


def test_limits_of_what_goes_on_at_a_time_are_those_of_the_tenant(api: Registry, limit: Limit) -> None:
    limit(open_checks=1)
    checks = Registry(api.token, f"{NATIVE}/namespaces/default/checks")
    api.registered("s", record("a"))
    asked = [{"subject": "s", "schema": f'"{kind}"'} for kind in ("int", "long")]
    told = [checks.call("POST", "", one, **AS_JSON) for one in asked]
    assert [one.status for one in told] == [202, 429]
    assert "has 1 checks that are not finished" in told[1].body["detail"]


def test_a_registration_is_held_to_limits_in_one_statement(api: Registry, limit: Limit) -> None:
    limit(versions=9)
    api.registered("warm", record("a"))
    with CaptureQueriesContext(connection) as captured:
        api.registered("s", record("a"))
    asked = [one["sql"] for one in captured if "quota" in one["sql"]]
    assert (len(asked), "accord_quota_exceeded" in asked[0]) == (1, True)
