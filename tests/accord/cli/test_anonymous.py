"""`accord anonymous`: shown, allowed, ended."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.accord.cli.conftest import Program
    from tests.accord.client.stand_in import StandIn

CALLS = "/api/v1/tenants/north/namespaces/default/anonymous-access"
OPEN: dict[str, Any] = {
    "access": "read",
    "subjects": ["a-*", "b"],
    "rights": ["schema.read", "subject.read"],
    "created_at": "2030-01-01",
    "created_by": "person:alice",
}
CLOSED: dict[str, Any] = {
    "access": None,
    "subjects": [],
    "rights": [],
    "created_at": None,
    "created_by": None,
}


def at(registry: StandIn) -> tuple[str, str]:
    return "--url", f"{registry.url}/sr/north/default"


def test_what_is_open_is_shown(accord: Program, registry: StandIn) -> None:
    registry.answer(f"GET {CALLS}", OPEN)
    assert accord("anonymous", "show", *at(registry)).stdout.splitlines() == [
        "open to callers without a token: read a-*, b",
        "  since 2030-01-01, by person:alice",
        "  rights: schema.read, subject.read",
    ]


def test_it_is_allowed_on_all_subjects_or_on_some(accord: Program, registry: StandIn) -> None:
    registry.answer(f"PUT {CALLS}", OPEN)
    done = accord(
        "anonymous", "allow", "read", "--subjects", "a-*", "--subjects", "b", "--json", *at(registry)
    )
    assert json.loads(done.stdout) == OPEN
    accord("anonymous", "allow", "write", *at(registry))
    assert [one.body for one in registry.asked] == [
        {"access": "read", "subjects": ["a-*", "b"]},
        {"access": "write", "subjects": ["*"]},
    ]


def test_it_ends(accord: Program, registry: StandIn) -> None:
    registry.answer(f"DELETE {CALLS}", CLOSED)
    assert accord("anonymous", "end", *at(registry)).stdout == "closed: every caller needs a token\n"


def test_there_is_nothing_beyond_reading_and_writing(accord: Program, registry: StandIn) -> None:
    assert (accord("anonymous", "allow", "delete", *at(registry)).exit_code, registry.asked) == (2, [])
