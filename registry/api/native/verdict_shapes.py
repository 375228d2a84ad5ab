"""What the native API answers about verdicts and lint, member by member."""

from __future__ import annotations

from typing import Any, NotRequired, TypedDict

from accord_server.kit.shapes import Id, Moment
from registry.api.native.shapes import ReferenceShape


class TextPlace(TypedDict):
    """A place in a text, and the JSON pointer to it where there is one."""

    line: int
    column: int
    pointer: NotRequired[str]


class FindingShape(TypedDict):
    """What a rule found: how much it weighs, where, in words, and what to do about it."""

    rule: str
    severity: str
    summary: str
    path: str
    new: TextPlace | None
    old: TextPlace | None
    sentence: str
    advice: str
    effect: str | None
    judged_as: str | None
    reasons: list[FindingShape]
    is_turned: NotRequired[bool]


class ComparisonShape(TypedDict):
    """The comparison with one version in one direction."""

    direction: str
    version: int | None
    is_blocked: bool
    reader: str
    writer: str
    sentence: str
    upgrade: str
    findings: list[FindingShape]
    left_out: int


class LevelWordShape(TypedDict):
    """What one level says."""

    verdict: str
    is_compatible: bool
    version: int | None
    directions: list[str]
    rules: list[str]


class VerdictShape(TypedDict):
    """A verdict, explained, under every level at once."""

    subject: str
    format: str
    verdict: str
    is_compatible: bool
    summary: str
    level: str
    shown_as: str
    preset: str
    own: list[FindingShape]
    comparisons: list[ComparisonShape]
    levels: dict[str, LevelWordShape]
    policy: dict[str, Any] | None


class ProgressShape(TypedDict):
    """How far it is."""

    done: int
    total: int


class CheckShape(TypedDict):
    """A check that runs by itself."""

    id: Id
    subject: str
    level: str
    state: str
    progress: ProgressShape
    created_at: Moment
    result: Any


class ReadingShape(TypedDict):
    """Whether a reader can read a subject."""

    subject: str
    format: str
    can_read: bool
    grounds: str | None
    version: int | None
    summary: str
    unread: list[int]
    comparisons: list[ComparisonShape]
    policy: NotRequired[None]


class LintFinding(TypedDict):
    """What a lint rule found."""

    rule: str
    severity: str
    summary: str
    path: str
    sentence: str
    advice: str
    at: TextPlace | None


class LintShape(TypedDict):
    """What lint says of a schema."""

    subject: str
    use: list[str]
    is_asked: bool
    is_allowed: bool
    findings: list[LintFinding]


class PresetVerdict(TypedDict):
    """What one preset says."""

    preset: str
    verdict: str
    is_compatible: bool
    rules: list[str]


class MatrixFinding(TypedDict):
    """A finding that decides something."""

    direction: str | None
    path: str
    new: TextPlace | None
    old: TextPlace | None
    sentence: str
    advice: str


class MatrixRule(TypedDict):
    """A rule that decides something, with what it found."""

    rule: str
    summary: str
    findings: list[MatrixFinding]
    left_out: int


class MatrixShape(TypedDict):
    """Who accepts a change, who refuses it, and why."""

    subject: str
    old: int | None
    new: int | None
    format: str
    level: str
    summary: str
    presets: list[PresetVerdict]
    rules: list[MatrixRule]


class ConsumerSchemaShape(TypedDict):
    """The schema that consumers read with; ``relaxed`` are the places where it asks for less."""

    subject: str
    format: str
    schema: str
    relaxed: list[str]
    version: NotRequired[int]


class ContentModelShape(TypedDict):
    """What one object says about properties that it does not declare."""

    path: str
    model: str


class ContentModelsShape(TypedDict):
    """What the objects of a schema say about properties that they do not declare."""

    subject: str
    format: str
    objects: list[ContentModelShape]
    left_out: int
    counts: dict[str, int]
    version: NotRequired[int]


class FormsShape(TypedDict):
    """A text in every form that its format has, and the names that it would be known by."""

    format: str
    forms: dict[str, Any]
    references: list[ReferenceShape]
    digest: str
    guid: Id
    fingerprints: dict[str, str]
