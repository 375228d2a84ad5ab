"""What is measured in process is what it says: everything, nothing, or one version is judged."""

from __future__ import annotations

from benchmarks import judging
from benchmarks.transitive import MOST_OF_COLD
from registry.services.judging import judge_history
from registry.services.memory import PAIRS


def test_a_check_of_what_was_seen_judges_nothing() -> None:
    assert [one.bar for one in judging.results(versions=2)] == [MOST_OF_COLD] * 2
    rows = tuple(judging.version(number) for number in (1, 2, 3))
    made = judging.candidate(50)
    judge_history(judging.SCOPE, made, judging.POLICY, judging.history(rows[:2]))
    before = PAIRS.misses
    judge_history(judging.SCOPE, made, judging.POLICY, judging.history(rows[:2]))
    assert PAIRS.misses == before
    judge_history(judging.SCOPE, made, judging.POLICY, judging.history(rows))
    assert PAIRS.misses == before + 2
