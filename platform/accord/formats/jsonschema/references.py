"""Documents that come from references, by the names that the text may use for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from accord.formats.jsonschema.parse import read_document
from accord.formats.referencing import referenced_texts

if TYPE_CHECKING:
    from accord.formats.jsonschema.cursor import Document
    from accord.formats.limits import Limits
    from accord.model import Reference, ReferenceResolver


def referenced_documents(
    references: tuple[Reference, ...], *, resolver: ReferenceResolver | None, limits: Limits
) -> dict[str, Document]:
    """Return the documents that the references bring, and those they refer to, by name.

    Raises `accord.errors.ReferenceNotFound` for a dangling reference, `InvalidReference` for an
    incomplete one or a circle, `SchemaTooLarge` beyond the limits.
    """
    return {
        name: read_document(source.text, name=name, strict=False, limits=limits)
        for name, source in referenced_texts(references, resolver=resolver, limits=limits)
    }
