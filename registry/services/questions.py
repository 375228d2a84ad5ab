"""What was asked about a candidate and what decides about it, apart from the comparisons themselves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from registry.policy_values import bound_policy, place_document, policy_values

if TYPE_CHECKING:
    from accord.model import Finding, Level, SchemaText, SubjectName
    from accord.policy.effective import EffectivePolicy
    from accord.policy.inheritance import Binding
    from registry.services.situation import Situation

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Question:
    """What was asked and what decides about it: all that is told beside the comparisons.

    ``source`` is the text as it was sent, ``name`` what it is called, ``policy`` what is in force as JSON,
    ``own`` what that finds in the candidate by itself.
    """

    subject: SubjectName
    source: SchemaText
    name: str
    level: Level
    preset: str
    policy: Json
    own: tuple[Finding, ...]


def policy_document(found: EffectivePolicy, now: Situation, tried: Binding | None) -> Json:
    """Return what is in force as JSON: values with their origins, and the policies that are bound."""
    bound = [bound_policy(one) for one in now.settings.bound if tried is None or one.place != tried.place]
    if tried is not None:
        version = tried.version or None
        place = place_document(tried.place)
        bound.append({"policy": tried.document.name, "version": version, "place": place, "is_tried": True})
    return {**policy_values(found), "policies": bound}
