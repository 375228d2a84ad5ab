"""The database's time, by which tokens live and die."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tenants.queries.rows import rows_of

if TYPE_CHECKING:
    from datetime import datetime


def database_now() -> datetime:
    """Return the database's time, by which tokens live and die."""
    now: datetime = rows_of("SELECT now() AS now")[0]["now"]
    return now


def database_clock() -> datetime:
    """Return what the database's clock shows, which moves on within a transaction too."""
    now: datetime = rows_of("SELECT clock_timestamp() AS now")[0]["now"]
    return now
