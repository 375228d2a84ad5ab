"""Rules about enums."""

from accord.diff.avro_changes import SymbolsMissing
from accord.diff.avro_readable import EnumDefaultDiffers, SymbolsDefaulted
from accord.model import Format
from accord.rules.table import TABLE, NodeKind


@TABLE.rule(Format.AVRO, node=NodeKind.ENUM, since="0.1")
def missing_enum_symbols(change: SymbolsMissing) -> str:
    """The reader's enum lacks symbols that the writer may have written.

    Keep the symbols, or give the reader's enum a `default` that is one of its own symbols: it stands
    for every symbol the reader does not know. The default of a field does not help here.
    """
    return f"the reader does not know {', '.join(change.symbols)} and has no default symbol"


@TABLE.rule(Format.AVRO, node=NodeKind.ENUM, since="0.1")
def symbols_read_as_default(change: SymbolsDefaulted) -> str:
    """The reader's enum lacks symbols that the writer may have written, and takes them for its default.

    The data is readable, but what the symbol said is lost. Add the symbols to the reader before the
    first writer uses them; where every program must agree, leave the enum as it is and use a string.
    """
    return f"the reader does not know {', '.join(change.symbols)} and takes it for {change.default}"


@TABLE.rule(Format.AVRO, node=NodeKind.ENUM, since="0.1")
def enum_default_changed(change: EnumDefaultDiffers) -> str:
    """The enum's default symbol, for symbols a reader does not know, is not the same on both sides.

    Each reader uses its own default, so two readers may take one record for two things. Set the
    default when the enum is made, and keep it.
    """
    return f"the reader's default symbol is {change.reader}, the writer's {change.writer}"
