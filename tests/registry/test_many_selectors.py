"""A token may name a thousand subjects: what it covers is data of a statement, looked up by hash."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accord.naming import split_subject
from accord_server.kit.scope import Grant
from registry import queries
from registry.errors import SchemaIdNotFound
from tenants.grants import MAX_GRANTS, MAX_SELECTORS
from tenants.selectors import parse_selector
from tests.registry.texts import grown, register

if TYPE_CHECKING:
    from accord.model import SubjectName
    from accord_server.kit.scope import Scope

pytestmark = pytest.mark.django_db

NAMES = (
    "orders", "orders-key", "orders-value", "orders-value-x", "order", "a", "a:b", "ünï-1", "ünï-2",
    "100%", "a_b", "axb", ":.staging:orders", ":.staging:orders-value", ":.stag:ing", ":.other:a",
)  # fmt: skip
MOST = MAX_GRANTS * MAX_SELECTORS


def narrowed(scope: Scope, *selectors: str, right: str = "subject.read") -> Scope:
    """The scope with one right on these subjects alone."""
    subjects = tuple(one for text in selectors if (one := parse_selector(text)))
    assert len(subjects) == len(selectors)
    return replace(scope, grants=(Grant(frozenset({right}), subjects),))


def is_seen(everywhere: Scope, scope: Scope, subject: SubjectName) -> bool:
    """Tell whether the schema of a subject is seen by its id as that of this subject."""
    number = queries.get_version(everywhere, subject, 1).schema.id
    try:
        found = queries.schema_by_id(scope, number, subject=subject)
    except SchemaIdNotFound:
        return False
    return found.use is not None and found.use[0] == subject


@pytest.fixture
def stored(scope: Scope) -> Scope:
    """One schema of its own under each name."""
    for number, name in enumerate(NAMES):
        register(scope, name, grown(number))
    return scope


@pytest.mark.parametrize(
    "selectors",
    [
        ("*",), ("orders",), ("orders-*",), ("topic:orders",), (":.staging:*",), (":.staging:orders*",),
        ("a:*",), ("ünï-*",), ("100%",), ("100*",), ("a_*",), ("nothing",), ("orders*", "a", ":.other:*"),
        (":.:*",), (":.stag:*",), ("topic:a", ":.staging:topic:orders"),
    ],
)  # fmt: skip
def test_sql_and_scope_agree_on_what_is_covered(stored: Scope, selectors: tuple[str, ...]) -> None:
    scope = narrowed(stored, *selectors)
    may = {name for name in NAMES if scope.may("subject.read", split_subject(name))}
    assert set(queries.list_subjects(scope)) == may
    by_id = narrowed(stored, *selectors, right="schema.read")
    assert {name for name in NAMES if is_seen(stored, by_id, split_subject(name))} == may


def test_nothing_is_covered_without_a_right(stored: Scope) -> None:
    assert queries.list_subjects(replace(stored, grants=())) == []


def test_a_thousand_selectors_make_no_longer_statement(stored: Scope) -> None:
    def columns_named(count: int) -> int:
        scope = narrowed(stored, "orders", *(f"s{number}" for number in range(1, count)))
        with CaptureQueriesContext(connection) as captured:
            assert queries.list_subjects(scope) == ["orders"]
        (query,) = captured
        return str(query["sql"]).count("registry_subject")

    assert columns_named(MOST) == columns_named(2)
