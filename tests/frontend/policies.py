"""Policies to look at, stored and bound in somebody's name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from accord.naming import split_subject
from accord.policy.documents import read_document
from registry.policy_errors import PolicyExists
from registry.policy_records import BindPolicy, PolicyPlace, PolicyText
from registry.services.bindings import bind_policy
from registry.services.policies import create_policy
from tenants.queries import scope_for_user

if TYPE_CHECKING:
    from accord_server.kit.scope import Scope
    from tests.cast import Actor


def store(actor: Actor, text: str, reason: str = "") -> str:
    """Store a policy unless it is there; return its name."""
    document = read_document(text).document
    assert document is not None
    try:
        create_policy(scope_at(actor), PolicyText(text, reason=reason))
    except PolicyExists:
        return document.name
    return document.name


def bind(actor: Actor, text: str, subject: str = "", *, is_prefix: bool = False) -> None:
    """Store a policy and bind it to the namespace *default*, or to something in it."""
    scope, name = scope_at(actor), store(actor, text)
    place = PolicyPlace(scope.namespace, split_subject(subject) if subject else None, is_prefix)
    bind_policy(scope, place, BindPolicy(name))


def scope_at(actor: Actor) -> Scope:
    """Return the actor's scope in the namespace."""
    return scope_for_user(actor.user, actor.tenant.slug, "default")
