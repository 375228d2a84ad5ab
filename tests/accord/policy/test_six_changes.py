"""The tables of the six changes are what is known of each policy."""

from __future__ import annotations

import pytest

from accord.policy.six_changes import CHANGES, MODELS, table

ROWS = list(CHANGES)
COLUMNS = list(MODELS)

# What is published about each policy: a row for each change, a cell for each model, B F U.
STRICT = """
nyn nnn nyn nnn nyn nnn nnn
nyn ynn yyy nnn yyy nnn ynn
ynn nnn ynn nnn ynn nnn nnn
ynn nyn yyy nnn yyy nnn nyn
nyn nyn nyn nyn nyn nyn nyn
ynn ynn ynn ynn ynn ynn ynn
"""
FRIENDLY = """
nyn nyn nyn nyn nyn nnn nnn
nyn yyy yyy nyn yyy nnn ynn
ynn ynn ynn ynn ynn nnn nnn
ynn yyy yyy ynn yyy nnn nyn
nyn nyn nyn nyn nyn nyn nyn
ynn ynn ynn ynn ynn ynn ynn
"""


def spelled(preset: str, *, has_default: bool = False) -> list[list[str]]:
    """The table in the short form above."""
    return [
        ["".join(one[0] for one in str(cell).split(" / ")) for cell in cells.values()]
        for cells in table(preset, has_default=has_default).values()
    ]


@pytest.mark.parametrize(
    ("preset", "expected"), [("confluent:8.1", STRICT), ("optional-friendly:1", FRIENDLY)]
)
def test_the_six_changes_are_judged_as_published(preset: str, expected: str) -> None:
    assert spelled(preset) == [line.split() for line in expected.strip().splitlines()]


def column(preset: str, model: str, *, has_default: bool = False) -> list[str]:
    """One column of a table."""
    return [row[COLUMNS.index(model)] for row in spelled(preset, has_default=has_default)]


def test_lenient_agrees_with_optional_friendly_on_closed_objects() -> None:
    assert column("confluent:8.1:lenient", "closed") == column("optional-friendly:1", "closed")
    assert column("confluent:8.1:lenient", "open") == ["nyn", "yyy", "ynn", "yyy", "nyn", "ynn"]


def test_a_default_makes_closed_required_properties_free() -> None:
    assert column("optional-friendly:1", "closed", has_default=True) == ["yyy"] * 6
    strict = column("confluent:8.1", "closed", has_default=True)
    assert [strict[0], strict[2], strict[4]] == ["ynn", "nyn", "yyy"]


def test_queue_safe_takes_optional_properties_of_closed_objects_alone() -> None:
    found = spelled("accord:queue-safe:1")
    allowed = {
        (ROWS[row], COLUMNS[at])
        for row, cells in enumerate(found)
        for at, cell in enumerate(cells)
        if cell[2] == "y"
    }
    assert allowed == {("add an optional property", "closed"), ("remove an optional property", "closed")}
