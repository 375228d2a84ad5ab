"""The policy in force for a namespace and for a subject, each value with its origin."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from accord.naming import parse_subject
from registry.services.configuration import change_config
from tests.frontend.policies import bind, scope_at
from tests.frontend.views.test_policies import plain
from tests.frontend.views.test_subjects import statements, text_of

if TYPE_CHECKING:
    from django.test import Client

    from tests.cast import Actor
    from tests.frontend.conftest import SignedIn

NAMESPACE = "/t/north/ns/default/policy"
SUBJECT = "/t/north/ns/default/s/orders-value/-/policy"
WIDE = "name: wide\ndefault: {level: FULL, limits: {fields: 100}}\n"
NEAR = """name: near
default:
  required: {docs: [record]}
  rules:
    TYPE_MISMATCH: warn
    NAME_MISMATCH: {judged_as: TYPE_MISMATCH}
"""


def test_each_value_names_the_policy_that_set_it(as_bob: Client, alice: Actor, orders: str) -> None:
    bind(alice, WIDE)
    bind(alice, NEAR, "orders-", is_prefix=True)
    page = plain(text_of(as_bob, SUBJECT))
    assert "FULL wide v1 in default, bound to namespace default" in page
    assert "record near v1 in default, bound to subject prefix orders-" in page
    assert "100 wide v1" in page
    assert "1 near v1 bound to subject prefix orders-" not in page
    assert page.index("near v1 bound to") < page.index("wide v1 bound to")
    assert 'href="/t/north/policies/near/?v=1"' in text_of(as_bob, SUBJECT)


def test_rules_that_weigh_otherwise_are_listed(as_bob: Client, alice: Actor, orders: str) -> None:
    bind(alice, NEAR)
    page = plain(text_of(as_bob, SUBJECT))
    assert "2 rules weigh otherwise than the preset says" in page
    assert "NAME_MISMATCH weighed as TYPE_MISMATCH Blocks Warns near v1" in page


def test_places_where_a_rule_does_not_count_are_listed_with_their_own_origin(
    as_bob: Client, alice: Actor, orders: str
) -> None:
    bind(alice, "name: far\ndefault: {rules: {TYPE_MISMATCH: {parameters: {ignore: [/a/**]}}}}\n")
    bind(alice, NEAR, "orders-", is_prefix=True)
    page = plain(text_of(as_bob, SUBJECT))
    assert "TYPE_MISMATCH ignore /a/** Blocks Warns near v1" in page
    assert "ignore far v1 in default, bound to namespace default" in page


def test_a_config_record_is_named_as_the_origin(as_bob: Client, alice: Actor, orders: str) -> None:
    change_config(scope_at(alice), parse_subject("orders-value"), {"compatibilityLevel": "FORWARD"})
    page = plain(text_of(as_bob, SUBJECT))
    assert "FORWARD Confluent record of the subject orders-value" in page
    assert "Upgrade the writers first" in page


def test_where_nothing_is_bound_the_installation_decides(as_bob: Client, orders: str) -> None:
    for address in (NAMESPACE, SUBJECT):
        page = plain(text_of(as_bob, address))
        assert "No policy is bound here, so the installation decides." in page
        assert "BACKWARD installation default" in page
        assert "Bind a policy here" not in page


def test_who_may_write_binds_from_here(as_alice: Client, orders: str) -> None:
    assert 'href="/t/north/policies/-/bind?reach=namespace&amp;namespace=default"' in text_of(
        as_alice, NAMESPACE
    )
    assert "reach=subject&amp;namespace=default&amp;name=orders-value" in text_of(as_alice, SUBJECT)


@pytest.mark.parametrize(
    ("format_", "shown"), [("JSON", True), ("json", True), ("AVRO", False), ("x", False)]
)
def test_the_format_is_chosen_by_the_address(as_bob: Client, orders: str, format_: str, shown: bool) -> None:
    page = text_of(as_bob, f"{SUBJECT}?format={format_}")
    assert ("transform.name" in page) is shown


def test_tabs_lead_there(as_bob: Client, orders: str) -> None:
    assert f'href="{NAMESPACE}"' in text_of(as_bob, "/t/north/ns/default/")
    assert f'href="{SUBJECT}"' in text_of(as_bob, "/t/north/ns/default/s/orders-value/-/")
    assert 'href="/t/north/policies/"' in text_of(as_bob, "/t/north/")


def test_who_sees_some_subjects_alone_has_no_page_of_the_namespace(orders: str, signed_in: SignedIn) -> None:
    client = signed_in("dora", "viewer", subjects="orders-*")
    assert f'href="{NAMESPACE}"' not in text_of(client, "/t/north/ns/default/")
    assert client.get(NAMESPACE).status_code == 404
    assert "BACKWARD installation default" in plain(text_of(client, SUBJECT))


@pytest.mark.parametrize("address", [NAMESPACE, SUBJECT])
def test_the_number_of_statements_does_not_grow_with_the_policies(
    as_bob: Client, alice: Actor, orders: str, address: str
) -> None:
    bind(alice, WIDE)
    text_of(as_bob, address)  # which reads each document once for good
    few = statements(as_bob, address)
    for prefix in ("o", "or", "ord"):
        bind(alice, f"name: {prefix}-x\n", prefix, is_prefix=True)
    text_of(as_bob, address)
    assert statements(as_bob, address) == few <= 20
