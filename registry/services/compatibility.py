"""Checking schemas without storing anything: candidates against a subject, stored pairs, all levels."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Final

from accord.errors import (
    InvalidPolicy,
    InvalidReference,
    InvalidSchema,
    ReferenceNotFound,
    SchemaTooLarge,
    UnknownFormat,
)
from accord.model import Verdict
from accord.model.levels import CONFLUENT_LEVELS
from accord.policy.level_names import read_level, spell_level
from accord.policy.origins import INSTALLED, Valued
from accord.policy.remedies import stance_of
from accord.policy.reserved import require_plain_fields
from registry.errors import EmptySchema, SubjectNotFound, VersionNotFound
from registry.policy_errors import LevelInvalid
from registry.queries.history import stored_schemas
from registry.queries.visibility import admit
from registry.records import LATEST, CheckCandidate, CheckOutcome
from registry.services.burden import is_heavy
from registry.services.candidates import Candidate, prepare
from registry.services.contracts import complete, grouped, of_group
from registry.services.delegating import Errand, handed_over, patiently, verdict_on
from registry.services.heavy import length_of, turn_for
from registry.services.judging import (
    Models,
    couples_of,
    judge_history,
    judge_rows,
    trials_of,
    wording,
)
from registry.services.requirements import own_findings, sentences
from registry.services.situation import situation_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from accord.model import Level, SchemaText, SubjectName
    from accord.policy.effective import EffectivePolicy
    from accord.policy.inheritance import Binding
    from accord.policy.remedies import Stance
    from accord_server.kit.scope import Scope
    from registry.records import HistoryRow, ReferenceTarget
    from registry.services.situation import Situation


EVERY_SIDE: Final = CONFLUENT_LEVELS["FULL_TRANSITIVE"]
# A schema that cannot be judged; a caller may want that as a verdict rather than as an error.
SCHEMA_REFUSALS: Final = (
    EmptySchema,
    InvalidReference,
    InvalidSchema,
    ReferenceNotFound,
    SchemaTooLarge,
    UnknownFormat,
)


def check_compatibility(scope: Scope, command: CheckCandidate) -> CheckOutcome:
    """Judge a schema as a registration would, or against one version alone.

    Raises:
        RightMissing, SubjectNotFound: ``compat.check`` is missing, or the subject may not be seen.
        EmptySchema, InvalidSchema and what else parsing raises: The schema is wrong.
        VersionNotFound: There is no such live version; an absent *latest* is compatible.
        LevelInvalid: A level is asked for that does not exist.
        TooBusy: The schema or its history is large, and so are others just now.
        CheckUnderWay and what else `delegating.patiently` raises: A worker has it, and takes longer.
    """
    admit(scope, command.subject, "compat.check")
    return patiently(scope, partial(_checked, scope, command))


def _checked(scope: Scope, command: CheckCandidate) -> CheckOutcome:
    subject = command.subject
    with turn_for(length_of(command.schema)):
        now = situation_of(scope, subject)
        candidate = candidate_for(scope, command, now)
        policy = policy_for(scope, candidate, now, level=command.level)
        own = own_findings(scope, candidate, policy, now)
        peers = grouped(scope, candidate, now, policy.group.value)
        group, chosen = policy.group.value, _compared(command, now)
        is_whole, compared = command.against is None, of_group(scope, candidate.contract, chosen, group)
        errand = Errand(subject, candidate, policy, peers, own, compared, is_whole)
        if is_whole:
            inline = partial(judge_history, scope, candidate, policy.policy, peers.history)
        else:
            inline = partial(judge_rows, scope, candidate, policy.policy, compared)
        verdict = Verdict(verdict_on(scope, errand, inline).comparisons, own)
    shows_old = scope.may("subject.read", subject)
    found = wording(scope, verdict, policy, rows=compared, shows_old=shows_old)
    refused = sentences(own, policy, candidate.as_written(command.schema))
    return CheckOutcome(verdict, spell_level(policy.level.value), (*refused, *found))


def policy_for(
    scope: Scope,
    candidate: Candidate,
    now: Situation,
    *,
    level: str | Mapping[str, object] | None = None,
    instead: Binding | None = None,
) -> EffectivePolicy:
    """Return the policy in force for a candidate, or the same with another level or binding.

    Raises:
        LevelInvalid: There is no such level.
    """
    found = now.policy(scope, candidate.parsed.format, instead=instead)
    if level is None:
        return found
    return replace(found, values={**found.values, "level": Valued(asked_level(level), INSTALLED)})


def asked_level(written: str | Mapping[str, object]) -> Level:
    """Return the level that a caller wants to be judged by.

    Raises:
        LevelInvalid: There is no such level.
    """
    try:
        return read_level(written)
    except InvalidPolicy as error:
        raise LevelInvalid(error.details) from None


def check_candidate(
    scope: Scope, subject: SubjectName, schema: SchemaText, *, against: int | str | None = None
) -> Verdict:
    """Return the verdict alone; raises as `check_compatibility`."""
    return check_compatibility(scope, CheckCandidate(subject, schema, against)).verdict


@dataclass(frozen=True, slots=True)
class PairVerdicts:
    """What comes of a stored version against another: a verdict for each level, and who is advised."""

    levels: dict[str, Verdict]
    stance: Stance


def compare_versions(scope: Scope, subject: SubjectName, older: int, newer: int) -> PairVerdicts:
    """Return the verdict on a stored version against another, for each Confluent level and that in force.

    Transitive levels look at the live versions before the newer one too, as its registration would.

    Raises:
        SubjectNotFound: No such subject, or none that may be seen.
        VersionNotFound: One of the versions is missing; soft-deleted ones can be compared.
        CheckUnderWay and what else `delegating.handed_over` raises: A worker compares them.
        TooBusy: They are large, and so are others just now.
    """
    admit(scope, subject, "subject.read")
    now = situation_of(scope, subject)
    rows = {row.number: row for row in now.rows}
    if not rows:
        raise SubjectNotFound(subject.qualified)
    for number in (older, newer):
        if number not in rows:
            raise VersionNotFound(number)
    before = tuple(
        row for row in rows.values() if row.number == older or (row.number < newer and not row.is_deleted)
    )
    against = {False: (rows[older],), True: before}
    with turn_for(rows[older].text_bytes + rows[newer].text_bytes):
        candidate = _stored_candidate(scope, rows[older], rows[newer])
        found = now.policy(scope, candidate.parsed.format)
        policy = found.policy
        wanted = {**CONFLUENT_LEVELS, spell_level(policy.level): policy.level}
        asked = {name: couples_of(level, against[level.is_transitive]) for name, level in wanted.items()}
        with trials_of(scope, candidate, policy, asked.values()) as trials:
            if is_heavy(scope, candidate, policy, before, *wanted.values()):
                whole = replace(found, values={**found.values, "level": Valued(EVERY_SIDE, INSTALLED)})
                sent = replace(candidate, targets=_targets_of(scope, subject, rows[newer]))
                errand = Errand(subject, sent, whole, now, (), before, is_whole=False, ends_early=False)
                trials.learn(handed_over(scope, errand))
            levels = {name: trials.verdict(couples) for name, couples in asked.items()}
    return PairVerdicts(levels, stance_of(policy))


def candidate_for(scope: Scope, command: CheckCandidate, now: Situation) -> Candidate:
    """Parse what is to be checked, and refuse what a registration would refuse to refer to.

    It carries what it would be registered with.

    Raises:
        EmptySchema, InvalidSchema and what else parsing raises: The schema is wrong.
        ReferenceNotFound: It refers to a version that is missing or soft-deleted.
        InvalidRuleSet, ContractTooLarge: What it carries does not go with what the config adds.
    """
    if command.schema is None or not command.schema.text.strip():
        raise EmptySchema
    config = now.config
    normalize, strict = command.normalize or config.normalizes, config.is_strict
    candidate = prepare(scope, command.subject, command.schema, normalize=normalize, strict=strict)
    candidate.require_live_targets()
    if config.validates_fields:
        require_plain_fields(candidate.parsed)
    return complete(scope, replace(candidate, contract=command.contract), now)


def _compared(command: CheckCandidate, now: Situation) -> tuple[HistoryRow, ...]:
    if command.against is None:
        return now.usable
    if command.against == LATEST:
        return now.usable[-1:]
    chosen = tuple(row for row in now.live if row.number == command.against)
    if not chosen:
        raise VersionNotFound(int(command.against))
    return chosen


def _stored_candidate(scope: Scope, older: HistoryRow, newer: HistoryRow) -> Candidate:
    """Treat a stored version as a candidate; both texts are read in one statement."""
    return Candidate(Models(scope, (older, newer)).of(newer), (), scope.tenant.id, newer.content_key)


def _targets_of(scope: Scope, subject: SubjectName, row: HistoryRow) -> tuple[ReferenceTarget, ...]:
    """Return what a stored version refers to, as the worker will find it."""
    if not row.references:
        return ()
    source = stored_schemas(scope, [row.schema_key])[row.schema_key].source
    return prepare(scope, subject, source, strict=False).targets
