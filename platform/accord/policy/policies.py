"""A policy: level, preset, and the cells of the preset that are overridden."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from accord.errors import InvalidPolicy
from accord.rules.presets import DEFAULT_PRESET, PLAIN, PRESETS, PROFILES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from accord.model import Level, Severity
    from accord.rules.presets import Profile

# A comparison that was cut short proves nothing, so no policy may wave it through.
FIXED_RULES = frozenset({"CHECK_TOO_LARGE"})


@dataclass(frozen=True, slots=True)
class Policy:
    """What a candidate is compared with and how much each kind of difference weighs.

    An override changes the answers about inner types as well: a type mismatch that only warns lets a
    union's branch fit. Raises `accord.errors.InvalidPolicy` for an unknown preset or rule.
    """

    level: Level
    preset: str = DEFAULT_PRESET
    overrides: Mapping[str, Severity] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.preset not in PRESETS:
            known = ", ".join(sorted(PRESETS))
            raise InvalidPolicy(details=f"there is no preset {self.preset!r}; use one of {known}")
        for rule_id in self.overrides:
            if rule_id not in PRESETS[self.preset] or rule_id in FIXED_RULES:
                raise InvalidPolicy(details=f"the rule {rule_id!r} cannot be overridden")

    @property
    def profile(self) -> Profile:
        """What the preset makes of two schemas before they are compared."""
        return PROFILES.get(self.preset, PLAIN)

    def severity(self, rule_id: str) -> Severity:
        """Return how much a finding of the rule weighs."""
        return self.overrides.get(rule_id) or PRESETS[self.preset][rule_id]
