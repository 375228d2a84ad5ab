"""Rules about the names of records, enums and fixed types."""

from accord.diff.avro_changes import NameDiffers, NamespaceDiffers
from accord.diff.avro_readable import TypeAliased
from accord.model import Format
from accord.rules.table import TABLE, NodeKind


@TABLE.rule(Format.AVRO, node=NodeKind.NAMED_TYPE, since="0.1")
def name_mismatch(change: NameDiffers) -> str:
    """The reader's type has another name than the writer's.

    Names match if the simple names are equal, or if an alias of the reader's type spells the
    writer's full name. Keep the old name, or add it to the reader's `aliases`; an alias without a
    dot means the namespace of the type itself.
    """
    return f"the reader expects {change.reader}, the data was written as {change.writer}"


@TABLE.rule(Format.AVRO, node=NodeKind.NAMED_TYPE, since="0.1")
def namespace_changed(change: NamespaceDiffers) -> str:
    """The type keeps its simple name but lives in another namespace.

    Readers in most languages resolve by simple name, so data stays readable; generated classes move,
    and a reader that compares full names fails. Keep the namespace, or add the old full name to the
    reader's `aliases`.
    """
    return f"the reader expects {change.reader}, the data was written as {change.writer}"


@TABLE.rule(Format.AVRO, node=NodeKind.NAMED_TYPE, since="0.1")
def type_read_by_alias(change: TypeAliased) -> str:
    """The reader's type is found in the data under one of its aliases: it was renamed or moved.

    The reader's own aliases lead it to old data. Readers with the old name do not know the new one, and
    not every Avro library knows aliases. Keep the name where that matters.
    """
    return f"the reader expects {change.reader}, the data was written as {change.writer}"
