"""What the two verbs can be told: frozen values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from accord.wire import VALUE_HEADER

if TYPE_CHECKING:
    from accord.model import SchemaText, SubjectName
    from accord.wire import SchemaIdentity


@dataclass(frozen=True, slots=True)
class DecodeOptions:
    """How framed records become columns.

    ``column`` holds the framed bytes, ``target`` receives the typed value and ``schema_id`` the id or GUID
    of its writer schema, as text; ``reason`` says why a record could not be read and is null otherwise.
    ``headers`` names a column of Kafka headers to look for ``header_name`` in, before the prefix.

    ``reader`` decides the type of ``target``: a schema, the latest of a subject, or (None) the merger of
    the Avro writer schemas, the newest of the Protobuf ones. A table holds one format and one record type,
    and what was written as another is set aside: the type of the reader, else the one called ``record``,
    else the one of the most records (of the first of ``identities``). Of a Protobuf reader that has several
    messages ``record`` names one, else the first is meant. With ``is_union`` and no reader, all Avro types
    together make one union.

    ``identities`` names the writer schemas; by default they are looked for in the data, the
    ``max_schemas`` most frequent of them. ``recursion_depth`` says how often a recursive type is unrolled;
    without it such a type is refused. For Protobuf it is 1 to 10; 1 leaves the recursive fields out.
    """

    column: str = "value"
    target: str = "decoded"
    schema_id: str = "schema_id"
    reason: str = "quarantine_reason"
    headers: str | None = None
    header_name: str = VALUE_HEADER
    reader: SchemaText | SubjectName | None = None
    record: str | None = None
    is_union: bool = False
    identities: tuple[SchemaIdentity, ...] | None = None
    max_schemas: int = 500
    recursion_depth: int | None = None


@dataclass(frozen=True, slots=True)
class EncodeOptions:
    """How a column becomes framed records: its name, that of the bytes, and the writer schema.

    ``schema`` is a subject, then its latest version is the writer schema, or an id or GUID.
    """

    schema: SubjectName | SchemaIdentity
    column: str = "decoded"
    target: str = "value"
