"""Schema texts and registrations for tests below the API."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from accord.model import Format, Reference, SchemaText
from accord.naming import split_subject
from registry import services
from registry.records import RegisterVersion
from tests.registry.client import optional, record

if TYPE_CHECKING:
    from accord_server.kit.scope import Scope
    from registry.records import RegisteredVersion


def source(schema: object, *references: tuple[str, str, int]) -> SchemaText:
    """Make a schema text of a value."""
    return SchemaText(Format.AVRO, json.dumps(schema), tuple(Reference(*one) for one in references))


def nested(depth: int) -> str:
    """Make the text of an array of arrays."""
    return '{"type":"array","items":' * depth + '"int"' + "}" * depth


def grown(count: int) -> dict[str, object]:
    """Make one of many schemas of which each can be read as each."""
    return record("a", *[optional(f"f{number}") for number in range(count)])


def register(
    scope: Scope, subject: str, schema: object, *references: tuple[str, str, int]
) -> RegisteredVersion:
    """Register a value under a subject."""
    return services.register_version(
        scope, RegisterVersion(split_subject(subject), source(schema, *references))
    )
