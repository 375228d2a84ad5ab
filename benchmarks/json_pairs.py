"""Pairs of JSON Schemas as registries see them: wide closed events that grow, nest, and go wrong."""

from __future__ import annotations

import json
import random
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

SEED = 20261121
KINDS = ("string", "integer", "number", "boolean")


@dataclass(frozen=True)
class Pair:
    """Two schema texts: what the reader expects and what the data was written with."""

    reader: str
    writer: str


def field(source: random.Random) -> dict[str, Any]:
    """One property of a random kind: plain, bounded, nullable, a list, an enum, or an object inside."""
    kind = source.choice(KINDS)
    kinds: list[dict[str, Any]] = [
        {"type": kind},
        {"type": kind, "description": f"number {source.randrange(10**9)}"},
        {"type": "string", "maxLength": source.randrange(1, 99)},
        {"type": [kind, "null"]},
        {"type": "array", "items": {"type": kind}},
        {"enum": ["a", "b", source.randrange(10**9)]},
        {"type": "object", "properties": {"x": {"type": kind}}, "additionalProperties": False},
        {"$ref": "#/definitions/Money"},
    ]
    return source.choice(kinds)


def event(source: random.Random, fields: int) -> dict[str, Any]:
    """A closed object with so many properties, a few of them required."""
    names = [f"field_{number}" for number in range(fields)]
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "type": "object",
        "properties": {name: field(source) for name in names},
        "required": names[:3],
        "additionalProperties": False,
        "definitions": {"Money": {"type": "object", "properties": {"amount": {"type": "number"}}}},
    }


def evolved(source: random.Random, schema: dict[str, Any]) -> dict[str, Any]:
    """The same event a release later: a property gained, sometimes one required or retyped."""
    later = deepcopy(schema)
    later["properties"]["added"] = {"type": "string"}
    if source.random() < 0.3:  # noqa: PLR2004 - about a third of the pairs is incompatible
        later["properties"]["field_0"] = {"type": "null"}
    return later


def pairs(count: int, fields: int, seed: int = SEED) -> list[Pair]:
    """Make pairs that are the same for the same seed."""
    source = random.Random(f"{seed} {fields}")
    made = []
    for _ in range(count):
        older = event(source, fields)
        made.append(Pair(json.dumps(evolved(source, older)), json.dumps(older)))
    return made


def branches(count: int, fields: int = 1) -> Pair:
    """Choices between so many objects, in another order and each with wider bounds inside.

    What tells them apart is their last property, behind so many texts.
    """

    def branch(number: int, longest: int) -> dict[str, Any]:
        texts = {f"text_{place}": {"type": "string", "maxLength": longest} for place in range(fields)}
        properties = {**texts, "kind": {"const": f"k{number}"}}
        return {"type": "object", "properties": properties, "required": ["kind"]}

    writer = {"oneOf": [branch(number, 10) for number in range(count)]}
    reader = {"oneOf": [branch(number, 20) for number in reversed(range(count))]}
    return Pair(json.dumps(reader), json.dumps(writer))
