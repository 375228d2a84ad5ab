"""A policy: level, preset, and the cells of the preset that are overridden."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from accord.errors import InvalidPolicy
from accord.model import Direction, Format, Severity
from accord.policy.ignoring import NOTHING, Ignored
from accord.rules.common.content import SEVERITIES, ContentRule
from accord.rules.presets import DEFAULT_PRESET, FORWARD, PLAIN, PRESETS, PROFILES, Profile

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from accord.model import Level

# A comparison that was cut short proves nothing, a limit is one, and a frozen level means what it says, as
# does whoever reserves names: no policy may wave them through.
BLOCKING_RULES = frozenset(
    {
        "CHECK_TOO_LARGE",
        "FROZEN",
        ContentRule.LIMIT_EXCEEDED.value,
        ContentRule.RESERVED_NAME_REMOVED.value,
        ContentRule.RESERVED_NAME_USED.value,
        "METADATA_RESERVED_FIELD_REMOVED",
        "METADATA_RESERVED_FIELD_IN_USE",
    }
)
ORDER = list(Severity)
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

    ``also_warns`` names a second preset: what that reports is told besides, and refuses nothing. Rules that
    the policy overrides or replaces are the policy's own business. ``is_beside`` makes a policy look as its
    preset does for warnings alone (`Profile.protobuf_beside`).

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
    also_warns: str = ""
    is_beside: bool = False

    def __post_init__(self) -> None:
        for preset in filter(None, (self.preset, self.also_warns)):
            if preset not in PRESETS:
                known = ", ".join(sorted(PRESETS))
                raise InvalidPolicy(details=f"there is no preset {preset!r}; use one of {known}")
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
        found = replace(profile, opens_reader=is_opened, ignores_formats=self.ignores_formats)
        if self.is_beside and profile.protobuf_beside is not None:
            return replace(found, protobuf=profile.protobuf_beside)
        return found

    @property
    def set_rules(self) -> frozenset[str]:
        """The rules whose weight the policy sets itself."""
        return frozenset((*self.overrides, *self.replacements))

    def severity(self, rule_id: str, direction: Direction = Direction.BACKWARD) -> Severity:
        """Return how much a finding of the rule weighs."""
        judged = self.replacements.get(rule_id, rule_id)
        return self.overrides.get(judged) or column_of(self.preset, direction)[judged]

    def reported(self, rule_id: str) -> Severity:
        """Return how much a finding of the rule weighs at most, the second preset's warnings included."""
        weight = self.severity(rule_id)
        if not self.also_warns or rule_id in self.set_rules:
            return weight
        return max(weight, self._warned(weight, PRESETS[self.also_warns][rule_id]), key=ORDER.index)

    @property
    def warned_rules(self) -> frozenset[str]:
        """The rules that the second preset makes warn."""
        names = PRESETS[self.preset] if self.also_warns else ()
        return frozenset(name for name in names if self.reported(name) is not self.severity(name))

    def besides(self, format_: Format) -> Iterator[Policy]:
        """Yield the policies whose findings are told besides: all they say more, and no refusal."""
        if not self.is_beside and format_ is Format.PROTOBUF and self.profile.protobuf_beside is not None:
            yield replace(self, also_warns="", is_beside=True)
        if self.also_warns:
            silent = dict.fromkeys(self.set_rules, Severity.OFF)
            second = replace(self, preset=self.also_warns, also_warns="", overrides=silent, replacements={})
            yield second
            yield from second.besides(format_)

    def weight_beside(self, other: Policy, rule_id: str, weight: Severity) -> Severity:
        """Return how much a finding weighs that another policy, one of `besides`, gives that weight.

        What the policy itself says of a rule counts in full, wherever its preset looks.
        """
        if other.preset == self.preset:
            return weight if rule_id in self.set_rules else min(weight, Severity.WARN, key=ORDER.index)
        return self._warned(self.severity(rule_id), weight)

    @staticmethod
    def _warned(weight: Severity, second: Severity) -> Severity:
        """Return what a second preset's weight comes to: a warning of what the first is silent about."""
        if second is Severity.OFF:
            return Severity.OFF
        is_mere = second is Severity.INFO and weight is not Severity.OFF
        return Severity.INFO if is_mere else Severity.WARN


def column_of(preset: str, direction: Direction) -> Mapping[str, Severity]:
    """Return what a preset weighs in one direction; only few weigh differently looking forward."""
    return FORWARD.get(preset, PRESETS[preset]) if direction is Direction.FORWARD else PRESETS[preset]
