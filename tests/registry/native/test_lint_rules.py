"""The lint rules over HTTP: open to everybody, and printed from the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from accord.lint.table import lint_rules
from accord.model import Format

if TYPE_CHECKING:
    from django.test import Client


def test_the_list_is_the_table_or_that_of_one_format(client: Client, db: None) -> None:
    listed = client.get("/api/v1/lint-rules").json()["items"]
    assert [one["id"] for one in listed] == [row.id for row in lint_rules()]
    avro = client.get("/api/v1/lint-rules?format=avro").json()["items"]
    assert {one["format"] for one in avro} == {Format.AVRO}


def test_a_lint_rule_has_its_examples(client: Client, db: None) -> None:
    found = client.get("/api/v1/rules/enum_zero_value_suffix").json()
    assert (found["category"], found["options"]) == ("STANDARD", ["enum_zero_value_suffix"])
    assert [one["path"] for one in found["accepted"]] == [""]
    assert "PAYMENT_CARD = 0" in found["breaking"][0]["text"]
