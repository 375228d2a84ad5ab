"""Rules about what a schema says about itself; most validators refuse no data because of it."""

from accord.diff.jsonschema_changes import DifferenceType
from accord.rules.jsonschema.rows import Words, register
from accord.rules.table import NodeKind

register(
    NodeKind.ANNOTATION,
    {
        DifferenceType.ID_CHANGED: Words(
            "The schema's `$id` differs.",
            "Data is read as before. References that spell the old address no longer find this schema: keep"
            " `$id` once others refer to it. Not seen in drafts 2019-09 and 2020-12.",
            "the reader is called {reader}, the writer {writer}",
        ),
        DifferenceType.TITLE_CHANGED: Words(
            "The schema's `title` differs.",
            "Data is read as before. Subjects named after the record take the name from the root's title, so"
            " keep that one; generated classes may be renamed as well.",
            "the reader's title is {reader}, the writer's {writer}",
        ),
        DifferenceType.DESCRIPTION_CHANGED: Words(
            "The schema's `description` differs.",
            "Data is read as before. If the description says that values mean something else now, add a new"
            " property for the new meaning.",
            "the reader's description is {reader}, the writer's {writer}",
        ),
        DifferenceType.DEFAULT_CHANGED: Words(
            "The schema's `default` differs.",
            "Data is read as before. Most validators do not fill in defaults, and programs that do will"
            " fill in another value for old data: change a default only if that is meant.",
            "the reader's default is {reader}, the writer's {writer}",
        ),
        DifferenceType.FORMAT_CHANGED: Words(
            "What values are said to hold differs: `format` or the kind of their content.",
            "It is `format`, `contentEncoding` and `contentMediaType`. Confluent compares none of them,"
            " and many validators do not check them; programs that make"
            " dates or bytes of the text will fail. Keep the format, and put values of another one into a"
            " property of their own.",
            "the reader's format is {reader}, the writer's {writer}",
        ),
    },
)
