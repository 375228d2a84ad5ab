"""Every lint rule accepts one of its examples and reports the other."""

from __future__ import annotations

import pytest

from accord.lint.profile import LintProfile
from accord.lint.table import LintRule, lint_rules
from accord.model import Format
from tests.accord.lint.texts import linted, schema_findings


@pytest.mark.parametrize("row", lint_rules(), ids=lambda row: row.id)
def test_a_rule_has_one_example_of_each_side(row: LintRule) -> None:
    assert [one.is_accepted for one in row.examples] == [True, False]


@pytest.mark.parametrize("row", lint_rules(), ids=lambda row: row.id)
def test_the_engine_agrees_with_the_examples(row: LintRule) -> None:
    profile = LintProfile((row.id,))
    for example in row.examples:
        if row.format is Format.PROTOBUF:
            rules = {one.rule for one in linted(example.texts, profile)}
        else:
            (text,) = example.texts.values()
            rules = {one.rule for one in schema_findings(row.format, text, profile)}
        assert rules == (set() if example.is_accepted else {row.id})
