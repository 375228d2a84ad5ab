"""Rolling back: the schema of an older version becomes the next version, by the checks in force."""

from __future__ import annotations

from typing import TYPE_CHECKING

from accord.model import SchemaText
from registry.errors import IncompatibleSchema
from registry.life_errors import RollbackRefused
from registry.queries.versions import get_version
from registry.queries.visibility import admit
from registry.records import RegisterVersion
from registry.services.registration import register_version

if TYPE_CHECKING:
    from accord.model import SubjectName
    from accord_server.kit.scope import Scope
    from registry.life_records import RollBack
    from registry.records import RegisteredVersion, VersionRecord


def roll_back(scope: Scope, subject: SubjectName, command: RollBack) -> RegisteredVersion:
    """Register the schema of an older version as the next one; where it is the latest, return that.

    Raises:
        SubjectNotFound, VersionNotFound: It is missing, or may not be seen.
        RightMissing: ``subject.write`` is missing, or ``check.skip`` where it is needed.
        RollbackRefused: The verdict blocks.
        VersionDisabled and what else `register_version` raises: As for any registration.
    """
    admit(scope, subject, "subject.write")
    found = get_version(scope, subject, command.number, anywhere=False)
    try:
        return register_version(scope, rollback_of(found, skips_check=command.skips_check))
    except IncompatibleSchema as refused:
        raise RollbackRefused(
            subject.qualified, command.number, refused.messages, refused.verdict
        ) from refused


def rollback_of(version: VersionRecord, *, skips_check: bool = False) -> RegisterVersion:
    """Return the command that registers a version's schema anew, unless it is the latest already."""
    schema = version.schema
    return RegisterVersion(
        version.subject,
        SchemaText(schema.format, schema.text, schema.references),
        contract=schema.contract,
        skips_check=skips_check,
        brings_back=version.number,
    )
