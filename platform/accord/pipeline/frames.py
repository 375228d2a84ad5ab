"""Schemas around a schema: they let Spark's Avro reader take a whole framed record in one go.

The bytes of an Avro record are those of its fields one after the other, so a framed record followed by
a mark is itself a record: a fixed prefix, the value, a double. Reading it that way spares Spark a copy of the
payload and answers two questions it cannot answer alone:

* was the record readable? A malformed one gives nulls everywhere, the mark included (this is what
  ``from_avro`` does in PERMISSIVE mode: a struct of nulls, told from a record of nulls by nothing else);
* did the payload end where the value ended? Otherwise another number is read than the mark.

Source: the Avro specification, binary encoding of records and of doubles.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Final

from accord.formats.avro.canonical import canonical_text
from accord.formats.avro.model import Field, Fixed, Kind, Primitive, Record
from accord.formats.avro.names import Name
from accord.pipeline.reading import VALUE

if TYPE_CHECKING:
    from accord.formats.avro.model import Node

MARK: Final = bytes.fromhex("e5b96ac0f1d28b47")
"""Eight bytes put behind each record: the Avro double `MARK_NUMBER`. Payload bytes meet them by chance once
in 2^64; a payload that lost its own last bytes takes some of these instead, and too few are left."""

MARK_NUMBER: Final = float(struct.unpack("<d", MARK)[0])
END: Final = "end"
_PREFIX: Final = "prefix"


def writer_frame(writer: Node, prefix_bytes: int) -> str:
    """The schema of prefix, value as written, and mark."""
    prefix = Fixed(Name("__AccordPrefix"), None, (), {}, prefix_bytes)
    return _text(Field(_PREFIX, prefix), Field(VALUE, writer), _mark())


def reader_frame(reader: Node) -> str:
    """The schema of value as wanted, and mark."""
    return _text(Field(VALUE, reader), _mark())


def _mark() -> Field:
    return Field(END, Primitive(Kind.DOUBLE, {}))


def _text(*fields: Field) -> str:
    frame = Record(Name("__AccordFrame"), None, (), {})
    frame.complete(fields)
    return canonical_text(frame, known={})
