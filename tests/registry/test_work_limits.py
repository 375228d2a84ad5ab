"""However long the history, one check takes a bounded number of steps."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from accord.model import Format, SchemaText, SubjectName
from accord.policy import STEPS_PER_CHECK
from registry.records import RegisterVersion
from registry.services import check_candidate, judging, register_version
from tests.registry.forgetting import forget_verdicts

if TYPE_CHECKING:
    from tests.cast import Actor, ScopeFor

pytestmark = pytest.mark.django_db

SUBJECT = SubjectName("wide-value")


def wide(doc: str) -> SchemaText:
    """A record of 40 nullable fields."""
    fields = [{"name": f"f{n}", "type": ["null", "int"], "default": None} for n in range(40)]
    return SchemaText(
        Format.AVRO, json.dumps({"type": "record", "name": "Wide", "doc": doc, "fields": fields})
    )


def test_a_pair_may_take_a_part_of_what_a_check_may() -> None:
    assert 0 < judging.STEPS_PER_PAIR < STEPS_PER_CHECK


def test_a_check_that_runs_out_of_steps_blocks_and_is_not_remembered(
    alice: Actor, scope_for: ScopeFor, monkeypatch: pytest.MonkeyPatch
) -> None:
    scope = scope_for(alice)
    for doc in ("a", "b", "c"):
        register_version(scope, RegisterVersion(SUBJECT, wide(doc)))
    forget_verdicts()
    monkeypatch.setattr(judging, "STEPS_PER_CHECK", 3)
    refused = check_candidate(scope, SUBJECT, wide("d"))
    assert "CHECK_TOO_LARGE" in {finding.rule for finding in refused.findings}
    monkeypatch.undo()
    assert check_candidate(scope, SUBJECT, wide("d")).is_allowed
