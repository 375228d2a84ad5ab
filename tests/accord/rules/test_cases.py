"""Each case of each rule runs the whole table and gives exactly its findings."""

from __future__ import annotations

import pytest

from accord.rules.table import rules
from tests.accord.rules.cases import PACKAGED, Case, all_cases, packaged_text, short

CASES = all_cases()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_case_gives_exactly_its_findings(case: Case) -> None:
    findings = [short(finding) for finding in case.verdict().findings]
    assert findings == case.data.get("findings", [])


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_case_is_about_its_rule(case: Case) -> None:
    named = {finding["rule"] for finding in case.data.get("findings", [])}
    assert (case.rule in named) is not case.is_accepted


@pytest.mark.parametrize("is_accepted", [True, False])
def test_every_rule_has_cases_of_both_sorts(is_accepted: bool) -> None:
    covered = {case.rule for case in CASES if case.is_accepted is is_accepted}
    assert covered == {row.id for row in rules() if is_accepted or row.is_reported}


def test_the_packaged_examples_are_the_cases() -> None:
    assert PACKAGED.read_text(encoding="utf-8") == packaged_text(), "run python -m tests.accord.rules.cases"


def test_a_row_shows_its_examples_accepting_ones_first() -> None:
    for row in rules():
        sorts = [example.is_accepted for example in row.examples]
        assert sorts == sorted(sorts, reverse=True)
        assert {example.rule for example in row.examples} == {row.id}
