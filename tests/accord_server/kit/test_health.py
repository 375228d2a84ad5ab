"""Probes: alive, and ready part by part."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import requests
from django.db import connections
from django.test import Client

from accord_server.kit import health

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_django import Settings

    from tests.processes import RunningProcess

NOWHERE = "redis://127.0.0.1:1/0"


def test_alive_without_any_part() -> None:
    answer = Client().get("/healthz")
    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})


@pytest.mark.django_db
def test_ready_when_every_part_is(redis_url: str) -> None:
    answer = Client().get("/readyz")
    assert answer.status_code == 200
    assert answer.json() == {
        "status": "ok",
        "parts": {"database": "ok", "migrations": "ok", "redis": "ok"},
    }


@pytest.mark.django_db
def test_serving_goes_on_without_redis(settings: Settings) -> None:
    settings.ACCORD_REDIS_URL = NOWHERE
    answer = Client().get("/readyz")
    assert (answer.status_code, answer.json()["status"]) == (200, "degraded")
    assert answer.json()["parts"]["redis"] == "unavailable"


@pytest.mark.django_db(databases=["default", "owner"])
def test_missing_migrations_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "_settled", set())
    with connections["owner"].cursor() as cursor:
        cursor.execute("SELECT max(name) FROM django_migrations WHERE app = 'kit'")
        cursor.execute("DELETE FROM django_migrations WHERE app = 'kit' AND name = %s", cursor.fetchone())
    assert health.migration_state("owner") == "1 not applied"


def test_a_process_starts_without_a_database(web: Callable[..., RunningProcess], redis_url: str) -> None:
    server = web(ACCORD_DATABASE_URL="postgresql://nobody@127.0.0.1:1/nothing")
    answer = requests.get(f"{server.url}/readyz", timeout=20)
    assert answer.status_code == 503
    assert answer.json()["parts"] == {
        "database": "unavailable",
        "migrations": "unavailable",
        "redis": "ok",
    }
