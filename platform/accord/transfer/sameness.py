"""Whether versions of two copies are one schema, however it is spelled."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from accord.contracts.reading import read_metadata, read_rule_set
from accord.contracts.writing import metadata_data, rule_set_data
from accord.errors import AccordError, ReferenceNotFound
from accord.formats import parse
from accord.model import Format, Reference, SchemaText
from accord.naming import split_subject
from accord.transfer.records import Key

if TYPE_CHECKING:
    from accord.transfer.copies import Copy
    from accord.transfer.records import CopiedVersion


def is_same(one: CopiedVersion, its_copy: Copy, other: CopiedVersion, others_copy: Copy) -> bool:
    """True where both stand for one schema: text in canonical form, references, metadata and rules.

    What cannot be read is the same only as what is spelled alike, which is for the caller to see first.
    """
    if (one.format, _names(one), one.targets) != (other.format, _names(other), other.targets):
        return False
    try:
        return _contract(one) == _contract(other) and _canonical(one, its_copy) == _canonical(
            other, others_copy
        )
    except (AccordError, ValueError):
        return False


class _Held:
    """The port `accord.model.ReferenceResolver` over a copy; subjects are qualified."""

    def __init__(self, copy: Copy) -> None:
        self.copy = copy

    def resolve(self, reference: Reference) -> SchemaText:
        key = Key(split_subject(reference.subject), reference.version)
        if key not in self.copy.entries:
            raise ReferenceNotFound(subject=reference.subject, version=reference.version)
        return _source(self.copy.version(key))


def _names(version: CopiedVersion) -> tuple[str, ...]:
    return tuple(one.name for one in version.references)


def _contract(version: CopiedVersion) -> tuple[object, object]:
    """Metadata and rules in the one way that they are written; a registry tells nothing of empty ones."""
    metadata, rule_set = read_metadata(version.metadata), read_rule_set(version.rule_set)
    return (metadata and metadata_data(metadata)) or None, (rule_set and rule_set_data(rule_set)) or None


def _canonical(version: CopiedVersion, copy: Copy) -> str:
    return parse(_source(version), _Held(copy), strict=False).canonical


def _source(version: CopiedVersion) -> SchemaText:
    """The text with references that mean the same seen from any context."""
    references = tuple(
        replace(one, subject=f":{key.subject.context}:{key.subject.name}")
        for one, key in zip(version.references, version.targets, strict=True)
    )
    return SchemaText(Format(version.format), version.text, references)
