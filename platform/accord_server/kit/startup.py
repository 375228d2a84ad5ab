"""What a serving process makes sure of before the first request."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.checks import ERROR, run_checks
from django.core.exceptions import ImproperlyConfigured
from django.db.backends.signals import connection_created

from accord_server.kit.checks import TAG
from accord_server.kit.database_roles import serving_role
from accord_server.kit.tenancy import ALIAS

if TYPE_CHECKING:
    from django.db.backends.base.base import BaseDatabaseWrapper


class UnsafeRole(ImproperlyConfigured):
    """The database lets this role past row-level security, so nothing is served."""


def refuse_misconfiguration() -> None:
    """Stop a process whose settings are wrong, and any connection whose role is."""
    faults = [fault for fault in run_checks(tags=[TAG], databases=[ALIAS]) if fault.level >= ERROR]
    if faults:
        raise ImproperlyConfigured("\n".join(str(fault) for fault in faults))
    connection_created.connect(_refuse_unsafe_role, dispatch_uid="accord.startup.role")


def _refuse_unsafe_role(connection: BaseDatabaseWrapper, **_signal: Any) -> None:
    if connection.alias != ALIAS:
        return
    fault = serving_role(connection).fault
    if fault:
        connection.close()
        raise UnsafeRole(f"Refusing to serve: {fault}.")
