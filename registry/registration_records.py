"""What a version remembers of its registration, and the form it is stored in: small, and never changed.

What the installation sets by itself and counts of nothing are left out of the stored form.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from accord.model import Severity
from accord.policy.origins import INSTALLED, BindingPlace, Origin, OriginKind, Reach

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from accord.model import Format


class Outcome(StrEnum):
    """How a version came to be let in."""

    FIRST = "first"
    ALLOWED = "allowed"
    WAIVED = "waived"
    UNCHECKED = "unchecked"
    IMPORTED = "imported"

    @property
    def is_compatible(self) -> bool | None:
        """Whether the verdict let it in; None where there was none."""
        if self in {Outcome.UNCHECKED, Outcome.IMPORTED}:
            return None
        return self is not Outcome.WAIVED


# What outcomes were called when versions that are stored already were registered.
RENAMED = {"passed": "allowed"}


@dataclass(frozen=True, slots=True)
class PolicyAt:
    """A version of a policy, and where it was bound."""

    policy: str
    version: int
    place: BindingPlace


@dataclass(frozen=True, slots=True)
class InForce:
    """What was in force besides the level: the preset, where both came from, the policies, nearest first."""

    preset: str
    preset_origin: Origin = INSTALLED
    level_origin: Origin = INSTALLED
    policies: tuple[PolicyAt, ...] = ()


@dataclass(frozen=True, slots=True)
class WaivedBy:
    """The waiver that let a version in: its id, who gave it, and why."""

    waiver: str
    given_by: str
    reason: str


@dataclass(frozen=True, slots=True)
class Judged:
    """What the verdict was: with how many versions it was compared, how many findings of each severity."""

    outcome: Outcome
    compared: int = 0
    counts: Mapping[Severity, int] = field(default_factory=dict)
    waived_by: WaivedBy | None = None


@dataclass(frozen=True, slots=True)
class KeptFinding:
    """One of the findings kept with a version; about the schema itself it has no direction and no version."""

    rule: str
    severity: Severity
    path: str
    direction: str | None
    version: int | None


@dataclass(frozen=True, slots=True)
class Registration:
    """One entry of the history of a subject.

    ``in_force`` is None for who may not read policies there, and like ``judged`` for what was stored before
    either was kept.
    """

    number: int
    schema_id: int
    format: Format
    created_at: datetime
    created_by: str
    deleted_at: datetime | None
    level: str
    in_force: InForce | None
    judged: Judged | None
    findings: tuple[KeptFinding, ...]


def in_force_to_store(one: InForce) -> dict[str, Any]:
    """Return the stored form of what was in force."""
    places = [[at.policy, at.version, at.place.reach.name.lower(), at.place.name] for at in one.policies]
    stored = {
        "preset": one.preset,
        "policies": places,
        "preset_from": _origin_to_store(one.preset_origin, one.policies),
        "level_from": _origin_to_store(one.level_origin, one.policies),
    }
    return {name: value for name, value in stored.items() if value}


def in_force_of(stored: Mapping[str, Any]) -> InForce:
    """Return what was in force from its stored form."""
    policies = tuple(
        PolicyAt(policy, version, BindingPlace(Reach[reach.upper()], name))
        for policy, version, reach, name in stored.get("policies", ())
    )
    return InForce(
        stored["preset"],
        _origin_of(stored.get("preset_from"), policies),
        _origin_of(stored.get("level_from"), policies),
        policies,
    )


def judged_to_store(one: Judged) -> dict[str, Any]:
    """Return the stored form of a verdict."""
    counts = {str(severity): count for severity, count in one.counts.items() if count}
    stored = {"outcome": str(one.outcome), "compared": one.compared, "counts": counts}
    return stored if one.waived_by is None else {**stored, "waived_by": asdict(one.waived_by)}


def judged_of(stored: Mapping[str, Any]) -> Judged:
    """Return a verdict from its stored form."""
    counts = {Severity(name): count for name, count in stored["counts"].items()}
    outcome = RENAMED.get(stored["outcome"], stored["outcome"])
    waived_by = WaivedBy(**stored["waived_by"]) if "waived_by" in stored else None
    return Judged(Outcome(outcome), stored["compared"], counts, waived_by)


def _origin_to_store(origin: Origin, policies: tuple[PolicyAt, ...]) -> list[Any]:
    """Return nothing for the installation, a config record's scope, or a policy's position and section."""
    match origin.kind:
        case OriginKind.INSTALLATION:
            return []
        case OriginKind.CONFIG:
            return [origin.scope]
        case OriginKind.POLICY:
            at = next(one for one in policies if one.place == origin.place)
            return [policies.index(at), origin.section]


def _origin_of(stored: list[Any] | None, policies: tuple[PolicyAt, ...]) -> Origin:
    match stored:
        case [str(scope)]:
            return Origin(OriginKind.CONFIG, scope=scope)
        case [int(position), str(section)]:
            at = policies[position]
            return Origin(OriginKind.POLICY, at.policy, at.version, at.place, section)
    return INSTALLED
