"""Rules about messages: what they reserve, what they leave open, and their options."""

from accord.diff.protobuf_changes import Difference
from accord.rules.protobuf.rows import Words, register
from accord.rules.table import NodeKind

register(
    NodeKind.MESSAGE,
    {
        Difference.RESERVED_MESSAGE_NO_DELETE: Words(
            "A message no longer reserves a number or name that it did.",
            "Reservations keep deleted fields from being used for something else while old data is about."
            " Keep every one; ranges may be split and joined.",
            "message {name} of the reader does not reserve {reader}",
        ),
        Difference.EXTENSION_MESSAGE_NO_DELETE: Words(
            "A message no longer leaves numbers to extensions that it did.",
            "Extensions of those numbers do not compile, and data that has them loses them. Keep the ranges;"
            " they may be split and joined.",
            "message {name} no longer leaves {reader} to extensions",
        ),
        Difference.MESSAGE_SAME_JSON_FORMAT: Words(
            "A message could be written as JSON and now only perhaps.",
            "The feature `json_format` went from ALLOW to something less, so JSON names may clash. Keep"
            " ALLOW.",
            "message {name} no longer has a JSON form that is sure to work",
        ),
        Difference.MESSAGE_NO_REMOVE_STANDARD_DESCRIPTOR_ACCESSOR: Words(
            "A message loses the accessor of its descriptor in generated code.",
            "The option `no_standard_descriptor_accessor` was turned on. Data is read as before; code that"
            " calls `descriptor()` does not compile. Leave the option off.",
            "message {name} has no standard accessor of its descriptor any more",
        ),
        Difference.UNSUPPORTED_FEATURE: Words(
            "A message has something that cannot be judged: extension ranges, or the wire format of message"
            " sets.",
            "What extensions hold is not known to the files at hand, so no promise can be made. Use fields,"
            " or a map.",
            "message {name} has {reader}, which is not compared",
        ),
    },
)
