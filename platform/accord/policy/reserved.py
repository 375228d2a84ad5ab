"""Names of fields that are reserved: by the metadata of a schema, or for the registry itself.

Both count where Confluent's config says ``validateFields``. Source: confluent-api, sections 2.3 (step 5)
and 5.6.
"""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

from accord.diff.protobuf_changes import Difference
from accord.errors import InvalidSchema
from accord.formats.elements import ElementKind
from accord.formats.places import pointer_token, shown
from accord.model import Finding, Format, Severity
from accord.policy.requirements import ELEMENTS
from accord.rules.common.content import ContentRule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from accord.formats import ParsedSchema
    from accord.formats.elements import Element
    from accord.model import Contract

# The property that names reserved fields, separated by commas.
RESERVED = "confluent:reserved"
OWN_PREFIX = "$$"
# The path of a field of a message on the top level of a file: file, messages, its name, fields, number; a
# member of a oneof has that of the oneof between.
TOP_LEVEL_MESSAGE = 3


class Rules(NamedTuple):
    """The rules that tell of reserved names in one format: a name that goes, and one that a field has."""

    removed: str
    used: str


# Upstream gives them names for Protobuf alone.
PLAIN = Rules(ContentRule.RESERVED_NAME_REMOVED, ContentRule.RESERVED_NAME_USED)
RULES = {
    Format.AVRO: PLAIN,
    Format.JSON: PLAIN,
    Format.PROTOBUF: Rules(
        Difference.METADATA_RESERVED_FIELD_REMOVED, Difference.METADATA_RESERVED_FIELD_IN_USE
    ),
}


def reserved_findings(schema: ParsedSchema, contract: Contract, latest: Contract) -> tuple[Finding, ...]:
    """Return what a candidate does to reserved names; ``latest`` is the contract of the version before it."""
    names, rules = _reserved(contract), RULES[schema.format]
    removed = (
        _finding(rules.removed, "/", one, "is reserved by the version before, and no longer here")
        for one in _reserved(latest) - names
    )
    used = (
        _finding(rules.used, _pointer(field), field.name, "is reserved, and a field has it")
        for field in top_level_fields(schema)
        if field.name in names
    )
    return (*sorted(removed, key=lambda one: one.detail), *used)


def require_plain_fields(schema: ParsedSchema) -> None:
    """Refuse fields on the top level whose name begins as those of the registry itself.

    Raises:
        InvalidSchema: Naming the field.
    """
    for field in top_level_fields(schema):
        if field.name.startswith(OWN_PREFIX):
            details = f"the name of the field {shown(field.name)} begins with {OWN_PREFIX}, which is reserved"
            raise InvalidSchema(schema.format, details, _pointer(field))


def top_level_fields(schema: ParsedSchema) -> Iterator[Element]:
    """Yield the fields of the record a schema is, of the object, or of the messages on the top of a file."""
    elements = iter(ELEMENTS[schema.format](schema))
    if schema.format is Format.PROTOBUF:
        yield from filter(_is_on_top, elements)
        return
    first = next(elements, None)
    if first is not None and not first.path and first.kind is ElementKind.RECORD:
        yield from takewhile(lambda one: one.kind is ElementKind.FIELD, elements)


def _is_on_top(element: Element) -> bool:
    """Tell whether an element of a file is a field of a message that no other message holds."""
    place = element.path[TOP_LEVEL_MESSAGE:]
    return element.kind is ElementKind.FIELD and place[:1] in {("fields",), ("oneofs",)}


def _reserved(contract: Contract) -> set[str]:
    names = contract.properties.get(RESERVED, "").split(",")
    return {name.strip() for name in names} - {""}


def _finding(rule: str, path: str, name: str, words: str) -> Finding:
    return Finding(str(rule), Severity.BLOCK, path, detail=name, message=f"the name {shown(name)} {words}")


def _pointer(field: Element) -> str:
    return "/" + "/".join(map(pointer_token, field.path))
