"""The pages of the rules: public, and printed from the engine's table."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING

import pytest

from accord.lint.table import LintRule, lint_rules
from accord.rules import table

if TYPE_CHECKING:
    from django.test import Client


def test_the_list_links_every_rule(client: Client, db: None) -> None:
    page = client.get("/rules/").content.decode()
    assert all(f'href="/rules/{rule.id}"' in page for rule in table.rules())
    assert all(preset in page for preset in table.PRESETS)


def test_the_list_leads_to_its_parts(client: Client, db: None) -> None:
    page = client.get("/rules/").content.decode()
    parts = re.findall(r'class="button button--small" href="#([^"]+)"', page)
    assert parts == ["rules-avro", "rules-json", "rules-protobuf", "rules-all", "lint"]
    assert all(page.count(f'id="{part}"') == 1 for part in parts)


@pytest.mark.parametrize("rule", table.rules(), ids=lambda rule: rule.id)
def test_the_page_of_a_rule_says_what_the_table_says(client: Client, db: None, rule: table.Rule) -> None:
    page = unescape(client.get(f"/rules/{rule.id}").content.decode())
    for text in (rule.id, rule.summary.split("`")[0], rule.since, *(one.title for one in rule.examples)):
        assert text in page


def test_the_list_links_every_lint_rule(client: Client, db: None) -> None:
    page = client.get("/rules/").content.decode()
    assert all(f'href="/rules/{row.id}"' in page for row in lint_rules())


@pytest.mark.parametrize("row", lint_rules()[::6], ids=lambda row: row.id)
def test_the_page_of_a_lint_rule_says_what_the_table_says(client: Client, db: None, row: LintRule) -> None:
    page = unescape(client.get(f"/rules/{row.id}").content.decode())
    for text in (row.id, row.summary.split("`")[0], row.since, *row.options, "Accepted", "Reported"):
        assert text in page


@pytest.mark.parametrize("rule_id", ["NOTHING", "field", "%00", "<script>"])
def test_a_rule_that_is_not_there_is_not_found(client: Client, db: None, rule_id: str) -> None:
    assert client.get(f"/rules/{rule_id}").status_code == 404
