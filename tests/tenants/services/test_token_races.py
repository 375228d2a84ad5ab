"""Tokens that several change at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from accord_server.kit import tenancy
from tenants.errors import TokenNotPending, TokenRolling
from tenants.models import Token, TokenSecret, TokenState
from tenants.principals import operator_scope
from tenants.records import IssuedToken, TokenRecord
from tenants.services import revoke_token
from tenants.services.token_life import approve_token, refuse_token, roll_token
from tests.cast import issued_for
from tests.registry.threads import all_at_once, overtaken

if TYPE_CHECKING:
    from tests.cast import Actor

pytestmark = pytest.mark.django_db(transaction=True)

AT_ONCE = 4


def pending(actor: Actor) -> str:
    """A token that waits for approval."""
    key_id = issued_for(actor).record.key_id
    with tenancy.tenant_context(actor.tenant.id):
        rows = Token.objects.scoped(operator_scope(actor.tenant.ref)).filter(key_id=key_id)
        rows.update(state=TokenState.PENDING)
    return key_id


def state(actor: Actor, key_id: str) -> str:
    with tenancy.tenant_context(actor.tenant.id):
        return str(Token.objects.scoped(operator_scope(actor.tenant.ref)).get(key_id=key_id).state)


def test_a_token_that_many_roll_gets_one_more_secret(alice: Actor) -> None:
    scope, key_id = operator_scope(alice.tenant.ref), issued_for(alice).record.key_id
    results = all_at_once(scope, lambda _: roll_token(scope, key_id=key_id), AT_ONCE)
    assert [type(one) for one in results].count(IssuedToken) == 1
    assert [type(one) for one in results].count(TokenRolling) == AT_ONCE - 1
    with tenancy.tenant_context(alice.tenant.id):
        assert TokenSecret.objects.scoped(scope).filter(token__key_id=key_id).count() == 2


def test_a_token_is_approved_or_refused_and_never_both(alice: Actor) -> None:
    scope, key_id = operator_scope(alice.tenant.ref), pending(alice)
    ways = (approve_token, refuse_token)
    results = all_at_once(scope, lambda number: ways[number % 2](scope, key_id=key_id), AT_ONCE)
    (won,) = [one for one in results if isinstance(one, TokenRecord)]
    assert [type(one) for one in results].count(TokenNotPending) == AT_ONCE - 1
    assert state(alice, key_id) == won.state


def test_a_token_that_is_revoked_while_it_is_approved_is_revoked(alice: Actor) -> None:
    scope, key_id = operator_scope(alice.tenant.ref), pending(alice)
    overtaken(scope, lambda: approve_token(scope, key_id=key_id), lambda: revoke_token(scope, key_id=key_id))
    assert state(alice, key_id) == TokenState.REVOKED
