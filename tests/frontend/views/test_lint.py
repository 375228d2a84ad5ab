"""The lint page: findings with links to lines and rules, hints where nobody asks, and empty places."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from registry.policy_records import BindPolicy, PolicyPlace, PolicyText
from registry.services.bindings import bind_policy
from registry.services.policies import create_policy
from tests.frontend.schemas import field, record
from tests.frontend.views.test_subjects import text_of

if TYPE_CHECKING:
    from django.test import Client

    from tests.cast import Actor, ScopeFor
    from tests.frontend.conftest import Register

LINT = "/t/north/ns/default/s/orders-value/-/lint"
POLICY = "name: house\ndefault: {lint: {use: [%s]}}\n"
KIND = {"type": "enum", "name": "kind", "symbols": ["A"]}


@pytest.fixture
def bound(alice: Actor, scope_for: ScopeFor) -> None:
    """A policy that asks for one rule."""
    scope = scope_for(alice)
    create_policy(scope, PolicyText(POLICY % "AVRO_ENUM_DEFAULT"))
    bind_policy(scope, PolicyPlace(scope.namespace), BindPolicy("house"))


def test_findings_are_hints_where_no_policy_asks(as_bob: Client, register: Register) -> None:
    register("orders-value", record(field("kind", KIND)))
    page = text_of(as_bob, LINT)
    assert 'href="/rules/AVRO_ENUM_DEFAULT"' in page
    assert "-/?v=1#L" in page
    assert "they refuse nothing" in page


@pytest.mark.usefixtures("bound")
def test_findings_are_those_that_the_policy_asks_for(as_bob: Client, register: Register) -> None:
    register("orders-value", record(field("kind", KIND)))
    page = text_of(as_bob, LINT)
    assert "AVRO_ENUM_DEFAULT" in page
    assert "AVRO_TYPE_PASCAL_CASE" not in page
    assert "By the rules that the policy in force asks for." in page


@pytest.mark.usefixtures("bound")
def test_an_empty_page_says_what_was_looked_for(as_bob: Client, register: Register) -> None:
    register("orders-value", record(field("id", "long")))
    assert "Nothing to find fault with, by the rules that the policy" in text_of(as_bob, LINT)


def test_a_version_that_is_not_there_is_not_found(as_bob: Client, register: Register) -> None:
    register("orders-value", record(field("id", "long")))
    assert as_bob.get(f"{LINT}?v=9").status_code == 404
