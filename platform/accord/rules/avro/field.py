"""Rules about the fields of records."""

from accord.diff.avro_changes import FieldAmbiguous, FieldMissing
from accord.model import Format
from accord.rules.table import TABLE, NodeKind


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
