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

CANONICAL: Final = "canonical"
NORMALIZED: Final = "normalized"
PARSING: Final = "parsing"


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


def form_names(format_: Format) -> tuple[str, ...]:
    """Return the names of all forms that schemas of a format have, those of `Form` among them.

    ``canonical`` is the stored one, ``normalized`` that of ``normalize=true``, ``resolved`` has all that it
    refers to written out, which a Protobuf file cannot have; ``parsing`` is Avro's Parsing Canonical Form.
    """
    names = {CANONICAL, NORMALIZED, *map(str, FORMS[format_])}
    if format_ is not Format.PROTOBUF:
        names.add(Form.RESOLVED)
    if format_ is Format.AVRO:
        names.add(PARSING)
    return tuple(sorted(map(str, names)))


def named_form(schema: ParsedSchema, name: str) -> str:
    """Return a schema in the form of a name; the stored text where its format has no such form."""
    if name == NORMALIZED:
        return schema.normalized().canonical
    if name == PARSING:
        return parsing_form(schema) or schema.canonical
    if name == Form.RESOLVED and schema.format is not Format.PROTOBUF:
        return schema.resolved()
    form = next((one for one in Form if one == name), None)
    return schema.canonical if form is None else in_form(schema, form)


def every_form(schema: ParsedSchema) -> dict[str, str]:
    """Return a schema in each form that its format has, by name (`form_names`)."""
    return {name: named_form(schema, name) for name in form_names(schema.format)}
