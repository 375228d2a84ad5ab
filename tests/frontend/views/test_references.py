"""What a version refers to, and what refers to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from accord.model import Format, Reference, SchemaText
from accord.naming import parse_subject
from registry.records import RegisterVersion
from registry.services.deletion import soft_delete_subject
from registry.services.registration import register_version
from tests.frontend.schemas import TIER_TEXT, field, record
from tests.frontend.views.test_subjects import text_of

if TYPE_CHECKING:
    from django.test import Client

    from tests.cast import Actor, ScopeFor
    from tests.frontend.conftest import Register, SignedIn

NAMESPACE = "/t/north/ns/default/"
TIERS = NAMESPACE + "s/tiers-value/-/references"


def test_both_ways_are_shown(as_bob: Client, with_reference: str) -> None:
    page = text_of(as_bob, f"{NAMESPACE}s/members-value/-/references")
    assert "com.example.Tier" in page
    assert f'href="{NAMESPACE}s/tiers-value/-/?v=1"' in page
    assert "Nothing that you may read refers to version 1" in page
    page = text_of(as_bob, TIERS)
    assert "Version 1 stands by itself" in page
    assert f'href="{NAMESPACE}s/members-value/-/?v=1"' in page


def test_the_definition_counts_who_refers_to_it(as_bob: Client, with_reference: str) -> None:
    page = text_of(as_bob, f"{NAMESPACE}s/tiers-value/-/")
    assert f'<a href="{NAMESPACE}s/tiers-value/-/references?v=1">1 version</a>' in page
    assert "no version" in text_of(as_bob, f"{NAMESPACE}s/members-value/-/")


def test_deleted_users_come_last_and_have_no_page(
    as_bob: Client, with_reference: str, alice: Actor, scope_for: ScopeFor
) -> None:
    schema = SchemaText(
        Format.AVRO,
        record(field("tier", "com.example.Tier"), name="Guest"),
        (Reference("com.example.Tier", "tiers-value", 1),),
    )
    scope = scope_for(alice)
    register_version(scope, RegisterVersion(subject=parse_subject("guests-value"), schema=schema))
    soft_delete_subject(scope, parse_subject("guests-value"))
    page = text_of(as_bob, TIERS)
    assert page.index("members-value") < page.index("guests-value")
    assert "s/guests-value/-/" not in page
    assert ">Deleted</span>" in page


def test_who_may_not_be_read_is_not_counted(signed_in: SignedIn, with_reference: str) -> None:
    erin = signed_in("erin", "developer", "tiers-*")
    page = text_of(erin, TIERS)
    assert "members-value" not in page
    assert "Nothing that you may read refers to version 1" in page
    assert "no version" in text_of(erin, f"{NAMESPACE}s/tiers-value/-/")


def test_an_unqualified_reference_stays_in_its_context(
    as_bob: Client, alice: Actor, scope_for: ScopeFor, register: Register
) -> None:
    register(":.staging:tiers-value", TIER_TEXT)
    schema = SchemaText(
        Format.AVRO,
        record(field("tier", "com.example.Tier")),
        (Reference("com.example.Tier", "tiers-value", 1),),
    )
    subject = parse_subject(":.staging:members-value")
    register_version(scope_for(alice), RegisterVersion(subject=subject, schema=schema))
    page = text_of(as_bob, f"{NAMESPACE}s/:.staging:members-value/-/")
    assert f'href="{NAMESPACE}s/:.staging:tiers-value/-/?v=1"' in page


@pytest.mark.usefixtures("with_reference")
def test_a_page_past_the_end_leads_back(as_bob: Client) -> None:
    assert "There is no such page" in text_of(as_bob, TIERS + "?page=9")
