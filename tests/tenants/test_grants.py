"""Grants: their stored form, their reach, and what two lists share."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.model import SubjectName
from accord_server.kit.scope import (
    EVERY_SUBJECT,
    Grant,
    NamespaceRef,
    Principal,
    PrincipalKind,
    Scope,
    TenantRef,
)
from tenants.errors import InvalidGrant
from tenants.grants import intersect, parse_grants, render_grants, spread
from tests.factories import make_selector

if TYPE_CHECKING:
    from collections.abc import Iterable

FIRST, SECOND = UUID(int=1), UUID(int=2)
RIGHTS = ["subject.read", "subject.write", "namespace.read", "token.manage", "tenant.read", "member.manage"]
SELECTORS = [make_selector(text) for text in ("*", ":.:*", "a", "a-*", "topic:a", "ab*", ":.ctx:a")]
GRANTS = st.builds(
    Grant,
    st.frozensets(st.sampled_from(RIGHTS), min_size=1),
    st.lists(st.sampled_from(SELECTORS), min_size=1, max_size=3, unique=True).map(tuple),
    st.sampled_from([None, frozenset({FIRST}), frozenset({FIRST, SECOND})]),
)
LISTS = st.lists(GRANTS, min_size=1, max_size=3)
SUBJECTS = st.sampled_from(
    [None, *(SubjectName(n, c) for n in ("a", "a-key", "ab", "b") for c in (".", ".ctx"))]
)


def scope_of(grants: Iterable[Grant], namespace: UUID) -> Scope:
    return Scope(
        tenant=TenantRef(UUID(int=9), "north"),
        namespace=NamespaceRef(namespace, "default"),
        principal=Principal(PrincipalKind.SERVICE, "service:x", "x"),
        grants=tuple(grants),
    )


@given(LISTS, LISTS, st.sampled_from(RIGHTS), SUBJECTS, st.sampled_from([FIRST, SECOND]))
def test_the_intersection_opens_what_both_open(
    left: list[Grant], right: list[Grant], name: str, subject: SubjectName | None, namespace: UUID
) -> None:
    both = scope_of(intersect(left, right), namespace).may(name, subject)
    apart = [scope_of(spread(grants), namespace).may(name, subject) for grants in (left, right)]

    # Two grants may cover all subjects only together, which a single selector cannot say.
    assert both <= all(apart)
    if subject is not None or EVERY_SUBJECT in {s for g in left + right for s in g.subjects}:
        assert both == all(apart)


@given(LISTS)
def test_what_is_written_reads_back(grants: list[Grant]) -> None:
    assert parse_grants(render_grants(grants)) == tuple(grants)


@given(LISTS)
def test_spreading_twice_changes_nothing(grants: list[Grant]) -> None:
    assert set(spread(spread(grants))) == set(spread(grants))


def test_a_right_about_a_namespace_is_lost_on_a_part_of_it() -> None:
    part = Grant(frozenset({"token.manage", "namespace.read", "subject.read"}), (make_selector("a-*"),))
    scope = scope_of(spread([part]), FIRST)

    assert not scope.may("token.manage")
    assert scope.may("namespace.read")
    assert scope.may("subject.read", SubjectName("a-x"))
    assert not scope.may("subject.read", SubjectName("b"))


def test_a_right_about_the_tenant_is_lost_on_one_namespace() -> None:
    some = Grant(frozenset({"member.manage", "tenant.read"}), namespaces=frozenset({FIRST}))
    scope = scope_of(spread([some]), FIRST)

    assert not scope.may("member.manage")
    assert scope.may("tenant.read")


def test_namespaces_that_do_not_meet_open_nothing() -> None:
    left = [Grant(frozenset({"subject.read"}), namespaces=frozenset({FIRST}))]
    right = [Grant(frozenset({"subject.read"}), namespaces=frozenset({SECOND}))]

    assert intersect(left, right) == ()


GOOD = {"namespaces": "*", "subjects": ["orders-*"], "actions": ["subject.read"]}


def test_members_left_out_mean_everywhere() -> None:
    assert parse_grants([{"actions": ["subject.read"]}]) == (Grant(frozenset({"subject.read"})),)


@pytest.mark.parametrize(
    ("raw", "place"),
    [
        (None, ""),
        ({}, ""),
        ([], ""),
        ([GOOD] * 21, ""),
        (["*"], "/0"),
        ([{**GOOD, "effect": "deny"}], "/0"),
        ([{"subjects": ["*"]}], "/0/actions"),
        ([{**GOOD, "actions": []}], "/0/actions"),
        ([{**GOOD, "actions": "subject.read"}], "/0/actions"),
        ([{**GOOD, "actions": ["subject.read", "subject.rule"]}], "/0/actions/1"),
        ([{**GOOD, "actions": [["subject.read"]]}], "/0/actions"),
        ([GOOD, {**GOOD, "subjects": ["a", ""]}], "/1/subjects/1"),
        ([{**GOOD, "subjects": ["a"] * 51}], "/0/subjects"),
        ([{**GOOD, "namespaces": ["default"]}], "/0/namespaces/0"),
        ([{**GOOD, "namespaces": []}], "/0/namespaces"),
        ([{**GOOD, "namespaces": 7}], "/0/namespaces"),
    ],
)
def test_a_wrong_grant_is_refused_with_its_place(raw: object, place: str) -> None:
    with pytest.raises(InvalidGrant) as refusal:
        parse_grants(raw)

    assert refusal.value.place == place
