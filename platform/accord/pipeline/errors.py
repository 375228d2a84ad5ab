"""What stops a pipeline; a single unreadable record never does, it goes to quarantine."""

from __future__ import annotations

from typing import ClassVar

from accord.errors import Conflict, Invalid, Unavailable, error


@error
class ColumnTaken(Conflict):
    """A column to be added is there already."""

    code: ClassVar[str] = "column_taken"
    template: ClassVar[str] = "the column {column!r} is there already; rename it or choose another name"
    column: str


@error
class UnmergeableSchemas(Conflict):
    """Two writer schemas give one place meanings that no single column can hold."""

    code: ClassVar[str] = "unmergeable_schemas"
    template: ClassVar[str] = (
        "the writer schemas cannot be merged at {place}: {details}; name a reader schema"
    )
    place: str
    details: str


@error
class UnreadableFormat(Invalid):
    """The reader schema is of a format whose records are not decoded."""

    code: ClassVar[str] = "unreadable_format"
    template: ClassVar[str] = "the reader schema is {format}; name one in AVRO or PROTOBUF, or none"
    format: str


@error
class NoSuchMessage(Invalid):
    """The reader schema, a Protobuf file, has no such message, or none at all."""

    code: ClassVar[str] = "no_such_message"
    template: ClassVar[str] = "the reader schema has no message {record!r}; it has: {names}"
    record: str
    names: str


@error
class UnfitMessage(Invalid):
    """A Protobuf message that cannot be a table; ``details`` says why and what to change."""

    code: ClassVar[str] = "unfit_message"
    template: ClassVar[str] = "the message {name} cannot be a table: {details}"
    name: str
    details: str


@error
class NoUnionOfMessages(Invalid):
    """A table of several Protobuf messages was asked for."""

    code: ClassVar[str] = "no_union_of_messages"
    template: ClassVar[str] = (
        "a table of Protobuf records is of one message; leave out `is_union` (--union)"
        " and name the message with `record` (--record)"
    )


@error
class StreamNeedsSchemas(Invalid):
    """A stream has no end to look for schema ids at."""

    code: ClassVar[str] = "stream_needs_schemas"
    template: ClassVar[str] = (
        "name the schema ids of a stream (`identities`), or decode inside `foreachBatch`"
    )


@error
class MissingJars(Unavailable):
    """The Spark connectors are not where the session looks for them."""

    code: ClassVar[str] = "missing_jars"
    template: ClassVar[str] = (
        "no Spark connectors in {folder}; run: mvn -f {pom} dependency:copy-dependencies"
    )
    folder: str
    pom: str


@error
class NoJava(Unavailable):
    """Spark could not start its Java; ``details`` is what it said."""

    code: ClassVar[str] = "no_java"
    template: ClassVar[str] = (
        "Spark could not start Java ({details});"
        " install Java 17 and put it on the PATH, or name it in JAVA_HOME"
    )
    details: str


@error
class EmptyRecord(Invalid):
    """A record without fields, for which the files of a table have no form."""

    code: ClassVar[str] = "empty_record"
    template: ClassVar[str] = (
        "Parquet cannot hold {column!r}, a record without fields; name a reader schema that leaves it out"
    )
    column: str


@error
class LostRecords(Conflict):
    """The input changed while it was read twice, so that the two outputs do not add up."""

    code: ClassVar[str] = "lost_records"
    template: ClassVar[str] = (
        "read {read} records, but wrote {decoded} and set {quarantined} aside; did the input change?"
    )
    read: int
    decoded: int
    quarantined: int
