"""Rules about schemas as a whole, in every format."""

from accord.diff.changes import FormatDiffers, FrozenContent, TooMuchWork
from accord.rules.table import TABLE, NodeKind


@TABLE.rule(None, node=NodeKind.SCHEMA, since="0.1")
def different_schema_type(change: FormatDiffers) -> str:
    """The two schemas are written in different formats.

    Data of one format cannot be read with a schema of another. Register the new format under a
    subject of its own.
    """
    return f"the reader is written in {change.reader}, the writer in {change.writer}"


@TABLE.rule(None, node=NodeKind.SCHEMA, since="0.1")
def check_too_large(change: TooMuchWork) -> str:
    """Comparing the schemas takes more steps than one check may take.

    The bound keeps one check from holding up everybody else's. Split the schema, or shorten what is
    tried branch by branch: unions of records in Avro, `oneOf`, `anyOf`, `allOf` and
    `patternProperties` in JSON Schema, messages with very many fields in Protobuf. Each branch of one side
    is tried against each of the other, so half as many on both sides take a quarter of the steps.
    """
    return f"the comparison takes more than {change.allowed} steps, and one check may take no more"


@TABLE.rule(None, node=NodeKind.SCHEMA, since="0.1")
def frozen(_change: FrozenContent) -> str:
    """The subject is frozen and its content would change.

    A frozen subject takes what is registered under it already and nothing else. Ask whoever froze it, or
    use a subject of your own.
    """
    return "the subject is frozen; only content that it has already may be registered again"
