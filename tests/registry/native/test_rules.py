"""The rule table over HTTP, for everybody."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from accord.rules.presets import DEFAULT_PRESET, PRESETS
from accord.rules.table import rules


def get(path: str, status: int = 200) -> Any:
    answer = Client().get(f"/api/v1/{path}")
    assert answer.status_code == status
    return json.loads(answer.content)


def test_every_rule_is_listed_with_its_severities() -> None:
    items = get("rules")["items"]
    assert [one["id"] for one in items] == [row.id for row in rules()]
    assert all(set(one["severities"]) == set(PRESETS) for one in items)


@pytest.mark.parametrize("format_", ["AVRO", "json"])
def test_rules_of_a_format_come_with_those_of_every_format(format_: str) -> None:
    assert {one["format"] for one in get(f"rules?format={format_}")["items"]} == {format_.upper(), None}


def test_a_rule_comes_with_examples_of_both_kinds() -> None:
    rule = get("rules/type_mismatch")
    assert rule["id"] == "TYPE_MISMATCH"
    for kind in ("accepted", "breaking"):
        assert all(json.loads(one[side]) for one in rule[kind] for side in ("reader", "writer"))
        assert rule[kind]


def test_an_unknown_rule_and_an_unknown_format_are_refused() -> None:
    assert get("rules/NOTHING", 404)["code"] == "rule_not_found"
    assert get("rules?format=COBOL", 400)["code"] == "bad_request"


def test_presets_are_columns_of_the_table() -> None:
    presets = get("presets")
    assert presets["default"] == DEFAULT_PRESET
    assert {
        one["name"]: one["severities"]["TYPE_MISMATCH"] for one in presets["items"]
    }.keys() == PRESETS.keys()
    assert {one["name"] for one in presets["items"] if one["opens_reader"]} >= {"optional-friendly:1"}
