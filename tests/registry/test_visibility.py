"""What may not be seen looks missing, byte for byte; what may be seen but not done is named."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest

from accord.formats import parse
from accord.formats.identity import guid
from accord.model import Format, SchemaText
from registry import queries
from registry.api.confluent.urls import ROUTES, About, Route, Unseen
from tenants.rights import RIGHTS
from tests.registry.client import PROBE, Registry, optional, record

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cast import Actor, ScopeFor, TokenFor
    from tests.registry.client import Answer

pytestmark = pytest.mark.django_db

BODY = {"schema": json.dumps(PROBE), "compatibility": "FULL", "mode": "READONLY"}
# Alike but for the name: the answers are compared with one written for the other.
HIDDEN, ABSENT = "hidden-a", "absent-a"
# Of the schema with id 1, and of one that nobody registers.
GUIDS = {1: str(guid(parse(SchemaText(Format.AVRO, json.dumps(PROBE))).canonical)), 2: str(uuid4())}
WITH_RIGHT = [route for route in ROUTES if route.right]
ABOUT_SUBJECTS = [route for route in WITH_RIGHT if "{subject}" in route.template]


def name(route: Route) -> str:
    return f"{route.method} {route.template}"


def ask(api: Registry, route: Route, subject: str, schema_id: int = 1, query: str = "") -> Answer:
    path = route.template.replace("{subject}", subject).replace("{version}", "1")
    path = path.replace("{guid}", GUIDS[schema_id])
    body = BODY if route.method in {"POST", "PUT"} else None
    return api.call(route.method, path.replace("{id}", str(schema_id)) + query, body)


@pytest.fixture
def hidden(api: Registry) -> None:
    """A subject with everything set, of which id 1 is a version."""
    api.registered(HIDDEN, PROBE)
    api.level(HIDDEN, "FULL")
    api.mode(HIDDEN, "READWRITE")


@pytest.mark.parametrize(
    "query", ["", "?permanent=true", "?deleted=true", "?verbose=true&defaultToGlobal=true"]
)
@pytest.mark.parametrize("route", ABOUT_SUBJECTS, ids=name)
def test_a_hidden_subject_answers_as_a_missing_one(
    api_with: Callable[..., Registry], hidden: None, route: Route, query: str
) -> None:
    stranger = api_with(*RIGHTS, subjects=("orders-*",))
    there, absent = (ask(stranger, route, one, query=query) for one in (HIDDEN, ABSENT))
    assert there.raw == absent.raw.replace(ABSENT.encode(), HIDDEN.encode())
    assert there.status == absent.status
    headers = [
        {k: v for k, v in one.headers.items() if k not in {"X-Request-ID", "Content-Length"}}
        for one in (there, absent)
    ]
    assert headers[0] == headers[1]


@pytest.mark.parametrize("route", ABOUT_SUBJECTS, ids=name)
def test_the_table_says_whether_the_unseen_is_missing_or_refused(
    api_with: Callable[..., Registry], hidden: None, route: Route
) -> None:
    status = ask(api_with(*RIGHTS, subjects=("orders-*",)), route, HIDDEN).status
    assert status == {Unseen.MISSING: 404, Unseen.REFUSED: 403}[route.unseen]


def test_a_hidden_use_does_not_show_in_the_members_of_an_id(
    api: Registry, api_with: Callable[..., Registry], hidden: None
) -> None:
    """To who sees one deleted use alone, the schema is deleted."""
    api.registered("orders-a", PROBE)
    api.delete("/subjects/orders-a")
    one = api_with("schema.read", subjects=("orders-*",)).with_new_members()
    assert api.with_new_members().ok("GET", "/schemas/ids/1")["deleted"] is False
    assert one.ok("GET", "/schemas/ids/1")["deleted"] is True
    named, absent = (one.get(f"/schemas/ids/1?subject={name}") for name in (HIDDEN, ABSENT))
    assert named.raw == absent.raw


@pytest.mark.parametrize("route", [route for route in WITH_RIGHT if route.about is About.SCHEMA], ids=name)
def test_a_hidden_id_answers_as_a_missing_one(
    api_with: Callable[..., Registry], hidden: None, route: Route
) -> None:
    stranger = api_with(*RIGHTS, subjects=("orders-*",))
    there, absent = ask(stranger, route, "", 1), ask(stranger, route, "", 2)
    assert there.error == absent.error == (404, 40403)
    told = absent.raw.replace(b"Schema 2 ", b"Schema 1 ").replace(GUIDS[2].encode(), GUIDS[1].encode())
    assert there.raw == told


@pytest.mark.parametrize(
    "route",
    [
        one
        for one in WITH_RIGHT
        if one.right not in {"subject.read", "subject.list"} and one.unseen is not Unseen.LEFT_OUT
    ],
    ids=name,
)
def test_a_missing_right_is_named_where_the_subject_may_be_read(
    api_with: Callable[..., Registry], hidden: None, route: Route
) -> None:
    others = set(RIGHTS) - {route.right}
    answer = ask(api_with(*others), route, HIDDEN)
    assert answer.error == (403, 403)
    assert f"'{route.right}'" in answer.body["message"]


@pytest.mark.parametrize("route", [one for one in ROUTES if one.permanent_right], ids=name)
def test_deleting_for_good_is_a_right_of_its_own(
    api: Registry, api_with: Callable[..., Registry], hidden: None, route: Route
) -> None:
    api.delete(f"/subjects/{HIDDEN}")
    answer = ask(api_with(*set(RIGHTS) - {"subject.purge"}), route, HIDDEN, query="?permanent=true")
    assert answer.error == (403, 403)
    assert "'subject.purge'" in answer.body["message"]


def test_lists_show_what_may_be_seen(api: Registry, api_with: Callable[..., Registry], hidden: None) -> None:
    api.registered("orders-value", PROBE)
    for right in ("subject.list", "subject.read"):
        some = api_with(right, subjects=("orders-*",))
        assert some.ok("GET", "/subjects?deleted=true") == ["orders-value"]
    reader = api_with("subject.read", "schema.read", subjects=("topic:orders",))
    assert reader.ok("GET", "/schemas/ids/1/subjects") == ["orders-value"]
    assert reader.ok("GET", "/schemas/ids/1/versions") == [{"subject": "orders-value", "version": 1}]
    assert api_with("config.read").ok("GET", "/subjects") == []


def test_an_id_opens_with_any_of_its_subjects(
    api: Registry, api_with: Callable[..., Registry], hidden: None
) -> None:
    """Live or soft-deleted, one readable use is enough."""
    api.registered("orders-value", PROBE)
    api.delete("/subjects/orders-value")
    assert api_with("schema.read", subjects=("orders-value",)).get("/schemas/ids/1").status == 200


def test_a_reference_needs_its_right_and_hides_what_is_hidden(
    api: Registry, api_with: Callable[..., Registry]
) -> None:
    api.registered("secret", record("x", name="Part"))
    whole = record({"name": "p", "type": "Part"}, name="Whole")
    reference = [{"name": "Part", "subject": "secret", "version": 1}]
    blind = api_with("subject.write", "subject.read", "reference.use", subjects=("orders-*",))
    hidden = blind.register("orders-a", whole, references=reference)
    absent = blind.register("orders-a", whole, references=[{**reference[0], "subject": "absent"}])
    assert hidden.error == absent.error == (422, 42201)
    assert hidden.raw == absent.raw.replace(b"absent", b"secret")
    reader = api_with("subject.write", "subject.read")
    refused = reader.register("orders-a", whole, references=reference)
    assert (refused.error, "'reference.use'" in refused.body["message"]) == ((403, 403), True)
    api.registered("orders-a", whole, references=reference)
    assert reader.register("orders-a", whole, references=reference).status == 200


def test_dependants_are_shown_to_their_readers(api: Registry, api_with: Callable[..., Registry]) -> None:
    api.registered("part", record("x", name="Part"))
    whole = record({"name": "p", "type": "Part"}, name="Whole")
    made = api.registered("secret", whole, references=[{"name": "Part", "subject": "part", "version": 1}])
    path = "/subjects/part/versions/1/referencedby"
    assert api.ok("GET", path) == [made]
    assert api_with("subject.read", subjects=("part",)).ok("GET", path) == []


def test_the_old_text_is_shown_to_its_readers_alone(api: Registry, api_with: Callable[..., Registry]) -> None:
    api.registered("s", record("a"))
    checker = api_with("compat.check", "subject.write", subjects=("s",))
    messages = checker.check("s/versions?verbose=true", record("a", "b")).body["messages"]
    assert "{oldSchemaVersion: 1}" in messages
    assert not any("oldSchema:" in message for message in messages)
    assert "oldSchema:" not in checker.register("s", record("a", "b")).body["message"]


def test_explicit_ids_need_the_right_to_import(api: Registry, api_with: Callable[..., Registry]) -> None:
    api.mode("s", "IMPORT")
    refused = api_with("subject.write", "subject.read").register("s", PROBE, id=7)
    assert (refused.error, "'import'" in refused.body["message"]) == ((403, 403), True)


def test_namespaces_share_nothing_that_shows(api: Registry, carol: Actor, token_for: TokenFor) -> None:
    """The same content elsewhere gets an id of its own, and is not there."""
    payments = Registry(token_for(carol), "/sr/north/payments")
    api.registered("a", record("x"))
    api.registered("a", record("x", optional("y")))
    assert payments.registered("b", record("x", optional("y"))) == 1
    assert payments.get("/schemas/ids/2").error == (404, 40403)
    assert payments.ok("GET", "/subjects") == ["b"]


@pytest.mark.parametrize("prefix", ["/sr/north/default", "/sr/north/none", "/sr/none/default"])
def test_a_foreign_tenant_is_nowhere(mallory: Actor, alice: Actor, token_for: TokenFor, prefix: str) -> None:
    answer = Registry(token_for(mallory), prefix).get("/subjects")
    assert answer.body == {"error_code": 404, "message": "HTTP 404 Not Found"}


@pytest.mark.parametrize("token", ["", "accp_nonsense", "x" * 5000])
def test_no_good_token_is_401_in_the_dialect(alice: Actor, token: str) -> None:
    answer = Registry(token).get("/nowhere")
    assert answer.body == {"error_code": 401, "message": "Unauthorized"}
    assert "WWW-Authenticate" in answer.headers


def test_queries_of_pages_see_what_the_api_sees(
    api: Registry, carol: Actor, scope_for: ScopeFor, token_for: TokenFor
) -> None:
    api.registered("a", PROBE)
    Registry(token_for(carol), "/sr/north/payments").registered("b", PROBE)
    page = queries.search_subjects(scope_for(carol, "payments"))
    assert [row.subject.name for row in page.rows] == ["b"]
