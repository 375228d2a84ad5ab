"""A verdict in words: the sentence, the note, who breaks, what counts."""

from __future__ import annotations

import pytest

from accord.model import Comparison, Direction, Finding, Severity, Verdict
from accord.policy.levels import CONFLUENT_LEVELS
from frontend.pages import verdicts
from frontend.pages.verdicts import LEVELS, Outcome, VerdictPanel, verdict_panel


def finding(severity: Severity) -> Finding:
    return Finding("TYPE_MISMATCH", severity, "/fields/0", "detail", "sentence")


def panel(
    *,
    backward: Severity | None = None,
    forward: Severity | None = None,
    level: str = "BACKWARD",
    history: int = 2,
) -> VerdictPanel:
    """The panel of a pair with at most one finding each way."""
    back = Comparison(Direction.BACKWARD, 1, (finding(backward),) if backward else ())
    ahead = Comparison(Direction.FORWARD, 1, (finding(forward),) if forward else ())
    of_level = {"NONE": (), "BACKWARD": (back,), "FORWARD": (ahead,), "FULL": (back, ahead)}
    found = {name: Verdict(of_level[name.removesuffix("_TRANSITIVE")]) for name in LEVELS}
    return verdict_panel(found, old=1, new=2, level=level, history=history)


def test_the_levels_are_those_of_the_dialect() -> None:
    assert set(LEVELS) == set(CONFLUENT_LEVELS)


@pytest.mark.parametrize(
    ("backward", "outcome", "start"),
    [
        (None, Outcome.PASS, "Compatible. Version 2"),
        (Severity.WARN, Outcome.WARN, "Compatible, with warnings."),
        (Severity.BLOCK, Outcome.FAIL, "Incompatible. Version 2 cannot"),
    ],
)
def test_the_sentence_comes_first(backward: Severity | None, outcome: Outcome, start: str) -> None:
    shown = panel(backward=backward)
    assert shown.outcome is outcome
    assert shown.sentence.startswith(start)


def test_what_the_level_in_force_does_not_ask_for_would_only_block() -> None:
    backward, forward = panel(backward=Severity.BLOCK, forward=Severity.BLOCK).findings
    assert (str(backward.severity_label), backward.badge, backward.levels) == (
        "Blocks",
        "fail",
        "BACKWARD, FULL",
    )
    assert (str(forward.severity_label), forward.badge, forward.levels) == (
        "Would block",
        "info",
        "FORWARD, FULL",
    )


@pytest.mark.parametrize("level", ["FULL", "FULL_TRANSITIVE"])
def test_full_asks_for_both_directions(level: str) -> None:
    shown = panel(backward=Severity.BLOCK, forward=Severity.WARN, level=level)
    assert all(row.is_in_force for row in shown.findings)


def test_who_breaks_depends_on_the_direction() -> None:
    backward, forward = panel(backward=Severity.BLOCK, forward=Severity.BLOCK).findings
    assert backward.who == "Readers on version 2 cannot read data written with version 1."
    assert forward.who == "Readers still on version 1 cannot read data written with version 2."


@pytest.mark.parametrize(("level", "history", "is_noted"), [("FULL_TRANSITIVE", 3, True), ("FULL", 9, False)])
def test_a_transitive_level_says_that_it_looks_further(level: str, history: int, is_noted: bool) -> None:
    assert bool(panel(level=level, history=history).note) is is_noted


def test_chips_tell_the_level_in_force() -> None:
    chips = panel(forward=Severity.BLOCK, level="BACKWARD").levels
    assert [chip.name for chip in chips if chip.is_in_force] == ["BACKWARD"]
    assert [chip.name for chip in chips if not chip.is_allowed] == [
        "FORWARD",
        "FORWARD_TRANSITIVE",
        "FULL",
        "FULL_TRANSITIVE",
    ]


def test_findings_beyond_the_limit_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verdicts, "MAX_FINDINGS", 1)
    shown = panel(backward=Severity.BLOCK, forward=Severity.BLOCK)
    assert (len(shown.findings), shown.hidden) == (1, 1)


def test_a_rule_without_a_page_has_no_link() -> None:
    assert verdicts.rule_url("NOTHING") == ""
    assert verdicts.rule_url("TYPE_MISMATCH") == "/rules/TYPE_MISMATCH"
