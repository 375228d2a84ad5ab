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
from accord.diff.changes import Effort, Pair, Probe
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
# How much looking at fields and branches costs as much as one step of the driver.
FIELDS_PER_STEP = 4
BRANCHES_PER_STEP = 8
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
        return _some_branch(reader, writer, ())
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
    """Every branch of the writer must be readable by some branch of the reader."""
    for position, branch in enumerate(writer.branches):
        yield from _some_branch(reader, branch, (str(position),))


def _some_branch(reader: Union, writer: Node, at: Tokens) -> Steps:
    """Any branch of the reader will do; the likeliest is tried first, which changes no answer."""
    if len(reader.branches) > BRANCHES_PER_STEP:
        yield Effort(len(reader.branches) // BRANCHES_PER_STEP)
    if any(_is_read_as_is(branch, writer) for branch in reader.branches):
        return
    closest = _closest(reader, writer)
    likely = [] if closest is None else [closest]
    for branch in [*likely, *(branch for branch in reader.branches if branch is not closest)]:
        if (yield Probe(Pair(branch, writer))):
            return
    is_telling = closest is not None and not isinstance(closest, Primitive)
    yield BranchMissing(at, writer.kind, Pair(closest, writer) if is_telling else None)


def _is_read_as_is(reader: Node, writer: Node) -> bool:
    """Tell whether there is nothing to say about a pair, whatever the rules in force."""
    if not (isinstance(reader, Primitive) and isinstance(writer, Primitive)):
        return False
    return not reader.props and not writer.props and _is_promoted(reader, writer)


def _closest(reader: Union, writer: Node) -> Node | None:
    """Return the reader's branch of the writer's kind and name, else the only one of its kind.

    Of several whose names match, the one of the same full name comes first.
    """
    alike = [branch for branch in reader.branches if branch.kind is writer.kind]
    matching = [branch for branch in alike if _is_named_alike(branch, writer)]
    if matching:
        return next((branch for branch in matching if _has_full_name(branch, writer)), matching[0])
    return alike[0] if len(alike) == 1 else None


def _has_full_name(reader: Node, writer: Node) -> bool:
    return isinstance(reader, NAMED) and isinstance(writer, NAMED) and reader.name == writer.name


def _is_named_alike(reader: Node, writer: Node) -> bool:
    if not (isinstance(reader, NAMED) and isinstance(writer, NAMED)):
        return True
    return reader.name.simple == writer.name.simple or _is_alias(reader, writer)


def _is_alias(reader: Named, writer: Named) -> bool:
    return any(alias.full == writer.name.full for alias in reader.aliases)


def _names(reader: Named, writer: Named) -> Steps:
    """Simple names match whatever their namespaces, or an alias of the reader does."""
    if reader.name == writer.name:
        return
    if _is_alias(reader, writer):
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
    if len(reader.fields) > FIELDS_PER_STEP:
        yield Effort(len(reader.fields) // FIELDS_PER_STEP)
    by_name = {field.name: field for field in writer.fields}
    for position, field in enumerate(reader.fields):
        match = by_name.get(field.name)
        if match is None or field.aliases:
            yield from _aliased_field(field, writer, by_name=by_name, position=position)
        elif not _is_read_as_is(field.type, match.type):
            yield from _field_types(field, match, position)


def _aliased_field(field: Field, writer: Record, *, by_name: dict[str, Field], position: int) -> Steps:
    """Look for the field by its aliases as well, and say so if there is none or more than one."""
    names = dict.fromkeys((field.name, *field.aliases))
    matches = [by_name[name] for name in names if name in by_name]
    if len(matches) > 1:
        found = tuple(match.name for match in matches)
        at = ("fields", str(position))
        yield FieldAmbiguous(at, field.name, writer.name.full, found)
    if matches:
        yield from _field_types(field, matches[0], position)
    elif not field.has_default:
        yield from _missing_field(field, writer, ("fields", str(position)))


def _field_types(reader: Field, writer: Field, position: int) -> Steps:
    """Compare plain types on the spot: they are most of all fields, and no pair of their own."""
    at = ("fields", str(position), "type")
    if isinstance(reader.type, Primitive) and isinstance(writer.type, Primitive):
        yield from _plain(reader.type, writer.type, at)
    else:
        yield Pair(reader.type, writer.type, at)


def _missing_field(field: Field, writer: Record, at: Tokens) -> Steps:
    """An enum with a default of its own is compared with the record, and so never fits."""
    if isinstance(field.type, Enum) and field.type.default is not None:
        yield Pair(field.type, writer, (*at, "type"))
    else:
        yield FieldMissing(at, field.name)


def _is_promoted(reader: Node, writer: Node) -> bool:
    return reader.kind is writer.kind or writer.kind in PROMOTIONS.get(reader.kind, NO_KINDS)


def _plain(reader: Node, writer: Node, at: Tokens) -> Steps:
    if not _is_promoted(reader, writer):
        yield TypeDiffers(at, reader.kind, writer.kind)
    else:
        yield from _annotations(reader, writer, at)


def _annotations(reader: Node, writer: Node, at: Tokens) -> Steps:
    meant, was = logical_type(reader), logical_type(writer)
    if meant != was:
        yield LogicalTypeDiffers(at, meant, was)
