"""Dry runs of policies: what the stored history of a namespace would have met under another one.

A run goes through the subjects in the order of their keys. What it has found is written together with how
far it got, under its lease, so whoever takes it up after a lost worker neither leaves out nor repeats.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

from django.db import transaction
from django.utils import timezone

from accord.errors import AccordError
from accord.policy.documents import as_data, pinned, read_document
from accord.policy.level_names import read_level, spell_level
from accord_server.kit import outbox
from accord_server.kit.configuration import configured
from accord_server.kit.settings_table import DRY_RUN_SECONDS
from registry.dry_run_records import ChangeKind
from registry.models import DryRun, DryRunChange, DryRunState
from registry.policy_errors import PolicyFlawed, ProposalInvalid, TooManyDryRuns
from registry.policy_records import PolicyPlace
from registry.queries.dry_runs import (
    OVER,
    SPENT,
    dry_run_record,
    missing_right,
    next_subjects,
    places_of,
    places_to_store,
    seen_dry_run,
    subjects_concerned,
)
from registry.queries.leased_runs import DRY_RUNS, OPEN, await_turn_to_ask, count_open_runs
from registry.queries.places import namespace_of
from registry.queries.policies import get_policy, places_bound_to
from registry.services.bindings import validate_place
from registry.services.compatibility import asked_level
from registry.services.events import DRY_RUN_REQUESTED
from registry.services.leases import end_under, take_lease, write_under
from registry.services.replaying import Proposal, replay
from tenants.access import require
from tenants.errors import RightMissing

if TYPE_CHECKING:
    from datetime import datetime
    from uuid import UUID

    from accord.model import SubjectName
    from accord_server.kit.scope import Scope
    from registry.dry_run_records import DryRunRecord, StartDryRun, VerdictChange
    from registry.services.leases import Lease

# Of one tenant: unfinished at a time, and finished ones that are kept.
MOST_OPEN: Final = 4
MOST_KEPT: Final = 50
# Of one run.
MOST_CHANGES: Final = 5_000
MOST_COMPARISONS: Final = 2_000_000
SUBJECTS_AT_ONCE: Final = 200
CHANGES_AT_ONCE: Final = 200
# Seconds between two notes of how far a run got, unless much was found.
BETWEEN_NOTES_S: Final = 1.0


class Cut(Exception):
    """A run has met one of its bounds, which is named."""


class LeaseLost(Exception):
    """Somebody else works on the run now, or it was cancelled."""


def start_dry_run(scope: Scope, command: StartDryRun) -> DryRunRecord:
    """Ask for a dry run and return it; a worker does it soon.

    Raises:
        RightMissing: ``policy.read`` or ``subject.read`` is missing on something it would look at.
        ProposalInvalid, LevelInvalid, PolicyFlawed, PlaceInvalid: The request is wrong.
        PolicyNotFound, PolicyVersionNotFound: No such policy, or none that may be seen.
        TooManyDryRuns: The tenant has too many unfinished ones.
    """
    proposal = _proposal(scope, command)
    places = _places(scope, command, proposal["policy"])
    for right in missing_right(scope, places):
        raise RightMissing(right)
    with transaction.atomic():
        await_turn_to_ask(scope, DRY_RUNS)
        if count_open_runs(scope, DRY_RUNS) >= MOST_OPEN:
            raise TooManyDryRuns(MOST_OPEN)
        _forget_oldest(scope)
        run: DryRun = DryRun.objects.insert(
            scope,
            namespace_id=namespace_of(scope),
            proposal=proposal,
            places=places_to_store(places),
            total=subjects_concerned(scope, places).count(),
            tally={**dict.fromkeys(ChangeKind, 0), "compared": 0, SPENT: 0},
            created_by=scope.principal.key,
        )
        outbox.emit(scope, DRY_RUN_REQUESTED, {"dry_run": run.pk})
        return dry_run_record(scope, run)


def cancel_dry_run(scope: Scope, run_id: UUID) -> DryRunRecord:
    """Let a dry run end with what it has found so far; one that is over stays as it is.

    Raises:
        DryRunNotFound: No such run here, or none that may be seen.
        RightMissing: It may not be read, or somebody else started it and ``job.manage`` is missing.
    """
    run = seen_dry_run(scope, run_id)
    if run.created_by != scope.principal.key:
        require(scope, "job.manage")
    rows = DryRun.objects.scoped(scope).filter(pk=run.pk)
    rows.filter(state__in=OPEN).update(state=DryRunState.CANCELLED, leased_until=timezone.now())
    return dry_run_record(scope, rows.get())


def prune_dry_runs(scope: Scope, *, before: datetime) -> int:
    """Forget the tenant's dry runs that ended before a moment; return how many."""
    old = DryRun.objects.scoped(scope).filter(state__in=OVER, leased_until__lt=before)
    return _forget(scope, list(old.values_list("pk", flat=True)))


def run_dry_run(scope: Scope, run_key: int) -> bool:
    """Work on a run until it is done; return False if somebody else holds it or it is over.

    Whatever breaks it for good is written down as its result.
    """
    lease = take_lease(scope, DryRun, run_key)
    if lease is None:
        return False
    journal = _Journal(scope, lease, DryRun.objects.scoped(scope).get(pk=run_key))
    try:
        journal.finish(cut=_work(scope, journal))
    except LeaseLost:
        return True
    except AccordError as error:
        end_under(scope, lease, DryRunState.FAILED, {"error": error.code, "message": error.message})
    return True


def _work(scope: Scope, journal: _Journal) -> str:
    """Go through the subjects; return which bound was met."""
    proposal = _read_proposal(scope, journal.run)
    try:
        while subjects := next_subjects(
            scope, proposal.places, first=journal.run.at_subject, limit=SUBJECTS_AT_ONCE
        ):
            for key, subject in subjects:
                journal.begin(key)
                after = journal.run.at_number
                for number, change in replay(scope, subject, proposal, after=after, watch=journal.watch):
                    journal.reach(subject, number, change)
                journal.pass_by(key)
    except Cut as bound:
        return str(bound)
    return ""


class _Journal:
    """How far a run got and what it found: noted every second or so, all in one transaction."""

    def __init__(self, scope: Scope, lease: Lease, run: DryRun) -> None:
        self.run = run
        self._scope = scope
        self._lease = lease
        self._changes: list[DryRunChange] = []
        self._noted_at = monotonic()

    def begin(self, key: int) -> None:
        """Take up a subject, in the middle if that is where the run stopped."""
        if key != self.run.at_subject:
            self.run.at_subject, self.run.at_number = key, 0

    def watch(self, comparisons: int) -> None:
        """Note what comes next, and stop where a bound is met.

        Raises:
            Cut: Naming the bound.
            LeaseLost: The run is not ours any more.
        """
        tally = self.run.tally
        tally["compared"] += comparisons
        self._note_if_due()
        if tally["compared"] > MOST_COMPARISONS:
            raise Cut("work")
        if tally[SPENT] + self._elapsed_ms() > configured(DRY_RUN_SECONDS) * 1000:
            raise Cut("time")

    def reach(self, subject: SubjectName, number: int, change: VerdictChange | None) -> None:
        """Note that a version is done.

        Raises:
            Cut: There are too many changes to list this one.
        """
        if change is not None:
            self._list(subject, number, change)
        self.run.at_number = number

    def pass_by(self, key: int) -> None:
        """Note that a subject is done."""
        self.run.at_subject, self.run.at_number = key + 1, 0
        self.run.done += 1
        self._note_if_due()

    def finish(self, *, cut: str) -> None:
        """Write the rest, and that the run is over.

        Raises:
            LeaseLost: The run is not ours any more.
        """
        total = self.run.total if cut else self.run.done
        self._note(state=DryRunState.DONE, cut=cut, leased_until=timezone.now(), total=total)

    def _list(self, subject: SubjectName, number: int, change: VerdictChange) -> None:
        tally = self.run.tally
        listed = sum(tally[kind] for kind in ChangeKind)
        if listed >= MOST_CHANGES:
            raise Cut("changes")
        tally[change.kind] += 1
        decided_by = {"listed": [asdict(one) for one in change.decided_by], "left_out": change.left_out}
        self._changes.append(
            DryRunChange(
                tenant_id=self._scope.tenant.id,
                run=self.run,
                position=listed + 1,
                context=subject.context,
                name=subject.name,
                number=number,
                kind=change.kind,
                decided_by=decided_by,
            )
        )

    def _elapsed_ms(self) -> int:
        return round((monotonic() - self._noted_at) * 1000)

    def _note_if_due(self) -> None:
        if self._elapsed_ms() >= BETWEEN_NOTES_S * 1000 or len(self._changes) >= CHANGES_AT_ONCE:
            self._note()

    def _note(self, **values: Any) -> None:
        run = self.run
        run.tally[SPENT] += self._elapsed_ms()
        self._noted_at = monotonic()
        run.total = max(run.total, run.done)
        noted = {name: getattr(run, name) for name in ("done", "total", "tally", "at_subject", "at_number")}
        with transaction.atomic():
            if not write_under(self._scope, self._lease, **{**noted, **values}):
                raise LeaseLost
            DryRunChange.objects.scoped(self._scope).bulk_create(self._changes)
        self._changes.clear()


def _proposal(scope: Scope, command: StartDryRun) -> dict[str, Any]:
    """Return what is tried in its stored form: a policy with its document, or a level."""
    given = [bool(command.policy), command.text is not None, command.level is not None]
    if not any(given):
        raise ProposalInvalid("there is nothing to try; give one of policy, document and level")
    if given.count(True) > 1:
        raise ProposalInvalid(
            "only one of policy, document and level can be tried at a time; leave out the others"
        )
    if command.version is not None and not command.policy:
        raise ProposalInvalid("a version goes with the name of a policy")
    if command.level is not None:
        return {
            "level": spell_level(asked_level(command.level)),
            "policy": None,
            "version": None,
            "document": None,
        }
    if command.text is None:
        stored = get_policy(scope, command.policy, command.version)
        name, version, document = stored.policy, stored.number, dict(stored.document)
    else:
        read = read_document(command.text.text, is_json=command.text.is_json)
        if read.document is None:
            raise PolicyFlawed(read.problems, command.text.is_object)
        name, version, document = read.document.name, None, as_data(pinned(read.document))
    return {"level": None, "policy": name, "version": version, "document": document}


def _places(scope: Scope, command: StartDryRun, policy: str | None) -> tuple[PolicyPlace, ...]:
    """Return where the proposal counts: as asked, or where the policy is bound, or everywhere."""
    if command.place is not None:
        validate_place(command.place)
        return (command.place,)
    return (policy and places_bound_to(scope, policy)) or (PolicyPlace(scope.namespace),)


def _read_proposal(scope: Scope, run: DryRun) -> Proposal:
    known, places = run.proposal, places_of(scope, run)
    if known["level"] is not None:
        return Proposal(places, level=read_level(known["level"]))
    read = read_document(json.dumps(known["document"]), is_json=True)
    if read.document is None:
        raise PolicyFlawed(read.problems)
    return Proposal(places, document=read.document, version=known["version"] or 0)


def _forget_oldest(scope: Scope) -> None:
    """Make room for a result: the newest ones are kept."""
    over = DryRun.objects.scoped(scope).filter(state__in=OVER).order_by("-pk")
    _forget(scope, list(over.values_list("pk", flat=True)[MOST_KEPT - 1 :]))


def _forget(scope: Scope, keys: list[int]) -> int:
    with transaction.atomic():
        DryRunChange.objects.scoped(scope).filter(run__in=keys).delete()
        rows = DryRun.objects.scoped(scope).filter(pk__in=keys)
        return int(rows.delete()[0])
