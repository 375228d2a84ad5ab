"""Registering a version: everything slow before the lock, everything shared under it.

The order of the steps is that of the Confluent dialect: what is registered already is answered
whatever the mode; then mode, references, compatibility, version, and the id last of all.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Final

from django.db import transaction

from accord.errors import ReferenceNotFound
from accord.formats.fingerprints import fingerprints
from accord.model import Verdict
from accord.policy.reserved import require_plain_fields
from registry.errors import (
    EmptySchema,
    IncompatibleSchema,
    PurgedMeanwhile,
    TooMuchContention,
)
from registry.life_errors import VersionDisabled
from registry.policy_errors import ContentRefused
from registry.queries.history import stored_schemas
from registry.queries.locks import lock_live_versions, lock_or_add_subject
from registry.queries.visibility import may_see
from registry.records import NO_TAG_CHANGES, RegisteredVersion
from registry.services.candidates import prepare
from registry.services.contracts import complete, grouped, looked_up, stamped
from registry.services.delegating import Errand, patiently, verdict_on
from registry.services.heavy import bytes_of, length_of, turn_for
from registry.services.judging import judge_history, wording
from registry.services.requirements import own_findings, require_content
from registry.services.retagging import with_tags
from registry.services.situation import (
    SituationMoved,
    repeatable,
    require_format,
    require_registrable,
    require_subject,
    situation_of,
    standing_for,
    standing_record,
)
from registry.services.storing import Place, store_version
from registry.services.waivers import use_waiver
from registry.services.waiving import Ruling, waived
from tenants.access import require
from tenants.services.quotas import require_size

if TYPE_CHECKING:
    from accord_server.kit.scope import Scope
    from registry.records import HistoryRow, RegisterVersion, VersionRecord
    from registry.services.candidates import Candidate
    from registry.services.situation import Match, Situation

ATTEMPTS: Final = 8


@dataclass(frozen=True, slots=True)
class Judged:
    """What a candidate was judged by, to be held against what is stored once the lock is held."""

    seen: Situation
    ruling: Ruling
    is_first: bool


def register_version(scope: Scope, command: RegisterVersion) -> RegisteredVersion:
    """Register a schema under a subject, or return the version that is this schema already.

    Raises:
        InvalidSubject, EmptySchema, WrongVersionNumber, ReferenceNotFound: The request is wrong,
            as it is for whatever parsing raises.
        RightMissing: ``subject.write``, or ``reference.use``, ``import`` or ``check.skip`` where needed.
        FormatFixed: The namespace takes another format alone.
        ReadOnly, NotInImportMode, NotInReadWriteMode: The mode does not take it.
        VersionDisabled: A disabled version is this schema, or one that it refers to is disabled.
        ContentRefused: A policy asks for what the schema itself lacks.
        InvalidRuleSet, ContractTooLarge: What it carries does not go with what the config adds.
        IncompatibleSchema: The verdict blocks.
        SchemaIdTaken, VersionTaken: An import clashes with what is stored.
        TooMuchContention: The settings changed faster than the schema was judged.
        SchemaAboveQuota, QuotaReached: The tenant may not have as much.
        TooBusy: The schema is large, and so are others just now.
        CheckUnderWay and what else `delegating.patiently` raises: A worker judges it, and takes longer.
    """
    require_subject(command.subject)
    require(scope, "subject.write", command.subject)
    if command.skips_check:
        require(scope, "check.skip", command.subject)
    return patiently(scope, partial(_registered, scope, command))


def _registered(scope: Scope, command: RegisterVersion) -> RegisteredVersion:
    for attempt in range(ATTEMPTS):
        try:
            return _attempt(scope, command, is_first=attempt == 0)
        except (PurgedMeanwhile, SituationMoved):
            continue
    raise TooMuchContention(command.subject.qualified)


def _attempt(scope: Scope, command: RegisterVersion, *, is_first: bool) -> RegisteredVersion:
    with turn_for(length_of(command.schema)):
        seen = situation_of(scope, command.subject)
        if _is_bare(command):
            # Nothing that might be registered already: what is sent has no text of its own.
            _require_mode(command, seen)
        sent = _candidate(scope, command, seen)
        known = _repeated(scope, command, sent, seen)
        if known is not None:
            return _known(scope, command, known)
        _require_allowed(scope, command, sent, seen)
        sent = with_tags(scope, command, sent, seen)
        candidate, known = _completed(scope, command, sent, seen)
        if known is not None:
            return _known(scope, command, known)
        judged = Judged(seen, _judge(scope, command, candidate, seen), is_first)
        sent = replace(sent, printed=fingerprints(sent.parsed))
    with transaction.atomic():
        return _store(scope, command, sent, judged)


def _repeated(scope: Scope, command: RegisterVersion, sent: Candidate, now: Situation) -> Match | None:
    """Return the version that the registration only repeats, whatever the mode.

    Where the config or the request adds to what is sent, or the latest version does, nobody knows that yet.
    """
    if _is_bare(command) or command.tags != NO_TAG_CHANGES or not now.config.contracts.is_empty:
        return None
    rows = repeatable(_standing(command, now), number=command.number, schema_id=command.schema_id)
    return looked_up(scope, sent, now, rows, number=command.number)


def _completed(
    scope: Scope, command: RegisterVersion, sent: Candidate, now: Situation
) -> tuple[Candidate, Match | None]:
    """Return the candidate with all that it is to carry, and the version that it is then already."""
    whole = complete(scope, sent, now)
    repeats = command.number == 0 or now.is_import
    rows = (
        repeatable(_standing(command, now), number=command.number, schema_id=command.schema_id)
        if repeats
        else ()
    )
    return stamped(whole, now, number=command.number), standing_for(scope, whole, rows)


def _require_allowed(scope: Scope, command: RegisterVersion, candidate: Candidate, seen: Situation) -> None:
    _require_mode(command, seen)
    require_format(scope, candidate.parsed.format)
    if command.schema_id is not None:
        require(scope, "import")
    candidate.require_live_targets()
    candidate.require_usable_targets(scope)


def _require_mode(command: RegisterVersion, seen: Situation) -> None:
    require_registrable(command.subject, seen.mode, has_id=command.schema_id is not None)


def _is_bare(command: RegisterVersion) -> bool:
    """Tell whether metadata or rules are sent alone, to go with the text of the latest version."""
    return command.schema is None or not command.schema.text.strip()


def _candidate(scope: Scope, command: RegisterVersion, seen: Situation) -> Candidate:
    source = command.schema
    if source is None or _is_bare(command):
        # The latest version is meant, which answers with its text: there is none for who may not read it.
        if not seen.usable or seen.is_import or not may_see(scope, command.subject):
            raise EmptySchema
        latest = seen.usable[-1].schema_key
        source = stored_schemas(scope, [latest])[latest].source
    require_size(scope, bytes_of(source))
    candidate = prepare(
        scope,
        command.subject,
        source,
        normalize=command.normalize or seen.config.normalizes,
        strict=seen.config.is_strict and command.schema_id is None,
    )
    if seen.config.validates_fields and command.schema_id is None:
        require_plain_fields(candidate.parsed)
    return replace(candidate, contract=command.contract)


def _judge(scope: Scope, command: RegisterVersion, candidate: Candidate, seen: Situation) -> Ruling:
    """Return the verdict, which lets the candidate in: by itself, or by a waiver."""
    if seen.is_import:
        return Ruling(Verdict())
    _require_enabled(scope, candidate, seen)
    policy = seen.policy(scope, candidate.parsed.format)
    own = own_findings(scope, candidate, policy, seen)
    if command.skips_check:
        require_content(command.subject, own, policy, candidate.as_written(command.schema))
        return Ruling(Verdict((), own))
    peers = grouped(scope, candidate, seen, policy.group.value)
    errand = Errand(command.subject, candidate, policy, peers, own, peers.usable)
    try:
        return Ruling(_verdict(scope, command, errand))
    except (ContentRefused, IncompatibleSchema):
        ruling = waived(scope, errand)
        if ruling is not None:
            return ruling
        # An equal registration may have used the waiver up meanwhile.
        now = situation_of(scope, command.subject)
        rows = repeatable(_standing(command, now), number=command.number, schema_id=command.schema_id)
        if standing_for(scope, candidate, rows) is not None:
            raise SituationMoved from None
        raise


def _require_enabled(scope: Scope, candidate: Candidate, seen: Situation) -> None:
    disabled = tuple(row for row in seen.live if row.is_disabled)
    found = standing_for(scope, candidate, disabled) if disabled else None
    if found is not None:
        raise VersionDisabled(seen.subject.qualified, found.row.number)


def _standing(command: RegisterVersion, now: Situation) -> tuple[HistoryRow, ...]:
    """Return the versions that a registration may repeat: in imports disabled ones too."""
    if command.brings_back is not None:
        return now.usable[-1:]
    return now.live if now.is_import or command.schema_id is not None else now.usable


def _verdict(scope: Scope, command: RegisterVersion, errand: Errand) -> Verdict:
    subject, candidate, found = errand.subject, errand.candidate, errand.policy
    require_content(subject, errand.own, found, candidate.as_written(command.schema))
    inline = partial(judge_history, scope, candidate, found.policy, errand.now.history)
    verdict = Verdict(verdict_on(scope, errand, inline).comparisons, errand.own)
    if not verdict.is_allowed:
        shows_old = scope.may("subject.read", subject)
        words = wording(scope, verdict, found, rows=errand.rows, shows_old=shows_old)
        raise IncompatibleSchema(subject.qualified, words, verdict)
    return verdict


def _store(scope: Scope, command: RegisterVersion, sent: Candidate, judged: Judged) -> RegisteredVersion:
    subject_key = lock_or_add_subject(scope, command.subject)
    now = situation_of(scope, command.subject)
    candidate, known = _completed(scope, command, sent, now)
    known = _repeated(scope, command, sent, now) or known
    if known is not None:
        return _known(scope, command, known)
    ruling = _settle(scope, command, candidate, judged=judged, now=now)
    if ruling.waiver is not None and not use_waiver(scope, ruling.waiver, version=now.next_number):
        raise SituationMoved
    _keep_targets(candidate)
    place = Place(subject_key, command.subject, now)
    record = store_version(scope, command, candidate, place=place, ruling=ruling)
    return RegisteredVersion(_as_sent(scope, command, record), is_new=True, verdict=ruling.verdict)


def _settle(
    scope: Scope, command: RegisterVersion, candidate: Candidate, *, judged: Judged, now: Situation
) -> Ruling:
    """Return the verdict that holds under the lock.

    Versions that arrived meanwhile send the first attempt back to judge them without the lock; later
    ones judge them on the spot, all other pairs being remembered, so that every writer gets through. Only
    who takes tags or the text from the latest version begins anew each time.
    """
    if (now.settings, now.mode) != (judged.seen.settings, judged.seen.mode):
        raise SituationMoved
    if now.rows == judged.seen.rows:
        return judged.ruling
    if judged.is_first or command.tags.carries or _is_bare(command):
        raise SituationMoved
    return _judge(scope, command, candidate, now)


def _keep_targets(candidate: Candidate) -> None:
    """Lock what the candidate refers to, so that nobody deletes it before the reference is stored."""
    if not candidate.targets:
        return
    live = lock_live_versions({target.version_key for target in candidate.targets}, disabled=False)
    for target in candidate.targets:
        if target.version_key not in live:
            raise ReferenceNotFound(target.subject.qualified, target.number)


def _known(scope: Scope, command: RegisterVersion, known: Match) -> RegisteredVersion:
    """Return the version that is the schema already; one that is gone since sends the attempt back.

    Who may not read the subject sees the schema as it was sent: what is stored may be spelled otherwise.
    """
    record = standing_record(scope, known.candidate, known.row, subject=command.subject)
    if record is None:
        raise SituationMoved
    if not may_see(scope, command.subject):
        parsed = known.candidate.parsed
        record = replace(
            record, schema=replace(record.schema, text=parsed.canonical, references=parsed.references)
        )
    return RegisteredVersion(_as_sent(scope, command, record), is_new=False)


def _as_sent(scope: Scope, command: RegisterVersion, record: VersionRecord) -> VersionRecord:
    """Return a version with the metadata and rules that were sent, for who may not see what was added."""
    if may_see(scope, command.subject):
        return record
    return replace(record, schema=replace(record.schema, contract=command.contract))
