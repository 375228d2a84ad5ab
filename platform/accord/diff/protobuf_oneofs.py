"""Oneofs: what came, went, and moved in and out of them. Synthetic ones do not count."""

from __future__ import annotations

from typing import TYPE_CHECKING

from accord.diff.protobuf_changes import Difference, Differs
from accord.diff.protobuf_profile import Relocation

if TYPE_CHECKING:
    from accord.diff.changes import Steps
    from accord.diff.protobuf_sides import Sides
    from accord.formats.protobuf.fields import Field
    from accord.formats.protobuf.model import Message, Oneof


def name_of(field: Field) -> str:
    """Return the name of a field's oneof; empty outside of any."""
    return field.oneof.name if field.oneof is not None else ""


def is_relocated(reader: Field, writer: Field) -> bool:
    """Tell whether a field is in another oneof than it was, or in none any more, or in one now."""
    return name_of(reader) != name_of(writer)


def oneofs(sides: Sides, reader: Message, writer: Message) -> Steps:
    """Compare the oneofs of two messages."""
    for name, oneof in writer.oneofs.items():
        if name not in reader.oneofs:
            yield Differs(reader.at, Difference.ONEOF_NO_DELETE, name, lost=oneof.at)
        else:
            yield from _members(sides, reader.oneofs[name], oneof)
    for name, oneof in reader.oneofs.items():
        if name not in writer.oneofs:
            yield Differs(oneof.at, Difference.ONEOF_ADDED, name)
        yield from _origins(sides, oneof, writer)


def _members(sides: Sides, reader: Oneof, writer: Oneof) -> Steps:
    new, old = sides.members(reader), sides.members(writer)
    for number, field in old.items():
        if number not in new and not _is_found(sides, field, reader):
            kind = Difference.ONEOF_FIELD_NO_DELETE
            yield Differs(reader.at, kind, field.name, writer=str(number), lost=field.at)
    for number, field in new.items():
        if number not in old:
            yield Differs(field.at, Difference.ONEOF_FIELD_ADDED, field.name, str(number))


def _is_found(sides: Sides, field: Field, reader: Oneof) -> bool:
    """Tell whether the member of a oneof lives on where the profile lets it."""
    now = reader.message.by_number.get(field.number)
    if now is None or sides.profile.relocation is Relocation.SAME_ONEOF:
        return False
    return sides.profile.relocation is Relocation.MESSAGE or now.oneof is not None


def _origins(sides: Sides, oneof: Oneof, writer: Message) -> Steps:
    """Find members that exclude each other now and did not before."""
    before = sides.by_number(writer)
    known = [before[number] for number in sides.members(oneof) if number in before]
    ordinary = [field for field in known if field.oneof is None]
    names = ", ".join(field.name for field in ordinary)
    if len(ordinary) > 1:
        yield Differs(oneof.at, Difference.ONEOF_MULTIPLE_FIELDS_MOVED_IN, oneof.name, names)
    if len(ordinary) == 1 and len(known) > 1:
        yield Differs(oneof.at, Difference.ONEOF_FIELD_MOVED_TO_EXISTING, oneof.name, names)
    groups = {field.oneof.name if field.oneof is not None else field.number for field in known}
    if len(groups) > 1:
        together = ", ".join(field.name for field in known)
        yield Differs(oneof.at, Difference.ONEOF_NEW_EXCLUSIVITY, oneof.name, together)
