"""A verdict in words: the sentence, the note, who breaks, what counts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from accord.model import Comparison, Direction, Finding, Format, Severity, Verdict
from accord.model.levels import CONFLUENT_LEVELS
from accord.policy.explanation import Texts
from frontend.pages import verdicts
from frontend.pages.verdicts import LEVELS, ComparedPair, Outcome, VerdictPanel, verdict_panel

TEXT = '{"type": "record", "name": "R", "fields": [\n{"name": "a", "type": "int"}]}'
PAIR = ComparedPair(2, 3, Texts(Format.AVRO, TEXT, {2: TEXT}), "/s/")


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
    return verdict_panel(found, PAIR, level=level)


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
    assert backward.who == "Readers on version 3 cannot read what writers on version 2 wrote."
    assert forward.who == "Readers on version 2 cannot read what writers on version 3 write."


def test_a_transitive_level_names_the_version_before_that_it_fails_on() -> None:
    before = Comparison(Direction.BACKWARD, 1, (finding(Severity.BLOCK),))
    shown = panel(level="BACKWARD_TRANSITIVE", before=before)
    assert (shown.outcome, shown.note) == (
        Outcome.FAIL,
        "Version 3 fits version 2, but not version 1 before it.",
    )
    assert {row.name: row.fails_on for row in shown.levels if row.fails_on} == {"BACKWARD_TRANSITIVE": 1}
    assert [row.who for row in shown.findings] == [
        "Readers on version 3 cannot read what writers on version 1 wrote."
    ]


def test_a_version_between_the_two_is_named_too() -> None:
    between = Comparison(Direction.BACKWARD, 2, (finding(Severity.BLOCK),))
    found = {name: Verdict(()) for name in LEVELS} | {"BACKWARD_TRANSITIVE": Verdict((between,))}
    pair = ComparedPair(1, 3, PAIR.texts, "/s/")
    shown = verdict_panel(found, pair, level="BACKWARD_TRANSITIVE")
    assert shown.note == "The version that it fails on is version 2."


def test_a_level_without_a_confluent_name_has_a_row_of_its_own() -> None:
    back = Comparison(Direction.BACKWARD, 2, (finding(Severity.BLOCK),))
    found = {name: Verdict(()) for name in LEVELS} | {"BACKWARD": Verdict((back,))}
    shown = verdict_panel({**found, "BACKWARD_TILL(2)": Verdict((back,))}, PAIR, level="BACKWARD_TILL(2)")
    assert [row.name for row in shown.levels] == [*LEVELS, "BACKWARD_TILL(2)"]
    assert (shown.outcome, shown.findings[0].is_in_force) == (Outcome.FAIL, True)


def test_a_frozen_subject_says_so_and_the_rest_only_would() -> None:
    frozen = Comparison(Direction.BACKWARD, 2, (Finding("FROZEN", Severity.BLOCK, "/", "", "frozen"),))
    back = Comparison(Direction.BACKWARD, 2, (finding(Severity.BLOCK),))
    found = {name: Verdict(()) for name in LEVELS} | {"BACKWARD": Verdict((back,))}
    shown = verdict_panel({**found, "FROZEN": Verdict((frozen,))}, PAIR, level="FROZEN")
    assert [(row.rule.id, row.levels, row.is_in_force) for row in shown.findings] == [
        ("TYPE_MISMATCH", "BACKWARD, FULL", False),
        ("FROZEN", "FROZEN", True),
    ]


def test_a_finding_leads_to_the_lines_of_both_texts() -> None:
    (row,) = panel(backward=Severity.BLOCK).findings
    assert [(one.version, one.url) for one in row.places] == [(2, "/s/?v=2#L2"), (3, "/s/?v=3#L2")]


def test_a_refusal_names_the_deciding_rules_and_counts_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verdicts, "MAX_RULES", 0)
    rows = {row.name: (row.rules, row.hidden) for row in panel(backward=Severity.BLOCK).levels}
    assert rows["BACKWARD"] == ((), 1)
    monkeypatch.setattr(verdicts, "MAX_RULES", 1)
    rows = {row.name: (row.rules, row.hidden) for row in panel(backward=Severity.BLOCK).levels}
    assert rows["BACKWARD"] == ((verdicts.rule_link("TYPE_MISMATCH"),), 0)


def test_a_level_that_is_not_in_force_names_no_version_in_words() -> None:
    before = Comparison(Direction.BACKWARD, 1, (finding(Severity.BLOCK),))
    shown = panel(level="BACKWARD", before=before)
    assert (shown.outcome, shown.note, shown.findings) == (Outcome.PASS, "", ())


def test_rows_tell_the_level_in_force() -> None:
    rows = panel(forward=Severity.BLOCK, level="BACKWARD").levels
    assert [row.name for row in rows if row.is_in_force] == ["BACKWARD"]
    assert [row.name for row in rows if row.outcome is Outcome.FAIL] == [
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
    assert verdicts.rule_link("NOTHING").url == ""
    assert verdicts.rule_link("TYPE_MISMATCH").url == "/rules/TYPE_MISMATCH"


def test_what_both_directions_tell_is_told_once_with_every_level_it_counts_under() -> None:
    warned = finding(Severity.WARN)
    back = Comparison(Direction.BACKWARD, 2, (warned,))
    ahead = Comparison(Direction.FORWARD, 2, (replace(warned, is_turned=True),))
    found = {name: Verdict(()) for name in LEVELS} | {
        "BACKWARD": Verdict((back,)),
        "FORWARD": Verdict((ahead,)),
    }
    shown = verdict_panel(found, PAIR, level="FORWARD")
    (row,) = shown.findings
    assert (row.levels, row.is_in_force, str(row.severity_label)) == (
        "BACKWARD, FORWARD, FULL",
        True,
        "Warns",
    )
    assert row.who.startswith("Readers on version 3")
    assert shown.hidden == 0


def test_a_level_that_warns_says_so() -> None:
    shown = panel(backward=Severity.WARN, forward=Severity.BLOCK)
    said = {row.name: (str(row.label), row.icon, [one.id for one in row.rules]) for row in shown.levels}
    assert said["NONE"] == ("Allowed", "check", [])
    assert said["BACKWARD"] == ("Allowed, with warnings", "alert", ["TYPE_MISMATCH"])
    assert said["FULL"] == ("Refused", "cross", ["TYPE_MISMATCH"])
