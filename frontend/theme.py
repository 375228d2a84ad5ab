"""The theme a visitor chose: kept in a cookie, so that the server draws the page in it at once."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

COOKIE: Final = "accord_theme"
A_YEAR: Final = 365 * 24 * 3600


class Theme(StrEnum):
    """The themes on offer; ``system`` follows the machine."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


def theme_of(request: HttpRequest) -> Theme:
    """Return the theme of a request; a cookie that says anything else counts as none."""
    return read_theme(request.COOKIES.get(COOKIE, ""))


def read_theme(text: str) -> Theme:
    """Return the theme of that name, or the machine's."""
    return Theme(text) if text in set(Theme) else Theme.SYSTEM


def remember(response: HttpResponse, theme: Theme, *, is_secure: bool) -> None:
    """Keep the choice for a year."""
    response.set_cookie(COOKIE, theme, max_age=A_YEAR, secure=is_secure, httponly=True, samesite="Lax")
