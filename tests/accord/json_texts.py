"""Short hand for tests that parse and judge JSON Schemas."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from accord.formats import DEFAULT_LIMITS, parse
from accord.formats.jsonschema.schema import JsonSchema
from accord.model import Format, Reference, SchemaText, Severity
from accord.policy import HistoryEntry, Policy, judge
from accord.policy.level_names import parse_level
from accord.rules.presets import PRESETS
from tests.accord.stand_ins import Shelf

if TYPE_CHECKING:
    from accord.formats import Limits
    from accord.model import ReferenceResolver, Verdict

MODERN = "https://json-schema.org/draft/2020-12/schema"
# Everything that Confluent's registry finds, those that it does not report as well.
TOLD = {
    rule: Severity.INFO
    for rule, severity in PRESETS["confluent:8.1"].items()
    if severity is Severity.OFF and rule not in ("OBJECT_NOT_CLOSED", "FORMAT_CHANGED", "KEYWORD_CHANGED")
}


def json_schema(
    schema: Any,  # any JSON value, right or wrong
    *,
    references: tuple[Reference, ...] = (),
    resolver: ReferenceResolver | None = None,
    strict: bool = True,
    limits: Limits = DEFAULT_LIMITS,
) -> JsonSchema:
    """Parse a schema given as JSON value, or as text."""
    text = schema if isinstance(schema, str) else json.dumps(schema)
    parsed = parse(SchemaText(Format.JSON, text, references), resolver, strict=strict, limits=limits)
    assert isinstance(parsed, JsonSchema)
    return parsed


def with_references(schema: Any, texts: dict[str, Any]) -> JsonSchema:
    """Parse a schema that refers to others by their names."""
    references = tuple(Reference(name, name, 1) for name in texts)
    shelf = Shelf({(name, 1): SchemaText(Format.JSON, json.dumps(one)) for name, one in texts.items()})
    return json_schema(schema, references=references, resolver=shelf)


def verdict(
    candidate: JsonSchema, *olds: JsonSchema, level: str = "BACKWARD", preset: str = "confluent:8.1"
) -> Verdict:
    """Judge a candidate against versions 1, 2, 3 and so on."""
    history = [HistoryEntry(number, old) for number, old in enumerate(olds, start=1)]
    return judge(candidate, history, Policy(parse_level(level), preset=preset))


def allows(candidate: JsonSchema, *olds: JsonSchema, level: str = "BACKWARD") -> bool:
    """Tell whether the candidate is allowed."""
    return verdict(candidate, *olds, level=level).is_allowed


def differences(new: Any, old: Any) -> list[str]:
    """Types and places of all differences between two schemas, sorted."""
    policy = Policy(parse_level("BACKWARD"), overrides=TOLD)
    found = judge(json_schema(new), [HistoryEntry(1, json_schema(old))], policy).findings
    return sorted(f"{finding.rule} {finding.location}" for finding in found)
