"""Rules about a schema as a whole."""

from accord.diff.changes import NotClosed
from accord.diff.jsonschema_changes import DifferenceType
from accord.formats.places import shown_pointer
from accord.model import Format
from accord.rules.jsonschema.rows import Words, register
from accord.rules.table import TABLE, NodeKind


@TABLE.rule(Format.JSON, node=NodeKind.OBJECT, since="0.1")
def object_not_closed(change: NotClosed) -> str:
    """An object of the new schema permits undeclared properties.

    Presets under which optional properties come and go, such as Optional-friendly and queue-safe, let
    consumers read with open models what producers write with closed ones; an object that the producer
    leaves open gets no relaxation. Set `additionalProperties: false` there, and
    use no `patternProperties`.
    """
    where = shown_pointer(change.pointer)
    return f"the object at {where} is not closed, so optional properties cannot come and go there"


register(
    NodeKind.SCHEMA,
    {
        DifferenceType.KEYWORD_CHANGED: Words(
            "A keyword that most presets pass over does not say the same on both sides.",
            "Presets that let only optional properties come and go, such as queue-safe, look at all that a"
            " schema says about data: also at `propertyNames`, `contains`, `patternProperties`, the bodies of"
            " `if`, names in `required` that the object does not declare, exclusive bounds of draft 4, and"
            " the mark of Kafka Connect's decimals; and `not` must stay as it is. Set it back, or say the new"
            " thing about an optional property of its own.",
            "{name} does not say the same on both sides",
        ),
    },
)
