"""Spark: framed records to typed columns and back, with what cannot be read set aside.

Two verbs: `decode` and `encode`. Avro payloads are read and written by Spark's own functions inside the
JVM; Python only asks the registry, on the driver, for the few schemas that occur. Protobuf payloads are
read in Spark's Python workers (see `accord.pipeline.protobuf_decoding`). This is the one package
that imports Spark (extra ``accord[spark]``); it does so when one of its names is used, so that the command
``accord-spark`` can say what is missing.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from accord.pipeline.decoding import decode
    from accord.pipeline.encoding import encode
    from accord.pipeline.errors import (
        ColumnTaken,
        EmptyRecord,
        MissingJars,
        NoJava,
        NoSuchMessage,
        NoUnionOfMessages,
        StreamNeedsSchemas,
        UnfitMessage,
        UnmergeableSchemas,
        UnreadableFormat,
    )
    from accord.pipeline.options import DecodeOptions, EncodeOptions
    from accord.pipeline.quarantine import accepted, quarantined
    from accord.pipeline.reasons import Reason
    from accord.pipeline.session import SessionSettings, build_session
    from accord.pipeline.sources import SchemaSource

__all__ = [
    "ColumnTaken",
    "DecodeOptions",
    "EmptyRecord",
    "EncodeOptions",
    "MissingJars",
    "NoJava",
    "NoSuchMessage",
    "NoUnionOfMessages",
    "Reason",
    "SchemaSource",
    "SessionSettings",
    "StreamNeedsSchemas",
    "UnfitMessage",
    "UnmergeableSchemas",
    "UnreadableFormat",
    "accepted",
    "build_session",
    "decode",
    "encode",
    "quarantined",
]

_MODULES = {
    "decoding": ("decode",),
    "encoding": ("encode",),
    "errors": (
        "ColumnTaken",
        "EmptyRecord",
        "MissingJars",
        "NoJava",
        "NoSuchMessage",
        "NoUnionOfMessages",
        "StreamNeedsSchemas",
        "UnfitMessage",
        "UnmergeableSchemas",
        "UnreadableFormat",
    ),
    "options": ("DecodeOptions", "EncodeOptions"),
    "quarantine": ("accepted", "quarantined"),
    "reasons": ("Reason",),
    "session": ("SessionSettings", "build_session"),
    "sources": ("SchemaSource",),
}
_PLACES = {name: module for module, names in _MODULES.items() for name in names}


def __getattr__(name: str) -> object:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_PLACES[name]}"), name)
