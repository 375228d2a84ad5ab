"""Looking a schema up under a subject: never stores anything."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from registry.errors import EmptySchema, SchemaNotFound, SubjectNotFound
from registry.queries.history import NEWEST
from registry.queries.versions import home_of
from registry.queries.visibility import may_see
from registry.services.candidates import prepare
from registry.services.contracts import looked_up
from registry.services.heavy import length_of, turn_for
from registry.services.situation import situation_of, standing_record

if TYPE_CHECKING:
    from accord.model import SubjectName
    from accord_server.kit.scope import Scope
    from registry.records import HistoryRow, LookUpVersion, VersionRecord
    from registry.services.candidates import Candidate
    from registry.services.situation import Situation


def look_up_version(scope: Scope, command: LookUpVersion) -> VersionRecord:
    """Return the version of the subject that is the schema: one statement where it is spelled the same.

    A name that the default context does not know is looked for in the other contexts.

    Raises:
        EmptySchema, InvalidSchema and what else parsing raises: First of all, whatever the subject.
        SubjectNotFound: No version in the subject, or one that may not be seen.
        SchemaNotFound: The subject has no such version.
        TooBusy: The schema is large, and so are others just now.
    """
    with turn_for(length_of(command.schema)):
        found = _find(scope, command, command.subject)
    if found is None:
        raise SchemaNotFound
    return found


def _find(scope: Scope, command: LookUpVersion, subject: SubjectName) -> VersionRecord | None:
    now = situation_of(scope, subject)
    candidate = _candidate(scope, command, subject, now=now)
    rows = _rows(command, now) if may_see(scope, subject) else ()
    found = looked_up(scope, candidate, now, rows, number=command.number)
    if found is not None:
        return standing_record(scope, found.candidate, found.row, subject=subject)
    home = home_of(scope, subject)
    if home is not None and home != subject:
        return _find(scope, command, home)
    if not rows:
        raise SubjectNotFound(subject.qualified)
    return None


def _candidate(scope: Scope, command: LookUpVersion, subject: SubjectName, *, now: Situation) -> Candidate:
    if command.schema is None or not command.schema.text.strip():
        raise EmptySchema
    normalize = command.normalize or now.config.normalizes
    candidate = prepare(scope, subject, command.schema, normalize=normalize, strict=False)
    return replace(candidate, contract=command.contract)


def _rows(command: LookUpVersion, now: Situation) -> tuple[HistoryRow, ...]:
    rows = now.rows if command.deleted else now.live
    return rows[-1:] if command.number == NEWEST else rows
