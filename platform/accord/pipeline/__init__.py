"""Spark: framed records to typed columns and back, with what cannot be read set aside.

Two verbs: `decode` and `encode`. Payloads are read and written by Spark's own Avro functions inside the
JVM; Python only asks the registry, on the driver, for the few schemas that occur. This is the one package
that imports Spark (extra ``accord[spark]``).
"""

from accord.pipeline.decoding import decode
from accord.pipeline.encoding import encode
from accord.pipeline.errors import ColumnTaken, MissingJars, StreamNeedsSchemas, UnmergeableSchemas
from accord.pipeline.options import DecodeOptions, EncodeOptions
from accord.pipeline.quarantine import Reason, accepted, quarantined
from accord.pipeline.session import SessionSettings, build_session
from accord.pipeline.sources import SchemaSource

__all__ = [
    "ColumnTaken",
    "DecodeOptions",
    "EncodeOptions",
    "MissingJars",
    "Reason",
    "SchemaSource",
    "SessionSettings",
    "StreamNeedsSchemas",
    "UnmergeableSchemas",
    "accepted",
    "build_session",
    "decode",
    "encode",
    "quarantined",
]
