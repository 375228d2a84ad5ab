"""Every case has one test, and every numbered test is of a case."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

from tests.registry.confluent.cases import CASES, TOPICS

TESTS = Path(__file__).parents[2]
NAMED = re.compile(r"^def test_case_(\w+?)_", re.MULTILINE)


def test_every_case_has_one_test() -> None:
    found = Counter(number for path in TESTS.rglob("test_*.py") for number in NAMED.findall(path.read_text()))
    assert found == Counter(f"{number:03d}" for number in CASES)


def test_the_cases_are_numbered_through_their_topics() -> None:
    numbers = [number for topic in TOPICS.values() for number in topic]
    assert numbers == sorted(CASES) == list(range(1, len(CASES) + 1))
