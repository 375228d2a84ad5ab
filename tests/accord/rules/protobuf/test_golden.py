"""Every line and cell of the golden table: one small change, and who accepts it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from accord.model import Severity
from accord.model.levels import CONFLUENT_LEVELS
from accord.policy import HistoryEntry, Policy
from accord.policy.judgement import Trials
from accord.rules.presets import PRESETS
from tests.accord.protobuf_texts import schema_of

LINES = [json.loads(line) for line in Path(__file__).with_name("golden.jsonl").read_text().splitlines()]


def outcome(trials: Trials, policy: Policy) -> object:
    """What a preset says of a line: allowed, refused or a warning."""
    verdict = trials.verdict(policy)
    if not verdict.is_allowed:
        return False
    return "warn" if any(one.severity is Severity.WARN for one in verdict.findings) else True


@pytest.mark.parametrize("line", LINES, ids=lambda line: line["id"])
def test_a_change_is_judged_as_the_others_judge_it(line: dict[str, Any]) -> None:
    trials = Trials(schema_of(line["new"]), [HistoryEntry(1, schema_of(line["old"]))])
    level = CONFLUENT_LEVELS[line["level"]]
    found = {preset: outcome(trials, Policy(level, preset)) for preset in line["expected"]}
    assert found == line["expected"]


def test_the_columns_are_presets() -> None:
    assert {preset for line in LINES for preset in line["expected"]} <= set(PRESETS)
