"""Words of the history page: outcomes, counts, origins, rules."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import uuid4

import pytest

from accord.model import Format, Severity, SubjectName
from accord.policy.origins import Origin, OriginKind
from accord_server.kit.scope import NamespaceRef, TenantRef
from frontend.pages.history import HistoryItem, history_page
from frontend.pages.subject import SubjectHead
from registry.records import Page
from registry.registration_records import InForce, Judged, KeptFinding, Outcome, Registration
from tenants.principals import operator_scope

HEAD = SubjectHead(SubjectName("s"), Format.AVRO, "FULL", "", 1, 1, 1, (), "")
SCOPE = operator_scope(TenantRef(uuid4(), "north"), NamespaceRef(uuid4(), "default"))
MOMENT = datetime(2026, 1, 2, tzinfo=UTC)


def item(
    judged: Judged | None = None, in_force: InForce | None = None, rules: tuple[str, ...] = ()
) -> HistoryItem:
    findings = tuple(KeptFinding(rule, Severity.INFO, "/", None, None) for rule in rules)
    row = Registration(1, 1, Format.AVRO, MOMENT, "person:a", None, "FULL", in_force, judged, findings)
    return history_page(SCOPE, HEAD, Page((row,), 1, 1, 50)).items[0]


@pytest.mark.parametrize(
    ("outcome", "counts", "label", "badge"),
    [
        (Outcome.FIRST, {Severity.WARN: 1}, "First version", "info"),
        (Outcome.ALLOWED, {Severity.INFO: 1}, "Compatible", "pass"),
        (Outcome.ALLOWED, {Severity.WARN: 1}, "Compatible, with warnings", "warn"),
        (Outcome.WAIVED, {Severity.BLOCK: 2}, "Waived", "fail"),
        (Outcome.UNCHECKED, {}, "Not compared", "info"),
        (Outcome.IMPORTED, {}, "Imported", "info"),
    ],
)
def test_an_outcome_has_words_and_a_colour(
    outcome: Outcome, counts: dict[Severity, int], label: str, badge: str
) -> None:
    mark = item(Judged(outcome, 0, counts)).mark
    assert mark is not None
    assert (mark.label, mark.badge) == (label, badge)


def test_what_was_counted_is_told_heaviest_first() -> None:
    counts = {Severity.INFO: 1, Severity.WARN: 2, Severity.BLOCK: 1}
    assert item(Judged(Outcome.WAIVED, 3, counts)).notes == (
        "compared with 3 versions",
        "1 blocking finding",
        "2 warnings",
        "1 remark",
    )


@pytest.mark.parametrize(
    ("origin", "words"),
    [
        (Origin(OriginKind.INSTALLATION), "the default of this server"),
        (Origin(OriginKind.CONFIG, scope="subject s"), "set on this subject"),
        (Origin(OriginKind.CONFIG, scope="context .x"), "from its context"),
        (Origin(OriginKind.CONFIG, scope="global"), "from the namespace"),
        (Origin(OriginKind.POLICY, "house", 1), "from the policy house"),
    ],
)
def test_a_level_comes_from_somewhere(origin: Origin, words: str) -> None:
    assert item(in_force=InForce("accord:1", level_origin=origin)).level_origin == words


def test_each_rule_is_named_once_and_leads_to_its_page_if_it_has_one() -> None:
    found = item(rules=("FROZEN", "NAME_PATTERN", "FROZEN", "A", "B", "C"))
    links = [(one.id, one.url) for one in found.rules]
    assert links == [("FROZEN", "/rules/FROZEN"), ("NAME_PATTERN", "/rules/NAME_PATTERN"), ("A", "")]
    assert found.hidden_rules == 2


def test_what_was_not_kept_is_not_told() -> None:
    found = item()
    assert (found.mark, found.notes, found.preset, found.policies, found.level_origin) == (
        None,
        (),
        "",
        (),
        "",
    )
