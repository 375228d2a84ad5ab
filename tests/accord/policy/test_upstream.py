"""The driver and the walk against a plain recursive transcription of avro-compat, sections 2 to 5.

The transcription has upstream's memory, weakness included, so pairs of schemas are drawn without
mutual recursion; everything else must agree: kinds, messages, places, order and repetition.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

import pytest
from hypothesis import example, given, reject

from accord.errors import InvalidSchema
from accord.formats.avro.model import Array, Enum, Fixed, Map, Record, Union
from tests.accord.avro_texts import avro, verdict
from tests.accord.rules.avro.test_vectors import VECTORS
from tests.accord.strategies import SLOW_MACHINE, avro_schemas, related_schemas

if TYPE_CHECKING:
    from accord.formats.avro.model import Node
    from accord.formats.avro.schema import AvroSchema

Reported: TypeAlias = tuple[str, str, str]

WIDENINGS = {
    ("long", "int"),
    ("float", "int"),
    ("float", "long"),
    ("double", "int"),
    ("double", "long"),
    ("double", "float"),
    ("bytes", "string"),
    ("string", "bytes"),
}


@dataclass
class Upstream:
    """One comparison; what is found is memorised by the identity of the two nodes."""

    memory: dict[tuple[int, int], list[Reported]] = field(default_factory=dict)

    def get(self, reader: Node, writer: Node, at: str = "") -> list[Reported]:
        """Compare two nodes, or repeat what is remembered of them."""
        key = (id(reader), id(writer))
        if key not in self.memory:
            self.memory[key] = []
            self.memory[key] = self.compute(reader, writer, at)
        return self.memory[key]

    def compute(self, reader: Node, writer: Node, at: str) -> list[Reported]:
        """Section 3, cases A to D."""
        if isinstance(reader, Union) and isinstance(writer, Union):
            return self.unions(reader, writer, at)
        if isinstance(writer, Union):
            branches = enumerate(writer.branches)
            return [one for i, branch in branches for one in self.get(reader, branch, f"{at}/{i}")]
        if isinstance(reader, Union):
            if any(not self.get(branch, writer) for branch in reader.branches):
                return []
            return [missing_branch(writer, at)]
        if reader.kind is writer.kind:
            return self.same_kind(reader, writer, at)
        if (reader.kind, writer.kind) in WIDENINGS:
            return []
        words = f"reader type: {reader.kind.upper()} not compatible with writer type: {writer.kind.upper()}"
        return [("TYPE_MISMATCH", words, at or "/")]

    def unions(self, reader: Union, writer: Union, at: str) -> list[Reported]:
        """Each branch of the writer by itself; what differs inside is thrown away."""
        branches = enumerate(writer.branches)
        return [missing_branch(one, f"{at}/{i}") for i, one in branches if self.get(reader, one)]

    def same_kind(self, reader: Node, writer: Node, at: str) -> list[Reported]:
        """Section 3, case A without unions."""
        match reader, writer:
            case Array(), Array():
                return self.get(reader.items, writer.items, f"{at}/items")
            case Map(), Map():
                return self.get(reader.values, writer.values, f"{at}/values")
            case Fixed(), Fixed():
                return names(reader, writer, at) + sizes(reader, writer, at)
            case Enum(), Enum():
                return names(reader, writer, at) + symbols(reader, writer, at)
            case Record(), Record():
                return names(reader, writer, at) + self.fields(reader, writer, at)
        return []

    def fields(self, reader: Record, writer: Record, at: str) -> list[Reported]:
        """Section 3, case E; the schemas drawn have no ambiguous aliases."""
        found: list[Reported] = []
        for i, one in enumerate(reader.fields):
            matches = [other for other in writer.fields if other.name in {one.name, *one.aliases}]
            if matches:
                found += self.get(one.type, matches[0].type, f"{at}/fields/{i}/type")
            elif not one.has_default and isinstance(one.type, Enum) and one.type.default is not None:
                found += self.get(one.type, writer, f"{at}/fields/{i}/type")
            elif not one.has_default:
                found.append(("READER_FIELD_MISSING_DEFAULT_VALUE", one.name, f"{at}/fields/{i}"))
        return found


def missing_branch(writer: Node, at: str) -> Reported:
    return ("MISSING_UNION_BRANCH", f"reader union lacking writer type: {writer.kind.upper()}", at or "/")


def names(reader: Record | Enum | Fixed, writer: Record | Enum | Fixed, at: str) -> list[Reported]:
    aliases = {alias.full for alias in reader.aliases}
    if reader.name.simple == writer.name.simple or writer.name.full in aliases:
        return []
    return [("NAME_MISMATCH", f"expected: {writer.name.full}", f"{at}/name")]


def sizes(reader: Fixed, writer: Fixed, at: str) -> list[Reported]:
    words = f"expected: {writer.size}, found: {reader.size}"
    return [] if reader.size == writer.size else [("FIXED_SIZE_MISMATCH", words, f"{at}/size")]


def symbols(reader: Enum, writer: Enum, at: str) -> list[Reported]:
    missing = sorted(set(writer.symbols) - set(reader.symbols))
    if not missing or reader.default in reader.symbols:
        return []
    return [("MISSING_ENUM_SYMBOLS", f"[{', '.join(missing)}]", f"{at}/symbols")]


@pytest.mark.parametrize("vector", [one for one in VECTORS if one["incompatibilities"] != "error"])
def test_the_transcription_gives_the_shared_vectors(vector: dict[str, Any]) -> None:
    reader, writer = (avro(json.dumps(vector[side]), strict=False) for side in ("reader", "writer"))
    assert [list(one) for one in Upstream().get(reader.root, writer.root)] == vector["incompatibilities"]


def agree(reader: AvroSchema, writer: AvroSchema) -> bool:
    findings = verdict(reader, writer).findings
    found = [(finding.rule, finding.detail, finding.location) for finding in findings]
    return found == Upstream().get(reader.root, writer.root)


@SLOW_MACHINE
@given(avro_schemas(), avro_schemas())
def test_two_schemas_drawn_apart_are_judged_as_upstream_does(one: object, other: object) -> None:
    assert agree(avro(json.dumps(one)), avro(json.dumps(other)))


@SLOW_MACHINE
@given(related_schemas())
@example((["int"], ["int", "int"]))
def test_a_schema_and_its_next_version_are_judged_as_upstream_does(pair: tuple[object, object]) -> None:
    try:
        one, other = (avro(json.dumps(schema), strict=False) for schema in pair)
    except InvalidSchema:
        reject()
    assert agree(one, other)
    assert agree(other, one)
