"""The kit as a Django app: the outbox and what guards every request and task."""

from __future__ import annotations

from importlib import import_module

from django.apps import AppConfig
from django.conf import settings
from django.core.signals import request_finished, request_started
from django.db.backends.signals import connection_created


class KitConfig(AppConfig):
    """Registers the checks and the tenant reset around requests."""

    name = "accord_server.kit"
    label = "kit"

    def ready(self) -> None:
        """Connect what must hold for every request, whoever serves it."""
        from accord_server.kit import checks, live_connections, tenancy  # noqa: F401 - models must be loaded; checks register themselves

        import_module(settings.CELERY_APP_MODULE)
        connection_created.connect(tenancy.forget, dispatch_uid="accord.tenancy.forget")
        request_started.connect(live_connections.close_lost, dispatch_uid="accord.connections.checkout")
        request_started.connect(tenancy.reset, dispatch_uid="accord.tenancy.checkout")
        request_finished.connect(tenancy.reset, dispatch_uid="accord.tenancy.checkin")
