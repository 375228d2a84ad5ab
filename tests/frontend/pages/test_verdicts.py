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
    before: Comparison | None = None,
) -> VerdictPanel:
    """The panel of versions 2 and 3, with at most one finding each way and one on a version before."""
    back = Comparison(Direction.BACKWARD, 2, (finding(backward),) if backward else ())
    ahead = Comparison(Direction.FORWARD, 2, (finding(forward),) if forward else ())
    of_level = {"NONE": (), "BACKWARD": (back,), "FORWARD": (ahead,), "FULL": (back, ahead)}
    found = {name: Verdict(of_level[name.removesuffix("_TRANSITIVE")]) for name in LEVELS}
    if before is not None:
        found["BACKWARD_TRANSITIVE"] = Verdict((back, before))
    return verdict_panel(found, old=2, new=3, level=level)


def test_the_levels_are_those_of_the_dialect() -> None:
    assert set(LEVELS) == set(CONFLUENT_LEVELS)


@pytest.mark.parametrize(
    ("backward", "outcome", "start"),
    [
        (None, Outcome.PASS, "Compatible. Version 3"),
        (Severity.WARN, Outcome.WARN, "Compatible, with warnings."),
        (Severity.BLOCK, Outcome.FAIL, "Incompatible. Version 3 cannot"),
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
    assert backward.who == "Readers on version 3 cannot read data written with version 2."
    assert forward.who == "Readers still on version 2 cannot read data written with version 3."


def test_a_transitive_level_names_the_version_before_that_it_fails_on() -> None:
    before = Comparison(Direction.BACKWARD, 1, (finding(Severity.BLOCK),))
    shown = panel(level="BACKWARD_TRANSITIVE", before=before)
    assert (shown.outcome, shown.note) == (
        Outcome.FAIL,
        "Version 3 fits version 2, but not version 1 before it.",
    )
    assert {chip.name: chip.fails_on for chip in shown.levels if chip.fails_on} == {"BACKWARD_TRANSITIVE": 1}
    assert [row.who for row in shown.findings] == [
        "Readers on version 3 cannot read data written with version 1."
    ]


def test_a_level_that_is_not_in_force_names_no_version_in_words() -> None:
    before = Comparison(Direction.BACKWARD, 1, (finding(Severity.BLOCK),))
    shown = panel(level="BACKWARD", before=before)
    assert (shown.outcome, shown.note, shown.findings) == (Outcome.PASS, "", ())


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
