"""From joined rows to the records that leave the room."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from accord.model import Format, Reference, SubjectName
from registry.records import SchemaRecord, VersionRecord

if TYPE_CHECKING:
    from collections.abc import Iterable

    from registry.models import Schema, Version


def references_of(stored: Iterable[list[Any]]) -> tuple[Reference, ...]:
    """Return references from their stored form, a list of triples."""
    return tuple(Reference(name, subject, version) for name, subject, version in stored)


def references_to_store(references: Iterable[Reference]) -> list[list[Any]]:
    """Return the stored form of references."""
    return [[one.name, one.subject, one.version] for one in references]


def schema_record(schema: Schema, *, max_id: int | None = None) -> SchemaRecord:
    """Return the record of a schema read together with its content."""
    return SchemaRecord(
        id=schema.number,
        guid=schema.guid,
        context=schema.context,
        format=Format(schema.content.format),
        text=schema.content.text,
        references=references_of(schema.references),
        max_id=max_id,
        created_at=schema.created_at,
    )


def version_record(version: Version) -> VersionRecord:
    """Return the record of a version read together with its subject, schema and content."""
    return VersionRecord(
        subject=SubjectName(version.subject.name, version.subject.context),
        number=version.number,
        schema=schema_record(version.schema),
        is_deleted=version.deleted_at is not None,
        created_at=version.created_at,
        created_by=version.created_by,
        level=version.level,
    )
