"""A policy: level, preset, and the cells of the preset that are overridden."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from accord.errors import InvalidPolicy
from accord.model import Direction
from accord.policy.ignoring import NOTHING, Ignored
from accord.rules.common.content import SEVERITIES, ContentRule
from accord.rules.presets import DEFAULT_PRESET, FORWARD, PLAIN, PRESETS, PROFILES, Profile

if TYPE_CHECKING:
    from collections.abc import Mapping

    from accord.model import Level, Severity

# A comparison that was cut short proves nothing, a limit is one, and a frozen level means what it says, as
# does whoever reserves names: no policy may wave them through.
BLOCKING_RULES = frozenset(
    {
        "CHECK_TOO_LARGE",
        "FROZEN",
        ContentRule.LIMIT_EXCEEDED.value,
        ContentRule.RESERVED_NAME_REMOVED.value,
        ContentRule.RESERVED_NAME_USED.value,
    }
)
# The others have their severity where a policy asks for names and docs.
FIXED_RULES = BLOCKING_RULES | frozenset(one.value for one in SEVERITIES)


class Transform(StrEnum):
    """What becomes of two schemas before they are compared.

    Under OPTIONAL_FRIENDLY the objects of the reader permit what they do not declare. Source:
    json-compat, section 13.
    """

    NONE = "none"
    OPTIONAL_FRIENDLY = "optional-friendly"


@dataclass(frozen=True, slots=True)
class Policy:
    """What a candidate is compared with and how much each kind of difference weighs.

    An override changes the answers about inner types as well: a type mismatch that only warns lets a
    union's branch fit. ``replacements`` names rules whose findings weigh what those of another rule
    weigh; a replacement of that other rule is not followed. ``transform`` is what becomes of two schemas
    before they are compared, besides what the preset itself does; with ``ignores_formats``, ``format``
    beside what is no text makes no combined schema of it (json-compat, Q5). ``ignored`` names files and
    packages of Protobuf whose findings are dropped, ``ignored_places`` by rule where in a schema it weighs
    nothing (`accord.policy.ignored_places`).

    Raises `accord.errors.InvalidPolicy` for an unknown preset or rule.
    """

    level: Level
    preset: str = DEFAULT_PRESET
    overrides: Mapping[str, Severity] = field(default_factory=dict)
    replacements: Mapping[str, str] = field(default_factory=dict)
    transform: Transform = Transform.NONE
    ignored: Ignored = NOTHING
    ignored_places: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    ignores_formats: bool = False

    def __post_init__(self) -> None:
        if self.preset not in PRESETS:
            known = ", ".join(sorted(PRESETS))
            raise InvalidPolicy(details=f"there is no preset {self.preset!r}; use one of {known}")
        for rule_id in (
            *self.overrides,
            *self.replacements,
            *self.replacements.values(),
            *self.ignored_places,
        ):
            if rule_id not in PRESETS[self.preset] or rule_id in FIXED_RULES:
                raise InvalidPolicy(details=f"the rule {rule_id!r} cannot be overridden")

    @property
    def profile(self) -> Profile:
        """What becomes of two schemas before they are compared."""
        profile = PROFILES.get(self.preset, PLAIN)
        is_opened = profile.opens_reader or self.transform is not Transform.NONE
        return replace(profile, opens_reader=is_opened, ignores_formats=self.ignores_formats)

    def severity(self, rule_id: str, direction: Direction = Direction.BACKWARD) -> Severity:
        """Return how much a finding of the rule weighs."""
        judged = self.replacements.get(rule_id, rule_id)
        return self.overrides.get(judged) or column_of(self.preset, direction)[judged]


def column_of(preset: str, direction: Direction) -> Mapping[str, Severity]:
    """Return what a preset weighs in one direction; only few weigh differently looking forward."""
    return FORWARD.get(preset, PRESETS[preset]) if direction is Direction.FORWARD else PRESETS[preset]
