"""Rules about a schema as a whole."""

from accord.diff.changes import NotClosed
from accord.model import Format
from accord.rules.table import TABLE, NodeKind


@TABLE.rule(Format.JSON, node=NodeKind.OBJECT, since="0.1")
def object_not_closed(change: NotClosed) -> str:
    """An object of the new schema permits undeclared properties.

    Optional-friendly lets consumers read with open models what producers write with closed ones; an
    object that the producer leaves open gets no relaxation. Set `additionalProperties: false` there, and
    use no `patternProperties`.
    """
    return f"the schema is not closed at {change.pointer}; Optional-friendly gives no relaxation there"
