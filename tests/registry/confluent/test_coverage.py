"""Every route, parameter and code has a test that covers it, and the file names no test that is gone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.registry.client import Answer
from tests.registry.confluent.coverage import HINT, codes, covered, facts, parameters, routes

HERE = Path(__file__).parent
FOUND = Answer(200, [], {}, b"[]")
MISSING = Answer(404, {"error_code": 40401}, {}, b"{}")


@pytest.mark.parametrize("fact", [*routes(), *parameters(), *codes()])
def test_it_is_covered(fact: str) -> None:
    assert covered().get(fact), f"no test covers {fact}; write one, then run {HINT}"


def test_the_tests_are_there() -> None:
    named = {test for tests in covered().values() for test in tests}
    there = {
        f"{path.name}::{name}"
        for path in HERE.glob("test_*.py")
        for name in re.findall(r"^def (test_\w+)", path.read_text(), re.MULTILINE)
    }
    assert {test.partition("[")[0] for test in named} <= there, f"some are gone; run {HINT}"


@pytest.mark.parametrize(
    ("method", "path", "answer", "shown"),
    [
        ("GET", "/subjects?deleted=true", FOUND, {"0", "GET /subjects", "GET /subjects?deleted"}),
        ("GET", "/contexts/.c/subjects", FOUND, {"0", "GET /subjects"}),
        ("GET", "/subjects/a%2Fb/versions", FOUND, {"0", "GET /subjects/{subject}/versions"}),
        ("GET", "/subjects/x/versions", MISSING, {"40401"}),
        ("HEAD", "/subjects", FOUND, {"0"}),
        ("GET", "/nowhere", MISSING, {"40401"}),
    ],
)
def test_what_a_call_shows(method: str, path: str, answer: Answer, shown: set[str]) -> None:
    assert facts(method, path, answer) == shown
