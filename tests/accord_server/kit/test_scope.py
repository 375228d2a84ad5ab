"""The scope: what a principal may do, on which subjects, in which namespace."""

from __future__ import annotations

from uuid import uuid4

import pytest

from accord.model import SubjectName
from accord_server.kit.scope import (
    EVERY_SUBJECT,
    Grant,
    NamespaceRef,
    Principal,
    PrincipalKind,
    Scope,
    SelectorKind,
    SubjectSelector,
    TenantRef,
)

HERE, ELSEWHERE = uuid4(), uuid4()
READ = frozenset({"subject.read"})
ORDERS = SubjectSelector(SelectorKind.PREFIX, "orders-")


def scope_with(*grants: Grant, namespace: NamespaceRef | None = None) -> Scope:
    principal = Principal(PrincipalKind.SERVICE, "key", "name")
    return Scope(TenantRef(uuid4(), "north"), namespace or NamespaceRef(HERE, "default"), principal, grants)


@pytest.mark.parametrize(
    ("selector", "subject", "is_covered"),
    [
        (EVERY_SUBJECT, SubjectName("a", ".ctx"), True),
        (ORDERS, SubjectName("orders-value"), True),
        (ORDERS, SubjectName("orders"), False),
        (ORDERS, SubjectName("orders-value", ".ctx"), False),
        (SubjectSelector(SelectorKind.PREFIX, "orders-", ".ctx"), SubjectName("orders-a", ".ctx"), True),
        (SubjectSelector(SelectorKind.LITERAL, "orders"), SubjectName("orders"), True),
        (SubjectSelector(SelectorKind.LITERAL, "orders"), SubjectName("orders-value"), False),
        (SubjectSelector(SelectorKind.TOPIC, "orders"), SubjectName("orders"), True),
        (SubjectSelector(SelectorKind.TOPIC, "orders"), SubjectName("orders-key"), True),
        (SubjectSelector(SelectorKind.TOPIC, "orders"), SubjectName("orders-other"), False),
    ],
)
def test_a_selector_covers(selector: SubjectSelector, subject: SubjectName, *, is_covered: bool) -> None:
    assert selector.covers(subject) is is_covered


def test_a_grant_opens_its_namespaces_alone() -> None:
    here = scope_with(Grant(READ, namespaces=frozenset({HERE})))
    elsewhere = scope_with(Grant(READ, namespaces=frozenset({ELSEWHERE})))
    assert here.may("subject.read", SubjectName("a"))
    assert not elsewhere.may("subject.read", SubjectName("a"))


def test_without_a_subject_the_right_must_cover_all() -> None:
    assert scope_with(Grant(READ)).may("subject.read")
    assert not scope_with(Grant(READ, (ORDERS,))).may("subject.read")


def test_a_right_that_is_not_granted_is_not_held() -> None:
    assert not scope_with(Grant(READ)).may("subject.write", SubjectName("a"))


def test_selectors_come_from_every_grant_that_counts() -> None:
    scope = scope_with(Grant(READ, (ORDERS,)), Grant(frozenset({"mode.read"})), Grant(READ))
    assert scope.selectors("subject.read") == (ORDERS, EVERY_SUBJECT)
