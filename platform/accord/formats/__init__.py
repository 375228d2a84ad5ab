"""Schema formats: text in, typed nodes out, and the texts and identities made of them.

A format takes part by one entry in `PARSERS`; nothing above this package asks which format it has.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from accord.errors import FormatNotInstalled, UnknownFormat
from accord.formats.avro import schema as avro_schema
from accord.formats.jsonschema import schema as json_schema
from accord.formats.jsonschema.content import opened, unclosed
from accord.formats.limits import DEFAULT_LIMITS, Limits
from accord.formats.parsed import ParsedSchema, ReferenceMemory
from accord.model import Format

if TYPE_CHECKING:
    from collections.abc import Mapping

    from accord.model import ReferenceResolver, SchemaText

__all__ = [
    "DEFAULT_LIMITS",
    "PARSERS",
    "Limits",
    "ParsedSchema",
    "ReferenceMemory",
    "is_equivalent",
    "opened",
    "parse",
    "unclosed",
]


class Parser(Protocol):
    """What a format provides: text to a parsed schema."""

    def __call__(
        self,
        source: SchemaText,
        resolver: ReferenceResolver | None,
        *,
        strict: bool,
        limits: Limits,
        memory: ReferenceMemory | None,
    ) -> ParsedSchema:
        """Parse, or raise one of the errors that `accord.formats.parse` names."""
        ...


def _parse_protobuf(
    source: SchemaText,
    resolver: ReferenceResolver | None,
    *,
    strict: bool,
    limits: Limits,
    memory: ReferenceMemory | None,
) -> ParsedSchema:
    try:
        # What it needs is an extra; the rest of the library works without.
        from accord.formats.protobuf import schema as protobuf_schema  # noqa: PLC0415  # see above
    except ImportError as reason:
        raise FormatNotInstalled(format=Format.PROTOBUF, extra="protobuf") from reason
    return protobuf_schema.parse(source, resolver, strict=strict, limits=limits, memory=memory)


PARSERS: Mapping[Format, Parser] = {
    Format.AVRO: avro_schema.parse,
    Format.JSON: json_schema.parse,
    Format.PROTOBUF: _parse_protobuf,
}


def parse(
    source: SchemaText,
    resolver: ReferenceResolver | None = None,
    *,
    strict: bool = True,
    limits: Limits = DEFAULT_LIMITS,
    memory: ReferenceMemory | None = None,
) -> ParsedSchema:
    """Return the schema that a text stands for, with everything it refers to resolved.

    ``strict`` is for new schemas; without it, what a registry may have accepted long ago still
    parses (defaults and namespaces are not checked). With a ``memory`` the resolver is only asked for
    what the memory of this schema's references does not know. Raises `accord.errors.InvalidSchema`,
    `UnknownFormat`, `SchemaTooLarge`, `ReferenceNotFound` or `InvalidReference`; for Protobuf also
    `CompilerUnavailable` and `FormatNotInstalled`.
    """
    parser = PARSERS.get(source.format)
    if parser is None:
        raise UnknownFormat(format=source.format)
    return parser(source, resolver, strict=strict, limits=limits, memory=memory)


def is_equivalent(one: ParsedSchema, other: ParsedSchema) -> bool:
    """Tell whether two schemas mean the same content, whatever their spelling.

    Compares the resolved content only; references, metadata and rule sets are the caller's. Source:
    Confluent's lookup (Avro: structural equality with docs, aliases and all properties).
    """
    return one.format is other.format and one.comparable() == other.comparable()
