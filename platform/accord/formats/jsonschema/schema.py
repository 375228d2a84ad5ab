"""A parsed JSON Schema as the rest of the library sees it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from accord.formats.jsonschema.bundle import bundled, bundled_text
from accord.formats.jsonschema.canonical import canonical_text
from accord.formats.jsonschema.cursor import Document, too_large
from accord.formats.jsonschema.parse import parse_document, read_document
from accord.formats.jsonschema.references import referenced_documents
from accord.formats.limits import DEFAULT_LIMITS
from accord.formats.referencing import remembered
from accord.model import Format

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from accord.formats.jsonschema.model import Schema
    from accord.formats.jsontext import Json
    from accord.formats.limits import Limits
    from accord.formats.parsed import ReferenceMemory
    from accord.model import Reference, ReferenceResolver, SchemaText


@dataclass(frozen=True, slots=True)
class JsonSchema:
    """A JSON Schema: the root node, its JSON and text, and the documents it takes from references."""

    root: Schema
    document: Document
    canonical: str
    references: tuple[Reference, ...]
    external: Mapping[str, Document]
    limits: Limits = DEFAULT_LIMITS
    format: ClassVar[Format] = Format.JSON

    def normalized(self) -> JsonSchema:
        """Return the schema with its keys sorted, as Confluent's ``normalize=true`` does.

        Lists keep their order; references are sorted by subject and version without duplicates.
        """
        text = canonical_text(self.document.value, is_normalized=True)
        ordered = sorted(set(self.references), key=lambda one: (one.subject, one.version, one.name))
        return replace(self.reread(text), references=tuple(ordered))

    def reread(self, text: str) -> JsonSchema:
        """Return the schema of another text that may refer to the same documents."""
        roomy = replace(self.limits, text_bytes=len(text.encode()))
        document = read_document(text, strict=False, limits=roomy)
        root = parse_document(document, known=self.external, limits=roomy)
        return replace(self, root=root, document=document, canonical=text)

    def remade(self, change: Callable[[Json], Json]) -> JsonSchema:
        """Return the schema with its JSON, and that of what it refers to, changed into another."""
        value = change(self.document.value)
        document = Document("", value)
        known = {name: Document(name, change(one.value)) for name, one in self.external.items()}
        root = parse_document(document, known=known, limits=self.limits)
        canonical = canonical_text(value)
        return replace(self, root=root, document=document, canonical=canonical, external=known)

    def resolved(self) -> str:
        """Return the text with the schemas it refers to among its definitions."""
        return bundled_text(self.document, self.external) if self.external else self.canonical

    def whole(self) -> Json:
        """Return the JSON with the schemas it refers to among its definitions."""
        return bundled(self.document, self.external) if self.external else self.document.value

    def sorted_text(self) -> str:
        """Return a text that is equal exactly for equal content, whatever the order of its keys."""
        return canonical_text(self.whole(), is_normalized=True)

    def comparable(self) -> str:
        """Return a text that is equal exactly for equal content, key order included."""
        return self.resolved()


def parse(
    source: SchemaText,
    resolver: ReferenceResolver | None,
    *,
    strict: bool,
    limits: Limits,
    memory: ReferenceMemory | None = None,
) -> JsonSchema:
    """Return the schema a JSON text stands for; see `accord.formats.parse`."""
    known = remembered(
        memory, source, lambda: referenced_documents(source.references, resolver=resolver, limits=limits)
    )
    document = read_document(source.text, strict=strict, limits=limits)
    root = parse_document(document, known=known, limits=limits)
    canonical = canonical_text(document.value)
    if strict and len(canonical.encode()) > limits.text_bytes:
        raise too_large("", f"The canonical text has more than {limits.text_bytes} bytes; split it")
    return JsonSchema(root, document, canonical, source.references, known, limits)
