"""Schemas built to explode: a clear refusal in good time, and the server goes on.

The time is a safety margin for a busy machine, not a figure of speed.
"""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.registry.client import Registry

pytestmark = pytest.mark.django_db

SAFETY_SECONDS = 120


def choices(depth: int, width: int, leaf: str) -> Any:
    """Choices of choices: width to the power of depth ways to match them."""
    schema: Any = {"type": leaf}
    for level in range(depth):
        schema = {"oneOf": [{"items": schema, "minItems": level + n} for n in range(width)]}
    return schema


def circle(count: int) -> Any:
    links = {f"d{n}": {"$ref": f"#/$defs/d{(n + 1) % count}"} for n in range(count)}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "$ref": "#/$defs/d0", "$defs": links}


def recursion(count: int, leaf: str) -> Any:
    """Definitions that all hold a choice between all of them."""
    options = [{"items": {"$ref": f"#/definitions/d{n}"}} for n in range(count)]
    definitions = {f"d{n}": {"anyOf": options} for n in range(count - 1)}
    return {"$ref": "#/definitions/d0", "definitions": {**definitions, f"d{count - 1}": {"type": leaf}}}


def patterned(**properties: Any) -> Any:
    patterns = {"(x{1,100}){1,9}y" + str(n): {"type": "string"} for n in range(50)}
    return {"type": "object", "patternProperties": patterns, "properties": properties}


REFUSED = {
    "a circle of ten thousand definitions": (json.dumps(circle(10_000)), "leads back to itself"),
    "an exponent": ('{"multipleOf": 1e400000000}', "beyond the range of a double"),
    "brackets": ("[" * 100_000, "deeper than 160 levels"),
}
EXPLODING = {
    "nested choices": (choices(5, 5, "string"), choices(5, 5, "null")),
    "mutual recursion": (recursion(60, "string"), recursion(60, "null")),
    "patterns": (patterned(), patterned(**{"x" * 1_000: {}})),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_text_that_means_harm_is_refused_with_its_place(api: Registry, name: str) -> None:
    text, words = REFUSED[name]
    answer = api.call("POST", "/subjects/s/versions", {"schemaType": "JSON", "schema": text})
    assert answer.status == 422
    assert words in answer.body["message"]
    assert len(answer.body["message"]) < 1_000


@pytest.mark.parametrize("name", EXPLODING)
def test_a_comparison_that_would_not_end_is_refused(api: Registry, name: str) -> None:
    old, new = EXPLODING[name]
    api.registered("s", old, schemaType="JSON")
    began = time.process_time()
    answer = api.register("s", new, schemaType="JSON")
    assert time.process_time() - began < SAFETY_SECONDS
    assert answer.error == (409, 40901)
    assert "the comparison takes more than 500000 steps" in answer.body["message"]
    assert "shorten its lists of oneOf, anyOf and allOf, or its patternProperties" in answer.body["message"]
    assert api.versions("s") == [1]
