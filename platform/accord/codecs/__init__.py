"""Records: payloads to values and back, framed or bare, one module for each format.

Payloads come from anywhere, so each codec bounds what a record may cost before it builds anything.
"""

from accord.codecs.avro import AvroCodec, avro_schema, decode_record, encode_record
from accord.codecs.errors import (
    NotAvro,
    RecordTooLarge,
    UndecodableRecord,
    UnencodableValue,
    UnusableSchema,
)
from accord.codecs.limits import RECORD_LIMITS, RecordLimits

__all__ = [
    "RECORD_LIMITS",
    "AvroCodec",
    "NotAvro",
    "RecordLimits",
    "RecordTooLarge",
    "UndecodableRecord",
    "UnencodableValue",
    "UnusableSchema",
    "avro_schema",
    "decode_record",
    "encode_record",
]
