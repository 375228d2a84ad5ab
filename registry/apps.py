"""The registry as a Django app."""

from __future__ import annotations

from django.apps import AppConfig


class RegistryConfig(AppConfig):
    """Registers the topics of the registry's side effects."""

    name = "registry"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Name who does what happens outside of requests."""
        from accord_server.kit import outbox
        from registry.services.events import TOPICS

        for topic in TOPICS:
            # Kept for those who will deliver it elsewhere; so far nobody does.
            outbox.register(outbox.Topic(topic, outbox.ignore))
