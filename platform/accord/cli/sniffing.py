"""Which format a schema file is written in: by its name, and where that says nothing, by its text.

Avro and JSON Schema are both JSON. ``.avsc`` is Avro. A ``.json`` file is JSON Schema unless its text can
only be Avro: a bare name, a union (a list), a type that JSON Schema does not have, or an array whose items
are named.
"""

from __future__ import annotations

from pathlib import PurePath
from typing import Final

from accord.formats import DEFAULT_LIMITS, jsontext
from accord.model import Format

SUFFIXES: Final = {".avsc": Format.AVRO, ".proto": Format.PROTOBUF, ".json": None}
AVRO_ALONE: Final = frozenset(
    ("record", "error", "enum", "fixed", "map", "bytes", "int", "long", "float", "double")
)


def format_of(path: str, text: str) -> Format:
    """The format of a file by its suffix, else by its text; text that is no JSON counts as Avro."""
    suffix = PurePath(path).suffix.lower()
    by_name = SUFFIXES.get(suffix)
    if by_name is not None:
        return by_name
    try:
        value = jsontext.read(text, depth=DEFAULT_LIMITS.depth, unique=False)
    except jsontext.JsonError:
        return Format.JSON if suffix in SUFFIXES else Format.AVRO
    return Format.AVRO if _is_avro(value) else Format.JSON


def _is_avro(value: jsontext.Json) -> bool:
    if isinstance(value, str | list):
        return True
    if not isinstance(value, dict) or "$schema" in value:
        return False
    kind = value.get("type")
    if kind == "array":
        items = value.get("items")
        return isinstance(items, str) or (isinstance(items, list) and any(isinstance(i, str) for i in items))
    return isinstance(kind, str) and kind in AVRO_ALONE
