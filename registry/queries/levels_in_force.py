"""The level in force, and config records as they are read: where config records and policies meet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from accord.model import Format, SubjectName
from accord.policy.level_names import nearest_confluent, spell_level
from accord.policy.origins import OriginKind
from registry.errors import ConfigNotSet
from registry.models import Version
from registry.queries.bound_policies import effective_policy
from registry.queries.places import ABOVE_ALL, TOP_LEVEL, namespace_of
from registry.queries.settings import config_of, seen_place
from registry.queries.standing import settings_of
from registry.records import LEVEL_KEPT, METADATA_MEMBERS, LevelInForce
from registry.sealing import unsealed_members

if TYPE_CHECKING:
    from collections.abc import Mapping

    from accord.policy.effective import EffectivePolicy
    from accord_server.kit.scope import Scope


def read_config(scope: Scope, subject: SubjectName, *, default_to_global: bool = False) -> Mapping[str, Any]:
    """Return the config record as its readers see it; the top level always has one.

    A level that has no name of Confluent's shows as the nearest that has.

    Raises:
        ConfigNotSet: The place has no record of its own, or is a subject that may not be seen.
        RightMissing: The subject may be read, its settings may not.
    """
    place = seen_place(scope, subject, "config.read")
    is_top = subject in {TOP_LEVEL, ABOVE_ALL}
    record = None if place is None else config_of(scope, place)
    if record is not None and not is_top and not default_to_global:
        return shown_members(record)
    if record is None and not is_top and not default_to_global:
        raise ConfigNotSet(subject.qualified)
    where = place or SubjectName("", subject.context)
    settings = settings_of(scope, where)
    level = effective_policy(scope, where, format_of(scope, where), settings).level.value
    return {**shown_members(settings.config.record), "compatibilityLevel": nearest_confluent(level)}


def shown_members(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return a record in clear, without what is our own."""
    clear = unsealed_members(record, METADATA_MEMBERS)
    return {name: value for name, value in clear.items() if name != LEVEL_KEPT}


def level_in_force(scope: Scope, subject: SubjectName, format_: Format = Format.AVRO) -> LevelInForce:
    """Return the level in force for a subject and where it comes from."""
    settings = settings_of(scope, subject)
    found = effective_policy(scope, subject, format_, settings)
    return LevelInForce(spell_level(found.level.value), _origin(found, settings.config.origin))


def format_of(scope: Scope, place: SubjectName) -> Format:
    """Return the format of what was registered last at a subject; Avro, Confluent's default, elsewhere."""
    if not place.name:
        return Format.AVRO
    versions = Version.objects.scoped(scope).filter(
        subject__namespace=namespace_of(scope), subject__context=place.context, subject__name=place.name
    )
    last = versions.order_by("-number").values_list("schema__content__format", flat=True).first()
    return Format.AVRO if last is None else Format(last)


def _origin(found: EffectivePolicy, config_origin: str) -> str:
    origin = found.level.origin
    match origin.kind:
        case OriginKind.POLICY:
            return f"policy {origin.policy}"
        case OriginKind.CONFIG:
            return config_origin
        case OriginKind.INSTALLATION:
            return "server"
