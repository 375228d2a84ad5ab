"""Bodies to begin from: an example for every operation of an OpenAPI document that takes a JSON object."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from accord_server.kit.operations import JSON_TYPE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

Json = dict[str, Any]

ORDER: Final = '{"type": "record", "name": "Order", "fields": [{"name": "id", "type": "long"}]}'
# The SHA-256 of nothing.
EMPTY: Final = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
# Where nothing must be said, one of these is, or else whatever comes first.
TELLING: Final = ("schema", "compatibility")
# What a member may be that is called so, wherever it stands; others are made up from their schemas.
SAMPLES: Final[Mapping[str, Any]] = {
    "alias": "orders",
    "compatibility": "FULL_TRANSITIVE",
    "confirm": "acme",
    "description": "What is known of every order.",
    "email": "dora@example.org",
    "expires_at": "2030-01-31T12:00:00Z",
    "file": "shop/order.proto",
    "level": "BACKWARD",
    "limits": {"subjects": 1000},
    "mode": "READONLY",
    "name": "orders",
    "namespace": "payments",
    "owner": "service:ci",
    "password": "a long one that nobody guesses",
    "policy": "orders-care",
    "principal": "service:ci",
    "reason": "agreed with all consumers",
    "rights": ["subject.read", "compat.check"],
    "role": "developer",
    "schema": ORDER,
    "slug": "payments",
    "source": "https://registry.example.org",
    "source_sha256": EMPTY,
    "state": "deprecated",
    "subject": "orders-value",
    "target_sha256": EMPTY,
    "template": "queue-safe",
    "text": "Use version 2.",
    "texts": {"item.proto": 'syntax = "proto3"; message Item { string name = 1; }'},
    "digests": [EMPTY],
    "token": "the text that was shown once",
    "url": "https://hooks.example.org/accord",
    "username": "dora",
    "from": "1",
}


def add_examples(document: Json) -> Json:
    """Give every JSON object that a document takes an example, unless it has one; return the document."""
    components = document["components"]["schemas"]
    for body in _bodies(document):
        schema = resolved(body["schema"], components)
        # A text in a form of its own has none: nobody reads it between quotation marks.
        if "example" not in body and ("anyOf" in schema or schema.get("type") == "object"):
            body["example"] = example_of(body["schema"], components)
    return document


def example_of(schema: Json, components: Json, name: str = "") -> Any:  # noqa: ANN401  # any value of JSON
    """Return a small value that fits a schema; ``name`` is that of the member it is for."""
    schema = resolved(schema, components)
    if name in SAMPLES:
        return SAMPLES[name]
    for given in ("default", "const"):
        if given in schema:
            return schema[given]
    if "enum" in schema:
        return schema["enum"][0]
    choices = schema.get("anyOf") or schema.get("oneOf")
    if choices:
        return example_of(choices[0], components, name)
    return _plain(schema, components)


def resolved(schema: Json, components: Json) -> Json:
    """Return what a reference leads to; a schema that is none, as it is."""
    if "$ref" not in schema:
        return schema
    found: Json = components[schema["$ref"].rpartition("/")[2]]
    return found


def _plain(schema: Json, components: Json) -> Any:  # noqa: ANN401  # as above
    kinds = schema.get("type", "string")
    match kinds if isinstance(kinds, str) else kinds[0]:
        case "object":
            members = schema.get("properties", {})
            # A change of nothing is refused.
            told = schema.get("required") or [one for one in (*TELLING, *members) if one in members][:1]
            return {one: example_of(members[one], components, one) for one in told}
        case "array":
            return [example_of(schema["items"], components)]
        case "integer":
            return max(1, schema.get("minimum", 1))
        case "boolean":
            return True
    return "example"


def _bodies(document: Json) -> Iterator[Json]:
    for operations in document["paths"].values():
        for operation in operations.values():
            content = operation.get("requestBody", {}).get("content", {})
            if JSON_TYPE in content:
                yield content[JSON_TYPE]
