"""The harness alternates, compares medians and tells the spread."""

from __future__ import annotations

import time

import pytest

from benchmarks.harness import Bar, Side, compare, report, timed


def test_the_sides_take_turns_after_one_warm_up_each() -> None:
    calls: list[str] = []

    def side(name: str) -> Side:
        def work() -> float:
            calls.append(name)
            return 1.0

        return Side(name, work)

    compare("x", "s", ours=side("ours"), yardstick=side("theirs"), repetitions=2)
    assert calls == ["ours", "theirs"] * 3


def test_the_ratio_is_that_of_the_medians() -> None:
    ours, theirs = iter([9.0, 2.0, 4.0, 90.0]), iter([9.0, 2.0, 2.0, 3.0])
    result = compare(
        "x",
        "s",
        ours=Side("ours", lambda: next(ours)),
        yardstick=Side("theirs", lambda: next(theirs)),
        repetitions=3,
    )
    assert result.ratio == 2.0
    assert result.spread == (1.0, 30.0)
    assert "ratio 2.000 (from 1.000 to 30.000, 3 runs each)" in report([result])
    assert result.record()["ratio"] == 2.0


def test_a_timed_run_costs_the_microseconds_of_one_piece_without_its_preparation() -> None:
    def prepare() -> list[float]:
        time.sleep(0.2)
        return [0.001] * 10

    assert 1000 <= timed(time.sleep, prepare)() < 20_000


@pytest.mark.parametrize(
    ("bar", "said"),
    [
        (Bar(ratio=2), "  bar: ratio at most 2: holds"),
        (Bar(ratio=1.9), "  bar: ratio at most 1.9: DOES NOT HOLD"),
        (Bar(cost=4), "  bar: ours at most 4 s: holds"),
        (Bar(cost=3), "  bar: ours at most 3 s: DOES NOT HOLD"),
    ],
)
def test_a_bar_holds_or_is_named(bar: Bar, said: str) -> None:
    made = compare("x", "s", ours=Side("ours", lambda: 4), yardstick=Side("theirs", lambda: 2), bar=bar)
    assert made.lines()[-1] == said
    assert made.holds is ("DOES NOT" not in said)
    assert ("The bar does not hold: x" in report([made])) is not made.holds
    assert made.record()["holds"] is made.holds
