"""How long a session lives: until it was idle for too long, and never longer than its whole life.

A session is noted with where and when it was seen last, at most once a minute, so that its person can look
through their sessions and end those that are not theirs.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from django.contrib.auth import SESSION_KEY
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from accord_server.kit.configuration import configured
from accord_server.kit.settings_table import HOUR, SESSION_HOURS, SESSION_IDLE_MINUTES
from tenants.services.sessions import note_session

if TYPE_CHECKING:
    from django.contrib.sessions.backends.base import SessionBase

GetResponse = Callable[[HttpRequest], HttpResponseBase]

BEGAN: Final = "began"
SEEN: Final = "seen"
MINUTE: Final = 60


class SessionLife:
    """Ends what is over before anybody asks who the visitor is."""

    def __init__(self, get_response: GetResponse) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer the request, as a stranger's once the session is over."""
        if SESSION_KEY in request.session:
            _look_at(request)
        return self._get_response(request)


def begin(session: SessionBase) -> None:
    """Note that the person has signed in just now."""
    session[BEGAN] = session[SEEN] = int(time.time())


def _look_at(request: HttpRequest) -> None:
    session, now = request.session, int(time.time())
    if BEGAN not in session:
        begin(session)
    elif _is_over(session, now):
        session.flush()
    elif now - session[SEEN] >= MINUTE:
        session[SEEN] = now
        if request.user.is_authenticated:
            note_session(request)


def _is_over(session: SessionBase, now: int) -> bool:
    is_old = now - session[BEGAN] >= configured(SESSION_HOURS) * HOUR
    return bool(is_old or now - session[SEEN] >= configured(SESSION_IDLE_MINUTES) * MINUTE)
