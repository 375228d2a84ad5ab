"""Rules about enums."""

from accord.diff.avro_changes import SymbolsMissing
from accord.model import Format
from accord.rules.table import TABLE, NodeKind


@TABLE.rule(Format.AVRO, node=NodeKind.ENUM, since="0.1")
def missing_enum_symbols(change: SymbolsMissing) -> str:
    """The reader's enum lacks symbols that the writer may have written.

    Keep the symbols, or give the reader's enum a `default` that is one of its own symbols: it stands
    for every symbol the reader does not know. The default of a field does not help here.
    """
    return f"the reader does not know {', '.join(change.symbols)} and has no default symbol"
