"""Records of config and mode: the one of a place, and the one in force for a subject.

The record in force is the whole record of the nearest place that has one; nothing is inherited member
by member.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db.models import Q

from accord.model import SubjectName
from registry.errors import ModeNotSet
from registry.models import Config, Mode
from registry.queries.places import ABOVE_ALL, TOP_LEVEL, inherited, namespace_of
from registry.queries.visibility import admit_settings, may_see
from registry.records import DEFAULT_LEVEL, DEFAULT_MODE, ConfigInForce, ModeInForce

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.db.models import QuerySet

    from accord_server.kit.scope import Scope

SERVER_CONFIG: Mapping[str, Any] = {"compatibilityLevel": DEFAULT_LEVEL}


def read_mode(scope: Scope, subject: SubjectName, *, default_to_global: bool = False) -> str:
    """Return the mode as its readers see it; the top level always has one.

    Raises:
        ModeNotSet: The place has no mode of its own, or is a subject that may not be seen.
        RightMissing: The subject may be read, its mode may not.
    """
    place = seen_place(scope, subject, "mode.read")
    own = None if place is None else mode_of(scope, place)
    if own is not None:
        return own
    if default_to_global or subject in {TOP_LEVEL, ABOVE_ALL}:
        return mode_in_force(scope, place or SubjectName("", subject.context)).name
    raise ModeNotSet(subject.qualified)


def config_of(scope: Scope, place: SubjectName) -> Mapping[str, Any] | None:
    """Return the record stored for exactly this place."""
    rows = _at(Config.objects.scoped(scope), scope, place)
    record: Mapping[str, Any] | None = rows.values_list("record", flat=True).first()
    return record


def mode_of(scope: Scope, place: SubjectName) -> str | None:
    """Return the mode stored for exactly this place."""
    mode: str | None = _at(Mode.objects.scoped(scope), scope, place).values_list("mode", flat=True).first()
    return mode


def config_in_force(scope: Scope, subject: SubjectName) -> ConfigInForce:
    """Return the config in force for a subject or context: one statement."""
    rows = _at(Config.objects.scoped(scope), scope, *(place for _, place in inherited(subject)))
    return config_among({SubjectName(*place): record for *place, record in _triples(rows, "record")}, subject)


def mode_in_force(scope: Scope, subject: SubjectName) -> ModeInForce:
    """Return the mode in force for a subject or context: one statement."""
    rows = _at(Mode.objects.scoped(scope), scope, *(place for _, place in inherited(subject)))
    return mode_among({SubjectName(*place): mode for *place, mode in _triples(rows, "mode")}, subject)


def config_among(known: Mapping[SubjectName, Mapping[str, Any]], subject: SubjectName) -> ConfigInForce:
    """Return the config in force for a subject, given the records of the places it inherits from."""
    for origin, place in inherited(subject):
        if place in known:
            return ConfigInForce(known[place], origin)
    return ConfigInForce(SERVER_CONFIG, "server")


def mode_among(known: Mapping[SubjectName, str], subject: SubjectName) -> ModeInForce:
    """Return the mode in force for a subject, given the modes of the places it inherits from."""
    for origin, place in inherited(subject):
        if place in known:
            return ModeInForce(known[place], origin)
    return ModeInForce(DEFAULT_MODE, "server")


def seen_place(scope: Scope, subject: SubjectName, right: str) -> SubjectName | None:
    """Return the place to look in: none for a subject whose settings may not be seen at all."""
    if subject.name and not scope.may(right, subject) and not may_see(scope, subject):
        return None
    admit_settings(scope, subject, right)
    return subject


def _at(rows: QuerySet[Any], scope: Scope, *places: SubjectName) -> QuerySet[Any]:
    wanted = Q(pk__in=())
    for place in places:
        wanted |= Q(context=place.context, name=place.name)
    return rows.filter(wanted, namespace=namespace_of(scope))


def _triples(rows: QuerySet[Any], value: str) -> QuerySet[Any, tuple[str, str, Any]]:
    return rows.values_list("name", "context", value)
