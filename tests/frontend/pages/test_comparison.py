"""Which two versions an address means, where else one can go, and texts of any size."""

from __future__ import annotations

import json
import time
from datetime import UTC, datetime
from uuid import uuid4

import pytest

from accord.model import Format, SubjectName
from accord_server.kit.scope import NamespaceRef, Principal, PrincipalKind, Scope, TenantRef
from frontend.pages.comparison import (
    ComparedSides,
    ComparisonPage,
    ComparisonQuery,
    View,
    comparison_page,
    pretty_sides,
    read_comparison,
)
from frontend.pages.subject import subject_head
from registry.records import LevelInForce, SchemaRecord, VersionRecord

NUMBERS = [1, 2, 4, 7]
LEVEL = LevelInForce("FULL", "subject")
SCOPE = Scope(
    TenantRef(uuid4(), "north"), NamespaceRef(uuid4(), "default"), Principal(PrincipalKind.PERSON, "p", "p")
)


def version(number: int, text: str) -> VersionRecord:
    schema = SchemaRecord(number, uuid4(), ".", Format.AVRO, text, ())
    return VersionRecord(SubjectName("orders"), number, schema, False, datetime.now(UTC), "person:alice")


def page_of(old: str, new: str, view: View = View.SPLIT) -> ComparisonPage:
    sides = version(1, old), version(2, new)
    head = subject_head(SCOPE, sides[1], LEVEL, versions=2, tab="comparison")
    query = ComparisonQuery(1, 2, view)
    compared = ComparedSides(head, sides, pretty_sides(sides), None)
    return comparison_page(SCOPE, compared, query, (1, 2))


@pytest.mark.parametrize(
    ("values", "sides"),
    [
        ({}, (4, 7)),
        ({"to": "4"}, (2, 4)),
        ({"from": "1"}, (1, 7)),
        ({"from": "7", "to": "1"}, (7, 1)),
        ({"to": "1"}, (1, 1)),
        ({"from": "", "to": ""}, (4, 7)),
    ],
)
def test_sides_default_to_a_version_and_the_one_before(
    values: dict[str, str], sides: tuple[int, int]
) -> None:
    query = read_comparison(values, NUMBERS)
    assert query is not None
    assert (query.old, query.new) == sides


@pytest.mark.parametrize("values", [{"to": "3"}, {"from": "x"}, {"from": "0", "to": "2"}])
def test_a_version_that_is_not_there_is_no_comparison(values: dict[str, str]) -> None:
    assert read_comparison(values, NUMBERS) is None


def test_an_address_keeps_what_it_does_not_change() -> None:
    query = ComparisonQuery(1, 2, View.UNIFIED, is_unfolded=True)
    assert query.address(view=View.SPLIT) == "?from=1&to=2&view=split&context=all"
    assert query.address(context="") == "?from=1&to=2&view=unified"


def test_the_neighbours_are_the_changes_before_and_after() -> None:
    query = read_comparison({"to": "4"}, NUMBERS)
    assert query is not None
    head = subject_head(SCOPE, version(7, "{}"), LEVEL, versions=4, tab="comparison")
    sides = version(2, "{}"), version(4, "{}")
    compared = ComparedSides(head, sides, pretty_sides(sides), None)
    links = comparison_page(SCOPE, compared, query, tuple(NUMBERS)).links
    assert links.previous == "?from=1&to=2&view=split"
    assert links.following == "?from=4&to=7&view=split"
    assert links.swap == "?from=4&to=2&view=split"


@pytest.mark.parametrize("view", list(View))
def test_five_thousand_changed_fields_answer_in_time(view: View) -> None:
    fields = [{"name": f"field_{number}", "type": ["null", "string"], "doc": "x"} for number in range(5_000)]
    old = json.dumps({"type": "record", "name": "R", "fields": fields})
    started = time.process_time()
    page = page_of(old, old.replace('"string"', '"bytes"'), view)
    assert time.process_time() - started < 10
    assert page.is_cut


def test_a_text_of_one_long_line_is_shown_in_part() -> None:
    page = page_of('"' + "x" * 900_000 + '"', '"' + "y" * 900_000 + '"')
    assert sum(len(cell.text) for row in page.rows for cell in (row.old, row.new) if cell) < 10_000
