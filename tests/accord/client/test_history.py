"""The history of a subject, asked of Accord's own interface over real HTTP."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from accord.client import NoNamespaceNamed, RegistryClient, RegistryNotFound, RegistryUnreadable
from tests.accord.client.conftest import QUICK

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.accord.client.stand_in import StandIn

ADDRESS = "GET /below/api/v1/tenants/north/namespaces/default/subjects/a%2Fb/history"
BARE = {
    "created_at": "2026-01-02T03:04:05+00:00",
    "created_by": "person:alice",
    "level": "FULL",
    "findings": [],
}
BY_POLICY = {"words": "policy house, version 2, default, bound to tenant north"}
FULL: dict[str, Any] = {
    **BARE,
    "deleted_at": "2026-01-03T00:00:00+00:00",
    "in_force": {
        "preset": "accord:1",
        "preset_origin": BY_POLICY,
        "level_origin": BY_POLICY,
        "policies": [{"policy": "house", "version": 2}],
    },
    "verdict": {"outcome": "allowed", "compared": 3, "findings": {"block": 0, "warn": 2}},
    "findings": [
        {"rule": "R", "severity": "warn", "path": "/a", "direction": "forward", "version": 1},
        {"rule": "DOC_MISSING", "severity": "warn", "path": "/", "direction": None, "version": None},
    ],
}


@pytest.fixture
def client(registry: StandIn) -> Iterator[RegistryClient]:
    with RegistryClient(f"{registry.url}/below/sr/north/default/", settings=QUICK) as made:
        yield made


def entry(version: int, more: dict[str, Any] = BARE) -> dict[str, Any]:
    return {"version": version, "id": version + 10, **more}


def test_an_entry_is_read_whole(client: RegistryClient, registry: StandIn) -> None:
    registry.answer(f"{ADDRESS}?limit=50", {"items": [entry(4, FULL)], "next": None})
    (found,) = client.history("a/b")
    assert (found.version, found.id, found.deleted_at) == (4, 14, FULL["deleted_at"])
    assert found.in_force is not None
    assert (found.in_force.policies, found.in_force.level_origin) == ((("house", 2),), BY_POLICY["words"])
    assert found.verdict is not None
    assert (found.verdict.outcome, found.verdict.compared, found.verdict.counts["warn"]) == ("allowed", 3, 2)
    assert [(one.rule, one.direction, one.version) for one in found.findings] == [
        ("R", "forward", 1),
        ("DOC_MISSING", None, None),
    ]
    assert found.document == entry(4, FULL)


def test_it_is_asked_for_part_by_part_up_to_the_limit(client: RegistryClient, registry: StandIn) -> None:
    registry.answer(f"{ADDRESS}?limit=3", {"items": [entry(4), entry(3)], "next": "MM=="})
    registry.answer(f"{ADDRESS}?limit=3&cursor=MM%3D%3D", {"items": [entry(2), entry(1)], "next": "MQ=="})
    assert [one.version for one in client.history("a/b", limit=3)] == [4, 3, 2]
    assert list(client.history("a/b", limit=0)) == []


@pytest.mark.parametrize("following", [None, "MM=="])
def test_it_ends_with_the_list(client: RegistryClient, registry: StandIn, following: str | None) -> None:
    registry.answer(f"{ADDRESS}?limit=50", {"items": [], "next": following})
    assert list(client.history("a/b")) == []


@pytest.mark.parametrize(
    "body", [[], {}, {"items": {}}, {"items": [{"version": "1"}]}, {"items": [], "next": 1}]
)
def test_another_shape_is_refused_by_name(client: RegistryClient, registry: StandIn, body: object) -> None:
    registry.answer(f"{ADDRESS}?limit=50", body)
    with pytest.raises(RegistryUnreadable, match="expected"):
        list(client.history("a/b"))


def test_a_problem_document_says_what_is_wrong(client: RegistryClient, registry: StandIn) -> None:
    problem = {"title": "Not Found", "status": 404, "detail": "Subject 'a/b' not found."}
    registry.answer(f"{ADDRESS}?limit=50", problem, 404)
    with pytest.raises(RegistryNotFound, match="Subject 'a/b' not found"):
        list(client.history("a/b"))


def test_an_address_without_a_namespace_has_no_history(registry: StandIn) -> None:
    with RegistryClient(registry.url, settings=QUICK) as client, pytest.raises(NoNamespaceNamed) as refusal:
        list(client.history("a"))
    assert registry.url in refusal.value.message
    assert registry.asked == []
