"""The sessions in which a person is signed in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.db.models import Exists, OuterRef
from django.utils import timezone

from tenants.records import SessionRecord

if TYPE_CHECKING:
    from django.contrib.auth.models import User
    from django.db.models import QuerySet

# More sessions nobody has; who begins more ends the oldest.
MOST_SESSIONS: Final = 50


def sessions_of(user: User, *, current: str | None) -> tuple[SessionRecord, ...]:
    """Return where the person is signed in, the last seen first; ``current`` is the key of this session."""
    return tuple(
        SessionRecord(
            row.pk, row.user_agent, row.ip, row.created_at, row.last_seen_at, row.session_key == current
        )
        for row in living_sessions(user)
    )


def living_sessions(user: User) -> QuerySet[UserSession]:
    """Return the rows of sessions that have not ended, for services of this room."""
    living = Session.objects.filter(session_key=OuterRef("session_key"), expire_date__gt=timezone.now())
    rows: QuerySet[UserSession] = UserSession.objects.filter(Exists(living), user=user)
    return rows.order_by("-last_seen_at", "-pk")
