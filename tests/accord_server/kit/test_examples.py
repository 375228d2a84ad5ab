"""Examples of bodies: every one fits what the document says of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft202012Validator, FormatChecker

from accord_server.kit.api_documents import api_documents
from accord_server.kit.examples import example_of

if TYPE_CHECKING:
    from collections.abc import Iterator


def bodies() -> Iterator[Any]:
    """Every JSON body of every document."""
    for one in api_documents():
        document = one.load()
        for operations in document["paths"].values():
            for operation in operations.values():
                body = operation.get("requestBody", {}).get("content", {}).get("application/json")
                if body:
                    yield pytest.param(
                        body, document["components"], id=f"{one.name} {operation['operationId']}"
                    )


@pytest.mark.parametrize(("body", "components"), list(bodies()))
def test_every_example_fits(body: dict[str, Any], components: dict[str, Any]) -> None:
    if "example" not in body:
        assert body["schema"].get("type", "string") == "string"  # a text in a form of its own, such as YAML
        return
    check = Draft202012Validator({**body["schema"], "components": components}, format_checker=FormatChecker())
    assert [one.message for one in check.iter_errors(body["example"])] == []


@pytest.mark.parametrize(
    ("schema", "made"),
    [
        ({"const": 3}, 3),
        ({"type": ["integer", "null"], "minimum": 7}, 7),
        ({"type": "array", "items": {"enum": ["a", "b"]}}, ["a"]),
        ({"type": "object", "properties": {"x": {"type": "boolean"}, "y": {}}}, {"x": True}),
        ({"oneOf": [{"$ref": "#/components/schemas/Text"}]}, "example"),
    ],
)
def test_what_has_no_sample_is_made_up(schema: dict[str, Any], made: object) -> None:
    assert example_of(schema, {"Text": {"type": "string"}}) == made
