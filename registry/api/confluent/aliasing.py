"""Calls about a name that is an alias: they are served for its subject, by the caller's rights there."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from registry import queries

if TYPE_CHECKING:
    from collections.abc import Iterable

    from accord.model import SubjectName
    from accord_server.kit.scope import Scope
    from registry.api.confluent.calls import Call


def followed(call: Call, rights: Iterable[str]) -> Call:
    """Return the call about the subject that it is to be served for.

    Who holds none of the rights there must not learn of it, nor get what the name itself once stood for:
    to them the name is that of a subject that they may not see.
    """
    target = queries.alias_target(call.scope, call.subject)
    if target is None:
        return call
    if _opens(call.scope, target, rights):
        return replace(call, target=target)
    return replace(call, scope=call.scope.without(call.subject))


def named(scope: Scope, name: SubjectName, rights: Iterable[str]) -> SubjectName:
    """Return the subject that a name in a query stands for; an alias of what is closed is a name as any."""
    target = queries.alias_target(scope, name)
    return target if target is not None and _opens(scope, target, rights) else name


def _opens(scope: Scope, target: SubjectName, rights: Iterable[str]) -> bool:
    return any(scope.may(right, target) for right in rights)
