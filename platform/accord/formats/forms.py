"""The forms beside the stored one in which a registry gives a text out.

Source: confluent-api, section 1.9 (the parameter ``format``).
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Final, cast

from accord.formats.fingerprints import parsing_form
from accord.model import Format

if TYPE_CHECKING:
    from collections.abc import Mapping

    from accord.formats.parsed import ParsedSchema
    from accord.formats.protobuf.schema import ProtobufSchema


class Form(StrEnum):
    """A form by its name in Confluent's interface.

    ``resolved`` has all that an Avro schema refers to written out; ``serialized`` is the descriptor of a
    Protobuf file in base64, ``ignore_extensions`` its text without what extends it.
    """

    RESOLVED = "resolved"
    SERIALIZED = "serialized"
    IGNORE_EXTENSIONS = "ignore_extensions"

    @property
    def shows_references(self) -> bool:
        """True where a text tells of the texts that it refers to."""
        return self is not Form.IGNORE_EXTENSIONS


FORMS: Final[Mapping[Format, frozenset[Form]]] = {
    Format.AVRO: frozenset({Form.RESOLVED}),
    Format.PROTOBUF: frozenset({Form.SERIALIZED, Form.IGNORE_EXTENSIONS}),
    Format.JSON: frozenset(),
}


def in_form(schema: ParsedSchema, form: Form) -> str:
    """Return a schema in a form; the stored text where its format has no such form."""
    if form not in FORMS[schema.format]:
        return schema.canonical
    if form is Form.RESOLVED:
        return schema.resolved()
    file = cast("ProtobufSchema", schema)
    return file.serialized() if form is Form.SERIALIZED else file.without_extensions()


def every_form(schema: ParsedSchema) -> dict[str, str]:
    """Return a schema in each form that its format has, by name.

    ``canonical`` is the stored one, ``normalized`` that of ``normalize=true``, ``resolved`` has all that it
    refers to written out, which a Protobuf file cannot have; ``parsing`` is Avro's Parsing Canonical Form.
    """
    found = {"canonical": schema.canonical, "normalized": schema.normalized().canonical}
    if schema.format is not Format.PROTOBUF:
        found[Form.RESOLVED] = schema.resolved()
    found |= {form: in_form(schema, form) for form in FORMS[schema.format]}
    form = parsing_form(schema)
    named = found if form is None else {**found, "parsing": form}
    return {str(name): text for name, text in sorted(named.items())}
