"""What a version remembers of its registration: the stored form, and how verdicts become outcomes."""

from __future__ import annotations

import json

import pytest

from accord.model import Comparison, Direction, Finding, Severity, SubjectName, Verdict
from accord.policy.origins import INSTALLED, BindingPlace, Origin, OriginKind, Reach
from registry.queries.standing import NO_HISTORY
from registry.records import ConfigInForce, SettingsInForce
from registry.registration_records import (
    InForce,
    Judged,
    Outcome,
    PolicyAt,
    in_force_of,
    in_force_to_store,
    judged_of,
    judged_to_store,
)
from registry.services.remembering import judged
from registry.services.situation import Situation

NEAR = PolicyAt("own", 3, BindingPlace(Reach.SUBJECT, "s"))
FAR = PolicyAt("base", 1, BindingPlace(Reach.TENANT, "north"))
BY_FAR = Origin(OriginKind.POLICY, "base", 1, FAR.place, "formats.avro")
BY_CONFIG = Origin(OriginKind.CONFIG, scope="subject s")


@pytest.mark.parametrize(
    "one",
    [
        InForce("confluent:8.1"),
        InForce("accord:1", BY_FAR, BY_CONFIG, (NEAR, FAR)),
        InForce("a:1", INSTALLED),
    ],
)
def test_what_was_in_force_comes_back_as_it_was(one: InForce) -> None:
    assert in_force_of(json.loads(json.dumps(in_force_to_store(one)))) == one


def test_what_nobody_set_takes_no_room() -> None:
    assert in_force_to_store(InForce("confluent:8.1")) == {"preset": "confluent:8.1"}


def test_a_verdict_comes_back_without_what_it_did_not_find() -> None:
    stored = judged_to_store(Judged(Outcome.ALLOWED, 2, {Severity.WARN: 3, Severity.INFO: 0}))
    assert judged_of(json.loads(json.dumps(stored))) == Judged(Outcome.ALLOWED, 2, {Severity.WARN: 3})
    assert judged_of({**stored, "outcome": "passed"}).outcome is Outcome.ALLOWED


def test_what_blocks_and_is_stored_all_the_same_was_waived() -> None:
    now = Situation(SubjectName("s"), SettingsInForce(ConfigInForce({}, "server")), "READWRITE", NO_HISTORY)
    finding = Finding("R", Severity.BLOCK, "/", "", "")
    verdict = Verdict((Comparison(Direction.BACKWARD, 1, (finding,)),))
    assert judged(now, verdict) == Judged(Outcome.WAIVED, 1, {Severity.BLOCK: 1})
