"""Schemas around a schema: they let Spark's Avro reader take a whole framed record in one go.

The bytes of an Avro record are those of its fields one after the other, so a framed record followed by
a mark is itself a record: a fixed prefix, the value, a fixed mark. Reading it that way spares Spark a copy
of the payload and answers three questions it cannot answer alone:

* was the record readable? A malformed one gives nulls everywhere, the mark included (this is what
  ``from_avro`` does in PERMISSIVE mode: a struct of nulls, told from a record of nulls by nothing else);
* did the payload end where the value ended? Otherwise the mark is read from the wrong place;
* which schema wrote it? A field that only the reader has, whose default differs by writer.

Source: the Avro specification, binary encoding of records and schema resolution.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from accord.formats.avro.canonical import canonical_text
from accord.formats.avro.model import Field, Fixed, Kind, Primitive, Record
from accord.formats.avro.names import Name

if TYPE_CHECKING:
    from accord.formats.avro.model import Node

MARK: Final = bytes.fromhex("e5b96ac0f1d28b47")
"""Eight bytes put behind each record; payload bytes meet them by chance once in 2^64."""

VALUE: Final = "value"
END: Final = "end"
SCHEMA_ID: Final = "schema_id"
_PREFIX: Final = "prefix"


def writer_frame(writer: Node, prefix_bytes: int) -> str:
    """The schema of prefix, value as written, and mark."""
    prefix = Fixed(Name("__AccordPrefix"), None, (), {}, prefix_bytes)
    return _text(Field(_PREFIX, prefix), Field(VALUE, writer), Field(END, _mark()))


def reader_frame(reader: Node, schema_id: str) -> str:
    """The schema of value as wanted, mark, and the id of the writer as a default."""
    named = Field(SCHEMA_ID, Primitive(Kind.STRING, {}), has_default=True, default=schema_id)
    return _text(Field(VALUE, reader), Field(END, _mark()), named)


def _mark() -> Fixed:
    return Fixed(Name("__AccordMark"), None, (), {}, len(MARK))


def _text(*fields: Field) -> str:
    frame = Record(Name("__AccordFrame"), None, (), {})
    frame.complete(fields)
    return canonical_text(frame, known={})
