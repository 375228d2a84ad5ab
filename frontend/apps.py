"""The pages as a Django app."""

from __future__ import annotations

from django.apps import AppConfig


class FrontendConfig(AppConfig):
    """Pages for people, made of the same queries and services that the dialects use."""

    name = "frontend"

    def ready(self) -> None:
        """Let the pages answer errors in their own words."""
        from accord_server.kit.errors import register
        from frontend.views.errors import PAGES

        register(PAGES)
