"""The verbs of the audit log: what they ask for, and what they say."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from accord.cli.audit import FAULTS

if TYPE_CHECKING:
    from pathlib import Path

    from tests.accord.cli.conftest import Program
    from tests.accord.client.stand_in import StandIn

NORTH = "/api/v1/tenants/north"
RECORD: dict[str, Any] = {
    "id": 7,
    "at": "2030",
    "actor": "person:a",
    "action": "x.write",
    "object_kind": "x",
    "object_name": "=1",
    "namespace": None,
    "outcome": "denied",
}
GOOD: dict[str, Any] = {
    "is_good": True,
    "is_whole": True,
    "checkpoint": "2:ab",
    "seals": 1,
    "records": 3,
    "waiting": 0,
    "expired": [],
    "fault": None,
}


def at(registry: StandIn) -> tuple[str, str]:
    return "--url", f"{registry.url}/sr/north/default"


@pytest.fixture
def log(registry: StandIn) -> StandIn:
    """Two parts of a list."""
    registry.answer(f"GET {NORTH}/audit?token=k1&limit=200", {"items": [RECORD], "next": "c"})
    last = {"items": [{**RECORD, "id": 8}], "next": None}
    registry.answer(f"GET {NORTH}/audit?token=k1&limit=200&cursor=c", last)
    return registry


def test_a_record_is_a_line(accord: Program, log: StandIn) -> None:
    done = accord("audit", "list", "--key-id", "k1", *at(log))
    assert done.stdout.splitlines()[1] == "2030  denied  person:a  x.write  x  =1  -  8"
    done = accord("audit", "list", "--key-id", "k1", "--limit", "1", "--json", *at(log))
    assert json.loads(done.stdout) == [RECORD]


def test_an_export_is_lines_of_json_or_safe_csv(accord: Program, log: StandIn, tmp_path: Path) -> None:
    done = accord("audit", "export", "--key-id", "k1", *at(log))
    assert [json.loads(line)["id"] for line in done.stdout.splitlines()] == [7, 8]
    file = tmp_path / "log.csv"
    accord("audit", "export", "--key-id", "k1", "--format", "csv", "--output", str(file), *at(log))
    header, first, _ = file.read_text().splitlines()
    assert header.startswith("id,at,actor")
    assert "'=1" in first


def test_a_good_log_is_said_with_where_it_ended(accord: Program, registry: StandIn) -> None:
    expired = [{"month": "2020-02-01", "records": 9}]
    registry.answer(f"GET {NORTH}/audit/verification?checkpoint=", {**GOOD, "is_whole": False})
    registry.answer(
        f"GET {NORTH}/audit/verification?checkpoint=2%3Aab",
        {**GOOD, "checkpoint": "3:cd", "expired": expired},
    )
    done = accord("audit", "verify", *at(registry))
    assert done.stdout.splitlines() == [
        "good: 6 records in 2 seals, 0 not sealed yet",
        "2020-02-01: 9 records were kept long enough and are gone",
        "checkpoint: 3:cd",
    ]


@pytest.mark.parametrize("kind", [*FAULTS, "newer"])
def test_a_broken_log_is_an_error_that_names_the_place(accord: Program, registry: StandIn, kind: str) -> None:
    fault = {"kind": kind, "record": 5, "seal": 6}
    found = {**GOOD, "is_good": False, "is_whole": False, "fault": fault}
    registry.answer(f"GET {NORTH}/audit/verification?checkpoint=", found)
    done = accord("audit", "verify", *at(registry))
    assert done.exit_code == 1
    assert done.stdout.startswith("broken: ")
    assert any(place in done.stdout for place in ("5", "6", "newer"))
    assert json.loads(accord("audit", "verify", "--json", *at(registry)).stdout)["fault"] == fault
