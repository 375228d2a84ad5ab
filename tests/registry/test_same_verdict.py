"""The registry and `accord check` give the same verdict, finding by finding, on every shared vector."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from accord.cli.cases import Case, Older, Source, Status
from accord.cli.deciding import Decision
from accord.cli.judging import judged
from accord.model import Format, SchemaText
from accord.model.levels import CONFLUENT_LEVELS
from accord.policy import Policy
from tests.registry.policies.asking import NAMESPACE, Native

if TYPE_CHECKING:
    from tests.registry.client import Registry

pytestmark = pytest.mark.django_db

RULES = Path(__file__).parents[1] / "accord" / "rules"
FILES = [
    (Format.AVRO, "avro/vectors.jsonl", ("confluent:8.1",)),
    (Format.JSON, "jsonschema/vectors.jsonl", ("confluent:8.1", "confluent:8.1:lenient")),
    (Format.JSON, "jsonschema/optional_friendly.jsonl", ("optional-friendly:1",)),
]


def pairs(format_: Format, name: str) -> list[tuple[SchemaText, SchemaText]]:
    """The old and the new text of each vector."""
    names = ("writer", "reader") if format_ is Format.AVRO else ("old", "new")
    lines = map(json.loads, (RULES / name).read_text(encoding="utf-8").splitlines())
    return [
        (SchemaText(format_, json.dumps(one[names[0]])), SchemaText(format_, json.dumps(one[names[1]])))
        for one in lines
    ]


Findings = list[tuple[str, str, str, str]]


def by_registry(api: Registry, subject: str, new: SchemaText, *, preset: str) -> tuple[bool, Findings]:
    """What the interface says of a schema against what is stored."""
    policy = {"name": "tried", "default": {"preset": preset, "level": "FULL"}}
    body = {"schema": new.text, "format": str(new.format), "policy": policy}
    told = Native(api.token).ok("POST", f"{NAMESPACE}/subjects/{subject}/verdict", body)
    findings = [
        (one["rule"], one["path"], one["severity"], each["direction"])
        for each in told["comparisons"]
        for one in each["findings"]
    ]
    return told["is_compatible"], findings


def by_program(old: SchemaText, new: SchemaText, *, policy: Policy) -> tuple[bool, Findings]:
    """What the command line says."""
    before = Older(Source("old", old), "old", 1)
    outcome = judged(Case(Source("new", new), (before,), Decision(policy)))
    assert outcome.explanation is not None
    findings = [
        (one.rule, one.path, str(one.severity), str(each.direction))
        for each in outcome.explanation.comparisons
        for one in each.findings
    ]
    return outcome.status is Status.ALLOWED, findings


@pytest.mark.parametrize(("format_", "name", "presets"), FILES, ids=str)
def test_every_vector_gets_one_verdict(
    api: Registry, format_: Format, name: str, presets: tuple[str, ...]
) -> None:
    """Under FULL both directions count, so that every finding of every level is among them."""
    for number, (old, new) in enumerate(pairs(format_, name), start=1):
        body = {"schema": old.text, "schemaType": str(format_)}
        api.ok("POST", f"/subjects/s{number}/versions", body)
        for preset in presets:
            policy = Policy(CONFLUENT_LEVELS["FULL"], preset)
            registry = by_registry(api, f"s{number}", new, preset=preset)
            assert registry == by_program(old, new, policy=policy), (old, new)
