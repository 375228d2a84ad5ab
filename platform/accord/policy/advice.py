"""What a level and a preset mean in plain words: what may change, who upgrades first, what it costs.

Everything is computed from the level's two directions and their depths and from the severities in
force, so levels without a name of their own are advised on like any other.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from accord.model import Format, Severity
from accord.model.levels import ALL, CONFLUENT_LEVELS
from accord.policy.edits import edits
from accord.policy.level_names import nearest_confluent, spell_level
from accord.policy.policies import Transform

if TYPE_CHECKING:
    from collections.abc import Mapping

    from accord.model import Bound, Level
    from accord.policy.edits import Edit
    from accord.policy.policies import Policy

# The best first. Plain BACKWARD is never among them.
RECOMMENDED = ("FULL_TRANSITIVE", "BACKWARD_TRANSITIVE")
WHY = {
    "FULL_TRANSITIVE": "every version reads every other, so nobody has to be upgraded in any order",
    "BACKWARD_TRANSITIVE": "the newest version reads all that was ever written; upgrade the readers first",
}


class Upgrade(StrEnum):
    """Who must have the new schema first."""

    READERS = "readers"
    WRITERS = "writers"
    ANYONE = "anyone"
    TOGETHER = "together"
    NOBODY = "nobody"


ORDERS = {
    Upgrade.READERS: "Upgrade the readers first: they read old data with the new schema; then the writers.",
    Upgrade.WRITERS: "Upgrade the writers first: old readers read their data; then the readers.",
    Upgrade.ANYONE: "Upgrade readers and writers in any order.",
    Upgrade.TOGETHER: "Nothing is promised: readers and writers must change at the same moment.",
    Upgrade.NOBODY: "Nobody upgrades: the schema cannot change.",
}


THAWED = (
    "The level is not locked: whoever may change configurations (`config.write`) thaws a subject by sending"
    " another level. Write `locked: true` into the policy."
)


@dataclass(frozen=True, slots=True)
class Advice:
    """Advice on one level, preset and format.

    ``allows``, ``warns`` and ``forbids`` are changes in words; ``gives_up`` names features of the
    format that no change can touch any more; ``cautions`` are sentences about what the level does not
    see; ``recommends`` are better levels with the reason, the best first.
    """

    level: str
    shown_as: str
    upgrade_first: Upgrade
    upgrade: str
    allows: tuple[str, ...]
    warns: tuple[str, ...]
    forbids: tuple[str, ...]
    gives_up: tuple[str, ...]
    cautions: tuple[str, ...]
    recommends: tuple[tuple[str, str], ...]


def advise(policy: Policy, format_: Format, *, is_locked: bool = False) -> Advice:
    """Return what a policy means for schemas of a format.

    A rule that the preset does not know counts as blocking. A frozen level that is not locked comes with a
    caution.
    """
    transform = _transform(policy, format_)
    weighed = [(edit, _weight(edit, policy, format_)) for edit in edits(format_, transform)]
    first = _first(policy.level)
    return Advice(
        level=spell_level(policy.level),
        shown_as=nearest_confluent(policy.level),
        upgrade_first=first,
        upgrade=ORDERS[first],
        allows=tuple(edit.words for edit, weight in weighed if weight in (Severity.OFF, Severity.INFO)),
        warns=tuple(edit.words for edit, weight in weighed if weight is Severity.WARN),
        forbids=tuple(edit.words for edit, weight in weighed if weight is Severity.BLOCK),
        gives_up=_given_up(weighed),
        cautions=_cautions(policy, transform, is_locked=is_locked),
        recommends=_recommended(policy.level),
    )


def advice_document(advice: Advice) -> dict[str, object]:
    """Return advice as JSON: its members under their names, recommended levels as objects with a reason."""
    recommended = [{"level": level, "reason": reason} for level, reason in advice.recommends]
    return {**asdict(advice), "recommends": recommended}


def advice_by_format(advice: Mapping[Format, Advice]) -> dict[str, object]:
    """Return advice as JSON for several formats, by the name that sections of policies have (``avro``)."""
    return {format_.lower(): advice_document(one) for format_, one in advice.items()}


def _transform(policy: Policy, format_: Format) -> Transform:
    """Return the transform in force, which a preset may bring along; only JSON Schema has any."""
    if format_ is not Format.JSON:
        return Transform.NONE
    return Transform.OPTIONAL_FRIENDLY if policy.profile.opens_reader else policy.transform


def _first(level: Level) -> Upgrade:
    if level.frozen:
        return Upgrade.NOBODY
    orders = {
        (True, True): Upgrade.ANYONE,
        (True, False): Upgrade.READERS,
        (False, True): Upgrade.WRITERS,
        (False, False): Upgrade.TOGETHER,
    }
    return orders[level.backward is not None, level.forward is not None]


def _weight(edit: Edit, policy: Policy, format_: Format) -> Severity:
    """Return the heaviest of what the level asks about a change; some presets look both ways."""
    if policy.level.frozen:
        return policy.severity("FROZEN")
    bounds = (policy.level.backward, policy.level.forward)
    asked = [bound is not None for bound in bounds]
    if policy.profile.is_exact and policy.profile.swaps(format_):
        asked = [any(asked)] * 2
    sides = zip(asked, (edit.backward, edit.forward), strict=True)
    weights = [_severity(rule, policy) for is_asked, rule in sides if is_asked and rule is not None]
    return max(weights, key=list(Severity).index, default=Severity.OFF)


def _severity(rule: str, policy: Policy) -> Severity:
    try:
        return policy.reported(rule)
    except KeyError:
        return Severity.BLOCK


def _given_up(weighed: list[tuple[Edit, Severity]]) -> tuple[str, ...]:
    features = dict.fromkeys(edit.feature for edit, _ in weighed)
    return tuple(
        feature
        for feature in features
        if all(weight is Severity.BLOCK for edit, weight in weighed if edit.feature == feature)
    )


def _cautions(policy: Policy, transform: Transform, *, is_locked: bool) -> tuple[str, ...]:
    level = policy.level
    if level.frozen and not is_locked:
        return (THAWED,)
    found = [
        *_depth_cautions(
            "backward", level.backward, "no reader of version 4 can read the records of version 2"
        ),
        *_depth_cautions(
            "forward", level.forward, "no reader left on version 2 can read what version 4 writes"
        ),
    ]
    if transform is Transform.OPTIONAL_FRIENDLY and found:
        found.append("Optional-friendly keeps its promise under transitive levels only.")
    return tuple(found)


def _depth_cautions(side: str, bound: Bound | None, outcome: str) -> list[str]:
    if bound is None or bound == ALL:
        return []
    if bound.oldest is not None:
        return [f"Looking {side}, versions before {bound.oldest} are not compared."]
    steps = "Version 2 adds an optional number, version 3 removes it, version 4 adds it again as text"
    seen = (
        f"Looking {side}, only the latest version is compared, but topics keep records and programs run on."
    )
    return [f"{seen} {steps}: each step passes, and {outcome}."]


def _recommended(level: Level) -> tuple[tuple[str, str], ...]:
    if level.frozen:
        return ()
    better: list[str] = []
    for name in RECOMMENDED:
        if CONFLUENT_LEVELS[name] == level:
            break
        better.append(name)
    return tuple((name, WHY[name]) for name in better)
