"""Short hand for tests that parse and judge Avro schemas."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from accord.formats import DEFAULT_LIMITS, parse
from accord.formats.avro.schema import AvroSchema
from accord.model import Format, Reference, SchemaText
from accord.policy import HistoryEntry, Policy, judge
from accord.policy.level_names import parse_level

if TYPE_CHECKING:
    from accord.formats import Limits, ParsedSchema
    from accord.model import ReferenceResolver, Verdict


def avro(
    schema: Any,  # any JSON value, right or wrong
    *,
    references: tuple[Reference, ...] = (),
    resolver: ReferenceResolver | None = None,
    strict: bool = True,
    limits: Limits = DEFAULT_LIMITS,
) -> AvroSchema:
    """Parse a schema given as JSON value, or as text if it is a string that is no type name."""
    text = schema if isinstance(schema, str) else json.dumps(schema)
    parsed = parse(SchemaText(Format.AVRO, text, references), resolver, strict=strict, limits=limits)
    assert isinstance(parsed, AvroSchema)
    return parsed


def record(*fields: Any, name: str = "R", **members: Any) -> dict[str, Any]:  # JSON
    """A record; a field is an object, or a name and a type."""
    written = [field if isinstance(field, dict) else {"name": field[0], "type": field[1]} for field in fields]
    return {"type": "record", "name": name, **members, "fields": written}


def verdict(
    candidate: ParsedSchema, *olds: ParsedSchema, level: str = "BACKWARD", preset: str = "confluent:8.1"
) -> Verdict:
    """Judge a candidate against versions 1, 2, 3 and so on."""
    history = [HistoryEntry(number, old) for number, old in enumerate(olds, start=1)]
    return judge(candidate, history, Policy(parse_level(level), preset=preset))


def allows(candidate: ParsedSchema, *olds: ParsedSchema, level: str = "BACKWARD") -> bool:
    """Tell whether the candidate is allowed."""
    return verdict(candidate, *olds, level=level).is_allowed
