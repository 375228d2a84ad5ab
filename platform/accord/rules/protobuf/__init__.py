"""The rules for Protobuf, one module for each part of a file; those that Buf knows have its names."""

from accord.rules.protobuf import (
    deletions,
    enums,
    fields,
    files,
    labels,
    messages,
    metadata,
    oneofs,
    services,
    texts,
    types,
)

__all__ = [
    "deletions",
    "enums",
    "fields",
    "files",
    "labels",
    "messages",
    "metadata",
    "oneofs",
    "services",
    "texts",
    "types",
]
