"""Looking a schema up under a subject: never stores anything."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from accord.errors import ReferenceNotFound
from registry.errors import EmptySchema, SchemaNotFound, SubjectNotFound
from registry.queries.history import NEWEST
from registry.queries.versions import namesakes
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

    Of a bare name, what the default context does not have is looked for in the others.

    Raises:
        EmptySchema, InvalidSchema and what else parsing raises: First of all, whatever the subject.
        SubjectNotFound: No version in the subject, or one that may not be seen.
        SchemaNotFound: The subject has no such version.
        TooBusy: The schema is large, and so are others just now.
    """
    is_known = False
    with turn_for(length_of(command.schema)):
        for subject in namesakes(scope, command.subject):
            now = situation_of(scope, subject)
            rows = _rows(command, now) if may_see(scope, subject) else ()
            found = _find(scope, command, now, rows)
            if found is not None:
                return found
            is_known = is_known or bool(rows)
    raise SchemaNotFound if is_known else SubjectNotFound(command.subject.qualified)


def _find(
    scope: Scope, command: LookUpVersion, now: Situation, rows: tuple[HistoryRow, ...]
) -> VersionRecord | None:
    try:
        candidate = _candidate(scope, command, now.subject, now=now)
    except ReferenceNotFound:
        if now.subject == command.subject:
            raise
        # Bare references are meant in the context: in this one the schema cannot be.
        return None
    found = looked_up(scope, candidate, now, rows, number=command.number)
    if found is None:
        return None
    return standing_record(scope, found.candidate, found.row, subject=now.subject)


def _candidate(scope: Scope, command: LookUpVersion, subject: SubjectName, *, now: Situation) -> Candidate:
    if command.schema is None or not command.schema.text.strip():
        raise EmptySchema
    normalize = command.normalize or now.config.normalizes
    candidate = prepare(scope, subject, command.schema, normalize=normalize, strict=False)
    return replace(candidate, contract=command.contract)


def _rows(command: LookUpVersion, now: Situation) -> tuple[HistoryRow, ...]:
    rows = now.rows if command.deleted else now.usable
    return rows[-1:] if command.number == NEWEST else rows
