"""Metadata, tags and contract rules on the page of a version."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from accord.contracts.reading import read_metadata, read_rule_set
from accord.model import Contract, EntityType, Format, SchemaEntity, SchemaTags, SchemaText
from accord.naming import parse_subject
from frontend.pages import contract as contract_pages
from registry.records import RegisterVersion, TagChanges
from registry.services.registration import register_version
from tests.frontend.schemas import ORDERS
from tests.frontend.views.test_subjects import text_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.test import Client

    from tests.cast import Actor, ScopeFor

TAG = re.compile("<[^>]*>")
SUBJECT = "/t/north/ns/default/s/orders-value/-/"
METADATA = {
    "tags": {"**.ssn": ["PRIVATE"]},
    "properties": {"owner": "team <b>", "pw": "swordfish-4711"},
    "sensitive": ["pw"],
}
RULES = {
    "migrationRules": [{"name": "up", "mode": "UPGRADE", "type": "JSONATA", "expr": "$merge([$])"}],
    "domainRules": [
        {"name": "check", "doc": "Totals add up", "kind": "CONDITION", "type": "CEL", "expr": "a < b"}
        | {"params": {"dlq.topic": "<bad>"}, "onSuccess": "NONE", "onFailure": "DLQ"},
        {"name": "off", "type": "ENCRYPT", "tags": ["PII"], "disabled": True},
    ],
}


@pytest.fixture
def carrying(alice: Actor, scope_for: ScopeFor) -> Callable[..., None]:
    """Register a version with what travels beside its text."""

    def store(metadata: Any = None, rules: Any = None, *tags: SchemaTags) -> None:
        command = RegisterVersion(
            subject=parse_subject("orders-value"),
            schema=SchemaText(Format.AVRO, ORDERS[0]),
            contract=Contract(read_metadata(metadata), read_rule_set(rules)),
            tags=TagChanges(tags),
        )
        register_version(scope_for(alice), command)

    return store


def words(page: str) -> str:
    """The text of a page on one line."""
    return " ".join(TAG.sub(" ", page).split())


def test_everything_that_travels_with_a_version_is_shown(
    as_bob: Client, carrying: Callable[..., None]
) -> None:
    field = SchemaEntity("com.example.Order.id", EntityType.FIELD)
    carrying(METADATA, RULES, SchemaTags(field, ("PII", "KEY")))
    page = text_of(as_bob, SUBJECT)
    said = words(page)
    for shown in (
        "com.example.Order.id PII KEY the schema",
        "**.ssn PRIVATE the metadata",
        "up JSONATA transform when older data is read $merge([$])",
        "check Totals add up CEL condition when data is written or read a &lt; b",
        "dlq.topic = &lt;bad&gt; success: NONE failure: DLQ",
        "off ENCRYPT transform never: it is switched off PII",
        "owner team &lt;b&gt;",
        "pw Sensitive not shown here",
    ):
        assert shown in said
    assert "swordfish" not in page


def test_a_version_without_any_shows_no_empty_panels(as_bob: Client, orders: str) -> None:
    page = text_of(as_bob, SUBJECT)
    for title in ("Metadata", "Tags", "Contract rules"):
        assert f">{title}</h2>" not in page


def test_long_lists_say_how_many_more_there_are(
    as_bob: Client, carrying: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contract_pages, "MOST_ROWS", 1)
    carrying({"tags": {"a": ["A"], "b": ["B"], "c": ["C"]}}, RULES)
    assert words(text_of(as_bob, SUBJECT)).count("2 more are not listed.") == 2
