"""Searching fields: words, operators, counts, rights, parts of the list."""

from __future__ import annotations

from string import ascii_lowercase
from typing import TYPE_CHECKING

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.queries import discovery, search_sources, search_terms
from registry.queries.places import namespace_of
from tests.cast import issued_for
from tests.factories import make_namespace
from tests.places import place
from tests.registry.client import Registry, record
from tests.registry.discovery.asking import Searcher, settle

if TYPE_CHECKING:
    from collections.abc import Callable

    from accord_server.kit.scope import Scope
    from tests.cast import Actor

pytestmark = pytest.mark.django_db

EMAIL = {
    "name": "customer_email",
    "type": ["null", "string"],
    "default": None,
    "doc": "Where we write to about the tax",
    "confluent:tags": ["PII"],
}
PLACED = {"name": "placed", "type": {"type": "long", "logicalType": "timestamp-millis"}}

NARROWED = {
    "lines.sku": ["orders-value#lines.sku"],
    "field:sku": ["orders-value#lines.sku"],
    "field:*email": ["orders-value#customer_email", "people-value#email"],
    "field:customer*": ["orders-value#customer_email"],
    "field:*mer_e*": ["orders-value#customer_email"],
    "field:lines.sku": ["orders-value#lines.sku"],
    "logical:timestamp-millis": ["orders-value#placed"],
    "tag:pii": ["orders-value#customer_email"],
    "doc:tax": ["orders-value#customer_email"],
    'doc:"tax write"': ["orders-value#customer_email"],
    'doc:"tax nothing"': [],
    "has:default": ["orders-value#customer_email"],
    "email -tag:pii": ["people-value#email"],
    "email type:string -subject:people*": ["orders-value#customer_email"],
    "email ns:def*": ["people-value#email", "orders-value#customer_email"],
    "email ns:other": [],
    "email format:json": [],
    "email updated:<1d": ["people-value#email", "orders-value#customer_email"],
    "email updated:>1d": [],
    "email tax": ["orders-value#customer_email"],
    "shop.Order": ["orders-value#shop.Order"],
    "nothing-like-it": [],
    "email customer": ["orders-value#customer_email"],
    "customxr_email tax": ["orders-value#customer_email"],
    "write tax": ["orders-value#customer_email"],
    "email nothing-like-it": [],
    "email field:*email": ["people-value#email", "orders-value#customer_email"],
    "tax field:*e*": ["orders-value#customer_email"],
    "order field:*shop*": ["orders-value#shop.Order"],
    "email -field:customer*": ["people-value#email"],
    "ns:def* subject:people* -has:required": ["people-value#people-value", "people-value#Person"],
}


@pytest.fixture
def searcher(alice: Actor, api: Registry) -> Searcher:
    """Alice, after two schemas were registered."""
    line = {"type": "record", "name": "Line", "fields": [{"name": "sku", "type": "string"}]}
    lines = {"name": "lines", "type": {"type": "array", "items": line}}
    api.registered("orders-value", record(EMAIL, PLACED, lines, name="Order", namespace="shop"))
    api.registered("people-value", record({"name": "email", "type": "string"}, "age", name="Person"))
    settle(alice.tenant.id)
    return Searcher(api.token)


def test_words_are_found_nearest_first(searcher: Searcher) -> None:
    assert searcher.paths("email") == ["people-value#email", "orders-value#customer_email"]
    assert searcher.paths("customxr_email") == ["orders-value#customer_email"]


def test_operators_narrow(searcher: Searcher) -> None:
    assert {text: searcher.paths(text) for text in NARROWED} == NARROWED


def test_counts_are_those_of_the_hits(searcher: Searcher) -> None:
    found = searcher.found("email")
    assert (found["total"], found["is_capped"]) == (2, False)
    assert found["kinds"] == {"subject": 0, "field": 2, "type": 0, "doc": 0}
    assert found["facets"]["type"] == [{"value": "string", "count": 2}]
    assert found["facets"]["tag"] == [{"value": "PII", "count": 1}]
    assert found["facets"]["format"] == [{"value": "avro", "count": 2}]
    assert found["facets"]["updated"] == [{"value": "<30d", "count": 2}, {"value": "<7d", "count": 2}]


def test_kinds_are_listed_apart(searcher: Searcher) -> None:
    assert searcher.paths("person", kind="type") == ["people-value#Person"]
    assert searcher.paths("people", kind="subject") == ["people-value#people-value"]
    assert searcher.paths("tax", kind="doc") == ["orders-value#customer_email"]


def test_an_id_and_a_fingerprint_find_the_subject(searcher: Searcher, api: Registry) -> None:
    number = api.registered("people-value", record({"name": "email", "type": "string"}, "age", name="Person"))
    assert searcher.paths(str(number)) == ["people-value#people-value"]
    assert searcher.paths(f"{number} -tag:pii") == ["people-value#people-value"]


def test_an_id_finds_all_its_subjects_however_many_fields_they_have(
    searcher: Searcher, api: Registry, alice: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(discovery, "MOST_HITS", 10)
    wide = record(*(f"f{number}" for number in range(12)), name="Wide")
    number = api.registered("wide-a", wide)
    assert api.registered("wide-b", wide) == number
    settle(alice.tenant.id)
    assert searcher.paths(str(number)) == ["wide-a#wide-a", "wide-b#wide-b"]
    assert not searcher.found(str(number))["is_capped"]


def test_parts_that_are_not_looked_for_are_told(searcher: Searcher, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not searcher.found("email customer")["is_capped"]
    monkeypatch.setattr(search_terms, "MOST_PARTS", 0)
    assert searcher.found("email customer")["is_capped"]


def test_parts_of_the_list_follow_each_other(searcher: Searcher) -> None:
    first = searcher.found("email", limit=1)
    second = searcher.found("email", limit=1, cursor=first["next"])
    assert [one["path"] for one in (*first["items"], *second["items"])] == ["email", "customer_email"]
    assert second["next"] is None


def test_what_may_not_be_read_is_not_counted(searcher: Searcher, api_with: Callable[..., Registry]) -> None:
    few = Searcher(api_with("subject.read", subjects=("people-*",)).token)
    found = few.found("email")
    assert [one["path"] for one in found["items"]] == ["email"]
    assert found["total"] == 1
    assert "tag" not in found["facets"]
    assert few.paths("customer_email") == ["people-value#email"] or few.paths("tag:pii") == []


def test_names_that_may_not_be_read_do_not_keep_those_spelled_alike_away(
    searcher: Searcher, api: Registry, alice: Actor, scope: Scope
) -> None:
    api.registered("pay", record("salxry", name="Pay"))
    settle(alice.tenant.id)
    here = frozenset({namespace_of(scope)})
    few, whole = (Searcher(issued_for(alice, namespaces=one).value) for one in (here, None))
    before = few.found("salary")
    assert [one["path"] for one in before["items"]] == ["salxry"]
    make_namespace(alice.tenant, "pay")
    names = record(*(f"salary{letter}" for letter in ascii_lowercase[: search_terms.MOST_SIMILAR]), name="B")
    Registry(api.token, prefix="/sr/north/pay").registered("hidden", names)
    settle(alice.tenant.id)
    assert few.found("salary") == before
    # Who may read them is not told what the word might have meant.
    assert whole.found("salary")["total"] == search_terms.MOST_SIMILAR


def test_without_a_search_all_there_is_is_found(searcher: Searcher) -> None:
    assert searcher.found("")["kinds"] == {"subject": 2, "field": 6, "type": 3, "doc": 0}


def test_deleted_subjects_are_found_as_such(searcher: Searcher, api: Registry, alice: Actor) -> None:
    api.ok("DELETE", "/subjects/people-value")
    assert searcher.paths("field:email") == []
    settle(alice.tenant.id)
    assert searcher.paths("field:email") == []
    assert searcher.paths("field:email state:deleted") == ["people-value#email"]


def test_subjects_deleted_for_good_are_gone(searcher: Searcher, api: Registry, alice: Actor) -> None:
    api.ok("DELETE", "/subjects/people-value")
    api.ok("DELETE", "/subjects/people-value?permanent=true")
    assert searcher.paths("field:email state:deleted") == []
    settle(alice.tenant.id)
    assert searcher.paths("field:email state:deleted") == []


def test_a_new_version_takes_the_place_of_the_old(searcher: Searcher, api: Registry, alice: Actor) -> None:
    api.registered("people-value", record({"name": "email", "type": "string"}, name="Person"))
    settle(alice.tenant.id)
    assert searcher.paths("field:age") == []
    assert searcher.found("field:email subject:people-value")["items"][0]["version"] == 2


def test_a_search_that_cannot_be_read_is_refused(searcher: Searcher) -> None:
    status, body = searcher.refused("typ:string")
    assert (status, body["code"]) == (422, "invalid_search")
    assert "the nearest is type:" in body["detail"]
    assert searcher.refused("email", kind="color")[0] == 400
    assert searcher.refused("email", cursor="AAAA")[0] == 400


@pytest.mark.parametrize(
    "where",
    [
        '[true, "a", 1, 1]',
        '[0, "\\ud800", 1, 1]',
        '[0, "\\u0000", 1, 1]',
        '[0, "a", 9223372036854775808, 1]',
        '[0, "a", 1]',
        "[" * 1_500,
        "1e",
    ],
)
def test_a_cursor_that_no_answer_gave_is_refused(searcher: Searcher, alice: Actor, where: str) -> None:
    assert searcher.refused("email", cursor=place(alice, "/api/v1/tenants/north/search", where))[0] == 400


def test_a_search_that_takes_too_long_is_ended_and_says_so(
    searcher: Searcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search_sources, "SOURCES", search_sources.SOURCES + " AND pg_sleep(60) IS NOT NULL")
    monkeypatch.setattr(search_sources, "TIME_LIMIT_MS", 200)
    status, body = searcher.refused("email")
    assert (status, body["code"]) == (503, "search_too_long")
    assert "add an operator" in body["detail"]


def test_many_hits_cost_as_many_statements_as_few(searcher: Searcher, api: Registry, alice: Actor) -> None:
    def statements() -> int:
        with CaptureQueriesContext(connection) as captured:
            searcher.found("email total", limit=100)
        return len(captured)

    searcher.found("email")
    few = statements()
    for number in range(20):
        api.registered(f"more-{number}", record(f"email_{number}", f"email_total_{number}"))
    settle(alice.tenant.id)
    assert searcher.found("email total")["total"] >= 20
    assert statements() == few
