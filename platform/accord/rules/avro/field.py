"""Rules about the fields of records."""

from accord.diff.avro_changes import FieldAmbiguous, FieldMissing
from accord.diff.avro_readable import (
    NO_DEFAULT,
    FieldAliased,
    FieldDefaultDiffers,
    FieldFilledIn,
    FieldNotRead,
)
from accord.model import Format
from accord.rules.table import TABLE, NodeKind


def _default(spelled: str) -> str:
    return spelled if spelled == NO_DEFAULT else f"the default {spelled}"


@TABLE.rule(Format.AVRO, node=NodeKind.FIELD, since="0.1")
def reader_field_missing_default_value(change: FieldMissing) -> str:
    """A field that the reader expects is absent from the data and has no default.

    Give the field a default, or add it only once every producer writes it. A renamed field is found
    by an alias that spells its old name.
    """
    return f"the reader expects field {change.field}, which the data lacks and no default supplies"


@TABLE.rule(Format.AVRO, node=NodeKind.FIELD, since="0.1")
def ambiguous_field_alias(change: FieldAmbiguous) -> str:
    """A field of the reader matches several fields of the writer, by its name and its aliases.

    Avro Java gives up on such a pair of schemas altogether, and so nothing else is reported. Remove
    the alias while the writer still has both fields, or drop one of the two fields first.
    """
    return (
        f"field {change.field} of the reader matches {', '.join(change.matches)}"
        f" of the written record {change.record}"
    )


@TABLE.rule(Format.AVRO, node=NodeKind.FIELD, since="0.1")
def field_filled_from_default(change: FieldFilledIn) -> str:
    """A field that the reader expects is absent from the data, and its default stands in.

    This is how optional fields are added: the reader sees the default in all older data. Choose a
    default that cannot be taken for a real value, such as null.
    """
    return f"the data lacks field {change.field}, the reader takes its default {change.default}"


@TABLE.rule(Format.AVRO, node=NodeKind.FIELD, since="0.1")
def writer_field_not_read(change: FieldNotRead) -> str:
    """A field of the data is not declared by the reader, which passes over it.

    This is how fields are removed. Make sure that nobody needs the field before the readers forget it;
    whoever still expects it needs a default there.
    """
    return f"the data has field {change.field}, which the reader does not declare"


@TABLE.rule(Format.AVRO, node=NodeKind.FIELD, since="0.1")
def field_default_changed(change: FieldDefaultDiffers) -> str:
    """The field's default is not the same on both sides, or only one side has one.

    Data that has the field is read as before. Data that lacks it gets another value from each reader,
    and a reader without a default cannot read it at all. Keep the default: a field with one is
    optional for ever, a field without one required.
    """
    meant, was = _default(change.reader), _default(change.writer)
    return f"the reader has {meant} for field {change.name}, the writer has {was}"


@TABLE.rule(Format.AVRO, node=NodeKind.FIELD, since="0.1")
def field_read_by_alias(change: FieldAliased) -> str:
    """A field of the reader is found in the data under one of its aliases: it was renamed.

    The reader's own aliases lead it to old data. Readers that do not have the alias take the field for
    missing, and not every Avro library knows aliases. Add a new field instead where that matters.
    """
    return f"the reader expects field {change.reader}, the data was written with {change.writer}"
