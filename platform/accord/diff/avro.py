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
from accord.diff.avro_readable import (
    EnumDefaultDiffers,
    FieldAliased,
    FieldDefaultDiffers,
    FieldFilledIn,
    FieldNotRead,
    SymbolsDefaulted,
    TypeAliased,
    TypePromoted,
    spelled_default,
    spelled_type,
)
from accord.diff.changes import Effort, Pair, Probe
from accord.formats.avro.logical import logical_type
from accord.formats.avro.model import (
    Array,
    Enum,
    Fixed,
    Kind,
    Map,
    NamedType,
    Primitive,
    Record,
    Union,
)

if TYPE_CHECKING:
    from accord.diff.changes import Steps, Tokens
    from accord.formats.avro.model import Field, Node

# reader <- writers it reads besides its own type
PROMOTIONS: dict[Kind, frozenset[Kind]] = {
    Kind.LONG: frozenset({Kind.INT}),
    Kind.FLOAT: frozenset({Kind.INT, Kind.LONG}),
    Kind.DOUBLE: frozenset({Kind.INT, Kind.LONG, Kind.FLOAT}),
    Kind.BYTES: frozenset({Kind.STRING}),
    Kind.STRING: frozenset({Kind.BYTES}),
}
# How many steps a field takes, and how many names and branches are looked at in the time of one.
STEPS_PER_FIELD = 2
NAMES_PER_STEP = 8
BRANCHES_PER_STEP = 4
# Unions of no more branches are compared on the spot if they are all primitives.
FEW_BRANCHES = 3
NO_KINDS: frozenset[Kind] = frozenset()


def walk(pair: Pair) -> Steps:
    """Emit what differs between two Avro nodes, and the inner pairs to go on with.

    Source: Apache Avro 1.12 ``SchemaCompatibility``; locations follow the reader, union positions
    the writer.
    """
    # Pairs are alike for all formats; those of this walk come from Avro's model.
    reader, writer = cast("Node", pair.reader), cast("Node", pair.writer)
    if isinstance(reader, Record) and isinstance(writer, Record):
        return _records(reader, writer)
    if isinstance(writer, Union):
        return _branches(reader, writer) if isinstance(reader, Union) else _each_branch(reader, writer)
    if isinstance(reader, Union):
        return _some_branch(reader, writer, ())
    return _single_types(reader, writer)


def spelled(_path: Tokens, first: Tokens) -> str:
    """Spell a place as Avro Java does: that of the first visit, every time."""
    return "/" + "/".join(first)


def _single_types(reader: Node, writer: Node) -> Steps:
    match reader, writer:
        case Array(), Array():
            yield Pair(reader.items, writer.items, ("items",))
        case Map(), Map():
            yield Pair(reader.values, writer.values, ("values",))
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
    """Any branch of the reader will do; the likeliest is tried first, which changes no answer.

    What differs in the branch that fits is reported as well.
    """
    is_wide = len(reader.branches) > BRANCHES_PER_STEP
    if is_wide:
        yield Effort(len(reader.branches) // BRANCHES_PER_STEP)
    if _has_plain_reader(reader, writer):
        return
    closest = _closest(reader, writer)
    if closest is not None and (yield Probe(Pair(closest, writer, at))):
        yield Pair(closest, writer, at)
        return
    if is_wide:
        yield Effort(len(reader.branches))
    for branch in reader.branches:
        if branch is not closest and (yield Probe(Pair(branch, writer, at))):
            yield Pair(branch, writer, at)
            return
    is_telling = closest is not None and not isinstance(closest, Primitive)
    name = writer.name.full if isinstance(writer, NamedType) else ""
    yield BranchMissing(at, writer.kind, Pair(closest, writer) if is_telling else None, name)


def _is_read_as_is(reader: Node, writer: Node) -> bool:
    """Tell whether there is nothing to say about a pair, whatever the rules in force."""
    if isinstance(reader, Primitive):
        return isinstance(writer, Primitive) and _is_plainly_read(reader, writer)
    if not isinstance(reader, Union) or len(reader.branches) > FEW_BRANCHES:
        return False
    branches = writer.branches if isinstance(writer, Union) else (writer,)
    return len(branches) <= FEW_BRANCHES and all(_has_plain_reader(reader, one) for one in branches)


def _has_plain_reader(reader: Union, writer: Node) -> bool:
    if isinstance(writer, Primitive):
        for branch in reader.branches:
            if isinstance(branch, Primitive) and _is_plainly_read(branch, writer):
                return True
    return False


def _is_plainly_read(reader: Primitive, writer: Primitive) -> bool:
    return reader.kind is writer.kind and not reader.props and not writer.props


def _closest(reader: Union, writer: Node) -> Node | None:
    """Return the reader's branch of the writer's kind and name, else the only one of its kind.

    Of several whose simple names match, the one of the same full name comes first.
    """
    alike = [branch for branch in reader.branches if branch.kind is writer.kind]
    if isinstance(writer, NamedType):
        simple, full = writer.name.simple, writer.name.full
        named = [branch for branch in alike if isinstance(branch, NamedType)]
        matching = [one for one in named if one.name.simple == simple or full in one.alias_names]
        if matching:
            return next((one for one in matching if one.name.full == full), matching[0])
    return alike[0] if len(alike) == 1 else None


def _names(reader: NamedType, writer: NamedType) -> Steps:
    """Simple names match whatever their namespaces, or an alias of the reader does."""
    if reader.name == writer.name:
        return
    if writer.name.full in reader.alias_names:
        yield TypeAliased(("name",), reader.name.simple, reader.name.full, writer.name.full)
        return
    differs = NamespaceDiffers if reader.name.simple == writer.name.simple else NameDiffers
    yield differs(("name",), reader.name.full, writer.name.full)


def _fixed(reader: Fixed, writer: Fixed) -> Steps:
    if reader.size != writer.size:
        yield SizeDiffers(("size",), reader.size, writer.size)
    yield from _annotations(reader, writer, ())


def _symbols(reader: Enum, writer: Enum) -> Steps:
    """The reader's own default stands for symbols it lacks; a default it lacks too does not."""
    symbols = len(reader.symbols) + len(writer.symbols)
    if symbols > NAMES_PER_STEP:
        yield Effort(symbols // NAMES_PER_STEP)
    missing = set(writer.symbols).difference(reader.symbols)
    if missing and reader.default in reader.symbols:
        yield SymbolsDefaulted(("symbols",), tuple(sorted(missing)), reader.default)
    elif missing:
        yield SymbolsMissing(("symbols",), tuple(sorted(missing)))
    if reader.default != writer.default:
        meant, was = reader.default or "none", writer.default or "none"
        yield EnumDefaultDiffers(("default",), reader.name.simple, meant, was)


def _records(reader: Record, writer: Record) -> Steps:
    """Go through the reader's fields; what only the writer has is not read."""
    yield from _names(reader, writer)
    if len(reader.fields) > 1:
        yield Effort(STEPS_PER_FIELD * len(reader.fields))
    for position, field in enumerate(reader.fields):
        match = writer.by_name.get(field.name)
        if match is None or field.aliases:
            yield from _aliased_field(field, writer, position=position)
        else:
            if field.has_default is not match.has_default or field.default != match.default:
                yield _default_differs(field, match, position)
            if not _is_read_as_is(field.type, match.type):
                yield from _field_types(field, match, position)
    if not reader.by_name.keys() >= writer.by_name.keys():
        yield from _unread_fields(reader, writer)


def _default_differs(reader: Field, writer: Field, position: int) -> FieldDefaultDiffers:
    at = ("fields", str(position), "default")
    return FieldDefaultDiffers(at, reader.name, spelled_default(reader), spelled_default(writer))


def _unread_fields(reader: Record, writer: Record) -> Steps:
    """Name what only the writer has; it has no position in the reader, so its name leads to it."""
    yield Effort(1 + len(writer.fields) // NAMES_PER_STEP)
    read = {name for field in reader.fields for name in (field.name, *field.aliases)}
    for field in writer.fields:
        if field.name not in read:
            yield FieldNotRead(("fields", field.name), field.name)


def _aliased_field(field: Field, writer: Record, *, position: int) -> Steps:
    """Look for the field by its aliases as well, and say so if there is none or more than one."""
    yield Effort(1 + len(field.aliases) // NAMES_PER_STEP)
    names = dict.fromkeys((field.name, *field.aliases))
    matches = [writer.by_name[name] for name in names if name in writer.by_name]
    if len(matches) > 1:
        found = tuple(match.name for match in matches)
        at = ("fields", str(position))
        yield FieldAmbiguous(at, field.name, writer.name.full, found)
    if matches:
        yield from _matched_field(field, matches[0], position)
    elif field.has_default:
        yield FieldFilledIn(("fields", str(position)), field.name, spelled_default(field))
    else:
        yield from _missing_field(field, writer, ("fields", str(position)))


def _matched_field(field: Field, match: Field, position: int) -> Steps:
    if match.name != field.name:
        yield FieldAliased(("fields", str(position), "name"), field.name, field.name, match.name)
    if field.has_default is not match.has_default or field.default != match.default:
        yield _default_differs(field, match, position)
    yield from _field_types(field, match, position)


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
        yield FieldMissing(at, field.name, spelled_type(field.type))


def _is_promoted(reader: Node, writer: Node) -> bool:
    return reader.kind is writer.kind or writer.kind in PROMOTIONS.get(reader.kind, NO_KINDS)


def _plain(reader: Node, writer: Node, at: Tokens) -> Steps:
    if not _is_promoted(reader, writer):
        yield TypeDiffers(at, reader.kind, writer.kind)
        return
    if reader.kind is not writer.kind:
        yield TypePromoted(at, reader.kind, writer.kind)
    yield from _annotations(reader, writer, at)


def _annotations(reader: Node, writer: Node, at: Tokens) -> Steps:
    meant, was = logical_type(reader), logical_type(writer)
    if meant != was:
        yield LogicalTypeDiffers(at, meant, was)
