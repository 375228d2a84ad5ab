"""`accord policy dry-run`: started, followed, told."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from accord.cli import dry_runs

if TYPE_CHECKING:
    from pathlib import Path

    from click.testing import Result

    from tests.accord.cli.conftest import Program
    from tests.accord.client.stand_in import StandIn

CALLS = "/api/v1/tenants/north/namespaces/default/policy-dry-runs"
NOTHING = {"refused": 0, "allowed": 0, "severity": 0}
DECISION = {
    "rule": "R",
    "path": "/a",
    "direction": "forward",
    "version": 1,
    "before": None,
    "after": "block",
    "message": "gone",
}
CHANGE = {"subject": "s", "version": 2, "change": "refused", "decided_by": [DECISION], "left_out": 2}


def run(
    state: str, *, done: int = 2, changes: dict[str, int] | None = None, **members: Any
) -> dict[str, Any]:
    progress = {"done": done, "total": 2}
    told = {"id": "r1", "state": state, "progress": progress, "changes": changes or NOTHING}
    return {**told, "cut": None, "failure": None, **members}


@pytest.fixture(autouse=True)
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look again at once."""
    monkeypatch.setattr(dry_runs, "PAUSE_S", 0.0)


def tell(
    accord: Program, registry: StandIn, *states: dict[str, Any], arguments: tuple[str, ...], changes: Any = ()
) -> Result:
    registry.answer(f"POST {CALLS}", run("queued"), 202)
    for one in states:
        registry.answer(f"GET {CALLS}/r1", one)
    registry.answer(f"GET {CALLS}/r1/changes?limit=200", {"items": list(changes), "next": None})
    return accord("policy", "dry-run", *arguments, "--url", f"{registry.url}/sr/north/default")


def test_progress_changes_and_counts_are_told(accord: Program, registry: StandIn) -> None:
    own = {**DECISION, "direction": None, "version": None, "before": "warn", "after": None}
    changes = [CHANGE, {**CHANGE, "change": "severity", "decided_by": [own], "left_out": 0}]
    states = (run("queued", done=0), run("running", done=0), run("done", changes={**NOTHING, "refused": 1}))
    done = tell(accord, registry, *states, arguments=("--level", "FULL"), changes=changes)
    assert done.exit_code == 1
    assert done.stdout.splitlines() == [
        "s version 2 would be refused",
        "  R nothing -> block at /a (forward, version 1): gone",
        "  and 2 more",
        "s version 2 would be told otherwise",
        "  R warn -> nothing at /a: gone",
        "2 subjects: 1 would be refused, 0 would be allowed, 0 would be told otherwise.",
    ]
    assert done.stderr.splitlines() == ["r1: 0 of 2 subjects", "r1: 2 of 2 subjects"]
    assert (registry.asked[0].body, registry.asked[0].headers["Content-Type"]) == (
        {"level": "FULL"},
        "application/json",
    )


def test_json_holds_the_run_and_what_it_found(accord: Program, registry: StandIn) -> None:
    done = tell(accord, registry, run("done"), arguments=("--level", "FULL", "--json"), changes=[CHANGE])
    told = json.loads(done.stdout)
    assert (done.exit_code, told["state"], told["listed"], done.stderr) == (0, "done", [CHANGE], "")


def test_a_file_or_a_stored_version_is_tried_at_a_place(
    accord: Program, registry: StandIn, tmp_path: Path
) -> None:
    path = tmp_path / "policy.yaml"
    path.write_text("name: pp\n")
    tell(accord, registry, run("done"), arguments=(str(path), "--at", "prefix:a:b"))
    tell(accord, registry, run("done"), arguments=("--policy", "pp", "--version", "2", "--at", "tenant"))
    sent = [one.body for one in registry.asked if one.method == "POST"]
    assert sent == [
        {"document": "name: pp\n", "place": {"reach": "prefix", "name": "a:b"}},
        {"policy": "pp", "version": 2, "place": {"reach": "tenant", "name": ""}},
    ]


def test_what_was_cut_short_says_so(accord: Program, registry: StandIn) -> None:
    done = tell(accord, registry, run("done", cut="time"), arguments=("--level", "FULL"))
    assert done.stdout.splitlines()[-1] == (
        "Ended early by a bound on its time; what comes after is not judged."
    )


@pytest.mark.parametrize(
    ("state", "failure", "words"),
    [("cancelled", None, "somebody called it off"), ("failed", "no policy", "no policy")],
)
def test_a_run_without_a_result_is_an_error(
    accord: Program, registry: StandIn, state: str, failure: str | None, words: str
) -> None:
    done = tell(accord, registry, run(state, failure=failure), arguments=("--level", "FULL"))
    assert (done.exit_code, words in done.stderr) == (2, True)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "Give one of FILE"),
        (("--level", "FULL", "--policy", "p"), "Give one of FILE"),
        (("--level", "FULL", "--at", "planet"), "begins with none of"),
        (("--level", "FULL", "--at", "prefix"), "write prefix:NAME"),
        (("--level", "FULL", "--at", "tenant:north"), "tenant has no name"),
        (("missing.yaml",), "missing.yaml"),
    ],
)
def test_wrong_usage_says_what_to_give(
    accord: Program, registry: StandIn, arguments: tuple[str, ...], words: str
) -> None:
    done = tell(accord, registry, run("done"), arguments=arguments)
    assert (done.exit_code, words in done.stderr) == (2, True)
