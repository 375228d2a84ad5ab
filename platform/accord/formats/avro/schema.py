"""A parsed Avro schema as the rest of the library sees it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar, Final

from accord.formats.avro.canonical import COMPARED, NORMALIZED, canonical_text
from accord.formats.avro.cursor import too_large
from accord.formats.avro.parse import parse_text
from accord.formats.avro.references import referenced_types
from accord.formats.limits import DEFAULT_LIMITS
from accord.formats.referencing import remembered
from accord.model import Format

if TYPE_CHECKING:
    from collections.abc import Mapping

    from accord.formats.avro.model import Named, Node
    from accord.formats.limits import Limits
    from accord.formats.parsed import ReferenceMemory
    from accord.model import Reference, ReferenceResolver, SchemaText

NO_TYPES: Final[Mapping[str, Named]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class AvroSchema:
    """An Avro schema: the root node, its text, and the types it takes from references."""

    root: Node
    canonical: str
    references: tuple[Reference, ...]
    external: Mapping[str, Named]
    limits: Limits = DEFAULT_LIMITS
    format: ClassVar[Format] = Format.AVRO

    def normalized(self) -> AvroSchema:
        """Return the schema with its spelling settled, as Confluent's ``normalize=true`` does.

        Properties, aliases and the members of defaults are sorted, references sorted by subject and
        version without duplicates; the order of fields, branches and symbols stays.
        """
        text = canonical_text(self.root, known=self.external, style=NORMALIZED)
        roomy = replace(self.limits, text_bytes=len(text.encode()))
        root = parse_text(text, known=self.external, strict=False, limits=roomy)
        ordered = sorted(set(self.references), key=lambda one: (one.subject, one.version, one.name))
        return replace(self, root=root, canonical=text, references=tuple(ordered))

    def resolved(self) -> str:
        """Return the text with referenced types written out where they are first used."""
        return canonical_text(self.root, known={})

    def comparable(self) -> str:
        """Return a text that is equal exactly for structurally equal schemas.

        Order of properties and aliases does not count; docs, defaults and properties do.
        """
        return canonical_text(self.root, known={}, style=COMPARED)


def parse(
    source: SchemaText,
    resolver: ReferenceResolver | None,
    *,
    strict: bool,
    limits: Limits,
    memory: ReferenceMemory | None = None,
) -> AvroSchema:
    """Return the schema an Avro text stands for; see `accord.formats.parse`."""
    known = _types_behind(source, resolver, limits=limits, memory=memory)
    root = parse_text(source.text, known=known, strict=strict, limits=limits)
    canonical = canonical_text(root, known=known)
    if strict and len(canonical.encode()) > limits.text_bytes:
        raise too_large("", f"The canonical text has more than {limits.text_bytes} bytes; split it")
    return AvroSchema(root, canonical, source.references, known, limits)


def _types_behind(
    source: SchemaText,
    resolver: ReferenceResolver | None,
    *,
    limits: Limits,
    memory: ReferenceMemory | None,
) -> Mapping[str, Named]:
    if not source.references:
        return NO_TYPES
    load = partial(referenced_types, source.references, resolver=resolver, limits=limits)
    return remembered(memory, lambda: MappingProxyType(load()))
