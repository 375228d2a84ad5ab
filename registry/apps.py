"""The registry as a Django app."""

from __future__ import annotations

from django.apps import AppConfig


class RegistryConfig(AppConfig):
    """Registers the dialects of the registry and the topics of its side effects."""

    name = "registry"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Say how errors are answered, and who does what happens outside of requests."""
        from accord_server.kit import errors, outbox
        from registry.api.confluent.errors import DIALECT
        from registry.services.events import TOPICS

        errors.register(DIALECT)
        for topic in TOPICS:
            # Kept for those who will deliver it elsewhere; so far nobody does.
            outbox.register(outbox.Topic(topic, outbox.ignore))
