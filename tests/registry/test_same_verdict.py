"""The registry and `accord check` give the same verdict, finding by finding, on every shared vector."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import UUID

import pytest

from accord.cli.cases import Case, Older, Source, Status
from accord.cli.deciding import Decision
from accord.cli.judging import judged
from accord.model import Direction, Format, SchemaText, Severity, SubjectName
from accord.model.levels import CONFLUENT_LEVELS
from accord.policy import Policy
from registry.queries.standing import History
from registry.records import HistoryRow
from registry.services.candidates import prepare
from registry.services.judging import judge_levels

if TYPE_CHECKING:
    from collections.abc import Iterable

    from accord.model import Comparison
    from accord.policy.explanation import ExplainedComparison
    from accord_server.kit.scope import Scope

pytestmark = pytest.mark.django_db

RULES = Path(__file__).parents[1] / "accord" / "rules"
S = SubjectName("s")
NOW = datetime(2026, 1, 1, tzinfo=UTC)
FILES = [
    (Format.AVRO, "avro/vectors.jsonl", "confluent:8.1"),
    (Format.JSON, "jsonschema/vectors.jsonl", "confluent:8.1"),
    (Format.JSON, "jsonschema/vectors.jsonl", "confluent:8.1:lenient"),
    (Format.JSON, "jsonschema/optional_friendly.jsonl", "optional-friendly:1"),
]


def pairs(format_: Format, name: str) -> list[tuple[SchemaText, SchemaText]]:
    """The old and the new text of each vector."""
    names = ("writer", "reader") if format_ is Format.AVRO else ("old", "new")
    lines = map(json.loads, (RULES / name).read_text(encoding="utf-8").splitlines())
    return [
        (SchemaText(format_, json.dumps(one[names[0]])), SchemaText(format_, json.dumps(one[names[1]])))
        for one in lines
    ]


def history_of(scope: Scope, text: SchemaText, number: int) -> History:
    """A history of one version, whose model the process remembers."""
    old = prepare(scope, S, text, strict=False)
    row = HistoryRow(
        version_key=number,
        number=1,
        is_deleted=False,
        schema_key=number,
        schema_id=number,
        contract_key=None,
        identity=old.identity,
        equivalence=old.equivalence,
        references=(),
        guid=UUID(int=number),
        born=(NOW, NOW),
        created_by="",
        level="",
        text_bytes=len(text.text),
        content_key=old.key[1:],
    )
    return History((row,), number, str(number))


Findings = list[tuple[str, str, Severity, Direction]]


def found_in(comparisons: Iterable[Comparison] | Iterable[ExplainedComparison]) -> Findings:
    """What is compared of a verdict."""
    return [
        (one.rule, one.path, one.severity, each.direction) for each in comparisons for one in each.findings
    ]


def by_registry(
    scope: Scope, old: SchemaText, new: SchemaText, *, policy: Policy, number: int
) -> tuple[bool, Findings]:
    """What the registry says."""
    candidate, history = prepare(scope, S, new), history_of(scope, old, number)
    verdict = judge_levels(scope, candidate, policy, history, [policy.level])[policy.level]
    return verdict.is_allowed, found_in(verdict.comparisons)


def by_program(old: SchemaText, new: SchemaText, *, policy: Policy) -> tuple[bool, Findings]:
    """What the command line says."""
    before = Older(Source("old", old), "old", 1)
    outcome = judged(Case(Source("new", new), (before,), Decision(policy)))
    assert outcome.explanation is not None
    return outcome.status is Status.ALLOWED, found_in(outcome.explanation.comparisons)


@pytest.mark.parametrize(("format_", "name", "preset"), FILES, ids=str)
def test_every_vector_gets_one_verdict(scope: Scope, format_: Format, name: str, preset: str) -> None:
    """Under FULL both directions count, so that every finding of every level is among them."""
    policy = Policy(CONFLUENT_LEVELS["FULL"], preset)
    for number, (old, new) in enumerate(pairs(format_, name), start=1):
        registry = by_registry(scope, old, new, policy=policy, number=number)
        assert registry == by_program(old, new, policy=policy), (old, new)
