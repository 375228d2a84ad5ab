"""Fixtures for every test: the run's servers, a database per worker, processes of the platform."""

from __future__ import annotations

import os
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

import hypothesis
import pytest

from accord_server.dev import redis
from tests import databases, processes
from tests.servers import Servers, servers_of, stop_servers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pytest_django.plugin import DjangoDbBlocker

    from accord_server.dev.redis import RedisServer
    from tests.processes import RunningProcess

pytest_plugins = [
    "tests.house.saving",
    "tests.described_answers",
    "tests.scheduling",
    *(name for name in ("tests.cast",) if find_spec(name)),
]

# A slow moment of the machine is no finding; the time limit of the test is the safety net.
hypothesis.settings.register_profile("accord", deadline=None)
hypothesis.settings.load_profile("accord")

FOLDER = "TEST_RUN_FOLDER"
RUN_PID = "TEST_RUN_PID"
# A JVM that lives for seconds spends most of them on optimising itself; every Spark of the tests is one.
SHORT_LIVED = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xshare:auto"


def pytest_configure(config: pytest.Config) -> None:
    """Name the run and make its JVMs cheap, once: workers inherit the variables."""
    if not hasattr(config, "workerinput"):
        os.environ[RUN_PID] = str(os.getpid())
        os.environ.update(SPARK_SUBMIT_OPTS=SHORT_LIVED, SPARK_LAUNCHER_OPTS=SHORT_LIVED)
        os.environ[FOLDER] = str(Path(tempfile.gettempdir()) / f"accord-tests-{uuid4().hex[:12]}")


def pytest_unconfigure(config: pytest.Config) -> None:
    """End the servers with the run."""
    if not hasattr(config, "workerinput"):
        stop_servers(Path(os.environ[FOLDER]))


@pytest.fixture(scope="session")
def servers() -> Servers:
    """The real PostgreSQL and Redis of this run."""
    return servers_of(Path(os.environ[FOLDER]), int(os.environ[RUN_PID]))


@pytest.fixture(scope="session")
def django_db_setup(
    servers: Servers, redis_url: str, worker_id: str, django_db_blocker: DjangoDbBlocker
) -> None:
    """Give this worker its own migrated database; tests run as the application's role."""
    with django_db_blocker.unblock():
        databases.make_database(servers, f"accord_{worker_id}", Path(os.environ[FOLDER]))


@pytest.fixture(scope="session")
def redis_url(servers: Servers, worker_id: str) -> str:
    """This worker's own part of Redis, where its tasks go."""
    number = int(worker_id.removeprefix("gw")) + 1 if worker_id.startswith("gw") else 0
    url = databases.redis_url_of(servers, number)
    databases.point_celery_at(url)
    return url


@pytest.fixture
def own_redis(tmp_path: Path) -> Iterator[RedisServer]:
    """A Redis that may be stopped: no other test uses it."""
    server = redis.start(tmp_path / "redis")
    yield server
    server.stop()


@pytest.fixture(scope="session")
def web(
    django_db_setup: None, redis_url: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[..., RunningProcess]]:
    """Start web processes, or return those an earlier test started alike: ``web(count=2).url``."""
    folder = tmp_path_factory.mktemp("web")
    started: dict[tuple[object, ...], RunningProcess] = {}

    def start(*, count: int = 1, **environment: str) -> RunningProcess:
        key = (count, *sorted(environment.items()))
        if key not in started or not started[key].is_alive():
            started[key] = processes.granian(folder, count=count, environment=environment)
        return started[key]

    yield start
    for process in started.values():
        process.stop()


@pytest.fixture
def granian_server(
    transactional_db: None, web: Callable[..., RunningProcess]
) -> Callable[..., RunningProcess]:
    """Start web processes that see the rows a test stores: ``granian_server(count=2).url``."""
    return web


@pytest.fixture
def celery_worker_process(
    transactional_db: None, redis_url: str, tmp_path: Path
) -> Iterator[Callable[..., RunningProcess]]:
    """Start worker processes: ``celery_worker_process()``; they may be killed."""
    started: list[RunningProcess] = []

    def start(*, count: int = 1, **environment: str) -> RunningProcess:
        started.append(processes.celery_worker(tmp_path, count=count, environment=environment))
        return started[-1]

    yield start
    for process in started:
        process.stop()
