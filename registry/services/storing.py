"""Writing a new version under the subject's lock; the id's counter is locked last of all.

Under the counter the identity is looked up once more: equal schemas racing into two subjects get one
id, whoever comes first.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from accord.contracts.writing import metadata_data, rule_set_data
from accord.formats.identity import contract_digest
from accord.model import NO_CONTRACT
from accord_server.kit import outbox
from registry.errors import SchemaIdTaken, VersionTaken, WrongVersionNumber
from registry.models import Counter, Schema, SchemaReference, Version
from registry.queries.locks import ContentRow, ContractRow, content_for, contract_for, lock_counter
from registry.queries.places import namespace_of
from registry.queries.rows import references_to_store
from registry.records import SchemaRecord, VersionRecord
from registry.sealing import sealed
from registry.services.events import VERSION_REGISTERED
from registry.services.filing import set_of, store_set
from registry.services.fingerprints import columns_of
from registry.services.remembering import remembered
from registry.services.removal import remove_version_rows
from tenants.announcements import announce_namespace
from tenants.records import AuditEntry
from tenants.services import record_audits
from tenants.services.quotas import require_room

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from accord.model import SubjectName
    from accord_server.kit.scope import Scope
    from registry.records import RegisterVersion
    from registry.services.candidates import Candidate
    from registry.services.situation import Situation
    from registry.services.waiving import Ruling


@dataclass(frozen=True, slots=True)
class Place:
    """Where a version goes: the locked subject, and what is in it now."""

    subject_key: int
    subject: SubjectName
    now: Situation


PLAINLY: Final[Mapping[str, Any]] = MappingProxyType({})


class Stored(NamedTuple):
    """The row keys of what a schema is made of."""

    content: int
    contract: int | None
    descriptor_set: int | None


def store_version(
    scope: Scope, command: RegisterVersion, candidate: Candidate, *, place: Place, ruling: Ruling
) -> VersionRecord:
    """Store a judged candidate as the next version, or as the one an import asks for.

    Raises:
        WrongVersionNumber: An explicit number that is not the next one, outside of imports.
        VersionTaken, SchemaIdTaken: An import clashes with what is stored.
        QuotaReached: The tenant would have more than it may.
    """
    number = _number(scope, command, place)
    carried, compiled = contract_row(candidate), set_of(candidate.parsed)
    stored = Stored(
        content_for(scope, content_row(candidate)),
        None if carried is None else contract_for(scope, carried),
        None if compiled is None else store_set(scope, *compiled),
    )
    leave_traces(scope, [(place.subject, number)], _how(command))
    if place.now.is_import or command.schema_id is not None:
        # Ids may come that were missing, and uses of others may go.
        announce_namespace(namespace_of(scope))
    context, wanted = place.subject.context, command.schema_id
    schema = _bind(scope, candidate, stored, context=context, wanted=wanted)
    version = version_row(scope, candidate, place=place, number=number, schema_key=schema.pk, ruling=ruling)
    version.save(force_insert=True)
    _drop_outdated(scope, place.now, schema.pk, number)
    require_room(scope)
    return _record(place.subject, version, schema, candidate)


def _how(command: RegisterVersion) -> dict[str, Any]:
    """Return what is worth telling of how a version came about."""
    told = {"brings_back": command.brings_back, "check_skipped": command.skips_check}
    return {name: value for name, value in told.items() if value}


def _number(scope: Scope, command: RegisterVersion, place: Place) -> int:
    if command.number <= 0:
        return place.now.next_number
    if not place.now.is_import:
        if command.number != place.now.next_number:
            raise WrongVersionNumber
        return command.number
    standing = place.now.row_at(command.number)
    if standing is not None and not (
        standing.is_deleted and remove_version_rows(scope, [standing.version_key])
    ):
        raise VersionTaken(place.subject.qualified, command.number)
    return command.number


def _bind(scope: Scope, candidate: Candidate, stored: Stored, *, context: str, wanted: int | None) -> Schema:
    """Return the schema of this identity in the context, with its id or the one an import asks for."""
    counter, last = lock_counter(scope, context)
    schemas = Schema.objects.scoped(scope).filter(namespace=namespace_of(scope), context=context)
    if wanted is None:
        known = schemas.filter(identity=candidate.identity).order_by("number").first()
    else:
        known = schemas.filter(number=wanted).first()
    if known is not None:
        if bytes(known.identity) != candidate.identity:
            raise SchemaIdTaken(known.number, context)
        # Callers who see the subject see the id from now on.
        announce_namespace(namespace_of(scope))
        return cast("Schema", known)
    number = last + 1 if wanted is None else wanted
    if number > last:
        Counter.objects.scoped(scope).filter(pk=counter).update(last=number)
    return _add_schema(scope, candidate, stored, context=context, number=number)


def content_row(candidate: Candidate) -> ContentRow:
    """Return the text of a candidate as it is stored."""
    return ContentRow(str(candidate.parsed.format), candidate.digest, candidate.parsed.canonical)


def contract_row(candidate: Candidate) -> ContractRow | None:
    """Return metadata and rules as they are stored, if there are any.

    Raises:
        SensitiveUnavailable: There is no key for what the metadata call sensitive.
    """
    contract = candidate.contract
    if contract == NO_CONTRACT:
        return None
    metadata = None if contract.metadata is None else json.dumps(sealed(metadata_data(contract.metadata)))
    rule_set = None if contract.rule_set is None else json.dumps(rule_set_data(contract.rule_set))
    return ContractRow(contract_digest(contract), metadata, rule_set)


def schema_row(scope: Scope, candidate: Candidate, stored: Stored, *, context: str, number: int) -> Schema:
    """Return the row of a new schema, which is still to be stored."""
    return Schema(
        tenant_id=scope.tenant.id,
        namespace_id=namespace_of(scope),
        context=context,
        number=number,
        content_id=stored.content,
        contract_id=stored.contract,
        descriptor_set_id=stored.descriptor_set,
        guid=candidate.guid,
        identity=candidate.identity,
        equivalence=candidate.equivalence,
        references=references_to_store(candidate.parsed.references),
        **columns_of(candidate.printed),
    )


def edge_rows(scope: Scope, schema_key: int, version_keys: Iterable[int]) -> list[SchemaReference]:
    """Return the rows by which a stored schema refers to versions, which are still to be stored."""
    return [
        SchemaReference(tenant_id=scope.tenant.id, schema_id=schema_key, position=position, target_id=key)
        for position, key in enumerate(version_keys)
    ]


def version_row(
    scope: Scope, candidate: Candidate, *, place: Place, number: int, schema_key: int, ruling: Ruling
) -> Version:
    """Return the row of a new version, which is still to be stored."""
    policy = place.now.policy(scope, candidate.parsed.format)
    return Version(
        tenant_id=scope.tenant.id,
        subject_id=place.subject_key,
        number=number,
        schema_id=schema_key,
        created_by=scope.principal.key,
        **remembered(place.now, policy, ruling.verdict, ruling.waiver),
    )


def leave_traces(
    scope: Scope, registered: Iterable[tuple[SubjectName, int]], how: Mapping[str, Any] = PLAINLY
) -> None:
    """Leave the traces of new versions, in their transaction: two statements."""
    named = [{"subject": subject.qualified, "version": number, **how} for subject, number in registered]
    outbox.emit_all(scope, VERSION_REGISTERED, named)
    record_audits(
        scope,
        [
            AuditEntry(VERSION_REGISTERED, "version", f"{one['subject']}/{one['version']}", after=one)
            for one in named
        ],
    )


def _add_schema(scope: Scope, candidate: Candidate, stored: Stored, *, context: str, number: int) -> Schema:
    schema = schema_row(scope, candidate, stored, context=context, number=number)
    schema.save(force_insert=True)
    edges = edge_rows(scope, schema.pk, [target.version_key for target in candidate.targets])
    if edges:
        SchemaReference.objects.scoped(scope).bulk_create(edges)
    return schema


def _drop_outdated(scope: Scope, now: Situation, schema_key: int, number: int) -> None:
    """Remove soft-deleted versions of the same schema that the new one stands in for.

    One that other schemas refer to stays, so that they keep resolving.
    """
    keys = [
        row.version_key
        for row in now.rows
        if row.is_deleted and row.schema_key == schema_key and row.number < number
    ]
    if keys:
        remove_version_rows(scope, keys)


def _record(subject: SubjectName, version: Version, schema: Schema, candidate: Candidate) -> VersionRecord:
    return VersionRecord(
        subject=subject,
        number=version.number,
        schema=SchemaRecord(
            id=schema.number,
            guid=schema.guid,
            context=schema.context,
            format=candidate.parsed.format,
            text=candidate.parsed.canonical,
            references=candidate.parsed.references,
            contract=candidate.contract,
            created_at=schema.created_at,
        ),
        is_deleted=False,
        created_at=version.created_at,
        created_by=version.created_by,
        level=version.level,
    )
