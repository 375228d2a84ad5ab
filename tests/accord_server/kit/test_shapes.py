"""Types as schemas: what an answer may hold, and what it may not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NotRequired, TypedDict

import pytest

from accord_server.kit.shapes import Id, members_of, schema_of


class Inner(TypedDict):
    """Something inside."""

    word: Literal["a", "b"]


class Outer(TypedDict):
    ids: list[Id]
    inner: Inner | None
    rest: NotRequired[Mapping[str, Any]]
    number: int | None


def by_name(shape: type) -> dict[str, Any]:
    return {"$ref": shape.__name__}


def test_a_shape_says_its_members_and_which_must_be_there() -> None:
    assert members_of(Outer, by_name) == {
        "type": "object",
        "properties": {
            "ids": {"type": "array", "items": {"type": "string", "format": "uuid"}},
            "inner": {"anyOf": [{"$ref": "Inner"}, {"type": "null"}]},
            "rest": {"type": "object", "additionalProperties": {}},
            "number": {"type": ["integer", "null"]},
        },
        "required": ["ids", "inner", "number"],
    }
    assert members_of(Inner, by_name)["description"] == "Something inside."


def test_what_is_no_json_is_refused() -> None:
    with pytest.raises(TypeError, match="an answer cannot hold"):
        schema_of(bytes, by_name)
