"""What time does to tokens: of the end somebody is told, and what nobody uses is suspended."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from django.db import transaction
from django.db.models import F, Q
from django.db.models.functions import Coalesce, Greatest
from django.utils import timezone

from accord_server.kit import tenancy
from accord_server.kit.each_tenant import tenants_from
from accord_server.kit.scope import PrincipalKind, Scope, TenantRef
from tenants.models import Token, TokenState
from tenants.principals import principal_of
from tenants.queries.tokens import token_rows
from tenants.services import events
from tenants.services.tokens import enter_state
from tenants.tokens import TokenKind

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from uuid import UUID

    from django.db.models import QuerySet

REMINDERS: Final = (1, 3, 14)  # days before the end
UNUSED_FOR: Final = timedelta(days=90)
DAY: Final = timedelta(days=1)
# A tenant with much to do lets the others have their turn after so many rows.
TURN: Final = 200
LIVING: Final = (TokenState.ACTIVE, TokenState.PENDING, TokenState.SUSPENDED)
WATCHER: Final = principal_of(PrincipalKind.OPERATOR, "token-watch")


def watch_tokens() -> int:
    """Do what is due in every tenant; return for how many tokens. Running twice at once does no harm."""
    return sum(map(_watch_tenant, tenants_from("accord_active_tenants")))


def _watch_tenant(tenant_id: UUID) -> int:
    scope = Scope(TenantRef(tenant_id, ""), None, WATCHER)
    now = timezone.now()
    with tenancy.tenant_context(tenant_id):
        return sum(
            (
                _each(scope, _over(scope, now), _expire),
                _each(scope, _unused(scope, now), _suspend),
                sum(_each(scope, _ending(scope, now, days), _remind(days)) for days in REMINDERS),
            )
        )


def _each(scope: Scope, rows: QuerySet[Token], act: Callable[[Scope, Token], None]) -> int:
    """Do something with each of the rows, those that nobody else has in hand, in one transaction."""
    with transaction.atomic():
        found = list(rows.select_for_update(of=("self",), skip_locked=True).order_by("id")[:TURN])
        for row in found:
            act(scope, row)
    return len(found)


def _over(scope: Scope, now: datetime) -> QuerySet[Token]:
    return token_rows(scope).filter(state__in=LIVING, expires_at__lte=now)


def _unused(scope: Scope, now: datetime) -> QuerySet[Token]:
    seen = Greatest(Coalesce(F("last_used_at"), F("wanted_at")), F("wanted_at"))
    rows = token_rows(scope).filter(state=TokenState.ACTIVE, not_before__lte=now - UNUSED_FOR)
    return rows.annotate(seen=seen).filter(seen__lte=now - UNUSED_FOR)


def _ending(scope: Scope, now: datetime, days: int) -> QuerySet[Token]:
    """Return the tokens that end within so many days and whose owner was not told so.

    Those that never lived longer are none of them: they were issued to end soon.
    """
    rows = token_rows(scope).filter(state=TokenState.ACTIVE, expires_at__gt=now)
    ending = rows.filter(expires_at__lte=now + days * DAY).exclude(kind=TokenKind.CI)
    untold = Q(reminded_days=0) | Q(reminded_days__gt=days)
    return ending.filter(untold, created_at__lt=F("expires_at") - days * DAY)


def _expire(scope: Scope, row: Token) -> None:
    enter_state(scope, row, TokenState.EXPIRED, "token.expire")
    events.tell(scope, events.EXPIRED, row)


def _suspend(scope: Scope, row: Token) -> None:
    enter_state(scope, row, TokenState.SUSPENDED, "token.suspend_unused")
    events.tell(scope, events.UNUSED, row)


def _remind(days: int) -> Callable[[Scope, Token], None]:
    def remind(scope: Scope, row: Token) -> None:
        row.reminded_days = days
        row.save(update_fields=["reminded_days"])
        events.tell(scope, events.EXPIRING, row)

    return remind
