"""The check of a consumer's schema against producers' versions."""

from __future__ import annotations

from typing import Any

import pytest

from accord.policy import HistoryEntry
from accord.policy.comparison import Budget
from accord.policy.consumers import Grounds, check_consumer
from tests.accord.avro_texts import avro
from tests.accord.json_texts import json_schema


def thing(*, is_closed: bool, **properties: Any) -> dict[str, Any]:
    """An object with these properties by type."""
    declared = {name: {"type": kind} for name, kind in properties.items()}
    return {"type": "object", "properties": declared, "additionalProperties": not is_closed}


HISTORY = [
    HistoryEntry(1, json_schema(thing(is_closed=True, a="string"))),
    HistoryEntry(2, json_schema(thing(is_closed=True, a="string", b="integer"))),
]


@pytest.mark.parametrize(
    ("consumer", "test", "version"),
    [
        (thing(is_closed=False, a="string"), Grounds.LOOKUP, 1),
        (thing(is_closed=False, b="integer", a="string"), Grounds.LOOKUP, 2),
        (thing(is_closed=False, b="integer"), Grounds.ALL_VERSIONS, None),
        (thing(is_closed=False, a="string", b="integer", c="string"), Grounds.ALL_VERSIONS, None),
        (thing(is_closed=False, a="integer"), None, None),
        (thing(is_closed=True, b="integer"), None, None),
    ],
)
def test_the_answer_names_the_test_that_succeeded(
    consumer: Any, test: Grounds | None, version: int | None
) -> None:
    answer = check_consumer(json_schema(consumer), HISTORY)
    assert (answer.grounds, answer.version) == (test, version)
    assert answer.is_allowed is (test is not None)
    assert bool(answer.verdict.findings) is not answer.is_allowed


def test_a_reduced_view_of_one_versions_consumer_is_enough() -> None:
    old = HistoryEntry(1, json_schema(thing(is_closed=True, a="integer")))
    consumer = json_schema(thing(is_closed=False, b="integer") | {"minProperties": 1, "title": "mine"})
    needy = HistoryEntry(2, json_schema(thing(is_closed=True, b="integer") | {"minProperties": 1}))
    answer = check_consumer(consumer, [old, needy])
    assert (answer.grounds, answer.version) == (Grounds.SOME_CONSUMER, 2)


def test_nothing_is_opened_once_the_work_is_used_up() -> None:
    answer = check_consumer(json_schema(thing(is_closed=True, b="string")), HISTORY, budget=Budget(20, 20))
    assert [one.rule for one in answer.verdict.findings] == ["CHECK_TOO_LARGE"]
    assert not answer.is_allowed


def test_a_subject_without_versions_has_no_consumers() -> None:
    assert not check_consumer(json_schema(True), []).is_allowed


def test_formats_without_content_models_are_read_or_not() -> None:
    history = [HistoryEntry(1, avro('"int"'))]
    assert check_consumer(avro('"long"'), history).grounds is Grounds.ALL_VERSIONS
    assert not check_consumer(avro('"string"'), history).is_allowed
