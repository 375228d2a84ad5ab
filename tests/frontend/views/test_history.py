"""The history page: what was in force at each registration, and what the verdict was."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from django.utils.html import strip_tags

from accord.model import Format, SchemaText, SubjectName
from registry.policy_records import BindPolicy, PolicyPlace, PolicyText
from registry.services import soft_delete_version
from registry.services.bindings import bind_policy
from registry.services.policies import create_policy
from registry.services.waivers import give_waiver
from registry.waiver_records import GiveWaiver
from tenants import rights
from tests.frontend.schemas import ORDERS, field, record
from tests.frontend.views.test_subjects import statements, text_of

if TYPE_CHECKING:
    from django.test import Client

    from tests.cast import Actor, ScopeFor
    from tests.frontend.conftest import Register, SignedIn

SUBJECT = "/t/north/ns/default/s/orders-value/-/"
HISTORY = SUBJECT + "history"
POLICY = "name: house\ndefault: {preset: confluent, also_warns: accord:queue-safe, level: FULL}\n"


@pytest.fixture
def governed(alice: Actor, scope_for: ScopeFor, register: Register) -> None:
    """Two versions under a policy that warns."""
    scope = scope_for(alice)
    create_policy(scope, PolicyText(POLICY))
    bind_policy(scope, PolicyPlace(scope.namespace), BindPolicy("house"))
    for symbols in (["A", "B"], ["A", "B", "C"]):
        kind = {"type": "enum", "name": "E", "symbols": symbols, "default": "A"}
        register("orders-value", record(field("kind", kind)))


def entries(page: str) -> list[str]:
    """The rows of the table as words."""
    rows = re.findall(r"<tr>\s*<th scope=\"row\">.*?</tr>", page, re.DOTALL)
    return [" ".join(strip_tags(re.sub("<", " <", row)).split()) for row in rows]


def test_each_registration_has_its_row_newest_first(as_bob: Client, orders: str) -> None:
    found = entries(text_of(as_bob, HISTORY))
    assert [one.partition(" schema id")[0] for one in found] == ["Version 3", "Version 2", "Version 1"]
    assert "alice" in found[0]
    assert "BACKWARD , the default of this server preset confluent:8.1 Compatible" in found[0]
    assert found[0].endswith("compared with 1 version")
    assert found[2].endswith("First version")


@pytest.mark.usefixtures("governed")
def test_policies_warnings_and_rules_are_named(as_bob: Client) -> None:
    page = text_of(as_bob, HISTORY)
    newest = entries(page)[0]
    assert "FULL , from the policy house" in newest
    assert "policy house, version 1, bound to namespace default" in newest
    assert "Compatible, with warnings compared with 1 version" in newest
    rule = re.search(r'href="/rules/([A-Z_]+)"', page)
    assert rule is not None
    assert rule[1] in newest


def test_a_waiver_names_its_giver_and_the_reason(
    as_bob: Client, alice: Actor, scope_for: ScopeFor, register: Register
) -> None:
    register("orders-value", record(field("a", "int")))
    refused = record(field("a", "string"))
    until = datetime.now(UTC) + timedelta(hours=1)
    schema = SchemaText(Format.AVRO, refused)
    give_waiver(
        scope_for(alice), GiveWaiver(SubjectName("orders-value"), schema, "no <reader> is left", until)
    )
    register("orders-value", refused)
    newest, *_ = entries(text_of(as_bob, HISTORY))
    assert "Waived waiver given by alice : no &lt;reader&gt; is left compared with 1 version" in newest


def test_who_may_not_read_policies_sees_the_level_alone(
    signed_in: SignedIn, orders: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    viewer = rights.ROLES["viewer"]
    fewer = rights.Role(viewer.name, viewer.summary, viewer.rights - {"policy.read"})
    monkeypatch.setitem(rights.ROLES, "viewer", fewer)
    (newest, *_) = entries(text_of(signed_in("dora", "viewer"), HISTORY))
    assert "BACKWARD Compatible" in newest


def test_a_deleted_version_stays_in_the_history_and_leads_nowhere(
    as_bob: Client, alice: Actor, scope_for: ScopeFor, orders: str
) -> None:
    soft_delete_version(scope_for(alice), SubjectName("orders-value"), 2)
    page = text_of(as_bob, HISTORY)
    assert ["Deleted" in one for one in entries(page)] == [False, True, False]
    assert f'href="{SUBJECT}?v=2"' not in page


def test_it_comes_page_by_page_for_a_constant_price(
    as_bob: Client, register: Register, monkeypatch: pytest.MonkeyPatch
) -> None:
    register("orders-value", ORDERS[0])
    few = statements(as_bob, HISTORY)
    for text in ORDERS[1:]:
        register("orders-value", text)
    assert statements(as_bob, HISTORY) == few <= 20
    monkeypatch.setattr("frontend.views.subjects.PAGE_SIZE", 2)
    assert len(entries(text_of(as_bob, HISTORY))) == 2
    assert entries(text_of(as_bob, HISTORY + "?page=2"))[0].startswith("Version 1")
    assert "There is no such page" in text_of(as_bob, HISTORY + "?page=3")
