"""What the registry hands to other rooms: frozen values, never model instances."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Generic, NamedTuple, TypeVar

from accord.contracts.merging import ContractSettings
from accord.contracts.reading import stored_contract
from accord.model import NO_CONTRACT
from registry.sealing import unsealed_members

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime
    from uuid import UUID

    from accord.model import (
        Contract,
        Format,
        Reference,
        RuleSet,
        SchemaTags,
        SchemaText,
        SubjectName,
        Verdict,
    )
    from accord.policy.origins import BindingPlace
    from registry.policy_records import TriedPolicy

LATEST: Final = "latest"
DEFAULT_LEVEL: Final = "BACKWARD"
DEFAULT_MODE: Final = "READWRITE"
# A member of a stored config record that nobody is shown: its level was sent back as it was shown, so the
# policies' level, of which only the nearest name can be shown, is still what holds.
LEVEL_KEPT: Final = "levelKept"

# The members of a config record that are metadata.
METADATA_MEMBERS: Final = ("defaultMetadata", "overrideMetadata")

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class SchemaRecord:
    """One stored schema of a context: immutable.

    ``tags`` are those inside the text that a read asked for. A read by id adds the rest: ``use`` is the
    newest version by which the subject that was named uses the schema, ``is_deleted`` tells whether that one
    is soft-deleted, or else every use the caller may see.
    """

    id: int
    guid: UUID
    context: str
    format: Format
    text: str
    references: tuple[Reference, ...]
    contract: Contract = NO_CONTRACT
    max_id: int | None = None
    created_at: datetime | None = None
    is_deleted: bool = False
    use: tuple[SubjectName, int] | None = None
    tags: tuple[SchemaTags, ...] = ()


@dataclass(frozen=True, slots=True)
class VersionRecord:
    """One version of a subject and the schema it points to."""

    subject: SubjectName
    number: int
    schema: SchemaRecord
    is_deleted: bool
    created_at: datetime
    created_by: str
    level: str = ""


@dataclass(frozen=True, slots=True)
class SubjectRow:
    """One row of the subjects list: enough to draw it without another query."""

    subject: SubjectName
    format: Format
    latest: int
    versions: int
    latest_schema_id: int
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class VersionRow:
    """One row of the timeline of a subject: enough to draw it, and no schema text.

    ``level`` is what was in force when it was registered, ``before`` the live version that it follows,
    None for the first one.
    """

    number: int
    schema_id: int
    format: Format
    created_at: datetime
    created_by: str
    level: str
    before: int | None


@dataclass(frozen=True, slots=True)
class DeletedRow:
    """A soft-deleted version; ``has_live`` says whether its subject has live ones beside it."""

    subject: SubjectName
    number: int
    schema_id: int
    format: Format
    deleted_at: datetime
    created_by: str
    has_live: bool


@dataclass(frozen=True, slots=True)
class UserRow:
    """A version whose schema refers to another version."""

    subject: SubjectName
    number: int
    schema_id: int
    format: Format
    is_deleted: bool


@dataclass(frozen=True, slots=True)
class Page(Generic[Row]):
    """One page of rows, with what paging needs."""

    rows: tuple[Row, ...]
    total: int
    number: int
    size: int


@dataclass(frozen=True, slots=True)
class Slice:
    """A part of a list: skip ``offset``, take ``limit`` (None for all that is left)."""

    offset: int = 0
    limit: int | None = None

    @property
    def end(self) -> int | None:
        """The position after the last one taken."""
        return None if self.limit is None else self.offset + self.limit


WHOLE: Final = Slice()


@dataclass(frozen=True, slots=True)
class LevelInForce:
    """The level in force for a subject and where it comes from.

    ``origin`` is one of ``subject``, ``context``, ``namespace``, ``server``, or names a policy.
    """

    name: str
    origin: str


@dataclass(frozen=True, slots=True)
class ConfigInForce:
    """The config record in force, whole: there is no inheritance member by member."""

    record: Mapping[str, Any]
    origin: str

    @property
    def level(self) -> str | None:
        """The level of the record, if it names one; it never falls to that of its parent."""
        return self.record.get("compatibilityLevel") or None

    @property
    def normalizes(self) -> bool:
        """True when candidates are normalized unless asked otherwise."""
        return self.record.get("normalize") is True

    @property
    def contracts(self) -> ContractSettings:
        """What every new schema carries, below and above what it brings itself.

        Raises:
            SensitiveUnavailable: There is no key for what it is to carry.
        """
        record = unsealed_members(self.record, METADATA_MEMBERS)
        default, override = (
            stored_contract(record.get(f"{which}Metadata"), record.get(f"{which}RuleSet"))
            for which in ("default", "override")
        )
        return ContractSettings(default, override)

    @property
    def validates_fields(self) -> bool:
        """True when names of fields may be reserved."""
        return self.record.get("validateFields") is True

    @property
    def is_strict(self) -> bool:
        """True when new schemas must pass the strict checks of names and defaults."""
        return self.record.get("validateNewSchemas") is not False


@dataclass(frozen=True, slots=True)
class BoundPolicy:
    """A policy bound to a place that a subject lies in, in its newest version; ``key`` names that version."""

    key: int
    policy: str
    version: int
    place: BindingPlace


@dataclass(frozen=True, slots=True)
class SettingsInForce:
    """What decides how a subject is judged: its config record, and the policies bound around it."""

    config: ConfigInForce
    bound: tuple[BoundPolicy, ...] = ()


@dataclass(frozen=True, slots=True)
class ModeInForce:
    """The mode in force for a subject and where it comes from."""

    name: str
    origin: str


@dataclass(frozen=True, slots=True)
class TagChanges:
    """What is done to the tags inside a schema: first those of the latest version are carried over."""

    add: tuple[SchemaTags, ...] = ()
    remove: tuple[SchemaTags, ...] = ()
    carries: bool = False


NO_TAG_CHANGES: Final = TagChanges()


@dataclass(frozen=True, slots=True)
class RegisterVersion:
    """The command behind ``POST /subjects/{s}/versions``.

    ``number`` and ``schema_id`` are the optional explicit version and id (imports); number 0 means
    none, -1 the next one when the latest is not this schema already. ``contract`` is what was sent.
    """

    subject: SubjectName
    schema: SchemaText | None
    normalize: bool = False
    number: int = 0
    schema_id: int | None = None
    contract: Contract = NO_CONTRACT
    tags: TagChanges = NO_TAG_CHANGES


@dataclass(frozen=True, slots=True)
class TagVersion:
    """The command behind ``POST /subjects/{s}/versions/{v}/tags``: what the next version has otherwise.

    ``version`` is the one to begin with, ``number`` the next one's if it is asked for. Of ``contract`` a
    part that is None stays as it is; ``merged`` and ``dropped`` change its rule set.
    """

    subject: SubjectName
    version: int | str
    number: int = 0
    contract: Contract = NO_CONTRACT
    merged: RuleSet | None = None
    dropped: tuple[str, ...] = ()
    tags: TagChanges = NO_TAG_CHANGES


@dataclass(frozen=True, slots=True)
class RegisteredVersion:
    """The outcome of a registration: what is stored, and whether this call stored it."""

    version: VersionRecord
    is_new: bool
    verdict: Verdict | None = None


@dataclass(frozen=True, slots=True)
class LookUpVersion:
    """The command behind ``POST /subjects/{s}``."""

    subject: SubjectName
    schema: SchemaText | None
    normalize: bool = False
    deleted: bool = False
    number: int = 0
    contract: Contract = NO_CONTRACT


@dataclass(frozen=True, slots=True)
class CheckCandidate:
    """The command behind a compatibility check.

    ``against`` is a version number, ``"latest"``, or None for what a registration would compare with.
    ``level`` None means the one in force. ``tried`` is a policy to judge by as if it were bound to the
    subject, ``name`` what the candidate is called in sentences.
    """

    subject: SubjectName
    schema: SchemaText | None
    against: int | str | None = None
    normalize: bool = False
    level: str | Mapping[str, object] | None = None
    tried: TriedPolicy | None = None
    name: str = ""
    contract: Contract = NO_CONTRACT


@dataclass(frozen=True, slots=True)
class CheckOutcome:
    """What a check found: the verdict, and the messages in the Confluent wording."""

    verdict: Verdict
    level: str
    messages: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CheckRunRecord:
    """An asynchronous check as its caller follows it; ``result`` once it is done."""

    id: UUID
    subject: SubjectName
    level: str
    state: str
    done: int
    total: int
    created_at: datetime
    result: Mapping[str, Any] | None = None


class Referenced(NamedTuple):
    """How much a schema refers to, directly or not, each schema once."""

    text_bytes: int
    files: int


NOTHING: Final = Referenced(0, 0)


@dataclass(frozen=True, slots=True)
class HistoryRow:
    """One version as registration sees it: without its text, so that a long history is one cheap read.

    ``version_key``, ``schema_key`` and ``contract_key`` (None without metadata and rules) are our own row
    keys; ``content_key`` names what the text means
    (two rows with equal ones are compared once). ``text_bytes`` is how long the text is, ``born`` when the
    schema and when the version was stored.
    """

    version_key: int
    number: int
    is_deleted: bool
    schema_key: int
    schema_id: int
    contract_key: int | None
    identity: bytes
    equivalence: bytes
    references: tuple[Reference, ...]
    guid: UUID
    born: tuple[datetime, datetime]
    created_by: str
    level: str
    text_bytes: int
    content_key: tuple[Any, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class StoredSchema:
    """A stored text, and the context in which its bare reference subjects are meant.

    ``descriptor_set`` is the key of what a Protobuf text was compiled to; None where nobody kept that.
    """

    schema_key: int
    context: str
    source: SchemaText
    descriptor_set: int | None = None


@dataclass(frozen=True, slots=True)
class ReferenceTarget:
    """The version a reference of a candidate points to."""

    version_key: int
    subject: SubjectName
    number: int
    is_live: bool
    schema_key: int
