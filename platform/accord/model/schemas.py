"""Schema texts, their formats and their references."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol


class Format(StrEnum):
    """The schema formats, spelled as ``schemaType`` on the Confluent wire."""

    AVRO = "AVRO"
    JSON = "JSON"
    PROTOBUF = "PROTOBUF"


@dataclass(frozen=True, slots=True)
class Reference:
    """One entry of a schema's reference list.

    ``name`` is what the text uses (Avro: full type name; JSON Schema: URI; Protobuf: import path),
    ``subject`` and ``version`` are where it lives; version -1 means "latest when registered".
    """

    name: str
    subject: str
    version: int


@dataclass(frozen=True, slots=True)
class SchemaText:
    """A schema as given by a user or as stored: text, format and references."""

    format: Format
    text: str
    references: tuple[Reference, ...] = ()


class ReferenceResolver(Protocol):
    """The port through which a parser reads referenced schemas; never a network address."""

    def resolve(self, reference: Reference) -> SchemaText:
        """Return the referenced text, or raise `accord.errors.ReferenceNotFound`."""
        ...
