"""What the native API answers about policies, member by member."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypedDict

from accord_server.kit.shapes import Id, Moment
from registry.value_shapes import BoundPolicyShape, OriginShape, PlaceShape, ValuedShape


class RecommendedLevel(TypedDict):
    """A better level, and why."""

    level: str
    reason: str


class AdviceShape(TypedDict):
    """What a policy means: what it lets pass, who is to be upgraded first, what would be better."""

    level: str
    shown_as: str
    upgrade_first: str
    upgrade: str
    allows: list[str]
    warns: list[str]
    forbids: list[str]
    gives_up: list[str]
    cautions: list[str]
    recommends: list[RecommendedLevel]


class LevelShape(TypedDict):
    """The level that was set, and what is then in force there."""

    level: str | None
    advice: dict[str, AdviceShape]


class PolicyRowShape(TypedDict):
    """A policy as it is listed."""

    name: str
    version: int
    description: str
    created_at: Moment
    created_by: str
    reason: str


class PolicyVersionRow(TypedDict):
    """A version of a policy as it is listed."""

    name: str
    version: int
    syntax: str
    created_at: Moment
    created_by: str
    reason: str
    reverted_from: int | None


class PolicyShape(PolicyVersionRow):
    """A version of a policy."""

    document: Mapping[str, Any]
    source: str


class StoredPolicy(PolicyShape):
    """A version of a policy that was just stored, with what it means for each format."""

    advice: dict[str, AdviceShape]


class PolicyProblem(TypedDict):
    """One thing that is wrong with the text of a policy."""

    line: int
    column: int
    path: str
    message: str


class ReadPolicyShape(TypedDict):
    """What a text would be as a policy."""

    is_valid: bool
    problems: list[PolicyProblem]
    document: Mapping[str, Any] | None
    advice: dict[str, AdviceShape]


class PolicyBindingShape(TypedDict):
    """Where a policy is bound."""

    policy: str
    version: int
    namespace: str | None
    place: PlaceShape
    number: int
    created_at: Moment
    created_by: str


class BoundShape(PolicyBindingShape):
    """A policy that was just bound, with what is then in force there, for each format."""

    advice: dict[str, AdviceShape]


class BindingChangeShape(TypedDict):
    """A change of what is bound to a place."""

    number: int
    policy: str | None
    created_at: Moment
    created_by: str
    reason: str


class PolicyInForceShape(TypedDict):
    """The policy in force, each value with where it comes from."""

    subject: str
    format: str
    level: str
    shown_as: str
    values: dict[str, ValuedShape]
    config: dict[str, ValuedShape]
    policies: list[BoundPolicyShape]
    advice: AdviceShape


class TemplateShape(TypedDict):
    """A policy that a namespace may begin with."""

    name: str
    description: str
    is_recommended: bool


class TryProgress(TypedDict):
    """How far a dry run is."""

    done: int
    total: int


class DryRunShape(TypedDict):
    """A dry run of a policy."""

    id: Id
    state: str
    proposal: Mapping[str, Any]
    places: list[PlaceShape]
    progress: TryProgress
    changes: dict[str, int]
    comparisons: int
    cut: str | None
    failure: str | None
    created_at: Moment
    created_by: str


class DecisionOfRule(TypedDict):
    """A finding that decides a change."""

    rule: str
    path: str
    direction: str | None
    version: int | None
    before: str | None
    after: str | None
    message: str


class VerdictChangeShape(TypedDict):
    """A version whose verdict changes."""

    subject: str
    version: int
    change: str
    decided_by: list[DecisionOfRule]
    left_out: int


class InForceShape(TypedDict):
    """What was in force besides the level."""

    preset: str
    preset_origin: OriginShape
    level_origin: OriginShape
    policies: list[BoundPolicyShape]


class WaivedByShape(TypedDict):
    """The waiver that let a version in."""

    waiver: str
    given_by: str
    reason: str


class JudgedShape(TypedDict):
    """What the verdict on a registration was."""

    outcome: str
    is_compatible: bool | None
    compared: int
    findings: dict[str, int]
    waived_by: WaivedByShape | None


class KeptFindingShape(TypedDict):
    """A finding that is kept with a version."""

    rule: str
    severity: str
    path: str
    direction: str | None
    version: int | None


class RegistrationShape(TypedDict):
    """One entry of the history of a subject."""

    version: int
    id: int
    format: str
    created_at: Moment
    created_by: str
    deleted_at: Moment | None
    level: str
    in_force: InForceShape | None
    verdict: JudgedShape | None
    findings: list[KeptFindingShape]
