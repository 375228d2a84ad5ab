"""Policies to look at, stored and bound in somebody's name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from accord.naming import split_subject
from registry.policy_records import PolicyPlace, PolicyText
from registry.services.bindings import bind_policy
from registry.services.policies import create_policy
from tenants.queries import scope_for_user

if TYPE_CHECKING:
    from accord_server.kit.scope import Scope
    from registry.policy_records import PolicyVersionRecord
    from tests.cast import Actor


def store(actor: Actor, text: str, reason: str = "") -> PolicyVersionRecord:
    """Store a policy."""
    return create_policy(_scope(actor), PolicyText(text, reason=reason))


def bind(actor: Actor, text: str, subject: str = "", *, is_prefix: bool = False) -> None:
    """Store a policy and bind it to the namespace *default*, or to something in it."""
    scope, policy = _scope(actor), store(actor, text)
    place = PolicyPlace(scope.namespace, split_subject(subject) if subject else None, is_prefix)
    bind_policy(scope, place, policy.policy)


def _scope(actor: Actor) -> Scope:
    return scope_for_user(actor.user, actor.tenant.slug, "default")
