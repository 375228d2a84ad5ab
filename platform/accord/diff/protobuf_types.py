"""Two fields that the profile takes for one: their types, labels, and the messages behind them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from accord.diff.changes import Probe
from accord.diff.protobuf_changes import Difference, Differs
from accord.diff.protobuf_fields import spelled_field, spelled_kind
from accord.diff.protobuf_kinds import are_scalars_alike
from accord.diff.protobuf_oneofs import name_of
from accord.diff.protobuf_profile import FieldKey, Groups, Labels, Pairing, TypeNames
from accord.formats.protobuf.kinds import Kind, Label
from accord.formats.protobuf.model import Enum, Message

if TYPE_CHECKING:
    from accord.diff.changes import Steps
    from accord.diff.protobuf_profile import ProtobufProfile
    from accord.diff.protobuf_sides import Sides
    from accord.formats.protobuf.fields import Field
    from accord.formats.protobuf.model import Type

MAP, MESSAGE, SCALAR = "map", "message", "scalar"


def keyed(sides: Sides, reader: Field, writer: Field) -> Steps:
    """Compare types, labels, maps and oneofs, and go on to the messages behind."""
    profile = sides.profile
    yield from _types(profile, reader, writer)
    yield from _categories(sides, reader, writer)
    yield from _labels(profile, reader, writer)
    if not reader.is_extension and name_of(reader) != name_of(writer):
        names = (name_of(reader) or "none", name_of(writer) or "none")
        yield Differs((*reader.at, "oneof"), Difference.FIELD_SAME_ONEOF, spelled_field(reader), *names)


def category(profile: ProtobufProfile, field: Field) -> str:
    """Return the coarse sort of a field."""
    if field.is_map and not profile.sees_map_entries:
        return MAP
    return MESSAGE if field.kind.is_message else SCALAR


def type_name(profile: ProtobufProfile, field: Field) -> str:
    """Return the name that counts, of a message or enum."""
    match profile.names:
        case TypeNames.IGNORED:
            return ""
        case TypeNames.SPELLED:
            return field.spelled_type
        case TypeNames.SIMPLE if field.type is not None:
            return field.type.name
        case TypeNames.PACKAGE_RELATIVE if field.type is not None:
            return field.type.nested_name
    return field.type_name


def _is_same_type(profile: ProtobufProfile, reader: Field, writer: Field) -> bool:
    if profile.sees_map_entries or reader.entry is None or writer.entry is None:
        return reader.kind is writer.kind and type_name(profile, reader) == type_name(profile, writer)
    pairs = zip(reader.entry.fields, writer.entry.fields, strict=True)
    return all(
        new.kind is old.kind and type_name(profile, new) == type_name(profile, old) for new, old in pairs
    )


def _value(profile: ProtobufProfile, field: Field) -> Field:
    """Return the field whose type counts where keys and values of maps are told apart by name."""
    is_apart = profile.key is FieldKey.NAME and profile.labels is Labels.REPEATED_FLAG
    return field.entry.fields[1] if is_apart and field.entry is not None else field


def _types(profile: ProtobufProfile, reader: Field, writer: Field) -> Steps:
    at, name = (*reader.at, "type"), spelled_field(reader)
    values = (spelled_kind(reader), spelled_kind(writer))
    if not _is_same_type(profile, _value(profile, reader), _value(profile, writer)):
        yield Differs(at, Difference.FIELD_SAME_TYPE, name, *values)
    if reader.is_map is not writer.is_map:
        yield Differs(at, Difference.FIELD_MAP_SAME, name, *values)
    elif reader.entry is not None and writer.entry is not None:
        keys = [field.entry.fields[0].kind for field in (reader, writer) if field.entry is not None]
        if keys[0] is not keys[1]:
            spelled = (keys[0].spelled, keys[1].spelled)
            yield Differs(at, Difference.MAP_KEY_SAME_TYPE, name, *spelled)


def _categories(sides: Sides, reader: Field, writer: Field) -> Steps:
    profile = sides.profile
    new, old = category(profile, reader), category(profile, writer)
    at, name = (*reader.at, "type"), spelled_field(reader)
    values = (spelled_kind(reader), spelled_kind(writer))
    if new != old:
        if not (_is_encoded_message(profile, reader, writer) or _is_written_out(profile, reader, writer)):
            yield Differs(at, Difference.FIELD_SAME_TYPE_CATEGORY, name, *values)
    elif new == SCALAR:
        if not are_scalars_alike(profile.groups, reader.kind, writer.kind):
            yield Differs(at, Difference.FIELD_WIRE_COMPATIBLE_SCALAR, name, *values)
        if profile.pairing is Pairing.REACHABLE and isinstance(reader.type, Enum):
            sides.reach(reader.type, writer.type)
    elif new == MESSAGE:
        yield from _message(sides, reader, writer)
    else:
        parts = [field.entry.fields for field in (reader, writer) if field.entry is not None]
        for ours, theirs in zip(*parts, strict=True):
            yield from _part(sides, reader, ours, theirs)


def _part(sides: Sides, field: Field, reader: Field, writer: Field) -> Steps:
    """Compare keys or values of maps, of which there are no entries to walk."""
    at, name = (*field.at, "type"), spelled_field(field)
    values = (spelled_kind(reader), spelled_kind(writer))
    new, old = category(sides.profile, reader), category(sides.profile, writer)
    if new != old:
        yield Differs(at, Difference.FIELD_SAME_TYPE_CATEGORY, name, *values)
    elif new == MESSAGE:
        yield from _message(sides, reader, writer, outer=field)
    elif not are_scalars_alike(sides.profile.groups, reader.kind, writer.kind):
        yield Differs(at, Difference.FIELD_WIRE_COMPATIBLE_SCALAR, name, *values)


def _is_encoded_message(profile: ProtobufProfile, reader: Field, writer: Field) -> bool:
    return profile.groups is Groups.BINARY and {reader.kind, writer.kind} == {Kind.BYTES, Kind.MESSAGE}


def _is_written_out(profile: ProtobufProfile, reader: Field, writer: Field) -> bool:
    """Tell whether one is a map and the other a list of messages like its entries: the same on the wire."""
    if profile.groups is not Groups.BINARY:
        return False
    return _is_like_entries(reader, writer) or _is_like_entries(writer, reader)


def _is_like_entries(held: Field, other: Field) -> bool:
    """Tell whether a list holds messages like the entries of a map."""
    if held.entry is None or other.is_map or not other.is_repeated or not isinstance(other.type, Message):
        return False
    fields = sorted(other.type.fields, key=lambda one: one.number)
    parts = [(one.number, one.kind, one.type_name) for one in fields if not one.is_repeated]
    return parts == [(one.number, one.kind, one.type_name) for one in held.entry.fields]


def _message(sides: Sides, reader: Field, writer: Field, outer: Field | None = None) -> Steps:
    held = outer or reader
    at, name = (*held.at, "type"), spelled_field(held)
    values = (spelled_kind(reader), spelled_kind(writer))
    if type_name(sides.profile, reader) != type_name(sides.profile, writer):
        yield Differs(at, Difference.FIELD_SAME_MESSAGE_NAME, name, *values)
    elif reader.type is not None and writer.type is not None:
        yield from _behind(sides, held, reader.type, writer.type)


def _behind(sides: Sides, held: Field, reader: Type, writer: Type) -> Steps:
    pair = sides.follow(reader, writer)
    if pair is not None and not (yield Probe(pair)):
        name = spelled_field(held)
        kind = Difference.FIELD_MESSAGE_CONTENT_COMPATIBLE
        yield Differs((*held.at, "type"), kind, name, reader.full_name, writer.full_name)


def _labels(profile: ProtobufProfile, reader: Field, writer: Field) -> Steps:
    if _is_written_out(profile, reader, writer):
        return
    at, name = (*reader.at, "label"), spelled_field(reader)
    new, old = _is_list(profile, reader), _is_list(profile, writer)
    if new and not old:
        yield Differs(at, Difference.FIELD_SINGULAR_TO_REPEATED, name)
    if old and not new:
        yield Differs(at, Difference.FIELD_REPEATED_TO_SINGULAR, name)
    if _counts(profile, reader, writer):
        is_, was = (_label(profile, field) for field in (reader, writer))
        if is_ != was:
            yield Differs(at, Difference.FIELD_SAME_LABEL, name, is_ or "none", was or "none")


def _is_list(profile: ProtobufProfile, field: Field) -> bool:
    return field.is_repeated and (profile.sees_map_entries or not field.is_map)


def _counts(profile: ProtobufProfile, reader: Field, writer: Field) -> bool:
    """Tell whether labels count for a field of this kind."""
    if profile.numeric_labels and (writer.kind.is_text or writer.kind.is_message):
        return False
    if profile.labels is not Labels.SOURCE_BOTH_PRESENT:
        return True
    is_alike = are_scalars_alike(profile.groups, reader.kind, writer.kind)
    return is_alike and Label.NONE not in {reader.source_label, writer.source_label}


def _label(profile: ProtobufProfile, field: Field) -> str:
    match profile.labels:
        case Labels.CARDINALITY:
            return field.cardinality
        case Labels.DESCRIPTOR:
            return field.label
        case Labels.REPEATED_FLAG:
            return "repeated" if _is_list(profile, field) else "singular"
    return field.source_label
