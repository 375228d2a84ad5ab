"""A policy: level, preset, and the cells of the preset that are overridden."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from accord.errors import InvalidPolicy
from accord.rules.presets import DEFAULT_PRESET, PLAIN, PRESETS, PROFILES, Profile

if TYPE_CHECKING:
    from collections.abc import Mapping

    from accord.model import Level, Severity

# A comparison that was cut short proves nothing, and a frozen level means what it says: no policy may wave
# either of them through.
FIXED_RULES = frozenset({"CHECK_TOO_LARGE", "FROZEN"})


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
    before they are compared, besides what the preset itself does. Raises `accord.errors.InvalidPolicy` for an
    unknown preset or rule.
    """

    level: Level
    preset: str = DEFAULT_PRESET
    overrides: Mapping[str, Severity] = field(default_factory=dict)
    replacements: Mapping[str, str] = field(default_factory=dict)
    transform: Transform = Transform.NONE

    def __post_init__(self) -> None:
        if self.preset not in PRESETS:
            known = ", ".join(sorted(PRESETS))
            raise InvalidPolicy(details=f"there is no preset {self.preset!r}; use one of {known}")
        for rule_id in (*self.overrides, *self.replacements, *self.replacements.values()):
            if rule_id not in PRESETS[self.preset] or rule_id in FIXED_RULES:
                raise InvalidPolicy(details=f"the rule {rule_id!r} cannot be overridden")

    @property
    def profile(self) -> Profile:
        """What becomes of two schemas before they are compared."""
        if self.transform is Transform.OPTIONAL_FRIENDLY:
            return Profile(opens_reader=True)
        return PROFILES.get(self.preset, PLAIN)

    def severity(self, rule_id: str) -> Severity:
        """Return how much a finding of the rule weighs."""
        judged = self.replacements.get(rule_id, rule_id)
        return self.overrides.get(judged) or PRESETS[self.preset][judged]
