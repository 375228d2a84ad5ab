"""The walk over two Avro schemas: Avro Java's ``SchemaCompatibility``, one pair of nodes at a time.

Every difference becomes a change, in the order in which Java reports them. Which node counts as the
same again, and what becomes of pairs that are still being compared, is decided by the driver.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from accord.diff.avro_changes import (
    BranchMissing,
    FieldAmbiguous,
    FieldMissing,
    LogicalTypeDiffers,
    NameDiffers,
    NamespaceDiffers,
    SizeDiffers,
    SymbolsMissing,
    TypeDiffers,
)
from accord.diff.changes import Pair, Probe
from accord.formats.avro.logical import logical_type
from accord.formats.avro.model import Array, Enum, Fixed, Kind, Map, Primitive, Record, Union

if TYPE_CHECKING:
    from accord.diff.changes import Steps, Tokens
    from accord.formats.avro.model import Field, Named, Node

# reader <- writers it reads besides its own type
PROMOTIONS: dict[Kind, frozenset[Kind]] = {
    Kind.LONG: frozenset({Kind.INT}),
    Kind.FLOAT: frozenset({Kind.INT, Kind.LONG}),
    Kind.DOUBLE: frozenset({Kind.INT, Kind.LONG, Kind.FLOAT}),
    Kind.BYTES: frozenset({Kind.STRING}),
    Kind.STRING: frozenset({Kind.BYTES}),
}
NAMED = (Record, Enum, Fixed)
NO_KINDS: frozenset[Kind] = frozenset()


def walk(pair: Pair) -> Steps:
    """Emit what differs between two Avro nodes, and the inner pairs to go on with.

    Source: Apache Avro 1.12 ``SchemaCompatibility``; locations follow the reader, union positions
    the writer.
    """
    # Pairs are alike for all formats; those of this walk come from Avro's model.
    reader, writer = cast("Node", pair.reader), cast("Node", pair.writer)
    if isinstance(reader, Union) and isinstance(writer, Union):
        return _branches(reader, writer)
    if isinstance(writer, Union):
        return _each_branch(reader, writer)
    if isinstance(reader, Union):
        return _some_branch(reader, writer)
    return _single_types(reader, writer)


def _single_types(reader: Node, writer: Node) -> Steps:
    match reader, writer:
        case Array(), Array():
            yield Pair(reader.items, writer.items, ("items",))
        case Map(), Map():
            yield Pair(reader.values, writer.values, ("values",))
        case Record(), Record():
            yield from _names(reader, writer)
            yield from _fields(reader, writer)
        case Enum(), Enum():
            yield from _names(reader, writer)
            yield from _symbols(reader, writer)
        case Fixed(), Fixed():
            yield from _names(reader, writer)
            yield from _fixed(reader, writer)
        case _:
            yield from _plain(reader, writer, ())


def _each_branch(reader: Node, writer: Union) -> Steps:
    """A reader that is no union must read whatever the writer may have chosen."""
    for position, branch in enumerate(writer.branches):
        yield Pair(reader, branch, (str(position),))


def _branches(reader: Union, writer: Union) -> Steps:
    """Every branch of the writer must be readable by the reader's union as a whole."""
    for position, branch in enumerate(writer.branches):
        if not (yield Probe(Pair(reader, branch))):
            yield BranchMissing((str(position),), branch.kind, _closest(reader, branch))


def _some_branch(reader: Union, writer: Node) -> Steps:
    """Any branch of the reader will do; there is no first choice by name."""
    for branch in reader.branches:
        if (yield Probe(Pair(branch, writer))):
            return
    yield BranchMissing((), writer.kind, _closest(reader, writer))


def _closest(reader: Union, writer: Node) -> Pair | None:
    """Return the reader's branch of the writer's kind and name, else the only one of its kind."""
    if isinstance(writer, Primitive):
        return None
    alike = [branch for branch in reader.branches if branch.kind is writer.kind]
    named = [branch for branch in alike if _is_named_alike(branch, writer)]
    best = named or (alike if len(alike) == 1 else [])
    return Pair(best[0], writer) if best else None


def _is_named_alike(reader: Node, writer: Node) -> bool:
    if not (isinstance(reader, NAMED) and isinstance(writer, NAMED)):
        return True
    return not any(isinstance(change, NameDiffers) for change in _names(reader, writer))


def _names(reader: Named, writer: Named) -> Steps:
    """Simple names match whatever their namespaces, or an alias of the reader does."""
    if reader.name == writer.name:
        return
    if any(alias.full == writer.name.full for alias in reader.aliases):
        return
    differs = NamespaceDiffers if reader.name.simple == writer.name.simple else NameDiffers
    yield differs(("name",), reader.name.full, writer.name.full)


def _fixed(reader: Fixed, writer: Fixed) -> Steps:
    if reader.size != writer.size:
        yield SizeDiffers(("size",), reader.size, writer.size)
    yield from _annotations(reader, writer, ())


def _symbols(reader: Enum, writer: Enum) -> Steps:
    """The reader's own default stands for symbols it lacks; a default it lacks too does not."""
    known = set(reader.symbols)
    missing = sorted(set(writer.symbols) - known)
    if missing and reader.default not in known:
        yield SymbolsMissing(("symbols",), tuple(missing))


def _fields(reader: Record, writer: Record) -> Steps:
    """Go through the reader's fields; what only the writer has is not read and does not matter."""
    by_name = {field.name: field for field in writer.fields}
    for position, field in enumerate(reader.fields):
        names = dict.fromkeys((field.name, *field.aliases))
        matches = [by_name[name] for name in names if name in by_name]
        at = ("fields", str(position))
        if len(matches) > 1:
            full, found = writer.name.full, tuple(match.name for match in matches)
            yield FieldAmbiguous(at, field.name, full, found)
        if matches:
            yield from _field_types(field.type, matches[0].type, (*at, "type"))
        elif not field.has_default:
            yield from _missing_field(field, writer, at)


def _field_types(reader: Node, writer: Node, at: Tokens) -> Steps:
    """Compare plain types on the spot: they are most of all fields, and no pair of their own."""
    if isinstance(reader, Primitive) and isinstance(writer, Primitive):
        yield from _plain(reader, writer, at)
    else:
        yield Pair(reader, writer, at)


def _missing_field(field: Field, writer: Record, at: Tokens) -> Steps:
    """An enum with a default of its own is compared with the record, and so never fits."""
    if isinstance(field.type, Enum) and field.type.default is not None:
        yield Pair(field.type, writer, (*at, "type"))
    else:
        yield FieldMissing(at, field.name)


def _plain(reader: Node, writer: Node, at: Tokens) -> Steps:
    is_read = reader.kind is writer.kind or writer.kind in PROMOTIONS.get(reader.kind, NO_KINDS)
    if not is_read:
        yield TypeDiffers(at, reader.kind, writer.kind)
    else:
        yield from _annotations(reader, writer, at)


def _annotations(reader: Node, writer: Node, at: Tokens) -> Steps:
    if getattr(reader, "props", None) or getattr(writer, "props", None):
        meant, was = logical_type(reader), logical_type(writer)
        if meant != was:
            yield LogicalTypeDiffers(at, meant, was)
