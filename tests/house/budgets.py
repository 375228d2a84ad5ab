"""The budgets of the house: how long things are, and how long they may be.

`python -m tests.house.budgets` prints the table; the exit code is 1 when a `never` is exceeded.
Medians and 90th percentiles are aims: over them the table says "over", which fails nothing.
"""

from __future__ import annotations

import statistics
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tests.house.lint import matches, tree
from tests.house.measures import (
    Function,
    Measure,
    file_lengths,
    functions,
    missing_docstrings,
    untyped_signatures,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tests.house.lint import Example

PRODUCT: Final = ("platform/*.py", "tenants/*.py", "registry/*.py", "frontend/*.py", "manage.py")
OTHER: Final = ("frontend/*.ts", "frontend/*.css", "frontend/*.html", "*.java", ".ci/*", "Makefile")
GENERATED: Final = ("*/migrations/*.py",)
VIEWS: Final = ("*/api/*/views.py", "*/api/*/views/*.py", "*/api/views.py")
RULES: Final = (
    "platform/accord/rules/avro/*.py",
    "platform/accord/rules/protobuf/*.py",
    "platform/accord/rules/jsonschema/*.py",
)
# Data laid out as source: long because there is much of it, not because it does much.
TABLES: Final[tuple[str, ...]] = ()
SHOWN: Final = 20


@dataclass(frozen=True)
class Budget:
    """One row: what is measured, the aims for median and 90th percentile, and what never happens."""

    what: str
    measures: tuple[Measure, ...]
    never: int
    median: int | None = None
    p90: int | None = None

    @property
    def worst(self) -> Measure:
        """The largest measure; zero at no place where nothing was measured."""
        return max(self.measures, key=lambda one: one.value, default=Measure(0, "-"))

    def broken(self) -> list[Measure]:
        """What exceeds the `never` of this row."""
        return [one for one in self.measures if one.value > self.never]

    def cells(self) -> list[str]:
        """The row as text."""
        values = [one.value for one in self.measures] or [0]
        return [
            self.what,
            str(len(self.measures)),
            against(statistics.median(values), self.median),
            against(percentile(values), self.p90),
            against(self.worst.value, self.never, word="NEVER"),
            self.worst.place if self.worst.value else "-",
        ]


def percentile(values: Sequence[int], share: float = 0.9) -> int:
    """The smallest value that at least this share of the values does not exceed."""
    ordered = sorted(values)
    return ordered[max(0, -int(-share * len(ordered) // 1) - 1)]


def against(value: float, budget: int | None, *, word: str = "over") -> str:
    """Print a value beside its budget, marked where it exceeds it."""
    if budget is None:
        return f"{value:g}"
    return f"{value:g} / {budget}" + (f" {word}" if value > budget else "")


def budgets(files: Iterable[Example]) -> list[Budget]:
    """Take every measure of the tree."""
    everything = [file for file in files if not matches(file.path, GENERATED)]
    product = [file for file in everything if matches(file.path, PRODUCT)]
    tests = [file for file in everything if matches(file.path, ("tests/*.py", "benchmarks/*.py"))]
    other = [file for file in everything if matches(file.path, OTHER)]
    return [*function_budgets(product, tests), *file_budgets(product, tests, other), *word_budgets(product)]


def function_budgets(product: list[Example], tests: list[Example]) -> Iterator[Budget]:
    """The rows about functions."""
    code = tuple(functions(product))
    checks = [one for one in functions(tests) if one.name.startswith("test_")]
    everything = (*code, *functions(tests))
    yield Budget("function", tuple(map(Function.length, code)), 60, median=8, p90=30)
    yield Budget("API view method", tuple(map(Function.length, select(code, VIEWS))), 12)
    yield Budget("rule function", tuple(map(Function.body_length, select(code, RULES))), 25)
    yield Budget("test function", tuple(map(Function.length, checks)), 60, median=10, p90=20)
    yield Budget("parameters", tuple(map(Function.parameters, everything)), 6)
    yield Budget("positional", tuple(map(Function.positional, code)), 6, median=1, p90=3)
    yield Budget("unannotated", tuple(map(Function.lacks_annotation, everything)), 0)


def file_budgets(product: list[Example], tests: list[Example], other: list[Example]) -> Iterator[Budget]:
    """The rows about files."""
    code = [file for file in product if file.path not in TABLES]
    yield Budget("file", tuple(file_lengths(code)), 500, median=100, p90=300)
    yield Budget("test file", tuple(file_lengths(tests)), 500)
    yield Budget("other file", tuple(file_lengths(other)), 500)


def word_budgets(product: list[Example]) -> Iterator[Budget]:
    """The rows about what the library says of itself: docstrings and types are total there."""
    library = [file for file in product if matches(file.path, ("platform/accord/*.py",))]
    yield Budget("undocumented", tuple(missing_docstrings(library)), 0)
    yield Budget("says Any", tuple(untyped_signatures(library)), 0)


def select(code: Iterable[Function], patterns: tuple[str, ...]) -> list[Function]:
    """The functions of the files that fit."""
    return [one for one in code if matches(one.path, patterns)]


def table(rows: Iterable[Budget]) -> str:
    """Lay the budgets out in columns."""
    head = ["what", "count", "median", "p90", "most / never", "where the most is"]
    lines = [head, *(row.cells() for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join("  ".join(map(str.ljust, line, widths)).rstrip() for line in lines)


def main() -> int:
    """Print the table and what must never be; 1 if there is any of it."""
    rows = budgets(tree())
    print(table(rows))
    broken = [f"{row.what}: {one.place} is {one.value}" for row in rows for one in row.broken()]
    if broken:
        print("\n".join(["", f"{len(broken)} times never, among them:", *broken[:SHOWN]]))
    return int(bool(broken))


if __name__ == "__main__":
    sys.exit(main())
