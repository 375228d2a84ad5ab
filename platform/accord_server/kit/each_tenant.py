"""Which tenants a job has something to do for: asked of definer functions, as no tenant is active yet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import connections

from accord_server.kit import tenancy

if TYPE_CHECKING:
    from uuid import UUID


def tenants_from(function: str, *values: Any, are_deleted: bool = False) -> list[UUID]:
    """Return the tenants that a function of the database names.

    For those that were deleted nothing is done while they may yet be restored, unless ``are_deleted``.
    """
    marks = ", ".join(["%s"] * len(values))
    living = "" if are_deleted else "WHERE found.id NOT IN (SELECT accord_deleted_tenants())"
    with connections[tenancy.ALIAS].cursor() as cursor:
        cursor.execute(f"SELECT * FROM {function}({marks}) AS found (id) {living}", values)  # noqa: S608  # constants, see the callers
        return [row[0] for row in cursor.fetchall()]
