"""Avro records to values and back: fastavro, held to what the schema and the limits allow.

The one module that imports fastavro. Values are plain: dictionaries, lists, numbers, text, bytes, None, and
what Python has for logical types (`datetime`, `date`, `time`, `Decimal`, `UUID`; times of day without a zone
are local ones). A branch of a union is chosen by what fits the value first, among records by the most
fields in common; ``(full name, value)`` chooses it by name.
"""

from __future__ import annotations

import io
from functools import cached_property
from typing import TYPE_CHECKING, Final, TypeAlias, cast

import fastavro
from fastavro.schema import SchemaParseException
from fastavro.validation import ValidationError

from accord.codecs.avro_payload import LONGEST_DECIMAL, check_payload
from accord.codecs.errors import (
    NotAvro,
    RecordTooLarge,
    UndecodableRecord,
    UnencodableValue,
    UnusableSchema,
)
from accord.codecs.limits import RECORD_LIMITS
from accord.formats import parse
from accord.formats.avro.logical import logical_type
from accord.formats.avro.model import Array, Enum, Fixed, Map, NamedType, Primitive, Record, Union
from accord.formats.avro.parse import defined_types
from accord.formats.avro.schema import AvroSchema
from accord.wire import decode_prefix, encode_prefix

if TYPE_CHECKING:
    from collections.abc import Iterable

    from accord.codecs.limits import RecordLimits
    from accord.formats.avro.model import Field, Node
    from accord.formats.jsontext import Json
    from accord.model import ReferenceResolver, SchemaText
    from accord.wire import SchemaIdentity

Value: TypeAlias = object
"""What a record becomes; which type it is depends on the schema."""

_Plan: TypeAlias = "str | list[_Plan] | dict[str, object]"

# fastavro calls itself for each level of a schema, in C and unchecked.
_DEEPEST_SCHEMA: Final = 200
_ROOT: Final = "AccordRoot"
_VALUE: Final = "value"
# Everything fastavro raises for values that do not fit, by and by.
_MISFITS: Final = (ArithmeticError, AttributeError, EOFError, LookupError, TypeError, ValueError)


class AvroCodec:
    """Reads and writes payloads (records without their frame) of one schema; safe across threads.

    Referenced types are part of the schema, so it must have been parsed with its references.
    """

    def __init__(self, schema: AvroSchema, limits: RecordLimits = RECORD_LIMITS) -> None:
        self._root = schema.root
        self._limits = limits

    def decode(self, payload: bytes) -> Value:
        """The value of a payload.

        Raises `UndecodableRecord` when the payload is not exactly one value of the schema, `RecordTooLarge`
        beyond the limits, and `UnusableSchema`.
        """
        plan = self._reader
        check_payload(self._root, payload, self._limits)
        try:
            read = fastavro.schemaless_reader(io.BytesIO(payload), plan, None)
        except _MISFITS as problem:
            raise UndecodableRecord(details=_words(problem)) from problem
        return read[_VALUE] if isinstance(read, dict) else read

    def encode(self, value: Value) -> bytes:
        """The payload of a value; missing fields take their default where that is a single value.

        Raises `UnencodableValue` when the value does not fit, also when it holds fields that the schema
        does not have, `RecordTooLarge` beyond the limits, and `UnusableSchema`.
        """
        plan = self._writer
        _check_value(value, self._limits)
        out = io.BytesIO()
        try:
            fastavro.validate({_VALUE: value}, plan)  # the writer alone cuts 2.5 down to 2
            fastavro.schemaless_writer(out, plan, {_VALUE: value}, strict_allow_default=True)
            check_payload(self._root, out.getvalue(), self._limits)
        except ValidationError as problem:
            raise UnencodableValue(details=str(problem.errors[0])) from problem
        except UndecodableRecord as problem:
            raise UnencodableValue(details=problem.details) from problem
        except _MISFITS as problem:
            raise UnencodableValue(details=_words(problem)) from problem
        return out.getvalue()

    @cached_property
    def _reader(self) -> dict[str, object]:
        return _plan(self._root, has_defaults=False)

    @cached_property
    def _writer(self) -> dict[str, object]:
        return _plan(self._root, has_defaults=True)


def decode_record(data: bytes, schema: AvroSchema) -> tuple[SchemaIdentity, Value]:
    """The schema identity and the value of a framed record; raises what `AvroCodec.decode` and the frame do.

    For one record; for many of one schema make a `AvroCodec`, for many of many ask
    `accord.client.RegistryClient.decode`.
    """
    frame = decode_prefix(data)
    return frame.identity, AvroCodec(schema).decode(frame.payload)


def encode_record(identity: SchemaIdentity, value: Value, schema: AvroSchema) -> bytes:
    """A framed record; raises what `AvroCodec.encode` and `accord.wire.encode_prefix` raise."""
    return encode_prefix(identity, AvroCodec(schema).encode(value))


def avro_schema(source: SchemaText, resolver: ReferenceResolver | None = None) -> AvroSchema:
    """A schema for records, as a registry may have stored it long ago, with its references.

    Raises `NotAvro`, and what `accord.formats.parse` raises.
    """
    is_avro = source.format is AvroSchema.format
    parsed = parse(source, resolver, strict=False) if is_avro else None
    if not isinstance(parsed, AvroSchema):
        raise NotAvro(format=source.format)
    return parsed


def _words(problem: Exception) -> str:
    return str(problem) or type(problem).__name__


def _check_value(value: Value, limits: RecordLimits) -> None:
    """Refuse values that nest too deep, those that hold themselves included."""
    level: list[Value] = [value]
    count = 0
    for _ in range(limits.depth + 1):
        count += len(level)
        if count > limits.values:
            raise RecordTooLarge(details=f"more than {limits.values} values")
        level = [inner for outer in level for inner in _inner(outer)]
        if not level:
            return
    raise RecordTooLarge(details=f"values nest deeper than {limits.depth} levels")


def _inner(value: Value) -> Iterable[Value]:
    match value:
        case dict():
            return value.values()
        case list() | tuple():
            return value
        case _:
            return ()


def _plan(root: Node, *, has_defaults: bool) -> dict[str, object]:
    """The schema as fastavro takes it: a record around it, so that it is read through only once."""
    plan = _Planner(root, has_defaults=has_defaults).plan(root, 0)
    around: dict[str, object] = {"type": "record", "name": _ROOT, "fields": [{"name": _VALUE, "type": plan}]}
    try:
        return cast("dict[str, object]", fastavro.parse_schema(around))
    except (SchemaParseException, *_MISFITS) as problem:
        raise UnusableSchema(details=_words(problem)) from problem


class _Planner:
    """Writes nodes as fastavro's own structure: full names everywhere, annotations that mean something."""

    def __init__(self, root: Node, *, has_defaults: bool) -> None:
        self._has_defaults = has_defaults
        self._written: set[str] = set()
        self._is_mixed = len({"." in name for name in defined_types(root)}) > 1

    def plan(self, node: Node, depth: int) -> _Plan:
        if depth > _DEEPEST_SCHEMA:
            raise UnusableSchema(details=f"its types nest deeper than {_DEEPEST_SCHEMA} levels")
        match node:
            case Union():
                return [self.plan(branch, depth + 1) for branch in node.branches]
            case Array():
                return {"type": "array", "items": self.plan(node.items, depth + 1)}
            case Map():
                return {"type": "map", "values": self.plan(node.values, depth + 1)}
            case Primitive():
                return {"type": str(node.kind), **_annotation(node)}
            case _:
                return self._named(node, depth)

    def _named(self, node: Record | Enum | Fixed, depth: int) -> _Plan:
        name = self._spelling(node)
        if name in self._written:
            return name
        self._written.add(name)
        match node:
            case Record():
                return {
                    "type": "record",
                    "name": name,
                    "fields": [self._field(field, depth + 1) for field in node.fields],
                }
            case Enum():
                return {"type": "enum", "name": name, "symbols": list(node.symbols)}
            case _:
                return {"type": "fixed", "name": name, "size": node.size, **_annotation(node)}

    def _field(self, field: Field, depth: int) -> dict[str, object]:
        default = {"default": field.default} if self._has_defaults and _is_plain(field) else {}
        return {"name": field.name, "type": self.plan(field.type, depth), **default}

    def _spelling(self, node: NamedType) -> str:
        """The full name; beside names with a namespace, a dot says that there is none."""
        full = node.name.full
        return f".{full}" if self._is_mixed and "." not in full else full


def _annotation(node: Primitive | Fixed) -> dict[str, Json]:
    meaning = logical_type(node)
    if meaning is None or (isinstance(node, Fixed) and node.size > LONGEST_DECIMAL):
        return {}
    if meaning.precision is None:
        return {"logicalType": meaning.name}
    return {"logicalType": meaning.name, "precision": meaning.precision, "scale": meaning.scale}


def _is_plain(field: Field) -> bool:
    """Whether the default is a single value that is written as the JSON spells it."""
    if not field.has_default or isinstance(field.default, dict | list):
        return False
    first = field.type.branches[0] if isinstance(field.type, Union) and field.type.branches else field.type
    return not (isinstance(first, Fixed) or str(first.kind) == "bytes")
