"""What time does to tokens."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.utils import timezone

from accord_server.kit import tenancy
from accord_server.kit.models import Outbox
from tenants.models import Token, TokenState
from tenants.principals import operator_scope
from tenants.tasks import watch_tokens
from tests.cast import issued_for

if TYPE_CHECKING:
    from tenants.records import IssuedToken
    from tests.cast import Actor

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


def changed(actor: Actor, issued: IssuedToken, **values: Any) -> Token:
    """The row, after a change of it."""
    scope = operator_scope(actor.tenant.ref)
    with tenancy.tenant_context(actor.tenant.id):
        rows = Token.objects.scoped(scope).filter(key_id=issued.record.key_id)
        if values:
            rows.update(**values)
        row: Token = rows.get()
        return row


def told(actor: Actor, topic: str) -> int:
    with tenancy.tenant_context(actor.tenant.id):
        return Outbox.objects.scoped(operator_scope(actor.tenant.ref)).filter(topic=topic).count()


def test_of_each_end_somebody_is_told_three_times(alice: Actor) -> None:
    issued, now = issued_for(alice), timezone.now()
    counts = []
    for days in (20, 13, 12, 2.5, 0.5, 0.4):
        changed(alice, issued, expires_at=now + days * DAY, created_at=now - 60 * DAY)
        watch_tokens()
        counts.append(told(alice, "token.expiring"))
    assert counts == [0, 1, 1, 2, 3, 3]


def test_a_token_that_was_issued_to_end_soon_needs_no_reminder(alice: Actor) -> None:
    issued_for(alice, lifetime=timedelta(hours=20))
    watch_tokens()
    assert told(alice, "token.expiring") == 0


def test_what_is_over_is_expired(alice: Actor) -> None:
    issued = issued_for(alice, not_before=timezone.now() - 2 * DAY, lifetime=DAY)
    assert watch_tokens() == 1
    assert (changed(alice, issued).state, told(alice, "token.expired")) == (TokenState.EXPIRED, 1)
    assert watch_tokens() == 0


def test_what_nobody_used_for_long_is_suspended_and_can_be_resumed(alice: Actor, mallory: Actor) -> None:
    from tenants.services import resume_token

    long_ago = timezone.now() - 91 * DAY
    old = {"not_before": long_ago, "wanted_at": long_ago, "expires_at": timezone.now() + 90 * DAY}
    unused, used = issued_for(alice), issued_for(alice)
    changed(alice, unused, **old, last_used_at=long_ago)
    changed(alice, used, **old, last_used_at=timezone.now())
    issued_for(mallory)
    assert watch_tokens() == 1
    states = [changed(alice, one).state for one in (unused, used)]
    assert states == [TokenState.SUSPENDED, TokenState.ACTIVE]
    assert told(alice, "token.suspended_unused") == 1
    resume_token(operator_scope(alice.tenant.ref), key_id=unused.record.key_id)
    assert watch_tokens() == 0
