"""The two stores of a run: embedded, or the ones the operator names."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from accord_server.dev import postgres, redis
from accord_server.dev.errors import Trouble
from accord_server.dev.services import Service

if TYPE_CHECKING:
    from accord_server.dev.progress import Progress
    from accord_server.dev.state import State

DATABASE: Final = "ACCORD_DATABASE_URL"
OWNER: Final = "ACCORD_OWNER_DATABASE_URL"
REDIS: Final = "ACCORD_REDIS_URL"


class IncompleteAddresses(Trouble):
    """The operator named one half of a database."""


@dataclass(frozen=True, slots=True)
class Stores:
    """The addresses of the stores; whether the database is this state folder's own."""

    app_url: str
    owner_url: str
    redis_url: str
    has_own_database: bool = False


Register = Callable[[Service], None]


def open_stores(state: State, progress: Progress, register: Register) -> Stores:
    """Start what is not named in the environment; each started server is registered at once."""
    app_url, owner_url = given(DATABASE), given(OWNER)
    if bool(app_url) != bool(owner_url):
        raise IncompleteAddresses(
            f"set {DATABASE} (the application role) and {OWNER} (owns the tables) together, or neither"
        )
    has_own_database = not app_url
    if has_own_database:
        app_url, owner_url = _embedded_database(state, progress, register)
    redis_url = given(REDIS) or _embedded_redis(state, progress, register)
    return Stores(app_url, owner_url, redis_url, has_own_database)


def given(name: str) -> str:
    """Return a variable, or the text of the file that its ``_FILE`` variant names, or nothing."""
    path = os.environ.get(f"{name}_FILE")
    return Path(path).read_text().strip() if path else os.environ.get(name, "")


def _embedded_database(state: State, progress: Progress, register: Register) -> tuple[str, str]:
    progress.begin("starting PostgreSQL")
    server = postgres.start(state.postgres)
    register(server)
    progress.done(f"PostgreSQL answers on port {server.port}")
    return server.app_url, server.owner_url


def _embedded_redis(state: State, progress: Progress, register: Register) -> str:
    progress.begin("starting Redis")
    server = redis.start(state.redis)
    register(server)
    progress.done(f"Redis answers on port {server.port}")
    return server.url
