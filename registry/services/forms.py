"""Reads that give a text out in another form than the stored one.

Who may not read a referenced subject must not learn its text through a schema that uses it. Where a form
tells of it, one such subject, however far behind, makes the whole schema answer as a missing one does.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from accord.formats.forms import CANONICAL, FORMS, Form, form_names, in_form, named_form
from accord.model import Format, SchemaText
from registry.errors import SchemaGuidNotFound, SchemaIdNotFound, SchemaNotFound, VersionNotFound
from registry.module_errors import NoDescriptors
from registry.queries.history import closure_of_id
from registry.queries.proto_files import set_of_schema
from registry.queries.schemas import schema_by_guid, schema_by_id
from registry.queries.versions import NO_NUMBER, get_version, get_version_with
from registry.queries.visibility import may_read_text
from registry.records import LATEST, StoredSchema
from registry.services.candidates import model_of, restored_model
from registry.services.compiled import CompiledSchemas
from registry.services.filing import filed_schema
from registry.services.heavy import turn_for
from registry.services.lookup import look_up_version
from registry.services.registration import register_version
from registry.services.retagging import found_tags

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from accord.errors import NotFound
    from accord.formats import ParsedSchema
    from accord.formats.protobuf.filing import FiledFile
    from accord.model import SubjectName
    from accord_server.kit.scope import Scope
    from registry.queries.history import Coordinates
    from registry.records import (
        LookUpVersion,
        RegisteredVersion,
        RegisterVersion,
        SchemaRecord,
        VersionRecord,
    )
    from registry.version_states import Life


def schema_in_form(
    scope: Scope,
    schema_id: int,
    form: Form | None,
    *,
    subject: SubjectName | None = None,
    with_max_id: bool = False,
    tags: Collection[str] = (),
) -> SchemaRecord:
    """Return a schema by its id as `schema_by_id` does, its text in a form; None is the stored one.

    The parts of the stored text that have one of the ``tags`` are told beside it, ``*`` being any.

    Raises:
        SchemaIdNotFound, RightMissing: As there, or a text behind it may not be read.
        CompilerUnavailable: The form of a Protobuf schema cannot be made just now.
    """
    found = schema_by_id(scope, schema_id, subject=subject, with_max_id=with_max_id)
    return _formed(scope, found_tags(found, tags), form, missing=SchemaIdNotFound(schema_id))


def schema_of_guid_in_form(scope: Scope, guid: str, form: Form | None) -> SchemaRecord:
    """Return a schema by its GUID as `schema_by_guid` does, its text in a form; None is the stored one.

    Raises:
        SchemaGuidNotFound, RightMissing: As there, or a text behind it may not be read.
        CompilerUnavailable: The form of a Protobuf schema cannot be made just now.
    """
    return _formed(scope, schema_by_guid(scope, guid), form, missing=SchemaGuidNotFound(guid))


def version_in_form(
    scope: Scope,
    subject: SubjectName,
    number: int | str,
    form: Form | None,
    *,
    deleted: bool = False,
    tags: Collection[str] = (),
) -> VersionRecord:
    """Return a version as `get_version` does, its text in a form; None is the stored one.

    The parts of the stored text that have one of the ``tags`` are told beside it, ``*`` being any.

    Raises:
        SubjectNotFound, VersionNotFound: As there, or a text behind it may not be read.
        CompilerUnavailable: The form of a Protobuf schema cannot be made just now.
    """
    found = get_version(scope, subject, number, deleted=deleted)
    missing = VersionNotFound(NO_NUMBER if number == LATEST else int(number))
    schema = found_tags(found.schema, tags)
    return replace(found, schema=_formed(scope, schema, form, missing=missing))


def version_with_in_form(
    scope: Scope,
    subject: SubjectName,
    properties: Mapping[str, str],
    form: Form | None,
    *,
    deleted: bool = False,
) -> VersionRecord:
    """Return the newest version with properties as `get_version_with` does, its text in a form.

    Raises:
        SubjectNotFound, SchemaNotFound: As there, or a text behind it may not be read.
    """
    found = get_version_with(scope, subject, properties, deleted=deleted)
    return replace(found, schema=_formed(scope, found.schema, form, missing=SchemaNotFound()))


def look_up_in_form(scope: Scope, command: LookUpVersion, form: Form | None) -> VersionRecord:
    """Return the version that is the schema as `look_up_version` does, its text in a form.

    Raises:
        SchemaNotFound: There is none, or a text behind it may not be read.
        SubjectNotFound, EmptySchema, InvalidSchema and what else parsing raises: As there.
    """
    found = look_up_version(scope, command)
    return replace(found, schema=_formed(scope, found.schema, form, missing=SchemaNotFound()))


class VersionFiles(NamedTuple):
    """What a version was compiled to, and whether it should still be used."""

    files: tuple[FiledFile, ...]
    life: Life


def version_files(scope: Scope, subject: SubjectName, number: int | str) -> VersionFiles:
    """Return what a version was compiled to: the files that it imports, and its own at the end.

    Raises:
        SubjectNotFound, VersionNotFound: As `get_version`, or a text behind it may not be read.
        NoDescriptors: Its format has none.
        CompilerUnavailable: An older release did not keep them, and they cannot be made just now.
    """
    found = get_version(scope, subject, number)
    if found.schema.format is not Format.PROTOBUF:
        raise NoDescriptors(subject.qualified, found.number, found.schema.format)
    parsed = _parsed(scope, found.schema, missing=VersionNotFound(found.number))
    return VersionFiles(filed_schema(parsed), found.life)


def register_in_form(scope: Scope, command: RegisterVersion, form: Form | None) -> RegisteredVersion:
    """Register a schema as `register_version` does, and return its text in a form; None is the stored one.

    Where a text behind it may not be read the stored one is shown: it is registered all the same.

    Raises:
        CompilerUnavailable: The form of a Protobuf schema cannot be made just now; asking again registers
            nothing anew.
        What `register_version` raises.
    """
    made = register_version(scope, command)
    try:
        schema = _formed(scope, made.version.schema, form, missing=SchemaNotFound())
    except SchemaNotFound:
        return made
    return replace(made, version=replace(made.version, schema=schema))


def version_spelled(scope: Scope, version: VersionRecord, name: str) -> VersionRecord:
    """Return a version that was read with its text in the form of a name (`accord.formats.forms.form_names`).

    Raises:
        VersionNotFound: A text behind it may not be read.
        CompilerUnavailable: The form of a Protobuf schema cannot be made just now.
        TooBusy: The schema is large, and so are others just now.
    """
    schema = version.schema
    if name == CANONICAL or name not in form_names(schema.format):
        return version
    parsed = _parsed(scope, schema, missing=VersionNotFound(version.number))
    with turn_for(len(schema.text)):
        return replace(version, schema=replace(schema, text=named_form(parsed, name)))


def _formed(scope: Scope, schema: SchemaRecord, form: Form | None, *, missing: NotFound) -> SchemaRecord:
    """Return the schema with its text in a form: one statement where it has references."""
    is_same = form is Form.RESOLVED and not schema.references
    if form is None or is_same or form not in FORMS[schema.format]:
        return schema
    parsed = _parsed(scope, schema, missing=missing if form.shows_references else None)
    with turn_for(len(schema.text)):
        return replace(schema, text=in_form(parsed, form))


def _parsed(scope: Scope, schema: SchemaRecord, *, missing: NotFound | None) -> ParsedSchema:
    """Return the model of a schema; ``missing`` is raised where a text behind it may not be read."""
    behind = closure_of_id(scope, schema.id, context=schema.context) if schema.references else {}
    if schema.references and missing is not None:
        _require_readable(scope, behind, missing)
    source = SchemaText(schema.format, schema.text, schema.references)
    stored = StoredSchema(schema.id, schema.context, source)
    if schema.format is Format.PROTOBUF:
        set_key = set_of_schema(scope, schema.id, context=schema.context)
        if set_key is not None:
            with turn_for(len(schema.text)):
                return restored_model(stored, CompiledSchemas(scope, (set_key,)).of(set_key)).parsed
    with turn_for(len(schema.text) + sum(len(one.source.text) for one in behind.values())):
        return model_of(scope.tenant.id, stored, behind).parsed


def _require_readable(scope: Scope, behind: Mapping[Coordinates, StoredSchema], missing: NotFound) -> None:
    if not behind or not all(may_read_text(scope, subject) for subject, _ in behind):
        raise missing
