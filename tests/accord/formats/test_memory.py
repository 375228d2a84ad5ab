"""Schemas with the same references may share what these bring: each is looked up and parsed once."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from accord.formats import parse
from accord.model import Format, Reference, SchemaText
from tests.fakes import FakeRegistry

ADDRESS = {"type": "record", "name": "geo.Address", "fields": [{"name": "city", "type": "string"}]}
REFERENCES = (Reference("geo.Address", "address-value", 1),)


@dataclass
class Memory:
    """The port, kept in a list."""

    kept: list[object] = field(default_factory=list)

    def recall(self) -> object | None:
        """What was kept first."""
        return self.kept[0] if self.kept else None

    def keep(self, found: object) -> None:
        """Keep one more."""
        self.kept.append(found)


def home(name: str, references: tuple[Reference, ...] = REFERENCES) -> SchemaText:
    fields = [{"name": "at", "type": "geo.Address" if references else "string"}]
    return SchemaText(Format.AVRO, json.dumps({"type": "record", "name": name, "fields": fields}), references)


def test_what_references_bring_is_kept_and_not_asked_for_again() -> None:
    registry, memory = FakeRegistry(), Memory()
    registry.add(1, SchemaText(Format.AVRO, json.dumps(ADDRESS)), "address-value")
    first = parse(home("First"), registry, strict=True, memory=memory)
    second = parse(home("Second"), None, strict=True, memory=memory)
    assert len(memory.kept) == 1
    assert second.resolved() == first.resolved().replace("First", "Second")
    assert "city" in second.resolved()


def test_a_schema_without_references_leaves_the_memory_alone() -> None:
    memory = Memory()
    parse(home("Alone", ()), None, strict=True, memory=memory)
    assert memory.kept == []
