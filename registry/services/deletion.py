"""Deleting versions and subjects, softly and for good, with the checks in the order clients know."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from accord.model import SubjectName
from accord_server.kit import outbox
from registry.errors import (
    ReferenceExists,
    SubjectNotFound,
    SubjectNotSoftDeleted,
    SubjectSoftDeleted,
    VersionNotFound,
    VersionNotSoftDeleted,
    VersionSoftDeleted,
)
from registry.life_records import Deletion
from registry.models import SchemaReference, Version
from registry.queries.deletion_rules import require_deletable
from registry.queries.locks import lock_subject, lock_subjects_at, lock_versions
from registry.queries.places import namespace_of
from registry.queries.settings import mode_in_force
from registry.queries.versions import NO_NUMBER
from registry.queries.visibility import admit
from registry.records import LATEST
from registry.services.events import VERSION_DELETED, VERSION_PURGED
from registry.services.removal import remove_for_good
from registry.services.situation import require_writable
from registry.version_states import VersionState
from tenants.access import require
from tenants.announcements import announce_namespace
from tenants.records import AuditEntry
from tenants.services import record_audits

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from accord_server.kit.scope import Scope


def soft_delete_subject(scope: Scope, subject: SubjectName) -> list[int]:
    """Hide every live version of a subject; return their numbers.

    Raises:
        SubjectNotFound, RightMissing: Missing or hidden, or ``subject.delete`` is missing.
        SubjectSoftDeleted, DeletionForbidden, ReadOnly, ReferenceExists: In this order.
    """
    with transaction.atomic():
        versions = _locked(scope, subject, "subject.delete")
        live = [version for version in versions if version.deleted_at is None]
        if not live:
            raise SubjectSoftDeleted(subject.qualified)
        require_deletable(scope, Deletion.SOFT)
        require_writable(subject, mode_in_force(scope, subject).name)
        _require_unreferenced(scope, subject, live, by_others=True, by_live=True)
        hide(scope, [version.pk for version in live])
        return _note(scope, subject, live, topic=VERSION_DELETED)


def purge_subject(scope: Scope, subject: SubjectName) -> list[int]:
    """Remove a wholly soft-deleted subject for good; return the numbers of its versions.

    Raises:
        SubjectNotFound, RightMissing: Missing or hidden, or ``subject.purge`` is missing.
        DeletionForbidden, ReadOnly, ReferenceExists, SubjectNotSoftDeleted: In this order.
    """
    with transaction.atomic():
        versions = _locked(scope, subject, "subject.purge")
        require_deletable(scope, Deletion.PERMANENT)
        require_writable(subject, mode_in_force(scope, subject).name)
        _require_unreferenced(scope, subject, versions, by_others=True, by_live=False)
        if any(version.deleted_at is None for version in versions):
            raise SubjectNotSoftDeleted(subject.qualified)
        _purge(scope, subject, versions)
        return _note(scope, subject, versions, topic=VERSION_PURGED)


def soft_delete_version(scope: Scope, subject: SubjectName, number: int | str) -> int:
    """Hide one live version; return its number.

    Raises:
        SubjectNotFound, RightMissing: Missing or hidden, or ``subject.delete`` is missing.
        VersionNotFound, VersionSoftDeleted, DeletionForbidden, ReadOnly, ReferenceExists: The first that
            holds.
    """
    with transaction.atomic():
        version = _chosen(_locked(scope, subject, "subject.delete"), number)
        if version.deleted_at is not None:
            raise VersionSoftDeleted(subject.qualified, version.number)
        require_deletable(scope, Deletion.SOFT)
        require_writable(subject, mode_in_force(scope, subject).name)
        _require_unreferenced(scope, subject, [version], by_others=False, by_live=True)
        hide(scope, [version.pk])
        return _note(scope, subject, [version], topic=VERSION_DELETED)[0]


def purge_version(scope: Scope, subject: SubjectName, number: int | str) -> int:
    """Remove one soft-deleted version for good; return its number.

    Raises:
        SubjectNotFound, RightMissing: Missing or hidden, or ``subject.purge`` is missing.
        VersionNotFound, DeletionForbidden, ReadOnly, ReferenceExists, VersionNotSoftDeleted: In this order.
    """
    with transaction.atomic():
        version = _chosen(_locked(scope, subject, "subject.purge"), number)
        require_deletable(scope, Deletion.PERMANENT)
        require_writable(subject, mode_in_force(scope, subject).name)
        _require_unreferenced(scope, subject, [version], by_others=False, by_live=False)
        if version.deleted_at is None:
            raise VersionNotSoftDeleted(subject.qualified, version.number)
        _purge(scope, subject, [version])
        return _note(scope, subject, [version], topic=VERSION_PURGED)[0]


def purge_leftovers(scope: Scope, places: Sequence[SubjectName]) -> None:
    """Remove what was deleted softly, in the caller's transaction.

    A place is a subject, or with an empty name a whole context. Everything is locked before anything
    goes: whoever removes one subject after the other waits for writers that wait for him.

    Raises:
        DeletionForbidden: Something was deleted there, and may not go for good.
        RightMissing: ``subject.purge`` is missing on a subject that something was deleted of.
        ReferenceExists: Something elsewhere refers to it.
    """
    subjects = {row.pk: SubjectName(row.name, row.context) for row in lock_subjects_at(scope, places)}
    versions = [one for one in lock_versions(scope, subjects) if one.deleted_at is not None]
    leftovers = {
        key: found for key in subjects if (found := [one for one in versions if one.subject_id == key])
    }
    if leftovers:
        require_deletable(scope, Deletion.PERMANENT)
    for key in leftovers:
        require(scope, "subject.purge", subjects[key])
    for key, found in leftovers.items():
        _require_unreferenced(scope, subjects[key], found, by_others=True, by_live=False)
    remove_for_good(scope, {key: subjects[key] for key in leftovers}, [version.pk for version in versions])
    for key, found in leftovers.items():
        _note(scope, subjects[key], found, topic=VERSION_PURGED)


def _locked(scope: Scope, subject: SubjectName, right: str) -> list[Version]:
    """Lock the subject and all its versions, so that nobody begins to refer to one meanwhile."""
    admit(scope, subject, right)
    row = lock_subject(scope, subject)
    versions = [] if row is None else lock_versions(scope, [row.pk])
    if not versions:
        raise SubjectNotFound(subject.qualified)
    return versions


def _chosen(versions: Sequence[Version], number: int | str) -> Version:
    if number == LATEST:
        live = (version for version in versions if version.deleted_at is None)
        wanted = [version for version in live if version.state != VersionState.DISABLED][-1:]
    else:
        wanted = [version for version in versions if version.number == number]
    if not wanted:
        raise VersionNotFound(NO_NUMBER if number == LATEST else int(number))
    return wanted[0]


def _require_unreferenced(
    scope: Scope, subject: SubjectName, versions: Sequence[Version], *, by_others: bool, by_live: bool
) -> None:
    """Refuse while a schema refers to one of the versions.

    ``by_others`` leaves out schemas that only this subject uses, ``by_live`` those nobody uses live.
    """
    users = Version.objects.scoped(scope).filter(schema=OuterRef("schema"))
    if by_others:
        users = users.exclude(subject=versions[0].subject_id)
    if by_live:
        users = users.filter(deleted_at__isnull=True)
    targets = [version.pk for version in versions]
    edges = SchemaReference.objects.scoped(scope).filter(Exists(users), target__in=targets)
    number = edges.order_by("-target__number").values_list("target__number", flat=True).first()
    if number is not None:
        raise ReferenceExists(subject.qualified, number)


def hide(scope: Scope, version_keys: Iterable[int]) -> None:
    """Mark locked versions as deleted: one statement."""
    rows = Version.objects.scoped(scope).filter(pk__in=list(version_keys))
    rows.update(deleted_at=timezone.now())


def _purge(scope: Scope, subject: SubjectName, versions: Sequence[Version]) -> None:
    remove_for_good(scope, {versions[0].subject_id: subject}, [version.pk for version in versions])


def note_all(scope: Scope, topic: str, gone: Iterable[tuple[SubjectName, list[int]]]) -> None:
    """Leave the traces of deletions, each of some versions of a subject, in their transaction."""
    named: list[dict[str, Any]] = [
        {"subject": subject.qualified, "versions": numbers} for subject, numbers in gone
    ]
    announce_namespace(namespace_of(scope))
    outbox.emit_all(scope, topic, named)
    record_audits(scope, [AuditEntry(topic, "subject", one["subject"], after=one) for one in named])


def _note(scope: Scope, subject: SubjectName, versions: Sequence[Version], *, topic: str) -> list[int]:
    numbers = [version.number for version in versions]
    note_all(scope, topic, [(subject, numbers)])
    return numbers
