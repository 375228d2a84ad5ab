"""The policy in force for a subject: every value with where it comes from.

Policies are bound to a tenant, a namespace, a prefix of subject names or one subject. Each value is
looked up by itself, nearest first:

1. subject, then prefixes (the longest first), then namespace, then tenant;
2. at one place, the section of the format before ``default``;
3. what nobody sets has the installation's default.

So binding a policy nearer changes nothing that it does not set. Two values are special. A limit never
exceeds the installation's. And the level also has a place in Confluent's interface: the config record
that counts for the subject decides it, unless ``locked`` is in force. A record that names no level
leaves it to the policies, whose level stands in for the default of Confluent's server.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar, cast

from accord.errors import InvalidPolicy
from accord.model import Format, Severity
from accord.policy.documents.presets import NO_PRESET, PRESET_MEMBERS, preset_named
from accord.policy.effective import LIMITS, EffectivePolicy, Installation
from accord.policy.origins import INSTALLED, Origin, OriginKind, Reach, Valued
from accord.policy.policies import Transform
from accord.rules.presets import PLAIN, PROFILES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from accord.model import Level, SubjectName
    from accord.policy.documents.model import PolicyDocument, Setting
    from accord.policy.origins import BindingPlace

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Binding:
    """A version of a policy in force at a place."""

    place: BindingPlace
    version: int
    document: PolicyDocument


@dataclass(frozen=True, slots=True)
class ConfigRecord:
    """The one config record of Confluent's interface that counts for a subject.

    ``scope`` names it for people: "subject orders", "context .x", "global".
    """

    scope: str
    level: Level | None = None
    normalize: bool | None = None
    group: str | None = None
    strictness: str | None = None
    validate_fields: bool | None = None


def effective(
    bindings: Iterable[Binding],
    format_: Format,
    *,
    subject: SubjectName,
    record: ConfigRecord | None = None,
    installation: Installation | None = None,
) -> EffectivePolicy:
    """Return the policy in force for a subject and a format.

    ``bindings`` are those of the tenant and the namespace in any order; those that do not cover the
    subject are passed over. Raises `accord.errors.InvalidPolicy` where two are bound to one place.
    """
    house = installation or Installation()
    values = {**_defaults(house), **_inherited(_nearest_first(bindings, subject), format_)}
    for name, attribute in LIMITS.items():
        largest: int = getattr(house.limits, attribute)
        if cast("int", values[name].value) > largest:
            values[name] = Valued(largest, INSTALLED)
    values["transform.name"] = _transform(values, format_)
    config = record or ConfigRecord("")
    by_config = Origin(OriginKind.CONFIG, scope=config.scope)
    if config.level is not None and not values["locked"].value:
        values["level"] = Valued(config.level, by_config)
    return EffectivePolicy(
        format_,
        dict(sorted(values.items())),
        normalize=_configured(config.normalize, by_config, default=False),
        group=_configured(config.group, by_config, default=None),
        strictness=_configured(config.strictness, by_config, default=None),
        validate_fields=_configured(config.validate_fields, by_config, default=False),
        installation=house,
    )


def _transform(values: Mapping[str, Valued[Setting]], format_: Format) -> Valued[Setting]:
    """Return the transform in force: the one that is named, or the one that the preset brings along."""
    preset, named = values["preset"], values["transform.name"]
    opens = PROFILES.get(str(preset.value), PLAIN).opens_reader and format_ is Format.JSON
    return Valued(str(Transform.OPTIONAL_FRIENDLY), preset.origin) if opens else named


def _configured(value: T | None, origin: Origin, *, default: T) -> Valued[T]:
    return Valued(default, INSTALLED) if value is None else Valued(value, origin)


def _nearest_first(bindings: Iterable[Binding], subject: SubjectName) -> list[Binding]:
    places: dict[tuple[Reach, str], Binding] = {}
    for binding in bindings:
        place = binding.place
        if not place.covers(subject):
            continue
        key = (place.reach, place.name if place.reach is Reach.PREFIX else "")
        if key in places:
            raise InvalidPolicy(details=f"two policies are bound to {place}; take one of them off")
        places[key] = binding
    ordered = sorted(places, key=lambda key: (key[0], len(key[1])), reverse=True)
    return [places[key] for key in ordered]


def _inherited(bindings: Iterable[Binding], format_: Format) -> dict[str, Valued[Setting]]:
    values: dict[str, Valued[Setting]] = {}
    for binding in bindings:
        document = binding.document
        for path, section in document.sections(format_):
            origin = Origin(OriginKind.POLICY, document.name, binding.version, binding.place, path)
            for name, value in section.items():
                values.setdefault(name, Valued(_pinned(name, value), origin))
    return values


def _pinned(name: str, value: Setting) -> Setting:
    """Return a preset's name with its version, should a document not have been pinned when saved."""
    return (preset_named(str(value)) or value) if name in PRESET_MEMBERS else value


def _defaults(house: Installation) -> dict[str, Valued[Setting]]:
    settings: dict[str, Setting] = {
        "preset": house.preset,
        "also_warns": NO_PRESET,
        "level": house.level,
        "locked": False,
        "transform.name": str(Transform.NONE),
        "transform.require_closed": False,
        "ignored.paths": (),
        "ignored.packages": (),
        "ignored.unstable_packages": False,
        "transform.ignore_formats": False,
        "naming.severity": Severity.BLOCK,
        "lint.use": (),
        "required.docs": (),
        "required.owners": (),
        "required.severity": Severity.BLOCK,
        **{name: getattr(house.limits, attribute) for name, attribute in LIMITS.items()},
    }
    return {name: Valued(value, INSTALLED) for name, value in settings.items()}
