"""Which subject a topic's records belong to."""

from __future__ import annotations

import pytest

from accord.naming import MissingRecordName, Part, Strategy, subject_for

CASES = [
    (Strategy.TOPIC_NAME, Part.VALUE, "orders-value"),
    (Strategy.TOPIC_NAME, Part.KEY, "orders-key"),
    (Strategy.RECORD_NAME, Part.VALUE, "shop.Order"),
    (Strategy.TOPIC_RECORD_NAME, Part.KEY, "orders-shop.Order"),
]


@pytest.mark.parametrize(("strategy", "part", "subject"), CASES)
def test_a_strategy_names_the_subject(strategy: Strategy, part: Part, subject: str) -> None:
    assert str(subject_for(strategy, topic="orders", part=part, record="shop.Order")) == subject


def test_the_topic_strategy_needs_no_record() -> None:
    assert str(subject_for(Strategy.TOPIC_NAME, topic="t", part=Part.VALUE)) == "t-value"


@pytest.mark.parametrize("strategy", [Strategy.RECORD_NAME, Strategy.TOPIC_RECORD_NAME])
def test_the_record_strategies_refuse_a_nameless_schema(strategy: Strategy) -> None:
    with pytest.raises(MissingRecordName, match=f"{strategy} needs a named record.*'orders'"):
        subject_for(strategy, topic="orders", part=Part.VALUE)
