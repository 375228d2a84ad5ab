"""Two messages: which fields came, went and moved, and what the message says about itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from accord.diff.changes import Effort
from accord.diff.protobuf_changes import Difference, Differs
from accord.diff.protobuf_fields import by_number, spelled_field
from accord.diff.protobuf_oneofs import is_relocated, oneofs
from accord.diff.protobuf_profile import FieldKey, Pairing
from accord.diff.protobuf_reserved import Reservations, reservations, spelled, uncovered
from accord.diff.protobuf_sides import is_same_setting
from accord.diff.protobuf_types import keyed
from accord.formats.protobuf.features import JsonFormat
from accord.formats.protobuf.kinds import Label

if TYPE_CHECKING:
    from accord.diff.changes import Steps
    from accord.diff.protobuf_sides import Sides
    from accord.formats.protobuf.fields import Field
    from accord.formats.protobuf.model import Message

STEPS_PER_FIELD = 4


def messages(sides: Sides, reader: Message, writer: Message) -> Steps:
    """Compare two messages and the fields they share."""
    yield Effort(STEPS_PER_FIELD * (len(reader.proto.field) + len(writer.proto.field)))
    yield from _message(sides, reader, writer)
    yield from _deleted(sides, reader, writer)
    yield from _required(sides, reader, writer)
    yield from oneofs(sides, reader, writer)
    yield from _shared(sides, reader, writer)
    if sides.tells_reservations:
        kind = Difference.RESERVED_MESSAGE_NO_DELETE
        yield from reservations(sides, reader, writer, reader.fields, kind)


def _message(sides: Sides, reader: Message, writer: Message) -> Steps:
    if sides.profile.syntax_per_message and reader.file.syntax != writer.file.syntax:
        values = (reader.file.syntax, writer.file.syntax)
        yield Differs(reader.at, Difference.FILE_SAME_SYNTAX, reader.name, *values)
    if writer.features.json == JsonFormat.ALLOW and reader.features.json != JsonFormat.ALLOW:
        yield Differs((*reader.at, "json_format"), Difference.MESSAGE_SAME_JSON_FORMAT, reader.name)
    option = "no_standard_descriptor_accessor"
    if getattr(reader.proto.options, option) and not getattr(writer.proto.options, option):
        kind = Difference.MESSAGE_NO_REMOVE_STANDARD_DESCRIPTOR_ACCESSOR
        yield Differs((*reader.at, "options", option), kind, reader.name)
    for wanted, lacking in uncovered(reader.extension_ranges, writer.extension_ranges, ends_only=False):
        values = (spelled(lacking, writer.largest), spelled([wanted], writer.largest))
        yield Differs(reader.at, Difference.EXTENSION_MESSAGE_NO_DELETE, reader.name, *values)
    if sides.profile.pairing is Pairing.REACHABLE:
        yield from _unsupported(reader)


def _unsupported(reader: Message) -> Steps:
    if reader.extension_ranges or reader.is_message_set:
        what = "message_set_wire_format" if reader.is_message_set else "extension ranges"
        yield Differs(reader.at, Difference.UNSUPPORTED_FEATURE, reader.name, what)


def _deleted(sides: Sides, reader: Message, writer: Message) -> Steps:
    new, names = sides.by_number(reader), sides.by_name(reader)
    held = Reservations(reader)
    for old in sides.fields(writer):
        is_named = old.name in names
        if not is_named and sides.tells_reservations:
            yield from _unprotected(reader, old, held, is_used=old.number in new)
        is_gone = old.number not in new if sides.profile.key is FieldKey.NUMBER else not is_named
        if not is_gone:
            continue
        yield Differs(reader.at, Difference.FIELD_NO_DELETE, spelled_field(old), lost=old.at)
        if sides.tells_reservations and not held.has_number(old.number):
            kind = Difference.FIELD_NO_DELETE_UNLESS_NUMBER_RESERVED
            yield Differs(reader.at, kind, spelled_field(old), lost=old.at)
        if sides.tells_reservations and old.name not in held.names:
            kind = Difference.FIELD_NO_DELETE_UNLESS_NAME_RESERVED
            yield Differs(reader.at, kind, spelled_field(old), lost=old.at)
    was = sides.by_number(writer)
    for field in sides.fields(reader):
        if field.number not in was:
            yield Differs(field.at, Difference.FIELD_ADDED, spelled_field(field))


def _unprotected(reader: Message, old: Field, held: Reservations, *, is_used: bool) -> Steps:
    """A name is gone: it must be reserved, and so must its number, unless another field has it now."""
    lacking = []
    if old.name not in held.names:
        lacking.append("name")
    if not is_used and not held.has_number(old.number):
        lacking.append("number")
    if lacking:
        kind = Difference.FIELD_NO_DELETE_UNLESS_NAME_AND_NUMBER_RESERVED
        yield Differs(reader.at, kind, spelled_field(old), " and ".join(lacking), lost=old.at)


def _required(sides: Sides, reader: Message, writer: Message) -> Steps:
    new, old = sides.by_number(reader), sides.by_number(writer)
    is_counted = not sides.profile.required_in_proto2 or writer.file.syntax == "proto2"
    for number, field in new.items():
        if sides.is_required(field) and number not in old and is_counted:
            yield Differs(field.at, Difference.REQUIRED_FIELD_ADDED, spelled_field(field))
    for number, field in old.items():
        if sides.is_required(field) and number not in new:
            kind = Difference.REQUIRED_FIELD_REMOVED
            yield Differs(reader.at, kind, spelled_field(field), lost=field.at)
    ours, theirs = (
        {field.number: field for field in one.fields if field.label is Label.REQUIRED}
        for one in (reader, writer)
    )
    for number, field in theirs.items():
        if number not in ours:
            kind = Difference.MESSAGE_SAME_REQUIRED_FIELDS
            yield Differs(reader.at, kind, spelled_field(field), lost=field.at)
    for number, field in ours.items():
        if number not in theirs:
            yield Differs(field.at, Difference.MESSAGE_SAME_REQUIRED_FIELDS, spelled_field(field))


def _shared(sides: Sides, reader: Message, writer: Message) -> Steps:
    new, names = sides.by_number(reader), sides.by_name(reader)
    is_by_name = sides.profile.key is FieldKey.NAME
    is_same = is_same_setting(reader.file, writer.file) and reader.features == writer.features
    for old in sides.fields(writer):
        numbered, named = new.get(old.number), names.get(old.name)
        if is_same and numbered is not None and _is_unchanged(numbered, old):
            continue
        if numbered is not None:
            yield from _same_number(sides, numbered, old)
        if named is not None and named.number != old.number and _is_renumbered(sides, named, old):
            numbers = (str(named.number), str(old.number))
            yield Differs(named.at, Difference.FIELD_SAME_NUMBER, old.name, *numbers, lost=old.at)
        same = named if is_by_name else numbered
        if same is not None and (sides.profile.compares_relocated or not is_relocated(same, old)):
            yield from keyed(sides, same, old)


def _is_unchanged(reader: Field, writer: Field) -> bool:
    """Tell whether two fields say the same and nothing else says it for them: no rule has anything to add."""
    proto = writer.proto
    return not proto.type_name and not proto.HasField("oneof_index") and reader.proto == proto


def _same_number(sides: Sides, reader: Field, writer: Field) -> Steps:
    if sides.profile.compares_relocated or not is_relocated(reader, writer):
        yield from by_number(sides, reader, writer)


def _is_renumbered(sides: Sides, reader: Field, writer: Field) -> bool:
    return not sides.profile.numbers_of_ordinary or (reader.oneof is None and writer.oneof is None)
