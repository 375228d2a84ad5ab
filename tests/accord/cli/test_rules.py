"""`accord rules`: the table on the terminal."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from accord.lint.table import LINT, lint_rules
from accord.rules.presets import PRESETS, presets_of
from accord.rules.table import rule, rules

if TYPE_CHECKING:
    from tests.accord.cli.conftest import Program


def test_every_rule_is_one_line(accord: Program) -> None:
    lines = accord("rules", "list").stdout.splitlines()
    assert [line.split()[0] for line in lines] == [row.id for row in rules()]


@pytest.mark.parametrize("preset", PRESETS)
def test_severities_are_those_of_the_preset(accord: Program, preset: str) -> None:
    lines = accord("rules", "list", "--preset", preset).stdout.splitlines()
    assert {line.split()[0]: line.split()[1] for line in lines} == PRESETS[preset]


def test_the_table_is_json_too(accord: Program) -> None:
    listed = json.loads(accord("rules", "list", "--json").stdout)
    assert [row["id"] for row in listed] == [row.id for row in rules()]
    assert listed[-1]["severities"].keys() == set(presets_of(None))


@pytest.mark.parametrize("name", [row.id for row in rules()])
def test_every_rule_is_explained_with_its_examples(accord: Program, name: str) -> None:
    result = accord("rules", "explain", name.lower())
    row = rule(name)
    assert result.exit_code == 0
    assert row.summary in result.stdout
    assert row.explanation in result.stdout
    assert all(example.title in result.stdout for example in row.examples)


def test_every_lint_rule_is_one_line_and_json_too(accord: Program) -> None:
    ids = [row.id for row in lint_rules()]
    assert [line.split()[0] for line in accord("rules", "lint").stdout.splitlines()] == ids
    assert [row["id"] for row in json.loads(accord("rules", "lint", "--json").stdout)] == ids


@pytest.mark.parametrize("name", ["SERVICE_SUFFIX", "PACKAGE_NO_IMPORT_CYCLE", "AVRO_FIELD_DEFAULT"])
def test_a_lint_rule_is_explained_with_its_examples(accord: Program, name: str) -> None:
    said, row = accord("rules", "explain", name.lower()).stdout, LINT.rows[name]
    texts = [text for example in row.examples for text in example.texts.values()]
    for text in (
        row.summary,
        row.explanation,
        row.advice,
        *row.options,
        *(one.splitlines()[0] for one in texts),
    ):
        assert text in said
    assert json.loads(accord("rules", "explain", name, "--json").stdout)["advice"] == row.advice


def test_an_explanation_is_json_too(accord: Program) -> None:
    explained = json.loads(accord("rules", "explain", "TYPE_MISMATCH", "--json").stdout)
    assert explained["explanation"] == rule("TYPE_MISMATCH").explanation


def test_an_unknown_rule_says_where_the_names_are(accord: Program) -> None:
    result = accord("rules", "explain", "NO_SUCH_RULE")
    assert result.exit_code == 2
    assert "`accord rules list`" in result.stderr
