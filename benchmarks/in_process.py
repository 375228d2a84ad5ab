"""Django without a server, for what is measured inside this process."""

from __future__ import annotations

import os

import django
from django.conf import settings

ENVIRONMENT = {
    "DJANGO_SETTINGS_MODULE": "accord_server.settings",
    "ACCORD_SECRET_KEY": "for-benchmarks-only-0123456789-abcdefghijklm",
    "ACCORD_TOKEN_PEPPER": "for-benchmarks-only-9876543210-mlkjihgfedcba",
    "ACCORD_DATABASE_URL": "postgresql://nobody@localhost/nothing",
}


def set_up() -> None:
    """Make Django ready; the platform that a benchmark starts must not see these settings."""
    if settings.configured:
        return
    before = dict(os.environ)
    os.environ.update(ENVIRONMENT)
    django.setup()
    os.environ.clear()
    os.environ.update(before)
