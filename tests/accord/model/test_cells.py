"""Cells of CSV that no spreadsheet takes for formulas."""

from __future__ import annotations

import pytest

from accord.model.cells import csv_line, safe_cell


@pytest.mark.parametrize("text", ["=1", "+1", "-1", "@a", "\t=1", "\r=1", "\n=1", " =1", "\uff1d1"])
def test_a_cell_that_begins_like_a_formula_is_text(text: str) -> None:
    assert safe_cell(text) == f"'{text}"


def test_other_values_are_as_they_are() -> None:
    assert csv_line(["a,b", None, 7, {"k": "\u00fc"}, [1], 'say "x"']) == (
        '"a,b",,7,"{""k"": ""\u00fc""}",[1],"say ""x"""\r\n'
    )
