"""What can be wrong with a record, its value or its schema."""

from __future__ import annotations

from typing import ClassVar

from accord.errors import Invalid, error


@error
class UndecodableRecord(Invalid):
    """The payload is not what its schema says; ``details`` tells at which byte where that is known."""

    code: ClassVar[str] = "undecodable_record"
    template: ClassVar[str] = "the record cannot be decoded: {details}"
    details: str


@error
class UnencodableValue(Invalid):
    """A value that the schema has no place for."""

    code: ClassVar[str] = "unencodable_value"
    template: ClassVar[str] = "the value does not fit the schema: {details}"
    details: str


@error
class RecordTooLarge(Invalid):
    """A record or value beyond a limit; ``details`` names the limit."""

    code: ClassVar[str] = "record_too_large"
    template: ClassVar[str] = "the record is too large: {details}"
    details: str


@error
class UnusableSchema(Invalid):
    """A schema that is sound as text, but that no records are read or written with here."""

    code: ClassVar[str] = "unusable_schema"
    template: ClassVar[str] = "records of this schema cannot be read or written: {details}"
    details: str


@error
class NotAvro(Invalid):
    """A schema of another format where Avro is needed."""

    code: ClassVar[str] = "not_avro"
    template: ClassVar[str] = "the schema is {format}, expected AVRO"
    format: str
