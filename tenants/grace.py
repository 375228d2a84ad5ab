"""How long what was deleted can be brought back."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.utils import timezone

from accord_server.kit.configuration import configured
from accord_server.kit.settings_table import GRACE_DAYS


def kept_until(deleted_at: datetime) -> datetime:
    """Return until when it is kept."""
    return deleted_at + timedelta(days=configured(GRACE_DAYS))


def kept_since() -> datetime:
    """Return the moment before which what was deleted is not kept any longer."""
    return timezone.now() - timedelta(days=configured(GRACE_DAYS))
