"""What the native API answers about subjects, versions and what belongs to them, member by member."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NotRequired, TypedDict

from accord_server.kit.shapes import Id, Moment


class ReferenceShape(TypedDict):
    """One reference of a schema."""

    name: str
    subject: str
    version: int


class FoundSchemaShape(TypedDict):
    """A schema, by what it is."""

    id: int
    context: str
    guid: Id
    digest: str
    format: str
    references: list[ReferenceShape]
    fingerprints: dict[str, str]
    created_at: Moment


class UseOfContent(TypedDict):
    """A version whose text is a content."""

    namespace: str
    context: str
    subject: str
    version: int
    id: int
    format: str
    is_deleted: bool


class SubjectSettingsShape(TypedDict):
    """A subject with its own settings."""

    subject: str
    versions: int
    deleted: int
    config: Mapping[str, Any] | None
    mode: str | None


class StateStepShape(TypedDict):
    """A change of state."""

    before: str
    after: str
    reason: str
    changed_at: Moment
    changed_by: str


class StateShape(TypedDict):
    """The state of a version, where it can go, and how it came here, newest first."""

    version: int
    state: str
    since: Moment | None
    transitions: list[str]
    revision: int
    changes: list[StateStepShape]


class VersionStateShape(StateShape):
    """The state of a version of a subject."""

    subject: str


class ModuleStateShape(StateShape):
    """The state of a version of a module."""

    module: str


class ModuleRolledBack(TypedDict):
    """The version of a module that a rollback made, or the latest where that was the same already."""

    module: str
    version: int
    brings_back: int
    is_new: bool


class RolledBack(TypedDict):
    """The version that a rollback made, or the latest where that was it already."""

    subject: str
    version: int
    id: int
    brings_back: int
    is_new: bool


class DetailsShape(TypedDict):
    """What is said of a subject or a version."""

    description: str
    labels: list[str]
    properties: dict[str, str]
    revision: int
    changed_at: Moment | None
    changed_by: str | None


class CommentShape(TypedDict):
    """A comment on a version."""

    id: Id
    text: str
    author: str
    created_at: Moment
    edited_at: Moment | None
    revision: int


class DeletionRulesShape(TypedDict):
    """What may not be deleted: said here, and in force with who says it."""

    forbids_soft: bool
    forbids_permanent: bool
    revision: int
    in_force: dict[str, str]


class RestoredShape(TypedDict):
    """The versions that are live again."""

    subject: str
    versions: list[int]


class WaivedFinding(TypedDict):
    """A finding that is let pass."""

    rule: str
    path: str
    direction: str | None


class WaiverShape(TypedDict):
    """A permission to register one schema in spite of findings."""

    id: Id
    subject: str
    format: str
    digest: str
    rules: list[str]
    findings: list[WaivedFinding]
    reason: str
    state: str
    created_at: Moment
    created_by: str
    expires_at: Moment
    ended_at: Moment | None
    ended_by: str | None
    version: int | None


class PlannedShape(TypedDict):
    """How much is to come."""

    register: int
    delete: int


class ImportResultShape(TypedDict):
    """What whoever brought an import found at its end."""

    source_sha256: str
    target_sha256: str
    differences: int


class ImportShape(TypedDict):
    """An import."""

    id: Id
    state: str
    source: str
    planned: PlannedShape
    registered: int
    deleted: int
    present: int
    refused: int
    result: ImportResultShape | None
    created_at: Moment
    created_by: str
    heard_at: Moment


class RefusedVersion(TypedDict):
    """A version that an import was refused."""

    subject: str
    version: int
    code: str
    message: str


class BatchShape(TypedDict):
    """What became of the lines of a call."""

    registered: int
    deleted: int
    present: int
    refused: list[RefusedVersion]


class ExportShape(TypedDict):
    """An export of a whole tenant, and how far it is."""

    id: Id
    state: str
    done: int
    total: int
    size: int
    sha256: str | None
    error: str | None
    created_at: Moment
    created_by: str
    ended_at: Moment | None


class WebhookShape(TypedDict):
    """A webhook; its secret is told only by the call that made it."""

    id: Id
    url: str
    events: list[str]
    description: str
    enabled: bool
    disabled_because: str | None
    revision: int
    created_at: Moment
    created_by: str
    roll_ends_at: Moment | None


class WebhookWithSecret(WebhookShape):
    """A webhook with its secret, which is told this once; null where the answer is a repeated one."""

    secret: str | None


class MessageShape(TypedDict):
    """A message to a webhook."""

    id: int
    event: str
    state: str
    attempts: int
    created_at: Moment
    due_at: Moment | None
    ended_at: Moment | None


class MessageWithAttempts(MessageShape):
    """A message with its body and every attempt to send it."""

    body: Any
    tried: list[dict[str, Any]]


class ExampleShape(TypedDict):
    """A pair of schemas that a rule accepts or not."""

    title: NotRequired[str]
    reader: NotRequired[str]
    writer: NotRequired[str]
    path: NotRequired[str]
    text: NotRequired[str]


class RuleShape(TypedDict):
    """A compatibility rule, and how much it weighs under each preset."""

    id: str
    format: str | None
    about: str
    since: str
    summary: str
    explanation: str
    severities: dict[str, str]


class RuleWithExamples(RuleShape):
    """A compatibility rule with its examples."""

    accepted: list[ExampleShape]
    breaking: list[ExampleShape]


class LintRuleShape(TypedDict):
    """A lint rule."""

    id: str
    format: str
    category: str | None
    since: str
    summary: str
    explanation: str
    advice: str
    options: list[str]
    severity: str


class LintRuleWithExamples(LintRuleShape):
    """A lint rule with its examples: the files of one that it lets pass, and of one that it reports."""

    accepted: list[ExampleShape]
    breaking: list[ExampleShape]


class RulesShape(TypedDict):
    """Every compatibility rule."""

    items: list[RuleShape]


class LintRulesShape(TypedDict):
    """Every lint rule."""

    items: list[LintRuleShape]


class PresetShape(TypedDict):
    """A preset: the severity of each rule."""

    name: str
    opens_reader: bool
    severities: dict[str, str]


class PresetsShape(TypedDict):
    """Every preset, and the one in force where nobody chose."""

    default: str
    items: list[PresetShape]
