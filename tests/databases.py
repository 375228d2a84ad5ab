"""One migrated database per worker, copied from one that the first worker made."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import psycopg
from django.conf import settings
from django.core.management import call_command
from django.db import connections

from accord_server.kit.settings_table import DATABASE_URL, OWNER_DATABASE_URL, REDIS_URL
from tests.servers import hold

if TYPE_CHECKING:
    from pathlib import Path

    from accord_server.kit.setting_types import DatabaseAddress
    from accord_server.kit.settings_table import Setting
    from tests.servers import Servers

TEMPLATE = "accord_template"
REDIS_DATABASES = 16


def make_database(servers: Servers, name: str, folder: Path) -> None:
    """Make the worker's database and point Django at it."""
    with hold(folder):
        if not (folder / TEMPLATE).exists():
            _make_template(servers)
            (folder / TEMPLATE).touch()
        _create(servers, name, template=TEMPLATE)
    point_django_at(servers, name)


def url_of(role_url: str, name: str) -> str:
    """Return the address of another database of the same server."""
    return role_url.rpartition("/")[0] + "/" + name


def redis_url_of(servers: Servers, worker: int) -> str:
    """Return the address of a worker's own part of Redis."""
    return servers.redis_url.rpartition("/")[0] + f"/{worker % REDIS_DATABASES}"


def point_django_at(servers: Servers, name: str) -> None:
    """Change the addresses in place: every thread's connections read the same dictionaries."""
    _point("default", DATABASE_URL, url_of(servers.app_url, name))
    _point("owner", OWNER_DATABASE_URL, url_of(servers.owner_url, name))


def point_celery_at(redis_url: str) -> None:
    """Let tasks sent by this process go to the worker's own part of Redis."""
    from accord_server.celery import app

    os.environ[REDIS_URL.name] = redis_url
    settings.ACCORD_REDIS_URL = settings.CELERY_BROKER_URL = redis_url
    app.conf.update(broker_url=redis_url)


def _point(alias: str, setting: Setting[DatabaseAddress], url: str) -> None:
    connections[alias].close()
    address = setting.type.parse(url)
    connections.settings[alias].update(
        {
            "NAME": address.name,
            "USER": address.user,
            "PASSWORD": address.password,
            "HOST": address.host,
            "PORT": address.port,
        }
    )
    # Processes that a test starts read the variables.
    os.environ[setting.name] = url
    setattr(settings, setting.name, address)


def _make_template(servers: Servers) -> None:
    _create(servers, TEMPLATE, template="template1")
    point_django_at(servers, TEMPLATE)
    call_command("migrate", database="owner", verbosity=0, interactive=False)
    for alias in ("default", "owner"):
        connections[alias].close()


def _create(servers: Servers, name: str, *, template: str) -> None:
    from accord_server.dev import roles

    with psycopg.connect(servers.superuser_url, autocommit=True) as superuser:
        roles.create_database(superuser, name, template=template)
