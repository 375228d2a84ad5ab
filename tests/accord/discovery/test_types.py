"""Types of fields that go by one name: when they conflict."""

from __future__ import annotations

import pytest

from accord.discovery.types import TypeUse, family, is_conflicting

AVRO, JSON, PROTOBUF = "AVRO", "JSON", "PROTOBUF"


@pytest.mark.parametrize(
    ("type_", "told"),
    [
        ("long", "integer"),
        ("array of int64", "array of integer"),
        ("map of string to sfixed32", "map of string to integer"),
        ("bool", "boolean"),
        ("shop.float", "shop.float"),
        ("", ""),
    ],
)
def test_all_formats_share_the_words_for_a_kind_of_value(type_: str, told: str) -> None:
    assert family(type_) == told


@pytest.mark.parametrize(
    ("uses", "is_so"),
    [
        ([], False),
        ([(AVRO, "string")], False),
        ([(AVRO, "string"), (AVRO, "long")], True),
        ([(AVRO, "int"), (AVRO, "long")], True),
        ([(AVRO, "int"), (PROTOBUF, "int64"), (JSON, "integer")], False),
        ([(AVRO, "double"), (JSON, "number")], False),
        ([(AVRO, "string"), (JSON, "integer")], True),
    ],
)
def test_types_conflict_within_a_format_when_they_differ(uses: list[tuple[str, str]], *, is_so: bool) -> None:
    assert is_conflicting(TypeUse(*one) for one in uses) is is_so
