"""The lint page: findings with links to lines and rules, hints where nobody asks, and empty places."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from accord.formats.protobuf import service
from accord.model import Format, SchemaText, SubjectName
from registry.policy_records import BindPolicy, PolicyPlace, PolicyText
from registry.records import RegisterVersion
from registry.services.bindings import bind_policy
from registry.services.policies import create_policy
from registry.services.registration import register_version
from tests.accord.protobuf_texts import COMPILER
from tests.frontend.schemas import field, record
from tests.frontend.views.test_subjects import text_of

if TYPE_CHECKING:
    from django.test import Client

    from accord_server.kit.scope import Scope
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


SILENCED = """syntax = "proto3";
message M {
  // buf:lint:ignore FIELD_LOWER_SNAKE_CASE
  int32 badName = 1;
}
"""


def enforce(scope: Scope, lint: str) -> None:
    create_policy(scope, PolicyText(f"name: house\ndefault: {{lint: {{{lint}}}}}\n"))
    bind_policy(scope, PolicyPlace(scope.namespace), BindPolicy("house"))


@pytest.mark.parametrize(
    ("more", "badge"),
    [
        ("", "1 would refuse it unless a comment silences it<"),
        (", disallow_comment_ignores: true", "1 would refuse it<"),
    ],
)
def test_protobuf_is_linted_without_the_comments_that_are_not_stored(
    as_bob: Client, alice: Actor, scope_for: ScopeFor, more: str, badge: str
) -> None:
    service.use(COMPILER)
    scope = scope_for(alice)
    command = RegisterVersion(
        subject=SubjectName("orders-value"), schema=SchemaText(Format.PROTOBUF, SILENCED)
    )
    register_version(scope, command)
    enforce(scope, "use: [COMMENTS, FIELD_LOWER_SNAKE_CASE], severity: block" + more)
    page = text_of(as_bob, LINT)
    assert "Protobuf is stored without comments." in page
    assert 'href="/rules/FIELD_LOWER_SNAKE_CASE"' in page
    assert badge in page
    assert "COMMENT_" not in page


def test_a_version_that_is_not_there_is_not_found(as_bob: Client, register: Register) -> None:
    register("orders-value", record(field("id", "long")))
    assert as_bob.get(f"{LINT}?v=9").status_code == 404
