"""Probes: alive, ready part by part, and counters without names of anybody."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
import requests
from django.db import connections
from django.test import Client

from accord_server.kit import health, metrics

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
        cursor.execute("DELETE FROM django_migrations WHERE app = 'kit' AND name = '0003_grants'")
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


def test_counters_name_rooms_and_nobody() -> None:
    for path in ("/sr/north/default/subjects/secret-subject/versions", "/nowhere", "/healthz"):
        metrics.count({"REQUEST_METHOD": "GET", "PATH_INFO": path}, "200", 0.003)
    text = Client().get("/metrics").content.decode()
    assert 'room="registry",method="GET",status="200"' in text
    assert "secret-subject" not in text
    assert "north" not in text


def test_unknown_methods_share_a_label() -> None:
    metrics.count({"REQUEST_METHOD": "BREW", "PATH_INFO": "/"}, "405", 0.003)
    assert "BREW" not in metrics.exposition()
    assert 'method="other"' in metrics.exposition()


def test_every_line_of_the_exposition_is_well_formed() -> None:
    metrics.count({"REQUEST_METHOD": "GET", "PATH_INFO": "/"}, "200", 0.003)
    form = re.compile(r'[a-z_]+\{[a-z_]+="[^"]*"(,[a-z_]+="[^"]*")*\} [0-9.]+')
    lines = [line for line in metrics.exposition().splitlines() if not line.startswith("#")]
    assert lines
    assert all(form.fullmatch(line) for line in lines)


def test_buckets_only_grow() -> None:
    metrics.count({"REQUEST_METHOD": "GET", "PATH_INFO": "/t/north/"}, "200", 0.03)
    values = re.findall(r'request_seconds_bucket\{[^}]*room="pages"[^}]*\} (\d+)', metrics.exposition())
    numbers = [int(value) for value in values]
    assert numbers == sorted(numbers)
