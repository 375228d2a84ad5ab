"""The values of a policy in force as JSON, each with where it comes from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from accord.model import Level, Severity
from accord.policy.documents import JudgedAs
from accord.policy.documents.kinds import plain
from accord.policy.documents.model import Pairs
from accord.policy.level_names import nearest_confluent, spell_level

if TYPE_CHECKING:
    from accord.policy.documents.model import Setting
    from accord.policy.effective import EffectivePolicy
    from accord.policy.origins import BindingPlace, Origin, Valued
    from registry.records import BoundPolicy
    from registry.value_shapes import BoundPolicyShape, OriginShape, PlaceShape, ValuedShape

Json = dict[str, Any]
CONFIGURED = ("normalize", "group", "strictness", "validate_fields")


def policy_values(found: EffectivePolicy) -> Json:
    """Return the level, and every value with its origin."""
    return {
        "level": spell_level(found.level.value),
        "shown_as": nearest_confluent(found.level.value),
        "values": {name: _valued(one) for name, one in found.values.items()},
        "config": {name: _valued(getattr(found, name)) for name in CONFIGURED},
    }


def bound_policy(one: BoundPolicy) -> BoundPolicyShape:
    """Return a policy and where it is bound."""
    return {"policy": one.policy, "version": one.version, "place": place_document(one.place)}


def origin_document(origin: Origin) -> OriginShape:
    """Return where a value comes from."""
    return {
        "kind": origin.kind,
        "policy": origin.policy or None,
        "version": origin.version,
        "place": None if origin.place is None else place_document(origin.place),
        "section": origin.section or None,
        "scope": origin.scope or None,
        "words": str(origin),
    }


def place_document(place: BindingPlace) -> PlaceShape:
    """Return where a policy is bound."""
    return {"reach": place.reach.name.lower(), "name": place.name}


def _valued(one: Valued[Any]) -> ValuedShape:
    return {"value": _plain(one.value), "origin": origin_document(one.origin)}


def _plain(value: Setting | None) -> object:
    match value:
        case Level():
            return spell_level(value)
        case JudgedAs():
            return {"judged_as": value.rule}
        case Severity():
            return str(value)
        case tuple() | Pairs():
            return plain(value)
    return value
