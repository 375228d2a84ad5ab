"""Names of fields that are reserved: by the metadata of a schema, or for the registry itself.

Both count where Confluent's config says ``validateFields``. Source: confluent-api, sections 2.3 (step 5)
and 5.6.
"""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING

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


def reserved_findings(schema: ParsedSchema, contract: Contract, latest: Contract) -> tuple[Finding, ...]:
    """Return what a candidate does to reserved names; ``latest`` is the contract of the version before it."""
    names = _reserved(contract)
    removed = (_finding(ContentRule.RESERVED_NAME_REMOVED, "/", one) for one in _reserved(latest) - names)
    used = (
        _finding(ContentRule.RESERVED_NAME_USED, _pointer(field), field.name)
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
    """Yield the fields of the record a schema is, of the object, or of the first message of the file."""
    elements = iter(ELEMENTS[schema.format](schema))
    first = next(elements, None)
    is_whole = first is not None and (schema.format is Format.PROTOBUF or not first.path)
    if first is not None and is_whole and first.kind is ElementKind.RECORD:
        yield from takewhile(lambda one: one.kind is ElementKind.FIELD, elements)


def _reserved(contract: Contract) -> set[str]:
    names = contract.properties.get(RESERVED, "").split(",")
    return {name.strip() for name in names} - {""}


def _finding(rule: ContentRule, path: str, name: str) -> Finding:
    words = {
        ContentRule.RESERVED_NAME_REMOVED: "is reserved by the version before, and no longer here",
        ContentRule.RESERVED_NAME_USED: "is reserved, and a field has it",
    }
    message = f"the name {shown(name)} {words[rule]}"
    return Finding(rule.value, Severity.BLOCK, path, detail=name, message=message)


def _pointer(field: Element) -> str:
    return "/" + "/".join(map(pointer_token, field.path))
