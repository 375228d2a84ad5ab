"""Looking a schema up under a subject: never stores anything."""

from __future__ import annotations

from typing import TYPE_CHECKING

from registry.errors import EmptySchema, SchemaNotFound, SubjectNotFound
from registry.queries.history import NEWEST, history_of
from registry.queries.settings import config_in_force
from registry.queries.versions import home_of, version_by_key
from registry.queries.visibility import may_see
from registry.services.candidates import prepare
from registry.services.situation import standing_for

if TYPE_CHECKING:
    from accord.model import SubjectName
    from accord_server.kit.scope import Scope
    from registry.records import HistoryRow, LookUpVersion, VersionRecord
    from registry.services.candidates import Candidate


def look_up_version(scope: Scope, command: LookUpVersion) -> VersionRecord:
    """Return the version of the subject that is the schema.

    A name that the default context does not know is looked for in the other contexts.

    Raises:
        EmptySchema, InvalidSchema and what else parsing raises: First of all, whatever the subject.
        SubjectNotFound: No version in the subject, or one that may not be seen.
        SchemaNotFound: The subject has no such version.
    """
    found = _find(scope, command, command.subject)
    if found is None:
        raise SchemaNotFound
    return version_by_key(scope, found.version_key)


def _find(scope: Scope, command: LookUpVersion, subject: SubjectName) -> HistoryRow | None:
    candidate = _candidate(scope, command, subject)
    rows = _rows(scope, command, subject) if may_see(scope, subject) else ()
    found = standing_for(candidate, rows)
    if found is not None:
        return found
    home = home_of(scope, subject)
    if home is not None and home != subject:
        return _find(scope, command, home)
    if not rows:
        raise SubjectNotFound(subject.qualified)
    return None


def _candidate(scope: Scope, command: LookUpVersion, subject: SubjectName) -> Candidate:
    if command.schema is None or not command.schema.text.strip():
        raise EmptySchema
    normalize = command.normalize or config_in_force(scope, subject).normalizes
    return prepare(scope, subject, command.schema, normalize=normalize, strict=False)


def _rows(scope: Scope, command: LookUpVersion, subject: SubjectName) -> tuple[HistoryRow, ...]:
    rows = tuple(row for row in history_of(scope, subject) if command.deleted or not row.is_deleted)
    return rows[-1:] if command.number == NEWEST else rows
