"""Named types that come from references.

All types of all referenced texts, and of the texts they refer to, are visible under their full
names, as in Confluent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from accord.formats.avro.parse import defined_types, parse_text
from accord.formats.referencing import referenced_texts

if TYPE_CHECKING:
    from accord.formats.avro.model import Named
    from accord.formats.limits import Limits
    from accord.model import Reference, ReferenceResolver


def referenced_types(
    references: tuple[Reference, ...], *, resolver: ReferenceResolver | None, limits: Limits
) -> dict[str, Named]:
    """Return the types that the references bring, by full name.

    Raises `accord.errors.ReferenceNotFound` for a dangling reference, `InvalidReference` for an
    incomplete one or a circle, `SchemaTooLarge` beyond the limits.
    """
    types: dict[str, Named] = {}
    for _, source in referenced_texts(references, resolver=resolver, limits=limits):
        types |= defined_types(parse_text(source.text, known=types, strict=False, limits=limits))
    return types
