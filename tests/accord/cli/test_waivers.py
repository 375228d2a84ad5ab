"""`accord waiver`: given, listed, revoked."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.accord.cli.conftest import Program, Write
    from tests.accord.client.stand_in import StandIn

CALLS = "/api/v1/tenants/north/namespaces/default/waivers"
ID = "7d0cf4f5-5f0e-4c39-9d11-6a2a3f7c0001"
OPEN: dict[str, Any] = {
    "id": ID,
    "subject": "s",
    "state": "open",
    "rules": [],
    "findings": [{"rule": "R", "path": "/a", "direction": "backward"}],
    "reason": "agreed",
    "created_by": "person:alice",
    "expires_at": "2030-01-01T00:00:00+00:00",
    "ended_at": None,
    "ended_by": None,
    "version": None,
}
USED = {**OPEN, "state": "used", "rules": ["R"], "ended_at": "2029-01-01", "ended_by": "job", "version": 3}
TOLD = [
    f"{ID} open: s, until 2030-01-01T00:00:00+00:00",
    "  waives R at /a",
    "  person:alice: agreed",
]


def at(registry: StandIn) -> tuple[str, str]:
    return "--url", f"{registry.url}/sr/north/default"


def test_a_waiver_is_given_for_a_file(accord: Program, registry: StandIn, write: Write) -> None:
    registry.answer(f"POST {CALLS}", OPEN, 201)
    given = ("--reason", "agreed", "--expires-in", "2d", "--rule", "R", "-r", "N=t@1")
    done = accord("waiver", "create", "s", write("a.avsc", "int"), *given, *at(registry))
    assert (done.exit_code, done.stdout.splitlines()) == (0, TOLD)
    body = registry.asked[0].body
    until = datetime.fromisoformat(body.pop("expires_at")) - datetime.now(UTC)
    assert timedelta(hours=47) < until <= timedelta(days=2)
    references = [{"name": "N", "subject": "t", "version": 1}]
    told = {"subject": "s", "schema": '"int"', "format": "AVRO", "references": references}
    assert body == {**told, "reason": "agreed", "rules": ["R"]}


@pytest.mark.parametrize("life", ["2", "0h", "2w", "-1d"])
def test_an_end_nobody_can_mean_is_refused(
    accord: Program, registry: StandIn, write: Write, life: str
) -> None:
    given = ("--reason", "x", "--expires-in", life)
    done = accord("waiver", "create", "s", write("a.avsc", "int"), *given, *at(registry))
    assert (done.exit_code, registry.asked) == (2, [])


def test_waivers_are_listed_part_by_part(accord: Program, registry: StandIn) -> None:
    registry.answer(f"GET {CALLS}?subject=s&state=open&limit=200", {"items": [OPEN], "next": "x"})
    registry.answer(f"GET {CALLS}?subject=s&state=open&limit=200&cursor=x", {"items": [USED], "next": None})
    done = accord("waiver", "list", "--subject", "s", "--open", *at(registry))
    assert done.stdout.splitlines() == [
        *TOLD,
        f"{ID} used: s, until 2030-01-01T00:00:00+00:00",
        "  waives R",
        "  person:alice: agreed",
        "  used 2029-01-01 by job, let in version 3",
    ]


def test_a_waiver_is_revoked(accord: Program, registry: StandIn) -> None:
    revoked = {**OPEN, "state": "revoked", "ended_at": "2029-01-01", "ended_by": "bob"}
    registry.answer(f"DELETE {CALLS}/{ID}", revoked)
    done = accord("waiver", "revoke", ID, *at(registry))
    assert done.stdout.splitlines()[-1] == "  revoked 2029-01-01 by bob"


def test_programs_get_the_documents(accord: Program, registry: StandIn) -> None:
    registry.answer(f"GET {CALLS}?limit=200", {"items": [OPEN], "next": None})
    registry.answer(f"DELETE {CALLS}/{ID}", OPEN)
    listed = accord("waiver", "list", "--json", *at(registry))
    ended = accord("waiver", "revoke", ID, "--json", *at(registry))
    assert (json.loads(listed.stdout), json.loads(ended.stdout)) == ([OPEN], OPEN)


def test_another_registry_has_none(accord: Program, registry: StandIn) -> None:
    done = accord("waiver", "list", "--url", registry.url)
    assert (done.exit_code, "/sr/TENANT/NAMESPACE" in done.stderr) == (2, True)
