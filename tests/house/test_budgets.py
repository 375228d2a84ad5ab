"""The budgets measure what they say; `make check` holds the tree to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.house.budgets import Budget, budgets, main, percentile, table
from tests.house.lint import Example
from tests.house.measures import Function, Measure, functions, missing_docstrings

if TYPE_CHECKING:
    from collections.abc import Callable

LONG = "def f():\n" + "    x = 1\n" * 60
CROWDED = "def f(a, b, c, d, *, e, g, h): ..."
METHOD = '''class A:
    @property
    def f(self, first, *, second=0, **rest) -> int:
        """Say
        it."""
        return 1
'''


@pytest.mark.parametrize(
    ("measure", "value"),
    [
        (Function.length, 4),
        (Function.body_length, 2),
        (Function.parameters, 2),
        (Function.positional, 1),
        (Function.lacks_annotation, 0),
    ],
)
def test_a_method_is_measured(measure: Callable[[Function], Measure], value: int) -> None:
    (method,) = functions([Example("a.py", METHOD)])
    assert measure(method) == Measure(value, "a.py:3 f")


@pytest.mark.parametrize(
    ("path", "text", "row"),
    [
        ("registry/services.py", LONG, "function"),
        ("registry/api/confluent/views.py", LONG, "API view method"),
        ("platform/accord/rules/avro/a.py", LONG, "rule function"),
        ("tests/test_a.py", LONG.replace("f()", "test_f()"), "test function"),
        ("registry/services.py", CROWDED, "parameters"),
        ("registry/services.py", "def f(): ...", "unannotated"),
        ("registry/services.py", "x = 1\n" * 501, "file"),
        ("tests/test_a.py", "x = 1\n" * 501, "test file"),
        ("frontend/src/diff.ts", "x = 1\n" * 501, "other file"),
        ("platform/accord/diff/a.py", '"""A."""\ndef f() -> None: ...', "undocumented"),
        (
            "platform/accord/diff/a.py",
            '"""A."""\nclass A:\n  """A."""\n  def f(self) -> None: ...',
            "undocumented",
        ),
        ("platform/accord/diff/a.py", "def f(a: dict[str, Any]) -> None: ...", "says Any"),
        ("platform/accord/diff/a.py", "def f(*, a: int) -> list[Any]: ...", "says Any"),
    ],
)
def test_what_must_never_be_is_named(path: str, text: str, row: str) -> None:
    broken = {one.what: one.broken() for one in budgets([Example(path, text)])}
    assert broken[row]
    assert broken[row][0].place.startswith(path)


def test_private_names_need_no_docstring() -> None:
    text = '"""A."""\ndef _f() -> None:\n    def inner() -> None: ...\nclass _A: ...'
    assert sum(one.value for one in missing_docstrings([Example("a.py", text)])) == 0


@pytest.mark.parametrize(("values", "expected"), [([1], 1), ([*range(1, 11)], 9), ([*range(1, 12)], 10)])
def test_the_ninetieth_percentile(values: list[int], expected: int) -> None:
    assert percentile(values) == expected


def test_the_table_marks_what_is_over() -> None:
    row = Budget("function", (Measure(9, "a.py:1 f"), Measure(70, "b.py:1 g")), 60, median=8, p90=30)
    line = " ".join(table([row]).splitlines()[1].split())
    assert line == "function 2 39.5 / 8 over 70 / 30 over 70 / 60 NEVER b.py:1 g"


def test_overloads_are_told_by_what_they_stand_for() -> None:
    text = '"""A."""\n@overload\ndef f(a: int) -> int: ...\ndef f(a: object) -> object:\n    """Say it."""'
    assert [one.value for one in missing_docstrings([Example("a.py", text)])] == [0, 0]


def test_the_exit_code_tells_of_what_must_never_be(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("tests.house.budgets.tree", lambda: [Example("registry/a.py", LONG)])
    assert main() == 1
    assert "function: registry/a.py:1 f is 61" in capsys.readouterr().out
    monkeypatch.setattr("tests.house.budgets.tree", list)
    assert main() == 0
