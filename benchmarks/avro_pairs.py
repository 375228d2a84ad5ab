"""Pairs of Avro schemas as registries see them: wide events that grow, nest, rename and go wrong."""

from __future__ import annotations

import json
import random
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

PRIMITIVES = ("int", "long", "float", "double", "string", "bytes", "boolean")
SEED = 20261121


@dataclass(frozen=True)
class Pair:
    """Two schema texts: what the reader expects and what the data was written with."""

    reader: str
    writer: str


def field(source: random.Random, number: int, depth: int) -> dict[str, Any]:
    """One field of a random type: primitive, optional, enum, array, map or a record inside."""
    name, primitive = f"field_{number}", source.choice(PRIMITIVES)
    kinds: list[Any] = [
        primitive,
        primitive,
        ["null", primitive],
        {"type": "array", "items": primitive},
        {"type": "map", "values": primitive},
        {"type": "enum", "name": f"Enum{source.randrange(10**9)}", "symbols": ["A", "B", "C"]},
        record(source, depth - 1) if depth else primitive,
    ]
    chosen = source.choice(kinds)
    return {"name": name, "type": chosen, **({"default": None} if isinstance(chosen, list) else {})}


def record(source: random.Random, depth: int) -> dict[str, Any]:
    """A record of five to thirty fields with a name of its own."""
    fields = [field(source, number, depth) for number in range(source.randint(5, 30))]
    return {"type": "record", "name": f"Record{source.randrange(10**9)}", "fields": fields}


def evolved(source: random.Random, schema: dict[str, Any]) -> dict[str, Any]:
    """The same record a release later: a field gained, one lost, sometimes one retyped."""
    later = deepcopy(schema)
    later["fields"].append({"name": "added", "type": ["null", "string"], "default": None})
    later["fields"].pop(source.randrange(5))
    if source.random() < 0.3:  # noqa: PLR2004 - about a third of the pairs is incompatible
        retyped = later["fields"][source.randrange(4)]["name"]
        later["fields"] = [one for one in later["fields"] if one["name"] != retyped]
        later["fields"].append({"name": retyped, "type": source.choice(PRIMITIVES)})
    return later


def wide(source: random.Random, fields: int) -> dict[str, Any]:
    """A record of exactly so many fields, none of them a record."""
    written = [field(source, number, 0) for number in range(fields)]
    return {"type": "record", "name": f"Record{source.randrange(10**9)}", "fields": written}


def wide_pairs(count: int, fields: int, seed: int = SEED) -> list[Pair]:
    """Make pairs of wide records that are the same for the same seed."""
    source = random.Random(f"{seed} {fields}")
    writers = [wide(source, fields) for _ in range(count)]
    return [Pair(json.dumps(evolved(source, writer)), json.dumps(writer)) for writer in writers]


def pairs(count: int, seed: int = SEED) -> list[Pair]:
    """Make pairs that are the same for the same seed."""
    source = random.Random(seed)
    made = []
    for _ in range(count):
        writer = record(source, depth=2)
        made.append(Pair(json.dumps(evolved(source, writer)), json.dumps(writer)))
    return made
