"""The table of cases."""

from __future__ import annotations

from tests.registry.confluent.cases import CASES, TOPICS


def test_the_cases_are_numbered_through_their_topics() -> None:
    numbers = [number for topic in TOPICS.values() for number in topic]
    assert numbers == sorted(CASES) == list(range(1, len(CASES) + 1))
