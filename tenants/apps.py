"""The room of people and access as a Django app."""

from __future__ import annotations

from typing import Final

from django.apps import AppConfig

LIVE_NAMESPACES: Final = "count(*) FILTER (WHERE deleted_at IS NULL)"
LIVE_TOKENS: Final = "count(*) FILTER (WHERE state IN ('pending', 'active', 'suspended'))"


class TenantsConfig(AppConfig):
    """Registers the checks, the record of refused calls and the door of the hot path."""

    name = "tenants"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Connect this room to the error boundary, which knows no rooms."""
        from accord_server.kit import outbox
        from accord_server.kit.errors import on_denied
        from accord_server.kit.hot_path import register_door
        from tenants import checks  # noqa: F401  # checks register themselves
        from tenants.door import Door
        from tenants.services.audit import record_denial
        from tenants.services.events import TOPICS
        from tenants.services.quotas import QUOTA_WARNED, count_in

        for topic in (*TOPICS, QUOTA_WARNED):
            # Nothing to do here; the rooms above listen, to deliver it elsewhere.
            outbox.register(outbox.Topic(topic, outbox.ignore))
        count_in("tenants_namespace", "namespaces", LIVE_NAMESPACES)
        count_in("tenants_token", "tokens", LIVE_TOKENS)
        on_denied(record_denial)
        register_door(Door())
