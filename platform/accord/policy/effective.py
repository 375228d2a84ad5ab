"""The policy in force for a subject and a format, and what the rest of the library makes of it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, cast

from accord.formats.elements import ElementKind
from accord.formats.limits import DEFAULT_LIMITS, Limits
from accord.lint.table import LINT
from accord.model import Level, Severity
from accord.model.levels import CONFLUENT_LEVELS
from accord.policy.documents.model import PARAMETERS, RULES, JudgedAs
from accord.policy.ignoring import Ignored
from accord.policy.lint_profiles import lint_profile
from accord.policy.origins import INSTALLED, Valued
from accord.policy.policies import FIXED_RULES, Policy, Transform
from accord.policy.requirements import Requirements
from accord.rules.common.content import SEVERITIES, ContentRule
from accord.rules.parameters import IGNORE
from accord.rules.presets import DEFAULT_PRESET, PRESETS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from accord.lint.profile import LintProfile
    from accord.model import Format
    from accord.policy.documents.model import Setting
    from accord.policy.origins import Origin

# What limits are called in a document, and in `accord.formats.Limits`.
LIMITS = {"limits.bytes": "text_bytes", "limits.depth": "depth", "limits.fields": "fields"}
# The rule about objects that Optional-friendly would relax if they were closed.
NOT_CLOSED = "OBJECT_NOT_CLOSED"
# What the members of a policy are called that ask for names, docs, owners and size.
ASKED = {
    ContentRule.NAME_PATTERN: "naming.",
    ContentRule.DOC_MISSING: "required.docs",
    ContentRule.OWNER_MISSING: "required.owners",
    ContentRule.LIMIT_EXCEEDED: "limits.",
}
NAMING = ("subjects", "types", "namespaces", "fields", "symbols")


@dataclass(frozen=True, slots=True)
class Installation:
    """What holds where nobody sets anything."""

    level: Level = CONFLUENT_LEVELS["BACKWARD"]
    preset: str = DEFAULT_PRESET
    limits: Limits = DEFAULT_LIMITS


@dataclass(frozen=True, slots=True)
class EffectivePolicy:
    """What is in force for a subject and a format.

    ``values`` holds every value under the name it has in a document. The members of Confluent's config
    that no document has are attributes of their own.
    """

    format: Format
    values: Mapping[str, Valued[Setting]]
    normalize: Valued[bool]
    group: Valued[str | None]
    strictness: Valued[str | None]
    validate_fields: Valued[bool]
    installation: Installation = field(default_factory=Installation)

    @property
    def level(self) -> Valued[Level]:
        """What a new schema is compared with."""
        return cast("Valued[Level]", self.values["level"])

    @property
    def locked(self) -> Valued[bool]:
        """Whether Confluent's interface may not change the level; the origin names who locked it."""
        return cast("Valued[bool]", self.values["locked"])

    @property
    def preset(self) -> Valued[str]:
        """The column of the rule table, pinned to a version."""
        return cast("Valued[str]", self.values["preset"])

    @property
    def transform(self) -> Valued[str]:
        """The transform of the schemas before they are compared; ``none`` is none."""
        return cast("Valued[str]", self.values["transform.name"])

    @property
    def require_closed(self) -> Valued[bool]:
        """Whether the transform refuses schemas that are not closed."""
        return cast("Valued[bool]", self.values["transform.require_closed"])

    def severity(self, rule_id: str) -> Valued[Severity]:
        """Return how much a rule's findings weigh, and who said so: a rule's setting or the preset."""
        if rule_id in SEVERITIES:
            own = self.values[SEVERITIES[ContentRule(rule_id)]]
            return Valued(Severity(str(own.value)), own.origin)
        weight = self.policy.reported(rule_id)
        set_by = self.values.get(f"{RULES}.{rule_id}")
        if set_by is not None and rule_id not in FIXED_RULES:
            return Valued(weight, set_by.origin)
        if weight is PRESETS[self.preset.value][rule_id]:
            return Valued(weight, self.preset.origin)
        name = "transform.require_closed" if rule_id == NOT_CLOSED else "also_warns"
        return Valued(weight, self.values[name].origin)

    def asked_by(self, rule_id: str) -> tuple[Origin, ...]:
        """Return who asks for what a rule found: for its severity, its level, its pattern or its limit."""
        if rule_id == "FROZEN":
            return (self.level.origin,)
        if rule_id not in ASKED and rule_id not in LINT.rows:
            return (self.severity(rule_id).origin,)
        if rule_id in LINT.rows:
            return (self.values["lint.use"].origin,)
        start = ASKED[ContentRule(rule_id)]
        asking = (one.origin for name, one in self.values.items() if name.startswith(start))
        bound = dict.fromkeys(origin for origin in asking if origin != INSTALLED)
        return tuple(bound) or (INSTALLED,)

    def parameters(self, rule_id: str) -> dict[str, Valued[Setting]]:
        """Return the parameters set for a rule, by name."""
        start = f"{RULES}.{rule_id}.{PARAMETERS}."
        return {name.removeprefix(start): one for name, one in self.values.items() if name.startswith(start)}

    @property
    def policy(self) -> Policy:
        """What `accord.policy.judge` takes."""
        preset, second = self.preset.value, str(self.values["also_warns"].value)
        set_rules = {name.removeprefix(f"{RULES}."): one.value for name, one in self.values.items()}
        known = {
            rule: value
            for rule, value in set_rules.items()
            if rule in PRESETS[preset] and rule not in FIXED_RULES
        }
        overrides = {rule: value for rule, value in known.items() if isinstance(value, Severity)}
        replacements = {rule: value.rule for rule, value in known.items() if isinstance(value, JudgedAs)}
        return Policy(
            self.level.value,
            preset,
            {**self._closedness(known), **overrides},
            {rule: other for rule, other in replacements.items() if other in PRESETS[preset]},
            Transform(self.transform.value),
            ignored=self._ignored(),
            ignored_places=self._ignored_places(),
            ignores_formats=self.values["transform.ignore_formats"].value is True,
            also_warns=second if second in PRESETS else "",
        )

    def _ignored(self) -> Ignored:
        """Return the files and packages in which nothing counts."""
        paths, packages = (self.values[f"ignored.{name}"].value for name in ("paths", "packages"))
        is_unstable = self.values["ignored.unstable_packages"].value is True
        return Ignored(
            cast("tuple[str, ...]", paths), cast("tuple[str, ...]", packages), unstable=is_unstable
        )

    def _ignored_places(self) -> dict[str, tuple[str, ...]]:
        """Return where rules do not count, for those that some place was named for."""
        rules = {name.split(".")[1] for name in self.values if name.endswith(f".{PARAMETERS}.{IGNORE}")}
        known = (rules & PRESETS[self.preset.value].keys()) - FIXED_RULES
        places = {rule: self.values[f"{RULES}.{rule}.{PARAMETERS}.{IGNORE}"].value for rule in sorted(known)}
        return {rule: found for rule, found in places.items() if isinstance(found, tuple) and found}

    def _closedness(self, known: Mapping[str, Setting]) -> dict[str, Severity]:
        """Return how much an open object weighs under Optional-friendly, unless a policy says itself."""
        is_asked = self.transform.value == Transform.OPTIONAL_FRIENDLY
        column = PRESETS[self.preset.value]
        if not is_asked or NOT_CLOSED in known or NOT_CLOSED not in column:
            return {}
        if self.require_closed.value:
            return {NOT_CLOSED: Severity.BLOCK}
        is_silent = self.require_closed.origin == INSTALLED
        return {} if is_silent and column[NOT_CLOSED] is Severity.BLOCK else {NOT_CLOSED: Severity.WARN}

    @property
    def limits(self) -> Limits:
        """The limits for parsing a new schema."""
        own = {attribute: self.values[name].value for name, attribute in LIMITS.items()}
        return replace(self.installation.limits, **cast("dict[str, int]", own))

    @property
    def requirements(self) -> Requirements:
        """What `accord.policy.requirements.check_content` takes."""
        values = {name: one.value for name, one in self.values.items()}
        patterns = {which: str(values[f"naming.{which}"]) for which in NAMING if f"naming.{which}" in values}
        return Requirements(
            patterns=patterns,
            naming_severity=Severity(str(values["naming.severity"])),
            docs=frozenset(ElementKind(kind) for kind in cast("tuple[str, ...]", values["required.docs"])),
            owners=cast("tuple[str, ...]", values["required.owners"]),
            required_severity=Severity(str(values["required.severity"])),
            limits=self.limits,
            lint=self.lint,
        )

    @property
    def lint(self) -> LintProfile:
        """Which lint rules count, and how much."""
        start = "lint."
        held = {name.removeprefix(start): one for name, one in self.values.items() if name.startswith(start)}
        return lint_profile({name: one.value for name, one in held.items()})
