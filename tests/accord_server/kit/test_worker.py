"""A real worker on real parts: nothing that was asked for is lost, whatever dies."""

from __future__ import annotations

import os
import signal
import time
from collections import Counter
from typing import TYPE_CHECKING

import psutil
import pytest
import redis as redis_client
import requests
from django.db import transaction

from accord_server.dev.ports import LOOPBACK, free_port
from accord_server.kit import tenancy
from accord_server.kit.models import Delivery, Outbox
from accord_server.kit.outbox import emit
from tests.noting.apps import TOPIC

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from accord_server.dev.redis import RedisServer
    from accord_server.kit.scope import Scope
    from tests.processes import RunningProcess

PATIENCE_S = 60
ENVIRONMENT = {"DJANGO_SETTINGS_MODULE": "tests.noting.settings", "ACCORD_OUTBOX_INTERVAL": "1"}


@pytest.fixture
def marks(tmp_path: Path) -> Path:
    """The file where the handler leaves its marks."""
    path = tmp_path / "marks"
    path.touch()
    return path


def ask(scope: Scope, marks: Path, *, seconds: float = 0) -> int:
    with tenancy.tenant_context(scope.tenant.id), transaction.atomic():
        return emit(scope, TOPIC, {"path": str(marks), "seconds": seconds})


def wait_for(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not is_so():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.05)


def states(scope: Scope) -> Counter[str]:
    with tenancy.tenant_context(scope.tenant.id):
        return Counter(Outbox.objects.scoped(scope).values_list("state", flat=True))


def successes(scope: Scope) -> Counter[int]:
    with tenancy.tenant_context(scope.tenant.id):
        return Counter(
            Delivery.objects.scoped(scope).filter(is_success=True).values_list("outbox", flat=True)
        )


@pytest.mark.django_db(transaction=True)
def test_what_is_asked_for_is_done_soon_and_counted(
    north: Scope, marks: Path, tmp_path: Path, celery_worker_process: Callable[..., RunningProcess]
) -> None:
    port = free_port()
    counting = {"ACCORD_METRICS_PORT": str(port), "ACCORD_METRICS_FOLDER": str(tmp_path / "metrics")}
    celery_worker_process(**ENVIRONMENT, **counting)
    number = ask(north, marks)
    wait_for(lambda: states(north) == {"done": 1})
    assert marks.read_text().splitlines() == [f"begin {number}", f"end {number}"]

    def is_counted() -> bool:
        page = requests.get(f"http://{LOOPBACK}:{port}/metrics", timeout=PATIENCE_S).text
        side_effect = f'accord_side_effects_total{{topic="{TOPIC}",outcome="done"}} 1'
        return side_effect in page and 'task="kit.drain_outbox",outcome="success"' in page

    wait_for(is_counted)


@pytest.mark.django_db(transaction=True)
def test_a_worker_killed_in_the_middle_loses_nothing(
    north: Scope, marks: Path, celery_worker_process: Callable[..., RunningProcess]
) -> None:
    worker = celery_worker_process(**ENVIRONMENT)
    number = ask(north, marks, seconds=3)
    wait_for(lambda: f"begin {number}" in marks.read_text())
    worker.kill()
    celery_worker_process(**ENVIRONMENT)
    wait_for(lambda: states(north) == {"done": 1})
    assert marks.read_text().splitlines() == [f"begin {number}", f"begin {number}", f"end {number}"]
    assert successes(north) == {number: 1}


@pytest.mark.django_db(transaction=True)
def test_a_child_killed_in_the_middle_is_replaced(
    north: Scope, marks: Path, celery_worker_process: Callable[..., RunningProcess]
) -> None:
    worker = celery_worker_process(**ENVIRONMENT)
    number = ask(north, marks, seconds=3)
    wait_for(lambda: f"begin {number}" in marks.read_text())
    os.kill(_busy_child(worker), signal.SIGKILL)
    wait_for(lambda: states(north) == {"done": 1})
    assert (worker.process.poll(), successes(north)) == (None, {number: 1})


@pytest.mark.django_db(transaction=True)
def test_a_redis_that_forgets_everything_loses_nothing(
    north: Scope, marks: Path, own_redis: RedisServer, celery_worker_process: Callable[..., RunningProcess]
) -> None:
    celery_worker_process(**ENVIRONMENT, ACCORD_REDIS_URL=own_redis.url)
    numbers = [ask(north, marks, seconds=0.1) for _ in range(10)]
    wait_for(lambda: states(north)["done"] > 2)
    own_redis.restart()
    with redis_client.Redis.from_url(own_redis.url) as client:
        client.flushall()
    numbers += [ask(north, marks) for _ in range(10)]
    wait_for(lambda: states(north) == {"done": 20})
    assert successes(north) == Counter(numbers)


@pytest.mark.django_db(transaction=True)
def test_two_workers_share_the_work_without_doing_it_twice(
    north: Scope, marks: Path, celery_worker_process: Callable[..., RunningProcess]
) -> None:
    numbers = [ask(north, marks, seconds=0.02) for _ in range(40)]
    celery_worker_process(count=2, **ENVIRONMENT)
    wait_for(lambda: states(north) == {"done": 40})
    assert Counter(marks.read_text().splitlines()) == Counter(
        f"{word} {number}" for number in numbers for word in ("begin", "end")
    )


def _busy_child(worker: RunningProcess) -> int:
    """Return the child that runs the task: the pool's, not the schedule's."""
    children = [psutil.Process(pid) for pid in worker.worker_pids()]
    return max(children, key=lambda child: child.cpu_times().user).pid
