"""`accord history`: registrations in words for people, and as they came for programs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.accord.client.test_history import BARE, FULL, entry

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.accord.cli.conftest import Program
    from tests.accord.client.stand_in import StandIn

CALL = "GET /api/v1/tenants/north/namespaces/default/subjects/s/history?limit=20"


@pytest.fixture
def told(accord: Program, registry: StandIn) -> Callable[..., str]:
    """What the verb prints about these entries."""

    def tell(*entries: dict[str, Any], arguments: tuple[str, ...] = ()) -> str:
        registry.answer(CALL, {"items": entries, "next": None})
        done = accord("history", "s", "--url", f"{registry.url}/sr/north/default", *arguments)
        assert done.exit_code == 0, done.output
        return done.stdout

    return tell


def verdict(outcome: str, compared: int = 0) -> dict[str, Any]:
    return {"outcome": outcome, "compared": compared, "findings": {"block": 0}}


def test_an_entry_names_policy_verdict_and_findings(told: Callable[..., str]) -> None:
    assert told(entry(4, FULL)).splitlines() == [
        f"version 4, schema id 14, {FULL['created_at']}, person:alice, deleted {FULL['deleted_at']}",
        "  level FULL (policy house, version 2, default, bound to tenant north)",
        "  preset accord:1 (policy house, version 2, default, bound to tenant north)",
        "  compatible, compared with 3 versions; 2 warn",
        "    warn R at /a (forward, version 1)",
        "    warn DOC_MISSING at /",
    ]


def test_where_nothing_was_kept_the_level_is_told(told: Callable[..., str]) -> None:
    assert told(entry(1)).splitlines() == [
        f"version 1, schema id 11, {BARE['created_at']}, person:alice",
        "  FULL",
    ]


@pytest.mark.parametrize(
    ("judged", "words"),
    [
        (verdict("first"), "first version, nothing to compare with"),
        (verdict("allowed", 1), "compatible, compared with 1 version"),
        (verdict("waived", 2), "let in by a waiver, compared with 2 versions"),
        (verdict("{new}"), "{new}"),
    ],
)
def test_outcomes_are_words(told: Callable[..., str], judged: dict[str, Any], words: str) -> None:
    assert told(entry(1, {**BARE, "verdict": judged})).splitlines()[-1] == f"  {words}"


def test_a_waiver_names_its_giver_and_the_reason(told: Callable[..., str]) -> None:
    waiver = {"waiver": "w1", "given_by": "person:bob", "reason": "all readers\nare known"}
    judged = {**verdict("waived", 1), "waived_by": waiver}
    assert told(entry(1, {**BARE, "verdict": judged})).splitlines()[-2:] == [
        "  let in by a waiver, compared with 1 version",
        "    waiver w1, given by person:bob: all readers\\nare known",
    ]


def test_many_findings_are_cut_short_and_none_reaches_the_terminal_raw(told: Callable[..., str]) -> None:
    finding = {"rule": "R\x1b[31m", "severity": "info", "path": "/\n"}
    lines = told(entry(1, {**BARE, "findings": [finding] * 7})).splitlines()
    assert lines[-2:] == ["    info R\\x1b[31m at /\\n", "    and 2 more: --json"]
    assert len(lines) == 8


def test_programs_get_the_entries_as_they_came(told: Callable[..., str]) -> None:
    assert json.loads(told(entry(4, FULL), entry(3), arguments=("--json",))) == [entry(4, FULL), entry(3)]
