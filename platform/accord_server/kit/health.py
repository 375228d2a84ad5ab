"""Is the process alive, can it serve, what has it done: for probes and collectors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import redis
from django.db import Error as DatabaseError
from django.db import connections
from django.db.migrations.executor import MigrationExecutor
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse

from accord_server.kit import gauges, metric_files, metrics
from accord_server.kit.configuration import configured
from accord_server.kit.database_roles import serving_role
from accord_server.kit.settings_table import BEHIND_PROXY, REDIS_URL
from accord_server.kit.tenancy import ALIAS

if TYPE_CHECKING:
    from collections.abc import Callable

OK = "ok"
UNAVAILABLE = "unavailable"
REDIS_TIMEOUT_S = 1.0
# Without Redis the registry keeps serving and the outbox keeps what is to be done: worth knowing,
# no reason to take a replica out of service.
TOLERATED = frozenset({"redis"})


def live(_request: HttpRequest) -> HttpResponse:
    """Say that the process answers; asks nothing of anybody."""
    return JsonResponse({"status": OK})


def ready(_request: HttpRequest) -> HttpResponse:
    """Say whether requests can be served, part by part."""
    parts = {name: probe() for name, probe in PROBES.items()}
    broken = {name for name, state in parts.items() if state != OK}
    status = OK if not broken else "degraded" if broken <= TOLERATED else UNAVAILABLE
    return JsonResponse({"status": status, "parts": parts}, status=503 if broken - TOLERATED else 200)


def measured(request: HttpRequest) -> HttpResponse:
    """Show counters and gauges in the text form of Prometheus, to whoever is inside.

    A call that a proxy passes on comes from outside; collectors ask each process by its own address.
    """
    if configured(BEHIND_PROXY) and "X-Forwarded-For" in request.headers:
        raise Http404
    return HttpResponse(metric_files.exposition(gauges.measured()), content_type=metrics.CONTENT_TYPE)


def database_state() -> str:
    """Ask the database, and who we are to it."""
    try:
        return serving_role(connections[ALIAS]).fault or OK
    except DatabaseError:
        return UNAVAILABLE


def migration_state(alias: str = ALIAS) -> str:
    """Look for migrations that have not run; once none are missing, none ever are again."""
    if "migrations" in _settled:
        return OK
    try:
        executor = MigrationExecutor(connections[alias])
        pending = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except DatabaseError:
        return UNAVAILABLE
    if pending:
        return f"{len(pending)} not applied"
    _settled.add("migrations")
    return OK


def redis_state() -> str:
    """Ask Redis."""
    url = configured(REDIS_URL)
    try:
        with redis.Redis.from_url(
            url, socket_connect_timeout=REDIS_TIMEOUT_S, socket_timeout=REDIS_TIMEOUT_S
        ) as client:
            client.ping()
    except redis.RedisError:
        return UNAVAILABLE
    return OK


_settled: set[str] = set()

PROBES: dict[str, Callable[[], str]] = {
    "database": database_state,
    "migrations": migration_state,
    "redis": redis_state,
}
