"""The policy in force for a subject or a namespace: every value with its origin, and what it means."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accord.formats import PARSERS
from accord.model import Format, Level
from accord.policy.documents.model import PARAMETERS, RULES, Pairs
from accord.policy.documents.table import rows
from accord.policy.level_names import spell_level
from accord.rules.presets import PRESETS
from accord.rules.table import TABLE
from frontend.pages.advice import advice_panel
from frontend.pages.binding_places import bind_url
from frontend.pages.formats import FORMATS
from frontend.pages.origins import origin_link, policy_url
from frontend.pages.rules import Weight
from frontend.pages.verdicts import rule_link
from registry.policy_records import PolicyPlace
from registry.queries.policies import may_at

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from accord.policy.documents.model import Setting
    from accord.policy.effective import EffectivePolicy
    from accord.policy.origins import Origin, Valued
    from accord_server.kit.scope import Scope
    from frontend.pages.advice import AdvicePanel
    from frontend.pages.origins import OriginLink
    from frontend.pages.shell import Label
    from frontend.pages.verdicts import RuleLink
    from registry.policy_records import PolicyInForce

GROUPS: Final[tuple[tuple[Label, str], ...]] = (
    (gettext_lazy("Comparison"), ""),
    (gettext_lazy("Where differences do not count"), "ignored."),
    (gettext_lazy("Size of a new schema"), "limits."),
    (gettext_lazy("Names in a new schema"), "naming."),
    (gettext_lazy("What a new schema must carry"), "required."),
    (gettext_lazy("Lint of a new schema"), "lint."),
)
# Members of Confluent's config record that no policy has.
RECORD: Final[tuple[tuple[str, str, Label], ...]] = (
    ("normalize", "normalize", gettext_lazy("Whether new schemas are brought into one spelling.")),
    ("compatibilityGroup", "group", gettext_lazy("The metadata property that parts the history.")),
    ("compatibilityPolicy", "strictness", gettext_lazy("Which of Confluent's two JSON columns counts.")),
    ("validateFields", "validate_fields", gettext_lazy("Whether field names are checked by data contracts.")),
)
SHOWN_FIRST: Final = ("level", "locked", "preset", "also_warns")
FEW: Final = 10


@dataclass(frozen=True, slots=True)
class ValueRow:
    """One value in force."""

    name: str
    words: Label
    value: str
    origin: OriginLink


@dataclass(frozen=True, slots=True)
class ValueGroup:
    """Values that belong together."""

    label: Label
    rows: tuple[ValueRow, ...]


class ParameterInForce(NamedTuple):
    """A parameter that some policy sets for a rule."""

    name: str
    value: str
    origin: OriginLink


@dataclass(frozen=True, slots=True)
class RuleInForce:
    """A rule that is treated otherwise than the preset says."""

    rule: RuleLink
    before: Weight
    weight: Weight
    judged_as: str
    parameters: tuple[ParameterInForce, ...]
    origin: OriginLink


@dataclass(frozen=True, slots=True)
class BoundRow:
    """A policy that counts here, the nearest first."""

    policy: str
    version: int
    url: str
    place: str


@dataclass(frozen=True, slots=True)
class FormatLink:
    """Another format that the same place may be asked about."""

    label: Label
    url: str
    is_here: bool


@dataclass(frozen=True, slots=True)
class EffectivePanel:
    """Everything that is in force at a place, for one format."""

    level: str
    formats: tuple[FormatLink, ...]
    advice: AdvicePanel
    groups: tuple[ValueGroup, ...]
    rules: tuple[RuleInForce, ...]
    bound: tuple[BoundRow, ...]
    bind_url: str
    policies_url: str

    @property
    def has_few_rules(self) -> bool:
        """True when the list of rules needs no folding."""
        return len(self.rules) <= FEW


def read_format(text: str, default: Format) -> Format:
    """Return the format that an address names; what cannot be registered counts as absent."""
    return next((one for one in PARSERS if one == text.upper()), default)


def effective_panel(scope: Scope, found: PolicyInForce) -> EffectivePanel:
    """Make the panel; without the right to write there is no button to bind."""
    place = PolicyPlace(scope.namespace, found.subject if found.subject.name else None)
    return EffectivePanel(
        level=spell_level(found.found.level.value),
        formats=tuple(
            FormatLink(FORMATS[one], f"?format={one}", one is found.format) for one in sorted(PARSERS)
        ),
        advice=advice_panel(found.advice),
        groups=tuple(_groups(scope, found.found)),
        rules=tuple(_rules(scope, found.found)),
        bound=tuple(
            BoundRow(one.policy, one.version, policy_url(scope, one.policy, one.version), str(one.place))
            for one in sorted(
                found.bound, key=lambda one: (one.place.reach, len(one.place.name)), reverse=True
            )
        ),
        bind_url=bind_url(scope, place) if may_at(scope, "policy.write", place) else "",
        policies_url=reverse("frontend:policies", args=[scope.tenant.slug]),
    )


def _groups(scope: Scope, found: EffectivePolicy) -> Iterator[ValueGroup]:
    known = {name: row for name, row in rows().items() if row.is_for(found.format)}
    for label, start in GROUPS:
        names = [name for name in known if name.startswith(start)] if start else _comparison(known)
        made = tuple(
            _row(scope, name, known[name].words, found.values[name]) for name in names if name in found.values
        )
        if made:
            yield ValueGroup(label, made)
    record = ((name, words, getattr(found, attribute)) for name, attribute, words in RECORD)
    yield ValueGroup(
        _("Confluent's config record"), tuple(_row(scope, name, words, one) for name, words, one in record)
    )


def _comparison(known: Iterable[str]) -> list[str]:
    further = [name for name in known if name.startswith("transform.")]
    return [*SHOWN_FIRST, *further]


def _row(scope: Scope, name: str, words: Label, found: Valued[Setting | None]) -> ValueRow:
    return ValueRow(name, words, shown_value(found.value), origin_link(scope, found.origin))


def shown_value(value: Setting | None) -> str:
    """Return a value for people: numbers in groups of three, nothing as a word."""
    match value:
        case Level():
            return spell_level(value)
        case bool():
            return _("yes") if value else _("no")
        case int():
            return f"{value:,}"
        case tuple():
            return ", ".join(value) or _("nothing")
        case Pairs():
            return "; ".join(f"{name}: {shown_value(one)}" for name, one in value.items) or _("nothing")
        case None:
            return _("not set")
    return str(value)


def _rules(scope: Scope, found: EffectivePolicy) -> Iterator[RuleInForce]:
    policy, column = found.policy, PRESETS[found.preset.value]
    with_parameters = {name.split(".")[1] for name in found.values if f".{PARAMETERS}." in name}
    for rule in sorted((policy.set_rules | policy.warned_rules | with_parameters) & column.keys()):
        row = TABLE.rows[rule]
        before, weight = column[rule], policy.reported(rule)
        other = policy.replacements.get(rule, "")
        is_told = weight is not before or other or rule in with_parameters
        if row.format in {None, found.format} and is_told:
            parameters = found.parameters(rule)
            yield RuleInForce(
                rule_link(rule),
                Weight(found.preset.value, before),
                Weight("", weight),
                other,
                tuple(_parameter(scope, name, one) for name, one in parameters.items()),
                origin_link(scope, _origin(found, rule)),
            )


def _parameter(scope: Scope, name: str, found: Valued[Setting]) -> ParameterInForce:
    return ParameterInForce(name, shown_value(found.value), origin_link(scope, found.origin))


def _origin(found: EffectivePolicy, rule: str) -> Origin:
    """Return who set the rule's weight; where only parameters are set, who set the first of them."""
    parameters = found.parameters(rule)
    if parameters and f"{RULES}.{rule}" not in found.values:
        return next(iter(parameters.values())).origin
    return found.severity(rule).origin
