"""Everything stored that decides about a registration, read twice: before the work and under the lock."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from accord.contracts.comparing import stands_for
from accord.errors import InvalidSubject
from accord.model import DEFAULT_CONTEXT
from accord.naming import validate_new_subject
from registry.errors import FormatFixed, NotInImportMode, NotInReadWriteMode, ReadOnly
from registry.queries.bound_policies import effective_policy
from registry.queries.contracts import contracts_of
from registry.queries.history import NEWEST
from registry.queries.one_version import version_by_key
from registry.queries.standing import standing_of
from registry.records import SchemaRecord, VersionRecord
from tenants.queries import namespace_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from accord.model import Contract, Format, SubjectName
    from accord.policy.effective import EffectivePolicy
    from accord.policy.inheritance import Binding
    from accord_server.kit.scope import Scope
    from registry.queries.standing import History
    from registry.records import ConfigInForce, HistoryRow, SettingsInForce
    from registry.services.candidates import Candidate

    Contracts = Mapping[int | None, Contract]

READ_ONLY_MODES: Final = frozenset({"READONLY", "READONLY_OVERRIDE"})
IMPORT_MODES: Final = frozenset({"IMPORT", "FORWARD"})


class SituationMoved(Exception):
    """What was judged is not what is stored any more: judge again, outside the lock."""


@dataclass(frozen=True, slots=True)
class Situation:
    """The settings in force for a subject and its versions, oldest first."""

    subject: SubjectName
    settings: SettingsInForce
    mode: str
    history: History

    @property
    def rows(self) -> tuple[HistoryRow, ...]:
        """Every version, soft-deleted ones included."""
        return self.history.rows

    @property
    def config(self) -> ConfigInForce:
        """The config record in force."""
        return self.settings.config

    def policy(self, scope: Scope, format_: Format, *, instead: Binding | None = None) -> EffectivePolicy:
        """Return the policy in force for schemas of a format, or what another binding would make of it."""
        return effective_policy(scope, self.subject, format_, self.settings, instead=instead)

    @property
    def live(self) -> tuple[HistoryRow, ...]:
        """The versions that are not soft-deleted."""
        return self.history.live

    @property
    def next_number(self) -> int:
        """One more than the highest number in the subject, soft-deleted ones included."""
        return 1 + max((row.number for row in self.rows), default=0)

    @property
    def is_import(self) -> bool:
        """True when ids and versions are taken as they come and nothing is judged."""
        return self.mode in IMPORT_MODES

    def row_at(self, number: int) -> HistoryRow | None:
        """Return the version of that number, soft-deleted or not."""
        return next((row for row in self.rows if row.number == number), None)


def situation_of(scope: Scope, subject: SubjectName) -> Situation:
    """Read it: one statement."""
    found = standing_of(scope, subject)
    return Situation(subject, found.settings, found.mode.name, found.history)


def require_subject(subject: SubjectName) -> None:
    """Refuse names under which no version can be registered.

    Raises:
        InvalidSubject: The name cannot exist, or there is none.
    """
    validate_new_subject(subject)
    if not subject.name:
        raise InvalidSubject(subject.qualified)


def require_writable(subject: SubjectName, mode: str) -> None:
    """Refuse writes in a mode that only reads.

    Raises:
        ReadOnly: Naming subject and context.
    """
    if mode in READ_ONLY_MODES:
        raise ReadOnly(subject.qualified, shown_context(subject))


def require_format(scope: Scope, given: Format) -> None:
    """Refuse a schema of another format than its namespace takes.

    Raises:
        FormatFixed: Naming both.
    """
    namespace = namespace_of(scope)
    if namespace.format and given != namespace.format:
        raise FormatFixed(namespace.slug, namespace.format, given)


def require_registrable(subject: SubjectName, mode: str, *, has_id: bool) -> None:
    """Refuse a registration that the mode does not take.

    Raises:
        ReadOnly: The mode only reads.
        NotInImportMode: An explicit id outside of imports.
        NotInReadWriteMode: No id during an import.
    """
    require_writable(subject, mode)
    if has_id and mode not in IMPORT_MODES:
        raise NotInImportMode(subject.qualified, shown_context(subject))
    if not has_id and mode in IMPORT_MODES:
        raise NotInReadWriteMode(subject.qualified, shown_context(subject))


def shown_context(subject: SubjectName) -> str:
    """Return the context as messages show it: nothing for the default one."""
    return "" if subject.context == DEFAULT_CONTEXT else subject.context


class Match(NamedTuple):
    """A version that is a schema already, and the candidate that it was found to be."""

    candidate: Candidate
    row: HistoryRow


def standing_for(scope: Scope, candidate: Candidate, rows: tuple[HistoryRow, ...]) -> Match | None:
    """Return the version that is this schema already: the same in all first, else the same in meaning.

    A schema without references also stands for one whose references spell out the same content.
    """
    return standing_among(candidate, rows, partial(contracts_of, scope))


def standing_among(
    candidate: Candidate, rows: tuple[HistoryRow, ...], contracts: Callable[[list[HistoryRow]], Contracts]
) -> Match | None:
    """Return what `standing_for` does, given how the contracts of versions are found by their keys."""
    for row in reversed(rows):
        if row.identity == candidate.identity:
            return Match(candidate, row)
    given = candidate.parsed.references
    alike = [
        row
        for row in reversed(rows)
        if row.equivalence == candidate.equivalence and (not given or given == row.references)
    ]
    known = contracts(alike)
    for row in alike:
        if stands_for(candidate.contract, known[row.contract_key], row.number):
            return Match(candidate, row)
    return None


def repeatable(live: tuple[HistoryRow, ...], *, number: int, schema_id: int | None) -> tuple[HistoryRow, ...]:
    """Return the versions that a registration with these wishes may only repeat.

    Number 0 looks at all live versions and -1 at the latest; an explicit number repeats nothing but
    the version of exactly that number and id.
    """
    if number > 0 and schema_id is None:
        return ()
    rows = live[-1:] if number == NEWEST else live
    if schema_id is not None:
        rows = tuple(row for row in rows if row.schema_id == schema_id and number in {0, NEWEST, row.number})
    return rows


def standing_record(
    scope: Scope, candidate: Candidate, row: HistoryRow, *, subject: SubjectName
) -> VersionRecord | None:
    """Return the version that stands for the candidate; None if it is gone since.

    Its text is read only where it is spelled otherwise than the candidate's.
    """
    if row.identity != candidate.identity:
        return version_by_key(scope, row.version_key)
    schema_born, born = row.born
    schema = SchemaRecord(
        id=row.schema_id,
        guid=row.guid,
        context=subject.context,
        format=candidate.parsed.format,
        text=candidate.parsed.canonical,
        references=row.references,
        contract=candidate.contract,
        created_at=schema_born,
    )
    return VersionRecord(subject, row.number, schema, row.is_deleted, born, row.created_by, row.level)
