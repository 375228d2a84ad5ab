"""Which tests cover what of the Confluent interface, printed from what they were seen to call."""

from __future__ import annotations

from typing import TYPE_CHECKING

from registry.api.confluent.operations import OPERATIONS
from tests.house.pages.markdown import code, page, table
from tests.registry.confluent.cases import CASES, TOPICS
from tests.registry.confluent.coverage import codes, covered

if TYPE_CHECKING:
    from collections.abc import Iterator


def coverage_page() -> str:
    """Every route, parameter, code and case, with tests."""
    return page(
        "Tests of the Confluent interface",
        "`tests/registry/confluent/covered.json`, `tests/registry/confluent/cases.py` and"
        " `registry/api/confluent/operations.py`",
        "Tests are in `tests/registry/confluent/`. What they cover was noted while they ran, and each of them"
        " fails when it does not cover that any more. Of many tests three are named.",
        "## Routes and parameters",
        table(("method", "path", "parameter", "tests"), route_rows()),
        "## Codes of errors",
        table(("code", "tests"), ((code(one), tests_of(one)) for one in codes())),
        "## Cases",
        "The test of case 7 is the one whose name begins with `test_case_007_`.",
        table(("case", "topic", "what is promised"), case_rows()),
    )


def route_rows() -> Iterator[tuple[str, str, str, str]]:
    """A row for each route and, below it, for each of its parameters."""
    for (method, template), operation in OPERATIONS.items():
        route = f"{method} {template}"
        yield code(method), code(template), "", tests_of(route)
        for name in operation.query:
            yield "", "", code(name), tests_of(f"{route}?{name}")


def case_rows() -> Iterator[tuple[str, str, str]]:
    """Number, topic and title of each case."""
    for topic, numbers in TOPICS.items():
        for number in numbers:
            yield str(number), topic, CASES[number]


def tests_of(fact: str) -> str:
    """The names of the tests of a fact, without what one of many runs was given."""
    names = dict.fromkeys(test.partition("[")[0].partition("::")[2] for test in covered().get(fact, ()))
    return ", ".join(map(code, names))
