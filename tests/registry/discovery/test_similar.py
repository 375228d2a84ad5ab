"""The hint that a schema is there already under another name."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accord.discovery.likeness import ways_of
from accord.discovery.listings import listing_of
from accord.model import Format, SchemaText, SubjectName
from accord_server.kit import tenancy
from registry.queries import likeness
from tests.registry.client import Registry, record
from tests.registry.discovery.asking import settle
from tests.registry.policies.asking import NAMESPACE, Native

if TYPE_CHECKING:
    from collections.abc import Callable

    from accord_server.kit.scope import Scope
    from tests.cast import Actor

pytestmark = pytest.mark.django_db
NAMES = ("id", "customer_email", "placed_at", "total", "currency", "note", "status", "lines", "paid", "tax")
ORDER = record(*({"name": name, "type": "string"} for name in NAMES), name="Order")
# Spelled otherwise, in another format, one field less and one more.
ALIKE = json.dumps(
    {"type": "object", "properties": {one: {} for one in ("customerEmail", "extra", *NAMES[:1], *NAMES[2:])}}
)
OTHER = record(*({"name": f"other{at}", "type": "string"} for at in range(10)))


def ask(token: str, text: str = ALIKE, subject: str = "new-value", format_: str = "JSON") -> Any:
    body = {"schema": text, "format": format_}
    return Native(token).ok("POST", f"{NAMESPACE}/subjects/{subject}/similar", body)["items"]


@pytest.fixture
def _listed(api: Registry, alice: Actor) -> None:
    """A subject that is alike, and one that is not."""
    api.registered("orders-value", ORDER)
    api.registered("others-value", OTHER)
    settle(alice.tenant.id)


@pytest.mark.usefixtures("_listed")
def test_a_like_subject_is_named(api: Registry) -> None:
    told = {"namespace": "default", "subject": "orders-value", "version": 1, "format": "AVRO", "percent": 90}
    assert ask(api.token) == [told]
    assert ask(api.token, subject="orders-value") == []
    assert ask(api.token, '"int"', format_="AVRO") == []


@pytest.mark.usefixtures("_listed")
def test_what_may_not_be_read_is_not_named(api: Registry, api_with: Callable[..., Registry]) -> None:
    few = api_with("compat.check", "subject.read", subjects=("n*",)).token
    assert ask(few) == []
    blind = api_with("compat.check", subjects=("new-value",)).token
    assert ask(blind) == []


@pytest.mark.usefixtures("_listed")
def test_what_takes_too_long_is_no_hint(api: Registry, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = likeness.NEAR.replace("SELECT band.source_id", "SELECT band.source_id, pg_sleep(60)")
    monkeypatch.setattr(likeness, "NEAR", slow)
    monkeypatch.setattr(likeness, "TIME_LIMIT_MS", 200)
    assert ask(api.token) == []


def test_a_schema_must_be_given(api: Registry) -> None:
    answer = Native(api.token).call("POST", f"{NAMESPACE}/subjects/s/similar", {"schema": " "})
    assert answer.json()["code"] == "empty_schema"


def test_many_like_subjects_cost_as_many_statements_as_few(api: Registry, scope: Scope, alice: Actor) -> None:
    ways = ways_of(listing_of(SchemaText(Format.AVRO, json.dumps(ORDER))).rows)
    counts = []
    for number in range(8):
        api.registered(f"s{number}", ORDER)
        settle(alice.tenant.id)
        with tenancy.tenant_context(scope.tenant.id), CaptureQueriesContext(connection) as captured:
            found = likeness.similar_subjects(scope, SubjectName("new"), ways)
        counts.append(len(captured))
    assert set(counts) == {counts[0]}
    assert [one.percent for one in found] == [100] * likeness.TOLD
