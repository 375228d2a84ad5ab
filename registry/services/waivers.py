"""Giving, ending and using waivers; each leaves a record in the audit log."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from django.db import transaction
from django.utils import timezone

from accord.lint.table import LINT
from accord.policy.requirements import DOC_MISSING, NAME_PATTERN, OWNER_MISSING
from accord.rules.presets import PRESETS
from registry.models import LONGEST_REASON, Waiver
from registry.queries.places import namespace_of
from registry.queries.waivers import (
    WRITE,
    await_turn_to_give,
    count_open_waivers,
    open_now,
    open_waiver,
    seen_waiver,
    waiver_record,
)
from registry.services.candidates import prepare
from registry.services.contracts import complete, grouped, looked_up, stamped
from registry.services.delegating import Errand, patiently
from registry.services.heavy import length_of, turn_for
from registry.services.requirements import own_findings
from registry.services.situation import situation_of
from registry.services.waiving import NEVER, TOO_LARGE, at_hand, left_over, whole_verdict
from registry.waiver_errors import (
    NothingToWaive,
    WaiverExists,
    WaiverInvalid,
    WaiverLimitReached,
    WaiverOver,
)
from tenants.access import require
from tenants.records import AuditEntry
from tenants.services import record_audit

if TYPE_CHECKING:
    from uuid import UUID

    from accord_server.kit.scope import Scope
    from registry.services.candidates import Candidate
    from registry.waiver_records import GiveWaiver, WaivedFinding, WaiverRecord

LONGEST_LIFE: Final = timedelta(days=30)
MOST_OPEN: Final = 1_000
MOST_RULES: Final = 50
# A waiver lists what it waives; whoever meets more names the rules.
MOST_FINDINGS: Final = 1_000
KNOWN: Final = (
    frozenset({DOC_MISSING, NAME_PATTERN, OWNER_MISSING}.union(LINT.rows, *PRESETS.values())) - NEVER
)


def give_waiver(scope: Scope, command: GiveWaiver) -> WaiverRecord:
    """Allow one schema to be registered once under a subject, despite what blocks it now.

    Raises:
        RightMissing: ``waiver.write`` or ``compat.check`` is missing on the subject.
        WaiverInvalid: Reason, expiry or rules are not what they may be, or not enough.
        InvalidSchema and what else parsing raises: No waiver helps.
        NothingToWaive: The schema is not refused.
        WaiverExists, WaiverLimitReached: There is one already, or too many.
        TooBusy: The schema is large, and so are others just now.
        CheckUnderWay and what else `delegating.patiently` raises: A worker judges it, and takes longer.
    """
    for right in (WRITE, "compat.check"):
        require(scope, right, command.subject)
    _require_sound(command)
    candidate, findings = patiently(scope, partial(_refused, scope, command))
    with transaction.atomic():
        await_turn_to_give(scope)
        known = open_waiver(scope, command.subject, candidate.identity)
        if known is not None:
            raise WaiverExists(command.subject.qualified, str(known.public_id))
        if count_open_waivers(scope) >= MOST_OPEN:
            raise WaiverLimitReached(MOST_OPEN)
        row: Waiver = Waiver.objects.insert(
            scope,
            namespace_id=namespace_of(scope),
            context=command.subject.context,
            name=command.subject.name,
            format=candidate.parsed.format,
            identity=candidate.identity,
            rules=list(command.rules),
            findings=[list(one) for one in findings],
            reason=command.reason,
            expires_at=command.expires_at,
            created_by=scope.principal.key,
        )
        record = waiver_record(row)
        _leave_traces(scope, "waiver.create", record, after=_told(record))
    return record


def revoke_waiver(scope: Scope, waiver_id: UUID) -> WaiverRecord:
    """End a waiver that nobody has used.

    Raises:
        WaiverNotFound: No such waiver here, or none that may be seen.
        RightMissing: ``waiver.write`` is missing on its subject.
        WaiverOver: It was used, has expired or was revoked before.
    """
    row = seen_waiver(scope, waiver_id, WRITE)
    with transaction.atomic():
        rows = Waiver.objects.scoped(scope).filter(pk=row.pk)
        ended = rows.filter(open_now()).update(revoked_at=timezone.now(), revoked_by=scope.principal.key)
        record = waiver_record(rows.get())
        if not ended:
            raise WaiverOver(str(waiver_id), record.state)
        _leave_traces(scope, "waiver.revoke", record, before={"state": "open"})
    return record


def use_waiver(scope: Scope, waiver: WaiverRecord, *, version: int) -> bool:
    """Use a waiver up, in the transaction that stores its version; False if it cannot be used any more."""
    rows = Waiver.objects.scoped(scope).filter(public_id=waiver.id)
    values = {"used_at": timezone.now(), "used_by": scope.principal.key, "used_version": version}
    if not rows.filter(open_now()).update(**values):
        return False
    _leave_traces(scope, "waiver.use", waiver, after={**_told(waiver), "version": version})
    return True


def _require_sound(command: GiveWaiver) -> None:
    now = timezone.now()
    if not command.reason.strip() or len(command.reason) > LONGEST_REASON:
        raise WaiverInvalid(f"the reason is a text of 1 to {LONGEST_REASON} characters")
    if not now < command.expires_at <= now + LONGEST_LIFE:
        raise WaiverInvalid(f"it must end in the future, within {LONGEST_LIFE.days} days")
    if len(command.rules) > MOST_RULES:
        raise WaiverInvalid(f"at most {MOST_RULES} rules are named")
    for rule in command.rules:
        if rule in NEVER:
            raise WaiverInvalid(f"{rule} is a limit and is never waived")
        if rule not in KNOWN:
            raise WaiverInvalid(f"there is no rule {rule[:80]!r}")


def _refused(scope: Scope, command: GiveWaiver) -> tuple[Candidate, tuple[WaivedFinding, ...]]:
    """Judge the schema as its registration would; return it with what is waived if no rules are named."""
    subject = command.subject
    with turn_for(length_of(command.schema)):
        now = situation_of(scope, subject)
        config = now.config
        normalize, strict = command.normalize or config.normalizes, config.is_strict
        candidate = prepare(scope, subject, command.schema, normalize=normalize, strict=strict)
        candidate.require_live_targets()
        candidate = replace(candidate, contract=command.contract)
        if looked_up(scope, candidate, now, now.usable) is not None:
            raise NothingToWaive(subject.qualified)
        candidate = stamped(complete(scope, candidate, now), now, number=0)
        found = now.policy(scope, candidate.parsed.format)
        own = own_findings(scope, candidate, found, now)
        peers = grouped(scope, candidate, now, found.group.value)
        verdict = whole_verdict(scope, Errand(subject, candidate, found, peers, own, peers.usable))
    if verdict.is_allowed:
        raise NothingToWaive(subject.qualified)
    findings = () if command.rules else at_hand(verdict)
    left = sorted({*left_over(verdict, command.rules, findings)})
    if left:
        raise WaiverInvalid(f"{', '.join(left)} would still refuse the schema; {_advice(left)}")
    if len(findings) > MOST_FINDINGS:
        raise WaiverInvalid(f"more than {MOST_FINDINGS} findings block; name the rules to waive")
    return candidate, findings


def _advice(left: list[str]) -> str:
    if TOO_LARGE in left:
        return (
            "comparing it with every version that the level names takes more steps than a check may, and"
            " limits are never waived: make it smaller, or choose a level that looks at fewer versions"
        )
    limits = NEVER.intersection(left)
    return "make it smaller, limits are never waived" if limits else "name every rule to waive"


def _told(waiver: WaiverRecord) -> dict[str, Any]:
    rules = waiver.rules or tuple(dict.fromkeys(rule for rule, *_ in waiver.findings))
    return {
        "subject": waiver.subject.qualified,
        "digest": waiver.digest,
        "rules": list(rules),
        "reason": waiver.reason,
        "expires_at": waiver.expires_at.isoformat(),
    }


def _leave_traces(
    scope: Scope,
    action: str,
    waiver: WaiverRecord,
    *,
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
) -> None:
    record_audit(scope, entry=AuditEntry(action, "waiver", str(waiver.id), before=before, after=after))
