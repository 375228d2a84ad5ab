"""Imports: lines of an export into commands and records into documents, translation only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from rest_framework import serializers

from accord.contracts.reading import METADATA, RULE_SET, read_metadata, read_rule_set
from accord.errors import AccordError, InvalidSubject, UnknownFormat
from accord.model import Contract, Format, Reference, SchemaText
from accord.naming import MAX_SUBJECT_BYTES, validate_subject
from accord.transfer.lines import LARGEST, Unfit, number, subject_of, version_of
from accord_server.kit.error_tables import HttpError
from accord_server.kit.json_bodies import shown, storable
from accord_server.kit.rest_bodies import Body
from registry.import_records import ImportedVersion, ImportResult, Refusal, StartImport, VersionKey
from registry.models import LONGEST_SOURCE
from registry.records import RegisterVersion

if TYPE_CHECKING:
    from accord.model import SubjectName
    from accord.transfer.records import CopiedVersion
    from registry.api.native.shapes import BatchShape, ImportResultShape, ImportShape, RefusedVersion
    from registry.import_records import BatchOutcome, ImportRecord, IssueRow

Json = dict[str, Any]

KINDS: Final = ("register", "delete")
SHA256: Final = r"^[0-9a-f]{64}$"


class StartSerializer(Body[Any]):
    """The body that says where an import comes from, and how much is to come."""

    source = serializers.CharField(max_length=LONGEST_SOURCE)  # type: ignore[assignment]  # a member of the body
    register = serializers.IntegerField(min_value=0, max_value=LARGEST, default=0)
    delete = serializers.IntegerField(min_value=0, max_value=LARGEST, default=0)

    def command(self) -> StartImport:
        """Return what the service is asked."""
        given = self.validated_data
        return StartImport(given["source"], {kind: given[kind] for kind in KINDS})


class ResultSerializer(Body[Any]):
    """The body that ends an import: what both sides hold."""

    source_sha256 = serializers.RegexField(SHA256)
    target_sha256 = serializers.RegexField(SHA256)
    differences = serializers.IntegerField(min_value=0, max_value=LARGEST)

    def command(self) -> ImportResult:
        """Return what the service is told."""
        return ImportResult(**self.validated_data)


def imported_versions(lines: list[Json]) -> tuple[list[ImportedVersion], list[Refusal]]:
    """Return the versions of a batch, and those that no registry could take.

    Raises:
        HttpError: 400, naming the line that is none of an export.
    """
    taken, refused = [], []
    for at, line in enumerate(lines, 1):
        key = _key(at, line)
        try:
            copied = version_of(line, key.subject, is_deleted=line.get("deleted") is True)
        except Unfit as problem:
            raise _broken(at, problem) from None
        try:
            taken.append(_imported(key, copied))
        except AccordError as error:
            refused.append(Refusal.of(key, error))
    return taken, refused


def deleted_versions(lines: list[Json]) -> tuple[list[VersionKey], list[Refusal]]:
    """Return the versions that a batch names, and those that can be nowhere.

    Raises as `imported_versions`.
    """
    named, refused = [], []
    for at, line in enumerate(lines, 1):
        key = _key(at, line)
        try:
            _require_possible(key.subject)
        except InvalidSubject as error:
            refused.append(Refusal.of(key, error))
        else:
            named.append(key)
    return named, refused


def import_document(record: ImportRecord) -> ImportShape:
    """Return an import as its caller follows it."""
    return {
        "id": str(record.id),
        "state": record.state,
        "source": record.source,
        "planned": {"register": record.planned.get("register", 0), "delete": record.planned.get("delete", 0)},
        "registered": record.registered,
        "deleted": record.deleted,
        "present": record.present,
        "refused": record.refused,
        "result": None if record.result is None else _result(record.result),
        "created_at": record.created_at.isoformat(),
        "created_by": record.created_by,
        "heard_at": record.heard_at.isoformat(),
    }


def _result(found: ImportResult) -> ImportResultShape:
    return {
        "source_sha256": found.source_sha256,
        "target_sha256": found.target_sha256,
        "differences": found.differences,
    }


def batch_outcome_document(outcome: BatchOutcome) -> BatchShape:
    """Return what became of a batch."""
    return {
        "registered": outcome.registered,
        "deleted": outcome.deleted,
        "present": outcome.present,
        "refused": [_refusal(one) for one in outcome.refused],
    }


def issue_document(row: IssueRow) -> RefusedVersion:
    """Return one thing that was refused."""
    return _refusal(row.refusal)


def _refusal(one: Refusal) -> RefusedVersion:
    return {
        "subject": one.key.subject.qualified,
        "version": one.key.number,
        "code": one.code,
        "message": one.message,
    }


def _key(at: int, line: Json) -> VersionKey:
    try:
        key = VersionKey(subject_of(line), number(line, "version"))
    except Unfit as problem:
        raise _broken(at, problem) from None
    if not key.subject.name:
        raise _broken(at, Unfit("a version needs a 'subject'"))
    return key


def _broken(at: int, problem: Unfit) -> HttpError:
    return HttpError(400, f"line {at}: {problem}")


def _require_possible(subject: SubjectName) -> None:
    """Refuse names that the database has no room for or no letters, before anything is looked up by them.

    Raises:
        InvalidSubject: Nothing is called so.
    """
    validate_subject(subject)
    if len(subject.qualified.encode()) > MAX_SUBJECT_BYTES:
        raise InvalidSubject(subject.qualified)


def _imported(key: VersionKey, copied: CopiedVersion) -> ImportedVersion:
    """Return the command that stores a version.

    Raises:
        InvalidSubject, UnknownFormat, InvalidReference, InvalidContract, ContractTooLarge,
            InvalidRuleSet: None can.
    """
    _require_possible(key.subject)
    contract = Contract(read_metadata(copied.metadata, METADATA), read_rule_set(copied.rule_set, RULE_SET))
    if copied.format not in set(Format):
        raise UnknownFormat(shown(copied.format))
    references = tuple(_reference(at, one) for at, one in enumerate(copied.references))
    source = SchemaText(Format(copied.format), copied.text, references)
    command = RegisterVersion(key.subject, source, number=key.number, schema_id=copied.id, contract=contract)
    return ImportedVersion(command, copied.id, copied.is_deleted)


def _reference(at: int, one: Reference) -> Reference:
    storable(one.name, f"references[{at}].name")
    storable(one.subject, f"references[{at}].subject")
    return one
