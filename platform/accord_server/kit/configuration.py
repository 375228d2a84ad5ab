"""The one door through which rooms read settings of ours."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar, cast

from django.conf import settings

if TYPE_CHECKING:
    from accord_server.kit.settings_table import Setting

T = TypeVar("T")


def configured(setting: Setting[T]) -> T:
    """Return the value in force of one row of the settings table."""
    return cast("T", getattr(settings, setting.name))
