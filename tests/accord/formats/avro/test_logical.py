from __future__ import annotations

import pytest

from accord.formats.avro.logical import logical_type, most_digits
from tests.accord.avro_texts import avro

FIXED = {"type": "fixed", "name": "F"}


def meaning(**members: object) -> str | None:
    found = logical_type(avro(members).root)
    return None if found is None else str(found)


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        ({"type": "int", "logicalType": "date"}, "date"),
        ({"type": "long", "logicalType": "timestamp-nanos"}, "timestamp-nanos"),
        ({"type": "string", "logicalType": "uuid"}, "uuid"),
        (FIXED | {"size": 16, "logicalType": "uuid"}, "uuid"),
        (FIXED | {"size": 12, "logicalType": "duration"}, "duration"),
        ({"type": "bytes", "logicalType": "big-decimal"}, "big-decimal"),
        ({"type": "bytes", "logicalType": "decimal", "precision": 4, "scale": 4}, "decimal(4,4)"),
        (FIXED | {"size": 4, "logicalType": "decimal", "precision": 9}, "decimal(9,0)"),
    ],
)
def test_annotations_that_fit_mean_something(members: dict[str, object], expected: str) -> None:
    assert meaning(**members) == expected


@pytest.mark.parametrize(
    "members",
    [
        {"type": "int"},
        {"type": "int", "logicalType": "timestamp-millis"},
        {"type": "int", "logicalType": 5},
        {"type": "int", "logicalType": "unheard-of"},
        {"type": "int", "logicalType": "decimal", "precision": 4},
        {"type": "bytes", "logicalType": "decimal"},
        {"type": "bytes", "logicalType": "decimal", "precision": 0},
        {"type": "bytes", "logicalType": "decimal", "precision": -1},
        {"type": "bytes", "logicalType": "decimal", "precision": True},
        {"type": "bytes", "logicalType": "decimal", "precision": 4, "scale": 5},
        {"type": "bytes", "logicalType": "decimal", "precision": 4, "scale": "2"},
        FIXED | {"size": 4, "logicalType": "decimal", "precision": 10},
        FIXED | {"size": 4, "logicalType": "duration"},
        FIXED | {"size": 4, "logicalType": 5},
        {"type": "array", "items": "int", "logicalType": "date"},
    ],
)
def test_annotations_that_do_not_fit_stay_and_mean_nothing(members: dict[str, object]) -> None:
    assert meaning(**members) is None
    if "logicalType" in members:
        assert '"logicalType":' in avro(members).canonical


def test_the_digits_that_fit_into_bytes() -> None:
    assert [most_digits(size) for size in (0, 1, 4, 8, 16)] == [0, 2, 9, 18, 38]
