"""The fakes answer as what they stand for does."""

from __future__ import annotations

import pytest

from accord.client import RegistryNotFound
from accord.errors import ReferenceNotFound
from accord.model import Format, Reference, SchemaText
from tests.fakes import FakeRegistry

TEXT = SchemaText(Format.AVRO, '"int"')


def test_what_is_not_there_is_missing() -> None:
    registry = FakeRegistry()
    registry.add(7, TEXT, "a")
    with pytest.raises(RegistryNotFound):
        registry.schema(8)
    with pytest.raises(RegistryNotFound):
        registry.latest("b")
    with pytest.raises(ReferenceNotFound):
        registry.resolve(Reference("r", "a", 2))


def test_the_newest_version_is_the_last_added() -> None:
    registry = FakeRegistry()
    registry.add(7, SchemaText(Format.AVRO, '"long"'), "a")
    registry.add(9, TEXT, "a")
    found = registry.latest("a")
    assert (found.number, found.schema) == (2, TEXT)
    assert registry.resolve(Reference("r", "a", 2)) == registry.schema(9) == TEXT
