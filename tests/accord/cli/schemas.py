"""Small schemas that the tests of the command line compare."""

from __future__ import annotations

import json
from typing import Any


def record(**fields: Any) -> dict[str, Any]:
    """A record; a field given as a pair has a default."""
    made = [
        {"name": name, "type": kind[0], "default": kind[1]}
        if isinstance(kind, tuple)
        else {"name": name, "type": kind}
        for name, kind in fields.items()
    ]
    return {"type": "record", "name": "Order", "fields": made}


def column(schema: object, part: str) -> int:
    """Where a part of a schema's text begins, as the files here are written."""
    return json.dumps(schema).index(part) + 1


BARE = record(id="long")
WITH_NOTE = record(id="long", note=("string", ""))
NOTE = '{"name": "note"'
NEEDS_NOTE = record(id="long", note="string")
AS_TEXT = record(id="string")


def closed(**properties: Any) -> dict[str, Any]:
    """A closed object of JSON Schema; a property is given by its type."""
    members = {name: {"type": kind} for name, kind in properties.items()}
    return {"type": "object", "properties": members, "additionalProperties": False}
