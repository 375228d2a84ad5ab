"""Reads that write out what a schema refers to, each a twin of one that does not.

Who may not read a referenced subject must not learn its text through a schema that uses it. One such
subject, however far behind, and the whole schema answers as a missing one does.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from accord.model import Format, SchemaText
from registry.errors import SchemaIdNotFound, SchemaNotFound, VersionNotFound
from registry.queries.history import closure_of_id
from registry.queries.schemas import schema_by_id
from registry.queries.versions import NO_NUMBER, get_version
from registry.queries.visibility import may_read_text
from registry.records import LATEST, StoredSchema
from registry.services.candidates import model_of
from registry.services.heavy import turn_for
from registry.services.lookup import look_up_version

if TYPE_CHECKING:
    from accord.errors import NotFound
    from accord.model import SubjectName
    from accord_server.kit.scope import Scope
    from registry.records import LookUpVersion, SchemaRecord, VersionRecord


def resolved_schema(
    scope: Scope, schema_id: int, *, subject: SubjectName | None = None, with_max_id: bool = False
) -> SchemaRecord:
    """Return a schema by its id as `schema_by_id` does, its references written out.

    Raises:
        SchemaIdNotFound, RightMissing: As there, or a text behind it may not be read.
    """
    found = schema_by_id(scope, schema_id, subject=subject, with_max_id=with_max_id)
    return _written_out(scope, found, missing=SchemaIdNotFound(schema_id))


def resolved_version(
    scope: Scope, subject: SubjectName, number: int | str, *, deleted: bool = False
) -> VersionRecord:
    """Return a version as `get_version` does, its references written out.

    Raises:
        SubjectNotFound, VersionNotFound: As there, or a text behind it may not be read.
    """
    found = get_version(scope, subject, number, deleted=deleted)
    missing = VersionNotFound(NO_NUMBER if number == LATEST else int(number))
    return replace(found, schema=_written_out(scope, found.schema, missing=missing))


def look_up_resolved(scope: Scope, command: LookUpVersion) -> VersionRecord:
    """Return the version that is the schema as `look_up_version` does, its references written out.

    Raises:
        SchemaNotFound: There is none, or a text behind it may not be read.
        SubjectNotFound, EmptySchema, InvalidSchema and what else parsing raises: As there.
    """
    found = look_up_version(scope, command)
    return replace(found, schema=_written_out(scope, found.schema, missing=SchemaNotFound()))


def _written_out(scope: Scope, schema: SchemaRecord, *, missing: NotFound) -> SchemaRecord:
    """Return the schema with a text that needs no references: one statement where it has any."""
    if schema.format is not Format.AVRO or not schema.references:
        return schema
    behind = closure_of_id(scope, schema.id, context=schema.context)
    if not behind or not all(may_read_text(scope, subject) for subject, _ in behind):
        raise missing
    stored = StoredSchema(
        schema.id, schema.context, SchemaText(schema.format, schema.text, schema.references)
    )
    with turn_for(len(schema.text) + sum(len(one.source.text) for one in behind.values())):
        return replace(schema, text=model_of(scope.tenant.id, stored, behind).parsed.resolved())
