"""Records of whole numbers and texts, as each format writes and reads them, for the model."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any, Final

# How a schema of the format names the record R of another subject (2.12).
REFERENCE_NAMES: Final = {"AVRO": "R", "JSON": "R.json", "PROTOBUF": "R.proto"}
NUMBERS: Final = {"a": 1, "b": 2, "r": 3}
OPTIONS: Final = {"x": "java_package", "y": "objc_class_prefix"}
Field = tuple[str, Any, bool]


@dataclass(frozen=True)
class Sketch:
    """A record: its fields by name, with type and whether they have a default, and its attributes.

    The type of a field is ``int``, ``string``, the name of a referenced record, or that record. Messages of
    Protobuf have no defaults; their attributes are options of the file.
    """

    name: str
    fields: tuple[Field, ...]
    attributes: tuple[tuple[str, int], ...] = ()
    format: str = "AVRO"

    def of(self, format_: str) -> Sketch:
        """Return the same in another format, in which no record but Avro's is written inside another."""
        fields = self.fields
        if format_ != "AVRO":
            fields = tuple(
                (name, "R" if isinstance(kind, Sketch) else kind, has) for name, kind, has in fields
            )
        return replace(self, fields=fields, format=format_)

    def text(self, *, normalize: bool = False) -> str:
        """Return what is stored (2.7), or that of ``normalize=true`` (2.8)."""
        return {"AVRO": _avro, "JSON": _json, "PROTOBUF": _protobuf}[self.format](self, normalize)

    def reads(self, writer: Sketch) -> bool:
        """Tell whether data of another record can be read by this one (5.2 to 5.4)."""
        if self.format != writer.format:
            return False
        rule = {"AVRO": _avro_reads, "JSON": _json_reads, "PROTOBUF": _protobuf_reads}[self.format]
        return rule(self, writer)


def _avro(sketch: Sketch, normalize: bool) -> str:
    return json.dumps(_avro_value(sketch, normalize), separators=(",", ":"))


def _avro_value(sketch: Sketch, normalize: bool) -> dict[str, Any]:
    fields = [
        {
            "name": name,
            "type": _avro_value(kind, normalize) if isinstance(kind, Sketch) else kind,
            **({"default": 0} if has_default else {}),
        }
        for name, kind, has_default in sketch.fields
    ]
    attributes = sorted(sketch.attributes) if normalize else sketch.attributes
    return {"type": "record", "name": sketch.name, "fields": fields, **dict(attributes)}


def _json(sketch: Sketch, normalize: bool) -> str:
    kinds = {"int": {"type": "integer"}, "string": {"type": "string"}, "R": {"$ref": "R.json"}}
    value = {
        "type": "object",
        "title": sketch.name,
        "properties": {
            name: {**kinds[kind], **({"default": 0} if has_default else {})}
            for name, kind, has_default in sketch.fields
        },
        "required": [name for name, _, has_default in sketch.fields if not has_default],
        "additionalProperties": False,
        **dict(sketch.attributes),
    }
    return json.dumps(value, separators=(",", ":"), sort_keys=normalize)


def _protobuf(sketch: Sketch, normalize: bool) -> str:
    kinds = {"int": "int32", "string": "string", "R": ".R" if normalize else "R"}
    attributes = sorted(sketch.attributes) if normalize else sketch.attributes
    sections = [
        ['syntax = "proto3";'],
        ['import "R.proto";'] if any(kind == "R" for _, kind, _ in sketch.fields) else [],
        [f'option {OPTIONS[name]} = "{value}";' for name, value in attributes],
        [
            f"message {sketch.name} {{",
            *(f"  {kinds[kind]} {name} = {NUMBERS[name]};" for name, kind, _ in sketch.fields),
            "}",
        ],
    ]
    return "\n\n".join("\n".join(section) for section in sections if section) + "\n"


def _avro_reads(reader: Sketch, writer: Sketch) -> bool:
    written = {name: kind for name, kind, _ in writer.fields}
    return reader.name == writer.name and all(
        _type_reads(kind, written[name]) if name in written else has_default
        for name, kind, has_default in reader.fields
    )


def _json_reads(reader: Sketch, writer: Sketch) -> bool:
    """Closed objects; a property without a default is required (5.4)."""
    known = {name: (kind, has_default) for name, kind, has_default in writer.fields}
    if known.keys() - {name for name, _, _ in reader.fields}:
        return False
    return all(
        has_default
        if name not in known
        else (has_default or not known[name][1]) and _type_reads(kind, known[name][0])
        for name, kind, has_default in reader.fields
    )


def _protobuf_reads(reader: Sketch, writer: Sketch) -> bool:
    known = {name: kind for name, kind, _ in writer.fields}
    return reader.name == writer.name and all(
        _type_reads(kind, known[name]) for name, kind, _ in reader.fields if name in known
    )


def _type_reads(reader: Any, writer: Any) -> bool:
    if isinstance(reader, Sketch) and isinstance(writer, Sketch):
        return reader.reads(writer)
    return bool(reader == writer)
