"""Rules about fixed types."""

from accord.diff.avro_changes import SizeDiffers
from accord.model import Format
from accord.rules.table import TABLE, NodeKind


@TABLE.rule(Format.AVRO, node=NodeKind.FIXED, since="0.1")
def fixed_size_mismatch(change: SizeDiffers) -> str:
    """The fixed type has another size in the reader than in the writer.

    A fixed value is exactly as many bytes as its type says, so data of another size cannot be read.
    Give the new size a new type and a new field, or use `bytes`.
    """
    return f"the reader expects {change.reader} bytes, the data has {change.writer}"
