"""The room of people and access as a Django app."""

from __future__ import annotations

from django.apps import AppConfig


class TenantsConfig(AppConfig):
    """Registers the checks and the record of refused calls."""

    name = "tenants"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Connect this room to the error boundary, which knows no rooms."""
        from accord_server.kit.errors import on_denied
        from tenants import checks  # noqa: F401  # checks register themselves
        from tenants.services.audit import record_denial

        on_denied(record_denial)
