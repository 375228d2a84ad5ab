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
from registry.errors import EmptySchema, SubjectNotFound, VersionNotFound
from registry.policy_errors import LevelInvalid
from registry.queries.visibility import admit
from registry.records import LATEST, CheckCandidate, CheckOutcome
from registry.services.candidates import Candidate, prepare
from registry.services.delegating import Errand, patiently, verdict_on
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
    from registry.records import ConfigInForce, HistoryRow
    from registry.services.situation import Situation


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
        candidate = candidate_for(scope, command, now.config)
        policy = policy_for(scope, candidate, now, level=command.level)
        own = own_findings(candidate, policy, subject) if now.settings.bound else ()
        is_whole, compared = command.against is None, _compared(command, now.live)
        errand = Errand(subject, candidate, policy, now, own, compared, is_whole)
        if is_whole:
            inline = partial(judge_history, scope, candidate, policy.policy, now.history)
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
        policy = now.policy(scope, candidate.parsed.format).policy
        wanted = {**CONFLUENT_LEVELS, spell_level(policy.level): policy.level}
        asked = {name: couples_of(level, against[level.is_transitive]) for name, level in wanted.items()}
        with trials_of(scope, candidate, policy, asked.values()) as trials:
            levels = {name: trials.verdict(couples) for name, couples in asked.items()}
    return PairVerdicts(levels, stance_of(policy))


def candidate_for(scope: Scope, command: CheckCandidate, config: ConfigInForce) -> Candidate:
    """Parse what is to be checked, and refuse what a registration would refuse to refer to.

    Raises:
        EmptySchema, InvalidSchema and what else parsing raises: The schema is wrong.
        ReferenceNotFound: It refers to a version that is missing or soft-deleted.
    """
    if command.schema is None or not command.schema.text.strip():
        raise EmptySchema
    normalize = command.normalize or config.normalizes
    strict = config.is_strict
    candidate = prepare(scope, command.subject, command.schema, normalize=normalize, strict=strict)
    candidate.require_live_targets()
    return candidate


def _compared(command: CheckCandidate, live: tuple[HistoryRow, ...]) -> tuple[HistoryRow, ...]:
    if command.against is None:
        return live
    if command.against == LATEST:
        return live[-1:]
    chosen = tuple(row for row in live if row.number == command.against)
    if not chosen:
        raise VersionNotFound(int(command.against))
    return chosen


def _stored_candidate(scope: Scope, older: HistoryRow, newer: HistoryRow) -> Candidate:
    """Treat a stored version as a candidate; both texts are read in one statement."""
    return Candidate(Models(scope, (older, newer)).of(newer), (), scope.tenant.id, newer.content_key)
