"""Rules about types without names."""

from accord.diff.avro_changes import LogicalTypeDiffers, TypeDiffers
from accord.diff.avro_readable import TypePromoted
from accord.model import Format
from accord.rules.table import TABLE, NodeKind


@TABLE.rule(Format.AVRO, node=NodeKind.TYPE, since="0.1")
def type_mismatch(change: TypeDiffers) -> str:
    """The reader's type cannot read data of the writer's type.

    A reader may widen int to long, float or double, long to float or double, float to double, and
    take string for bytes and bytes for string. Everything else needs a new field, or a union that
    still holds the old type.
    """
    return f"the reader expects {change.reader}, the data was written as {change.writer}"


@TABLE.rule(Format.AVRO, node=NodeKind.TYPE, since="0.1")
def logical_type_changed(change: LogicalTypeDiffers) -> str:
    """The type is read alike but annotated differently, so its values change their meaning.

    Avro ignores logical types when it compares schemas: milliseconds are read as microseconds and
    decimals with another scale without complaint. Add a new field for the new meaning.
    """
    was, meant = change.writer or "no logical type", change.reader or "no logical type"
    return f"the data was written with {was}, the reader takes it for {meant}"


@TABLE.rule(Format.AVRO, node=NodeKind.TYPE, since="0.1")
def type_promoted(change: TypePromoted) -> str:
    """The reader takes data of one type for another that Avro lets it widen to.

    The reader sees every value, a long in a float perhaps rounded. Readers that keep the narrower type
    cannot read what is written with the wider one, except bytes and string. Where old readers stay, add
    a new field of the wider type.
    """
    return f"the reader expects {change.reader}, the data was written as {change.writer}"
