"""What the registry refuses and why; the message texts are those of the Confluent dialect.

Parse errors and the like come from `accord.errors`; a dialect's table gives each class its status.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from accord.errors import Conflict, Invalid, NotFound, Unavailable, error

if TYPE_CHECKING:
    from accord.model import Verdict


@error
class SubjectNotFound(NotFound):
    """No such subject, or one the caller may not see: the two answers are the same bytes."""

    code = "subject_not_found"
    template = "Subject '{subject}' not found."
    subject: str


@error
class VersionNotFound(NotFound):
    """The subject has no such version; ``version`` is -1 where the latest was asked for."""

    code = "version_not_found"
    template = "Version {version} not found."
    version: int


@error
class RuleNotFound(NotFound):
    """The table has no rule of this id."""

    code = "rule_not_found"
    template = "There is no rule '{rule}'; /api/v1/rules lists them all."
    rule: str


@error
class NoConsumerSchema(Invalid):
    """Only objects of JSON Schema can be opened for consumers."""

    code = "no_consumer_schema"
    template = "Consumers of {format} read with the schema itself; only JSON has a consumer's schema."
    format: str


@error
class HistoryTooLarge(Invalid):
    """Versions that are longer together than can be held against one schema at once."""

    code = "history_too_large"
    template = "The versions have {characters} characters together; a consumer is held against {limit}."
    characters: int
    limit: int


@error
class SchemaNotFound(NotFound):
    """The schema is not registered under the subject it was looked up in."""

    code = "schema_not_found"
    template = "Schema not found"


@error
class SchemaIdNotFound(NotFound):
    """No schema of this id in the context, or none that the caller may see."""

    code = "schema_id_not_found"
    template = "Schema {schema_id} not found"
    schema_id: int


@error
class SchemaGuidNotFound(NotFound):
    """No schema of this GUID, or none that the caller may see."""

    code = "schema_guid_not_found"
    template = "Schema {guid} not found"
    guid: str


@error
class SubjectSoftDeleted(NotFound):
    """A soft delete of a subject that is soft-deleted already."""

    code = "subject_soft_deleted"
    template = "Subject '{subject}' was soft deleted.Set permanent=true to delete permanently"
    subject: str


@error
class SubjectNotSoftDeleted(NotFound):
    """A permanent delete of a subject with a live version."""

    code = "subject_not_soft_deleted"
    template = "Subject '{subject}' was not deleted first before being permanently deleted"
    subject: str


@error
class VersionSoftDeleted(NotFound):
    """A soft delete of a version that is soft-deleted already."""

    code = "version_soft_deleted"
    template = (
        "Subject '{subject}' Version {version} was soft deleted.Set permanent=true to delete permanently"
    )
    subject: str
    version: int


@error
class VersionNotSoftDeleted(NotFound):
    """A permanent delete of a live version."""

    code = "version_not_soft_deleted"
    template = "Subject '{subject}' Version {version} was not deleted first before being permanently deleted"
    subject: str
    version: int


@error
class RestoreRefused(Conflict):
    """A deleted version does not go with the live ones; ``messages`` say why as Confluent words it."""

    code = "restore_refused"
    template = (
        "Version {version} of subject '{subject}' cannot come back: under {level}, version {newer} could "
        "not follow version {older}; delete or disable the one in the way first, or register the schema as a "
        "new version"
    )
    subject: str
    version: int
    level: str
    older: int
    newer: int
    messages: tuple[str, ...]


@error
class ConfigNotSet(NotFound):
    """No config record of its own for this subject or context."""

    code = "config_not_set"
    template = "Subject '{subject}' does not have subject-level compatibility configured"
    subject: str


@error
class ModeNotSet(NotFound):
    """No mode of its own for this subject or context."""

    code = "mode_not_set"
    template = "Subject '{subject}' does not have subject-level mode configured"
    subject: str


@error
class AssociationNotFound(NotFound):
    """No topic is bound to a subject: clients then derive the subject from the topic's name."""

    code = "association_not_found"
    template = "Association for '{resource}' not found."
    resource: str


@error
class CheckNotFound(NotFound):
    """No such check run in this namespace, or one on a subject the caller may not see."""

    code = "check_not_found"
    template = "Check {check} not found"
    check: str


@error
class IncompatibleSchema(Conflict):
    """The verdict on a candidate blocks; ``messages`` are its findings in the Confluent wording."""

    code = "incompatible_schema"
    template = (
        'Schema being registered is incompatible with an earlier schema for subject "{subject}", '
        "details: [{details}]"
    )
    subject: str
    messages: tuple[str, ...]
    verdict: Verdict

    @property
    def message(self) -> str:
        return self.template.format(subject=self.subject, details=", ".join(self.messages))


@error
class FormatFixed(Invalid):
    """A schema of another format than the one that its namespace takes."""

    code = "format_fixed"
    template = "The namespace '{namespace}' takes {fixed} schemas alone, and this one is {given}."
    namespace: str
    fixed: str
    given: str


@error
class EmptySchema(Invalid):
    """No schema text, and no earlier version to take it from."""

    code = "empty_schema"
    template = "Empty schema"


@error
class WrongVersionNumber(Invalid):
    """An explicit version number that is not the next one."""

    code = "wrong_version_number"
    template = "Version is not one more than previous version"


@error
class InvalidVersion(Invalid):
    """A version that is neither a positive number nor a name of the latest."""

    code = "invalid_version"
    template = (
        "The specified version '{version}' is not a valid version id. "
        'Allowed values are between [1, 2^31-1] and the string "latest"'
    )
    version: str


@error
class ContextNotEmpty(Invalid):
    """A context that still has subjects, be they soft-deleted, cannot be dropped."""

    code = "context_not_empty"
    template = "The specified context '{context}' is not empty."
    context: str


@error
class InvalidMode(Invalid):
    """A mode that does not exist."""

    code = "invalid_mode"
    template = "Invalid mode. Valid values are READWRITE, READONLY, IMPORT and FORWARD."


@error
class ModesFixed(Invalid):
    """A change of a mode where the operator lets nobody change any."""

    code = "modes_fixed"
    template = "Mode changes are not allowed"


@error
class ForwardModeNotGlobal(Invalid):
    """Mode FORWARD anywhere but on the pseudo-context above all contexts."""

    code = "forward_mode_not_global"
    template = "Forward mode only supported on global level"


@error
class ReadOnly(Invalid):
    """A write in mode READONLY; ``context`` is empty for the default one."""

    code = "read_only"
    template = "Subject {subject} in context {context} is in read-only mode"
    subject: str
    context: str


@error
class NotInImportMode(Invalid):
    """A registration with an explicit id outside mode IMPORT."""

    code = "not_in_import_mode"
    template = "Subject {subject} in context {context} is not in import mode"
    subject: str
    context: str


@error
class NotInReadWriteMode(Invalid):
    """A registration without an id in mode IMPORT."""

    code = "not_in_read_write_mode"
    template = "Subject {subject} in context {context} is not in read-write mode"
    subject: str
    context: str


@error
class SubjectsExist(Invalid):
    """Mode IMPORT asked for, without force, where live subjects are."""

    code = "subjects_exist"
    template = "Cannot import since found existing subjects"


@error
class SchemaIdTaken(Invalid):
    """An imported id that already stands for another schema in the context."""

    code = "schema_id_taken"
    template = "Overwrite new schema with id {schema_id} in context {context} is not permitted."
    schema_id: int
    context: str


@error
class SubjectIsAlias(Conflict):
    """An import into a name that is an alias: what is registered under it goes to another subject."""

    code = "subject_is_alias"
    template = "Subject {subject} is an alias here; take the alias off first"
    subject: str


@error
class ImportNotFound(NotFound):
    """No such import in this namespace."""

    code = "import_not_found"
    template = "Import {run} not found"
    run: str


@error
class ImportOver(Conflict):
    """An import that is done or cancelled takes nothing more."""

    code = "import_over"
    template = "Import {run} is {state}, and takes nothing more; start another one"
    run: str
    state: str


@error
class ImportUnderWay(Conflict):
    """Another import goes on in the namespace."""

    code = "import_under_way"
    template = (
        "An import from {source} by {created_by} is under way here; wait until it is done, or cancel it"
    )
    source: str
    created_by: str


@error
class VersionTaken(Invalid):
    """An imported version number under which another schema already stands."""

    code = "version_taken"
    template = "Overwrite version {version} of subject {subject} is not permitted."
    subject: str
    version: int


@error
class ReferenceExists(Invalid):
    """A delete of a version that other schemas refer to."""

    code = "reference_exists"
    template = (
        "One or more references exist to the schema "
        "{{magic=1,keytype=SCHEMA,subject={subject},version={version}}}."
    )
    subject: str
    version: int


@error
class TooManyChecks(Unavailable):
    """As many asynchronous checks of one tenant are open as there may be."""

    code = "too_many_checks"
    template = "This tenant has {limit} checks that are not finished, and cannot have more; wait for one."
    retry_after: ClassVar[int] = 10
    limit: int


@error
class CheckUnderWay(Unavailable):
    """A verdict that a worker has not given yet; ``reason`` says why nobody waits for it any longer."""

    code = "check_under_way"
    template = (
        "This schema or its history is so large that a worker compares it ({done} of {total} versions done), "
        "and {reason}. Nothing was stored; send the same request again, which joins check {check}."
    )
    retry_after: ClassVar[int] = 5
    check: str
    done: int
    total: int
    reason: str


@error
class CheckBroken(Unavailable):
    """A check that a worker could not finish, or that somebody cancelled; asking again starts it anew."""

    code = "check_broken"
    template = "Check {check} gave no verdict: {reason}. Nothing was stored; send the same request again."
    retry_after: ClassVar[int] = 5
    check: str
    reason: str


@error
class NoWorkers(Unavailable):
    """A check that only a worker may do, while the queue of the workers cannot be reached."""

    code = "no_workers"
    template = (
        "This schema or its history is so large that a worker compares it, and the workers cannot be reached "
        "just now. Nothing was stored; send the same request again later."
    )
    retry_after: ClassVar[int] = 10


@error
class TooMuchContention(Unavailable):
    """So many writers on one subject that this registration found no quiet moment; try again."""

    code = "too_much_contention"
    template = "Subject '{subject}' is changing too fast just now; try again."
    subject: str


@error
class PurgedMeanwhile(Unavailable):
    """A version that the call had found was deleted for good before its text was read; try again."""

    code = "purged_meanwhile"
    template = "A version was deleted for good while this call was about to read it; try again."


@error
class SensitiveUnavailable(Unavailable):
    """Metadata have sensitive values, and this server has no key for them."""

    code = "sensitive_unavailable"
    template = (
        "The metadata have sensitive values, which cannot be {done}: this server has no key for them."
        " Whoever runs it must set ACCORD_METADATA_KEY, with the keys that were in use before."
    )
    done: str


@error
class TooBusy(Unavailable):
    """As many large schemas are being worked on as the server takes at a time."""

    code = "too_busy"
    template = "The server is busy with other large schemas just now; try again."
    retry_after: ClassVar[int] = 5


@error
class SearchTooLong(Unavailable):
    """A search that took longer than any may."""

    code = "search_too_long"
    template = "The search took too long; add an operator or a longer word, such as format:avro or ns:orders."
