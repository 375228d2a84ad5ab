"""The list of all schemas, and what it is narrowed by."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.queries import SchemasAsked, list_schemas
from registry.records import WHOLE, Slice
from tests.registry.client import PROBE, optional, record
from tests.registry.texts import grown, register

if TYPE_CHECKING:
    from collections.abc import Callable

    from accord_server.kit.scope import Scope
    from tests.registry.client import Registry

pytestmark = pytest.mark.django_db

ENCRYPTED = {"name": "r", "kind": "TRANSFORM", "mode": "WRITEREAD", "type": "ENCRYPT"}


def listed(api: Registry, query: str = "") -> list[tuple[str, int]]:
    """The subjects and versions that a list names."""
    return [(one["subject"], one["version"]) for one in api.ok("GET", f"/schemas{query}")]


@pytest.fixture
def three(api: Registry) -> None:
    """Subjects b (two versions), a (one), and s of another context (one)."""
    api.registered("b", record("a"))
    api.registered("b", record("a", optional("b")))
    api.registered("a", PROBE)
    api.registered(":.c1:s", PROBE)


def test_case_040_all_schemas(api: Registry, three: None) -> None:
    assert listed(api) == [("a", 1), ("b", 1), ("b", 2)]
    assert listed(api, "?latestOnly=true") == [("a", 1), ("b", 2)]
    assert listed(api, "?subjectPrefix=b") == [("b", 1), ("b", 2)]
    assert listed(api, "?offset=1&limit=1") == [("b", 1)]
    assert listed(api, "?limit=0&offset=-1") == listed(api, "?limit=1001") == listed(api)


@pytest.mark.parametrize(
    ("prefix", "subjects"),
    [
        ("", ["a", "b", "b"]),
        (":.:", ["a", "b", "b"]),
        (":*:", [":.c1:s", "a", "b", "b"]),
        (":.c1:", [":.c1:s"]),
        (":*:s", [":.c1:s"]),
        (":.c1:x", []),
        ("%25", []),
    ],
)
def test_schemas_of_contexts(api: Registry, three: None, prefix: str, subjects: list[str]) -> None:
    assert [subject for subject, _ in listed(api, f"?subjectPrefix={prefix}")] == subjects


def test_each_schema_is_shown_as_a_version_is(api: Registry, three: None) -> None:
    for caller in (api, api.with_new_members()):
        assert caller.ok("GET", "/schemas?subjectPrefix=a") == [caller.ok("GET", "/subjects/a/versions/1")]


def test_case_041_schemas_of_deleted_versions(api: Registry, three: None) -> None:
    api.delete("/subjects/b/versions/2")
    newer = api.with_new_members()
    assert [one["deleted"] for one in newer.ok("GET", "/schemas?deleted=true&subjectPrefix=b")] == [
        False,
        True,
    ]
    assert listed(api) == [("a", 1), ("b", 1)]
    assert listed(api, "?latestOnly=true") == [("a", 1), ("b", 1)]
    assert listed(api, "?latestOnly=true&deleted=true") == [("a", 1), ("b", 2)]


def test_schemas_with_a_rule_of_a_type(api: Registry) -> None:
    """The type counts after the latest version is chosen."""
    for kind in ("migrationRules", "domainRules", "encodingRules"):
        rule = {**ENCRYPTED, "mode": "UPGRADE" if kind == "migrationRules" else "WRITEREAD"}
        api.registered(kind, PROBE, ruleSet={kind: [rule]})
    api.registered("plain", PROBE)
    api.registered("domainRules", PROBE, ruleSet={"domainRules": [{**ENCRYPTED, "type": "CEL"}]})
    every = [("domainRules", 1), ("encodingRules", 1), ("migrationRules", 1)]
    assert listed(api, "?ruleType=ENCRYPT") == every
    assert listed(api, "?ruleType=ENCRYPT&latestOnly=true") == every[1:]
    assert listed(api, "?ruleType=CEL&latestOnly=true") == [("domainRules", 2)]
    assert listed(api, "?ruleType=encrypt") == listed(api, "?ruleType=%22") == []


def test_schemas_that_may_not_be_read_are_left_out(
    api: Registry, api_with: Callable[..., Registry], three: None
) -> None:
    assert listed(api_with("subject.read", subjects=("a*",)), "?subjectPrefix=:*:") == [("a", 1)]
    assert listed(api_with("subject.read", subjects=(":.c1:*",)), "?subjectPrefix=:*:") == [(":.c1:s", 1)]
    assert listed(api_with("subject.list"), "?subjectPrefix=:*:") == []


@pytest.mark.parametrize(("aliases", "cost"), [(False, 1), (True, 2)])
def test_a_list_costs_the_same_however_long_it_is(scope: Scope, aliases: bool, cost: int) -> None:
    def cost_of(page: Slice = WHOLE, **asked: Any) -> int:
        with CaptureQueriesContext(connection) as captured:
            list_schemas(scope, SchemasAsked(":*:", aliases=aliases, **asked), page=page)
        return len(captured)

    for number in range(4):
        register(scope, f"s{number}", grown(number))
    assert cost_of() == cost_of(Slice(2, 1), latest_only=True, rule_type="CEL", deleted=True) == cost
