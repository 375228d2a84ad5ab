"""Imports into a namespace: begun, fed in batches, and ended.

A batch is one transaction together with what it adds to the counts of its run, so that a batch that is sent
again, or whose sender or server dies in the middle, neither doubles nor halves anything.
"""

from __future__ import annotations

from dataclasses import asdict
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from registry.errors import ImportOver, ImportUnderWay, TooMuchContention
from registry.import_records import BatchOutcome, Refusal
from registry.models import LONGEST_SOURCE, ImportIssue, ImportRun, ImportState
from registry.queries.imports import RIGHT, record_of, seen_import
from registry.queries.leased_runs import await_turn
from registry.queries.places import TOP_LEVEL, namespace_of
from registry.queries.standing import settings_of_many
from registry.services.heavy import length_of, turn_for
from registry.services.import_candidates import prepare_batch
from registry.services.import_deletions import delete_batch
from registry.services.import_storing import Clashed, store_batch
from registry.services.situation import SituationMoved
from tenants.access import require
from tenants.records import AuditEntry
from tenants.services import record_audit

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

    from django.db.models import QuerySet

    from accord_server.kit.scope import Scope
    from registry.import_records import (
        ImportedVersion,
        ImportRecord,
        ImportResult,
        StartImport,
        VersionKey,
    )

# Of one namespace: finished ones that are kept; of one import: refusals that are listed.
MOST_KEPT: Final = 50
MOST_ISSUES: Final = 1_000
# An import that nobody has heard of for so long gives way to another one.
SILENCE: Final = timedelta(minutes=10)
ATTEMPTS: Final = 8
BEGUN: Final = "import.begin"
ENDED: Final = "import.end"


def start_import(scope: Scope, command: StartImport) -> ImportRecord:
    """Begin an import, or go on with the one that the caller has begun from the same source.

    Raises:
        RightMissing: ``import`` is missing.
        ImportUnderWay: Somebody else's, or one from elsewhere, goes on.
    """
    require(scope, RIGHT)
    source = command.source[:LONGEST_SOURCE]
    with transaction.atomic():
        await_turn(f"imports into {namespace_of(scope)}")
        going_on = _rows(scope).filter(state=ImportState.RUNNING).select_for_update().first()
        if going_on is not None and (going_on.source, going_on.created_by) != (source, scope.principal.key):
            if going_on.heard_at > timezone.now() - SILENCE:
                raise ImportUnderWay(going_on.source, going_on.created_by)
            _end(scope, going_on, ImportState.CANCELLED)
            going_on = None
        if going_on is not None:
            going_on.planned, going_on.heard_at = dict(command.planned), timezone.now()
            going_on.save(update_fields=["planned", "heard_at"])
            return record_of(going_on)
        _forget_oldest(scope)
        run: ImportRun = ImportRun.objects.insert(
            scope,
            namespace_id=namespace_of(scope),
            source=source,
            planned=dict(command.planned),
            created_by=scope.principal.key,
        )
        _note(scope, run, BEGUN)
        return record_of(run)


def import_versions(
    scope: Scope, run_id: UUID, lines: Sequence[ImportedVersion], unfit: Sequence[Refusal] = ()
) -> BatchOutcome:
    """Store versions under their own ids and numbers; those that are there already stay as they are.

    ``unfit`` are others of the batch that could not even be read.

    Raises:
        RightMissing: ``import`` is missing, or ``subject.write`` or ``reference.use`` on one of the subjects.
        ImportNotFound, ImportOver: There is no import that could take them.
        TooBusy: They are large, and so are other calls just now.
        TooMuchContention: The settings changed faster than the versions were read.
    """
    run = _open_run(scope, run_id)
    for subject in {line.key.subject for line in lines}:
        require(scope, "subject.write", subject)
    with turn_for(sum(length_of(line.command.schema) for line in lines)):
        left, refused = list(lines), list(unfit)
        for _ in range(ATTEMPTS):
            try:
                return _attempt(scope, run, left, refused)
            except SituationMoved:
                continue
            except Clashed as found:
                refused += [Refusal.of(line.key, error) for line, error in found.refused]
                out = {id(line) for line, _ in found.refused}
                left = [line for line in left if id(line) not in out]
        raise TooMuchContention(TOP_LEVEL.qualified)


def import_deletions(scope: Scope, run_id: UUID, keys: Sequence[VersionKey]) -> BatchOutcome:
    """Delete versions softly, in this order; those that are deleted already stay as they are.

    Raises:
        RightMissing: ``import`` is missing, or ``subject.delete`` on one of the subjects.
        ImportNotFound, ImportOver: There is no import that could do so.
    """
    run = _open_run(scope, run_id)
    for subject in {key.subject for key in keys}:
        require(scope, "subject.delete", subject)
    with transaction.atomic():
        outcome = delete_batch(scope, keys)
        _count(scope, run, outcome)
    return outcome


def finish_import(scope: Scope, run_id: UUID, result: ImportResult) -> ImportRecord:
    """End an import with what its bringer found; one that is over stays as it is.

    Raises:
        RightMissing, ImportNotFound: As `registry.queries.imports.import_record`.
    """
    return _ended(scope, run_id, ImportState.DONE, result)


def cancel_import(scope: Scope, run_id: UUID) -> ImportRecord:
    """End an import before it is done; what it has stored stays, and one that is over stays as it is.

    Raises:
        RightMissing, ImportNotFound: As `registry.queries.imports.import_record`; or somebody else began it,
            and ``job.manage`` is missing.
    """
    run = seen_import(scope, run_id)
    if run.created_by != scope.principal.key:
        require(scope, "job.manage")
    return _ended(scope, run_id, ImportState.CANCELLED)


def _attempt(
    scope: Scope, run: ImportRun, lines: Sequence[ImportedVersion], refused: Sequence[Refusal]
) -> BatchOutcome:
    """Store versions, knowing what was refused before."""
    settings = settings_of_many(scope, {line.key.subject for line in lines})
    prepared, unfit = prepare_batch(scope, lines, settings)
    with transaction.atomic():
        registered = store_batch(scope, prepared, settings)
        present = len(prepared) - registered
        outcome = BatchOutcome(registered, present=present, refused=(*refused, *unfit))
        _count(scope, run, outcome)
    return outcome


def _open_run(scope: Scope, run_id: UUID) -> ImportRun:
    run = seen_import(scope, run_id)
    if run.state != ImportState.RUNNING:
        raise ImportOver(str(run_id), str(run.state))
    return run


def _count(scope: Scope, run: ImportRun, outcome: BatchOutcome) -> None:
    """Add a batch to the counts of its run, in the batch's transaction; the run's row is locked last.

    Raises:
        ImportOver: It was ended meanwhile, and so nothing of the batch is kept.
    """
    rows = _rows(scope).filter(pk=run.pk, state=ImportState.RUNNING)
    counted = rows.update(
        registered=F("registered") + outcome.registered,
        deleted=F("deleted") + outcome.deleted,
        present=F("present") + outcome.present,
        refused=F("refused") + len(outcome.refused),
        heard_at=timezone.now(),
    )
    if not counted:
        raise ImportOver(str(run.public_id), ImportState.CANCELLED)
    if outcome.refused:
        _list(scope, run, outcome.refused)


def _list(scope: Scope, run: ImportRun, refused: Sequence[Refusal]) -> None:
    """Note what was refused, once each, and no more than there is room for."""
    known = ImportIssue.objects.scoped(scope).filter(run=run)
    listed = set(known.values_list("context", "name", "number", "code"))
    rows = {
        place: ImportIssue(
            tenant_id=scope.tenant.id,
            run=run,
            context=one.key.subject.context,
            name=one.key.subject.name,
            number=one.key.number,
            code=one.code,
            message=one.message,
        )
        for one in refused
        if (place := (one.key.subject.context, one.key.subject.name, one.key.number, one.code)) not in listed
    }
    known.bulk_create(list(rows.values())[: max(0, MOST_ISSUES - len(listed))])


def _ended(
    scope: Scope, run_id: UUID, state: ImportState, result: ImportResult | None = None
) -> ImportRecord:
    run = seen_import(scope, run_id)
    with transaction.atomic():
        run = _rows(scope).select_for_update().get(pk=run.pk)
        if run.state == ImportState.RUNNING:
            run.result = None if result is None else asdict(result)
            _end(scope, run, state)
    return record_of(run)


def _end(scope: Scope, run: ImportRun, state: ImportState) -> None:
    run.state, run.heard_at = state, timezone.now()
    run.save(update_fields=["state", "result", "heard_at"])
    _note(scope, run, ENDED)


def _note(scope: Scope, run: ImportRun, action: str) -> None:
    told = {"source": run.source, "state": str(run.state), "registered": run.registered}
    record_audit(scope, entry=AuditEntry(action, "import", str(run.public_id), after=told))


def _forget_oldest(scope: Scope) -> None:
    """Make room: the newest ones are kept."""
    old = list(_rows(scope).order_by("-pk").values_list("pk", flat=True)[MOST_KEPT - 1 :])
    ImportIssue.objects.scoped(scope).filter(run__in=old).delete()
    _rows(scope).filter(pk__in=old).delete()


def _rows(scope: Scope) -> QuerySet[ImportRun]:
    rows: QuerySet[ImportRun] = ImportRun.objects.scoped(scope)
    return rows.filter(namespace=namespace_of(scope))
