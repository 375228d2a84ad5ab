"""Ending sessions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from tenants.queries.sessions import MOST_SESSIONS, living_sessions

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.contrib.auth.models import User
    from django.http import HttpRequest


def note_session(request: HttpRequest) -> None:
    """Note when and whence a session was seen, and with what."""
    UserSession.objects.create_from_request(request)


def end_session(user: User, number: int) -> bool:
    """End one session of the person; False where they have no such session."""
    return _end(UserSession.objects.filter(user=user, pk=number))


def end_sessions(user: User, *, but: str | None = None) -> bool:
    """End all sessions of the person, or all but the one with that key; False where there was none."""
    return _end(UserSession.objects.filter(user=user).exclude(session_key=but))


def end_oldest(user: User) -> None:
    """End the sessions that are too many."""
    _end(living_sessions(user)[MOST_SESSIONS:])


def clear_sessions() -> int:
    """Delete what is left of sessions that are over, and return how many there were."""
    deleted, _kinds = Session.objects.filter(expire_date__lt=timezone.now()).delete()
    there = Session.objects.filter(session_key=OuterRef("session_key"))
    UserSession.objects.filter(~Exists(there)).delete()
    return deleted


@transaction.atomic
def _end(rows: Iterable[UserSession]) -> bool:
    keys = [row.session_key for row in rows]
    Session.objects.filter(session_key__in=keys).delete()
    UserSession.objects.filter(session_key__in=keys).delete()
    return bool(keys)
