"""Counters of one process and of several together: right, bounded, and never going back."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest
import requests
from django.db import transaction
from django.test import Client

from accord_server.celery import QUEUES
from accord_server.dev.ports import free_port
from accord_server.kit import gauges, metric_files, metrics, outbox, task_meter, tenancy, worker_door
from accord_server.kit.meter import count
from accord_server.kit.metrics import METRICS
from accord_server.kit.models import Outbox, OutboxState
from accord_server.kit.redis_door import redis_client

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pytest_django import Settings

    from accord_server.kit.scope import Scope
    from tests.processes import RunningProcess

PATIENCE_S = 60
TOPIC = "kept"


@pytest.fixture
def _topic() -> Iterator[None]:
    outbox.register(outbox.Topic(TOPIC, outbox.ignore))
    yield
    outbox.unregister(TOPIC)


def text() -> str:
    return metrics.exposition(metrics.own())


def sample(page: str, name: str, *labels: str) -> float:
    """The value of the one sample of that name with these labels."""
    lines = [
        line
        for line in page.splitlines()
        if re.match(rf"{name}[ {{]", line) and all(one in line for one in labels)
    ]
    (line,) = lines
    return float(line.rpartition(" ")[2])


def test_counters_name_rooms_and_nobody() -> None:
    for path in ("/sr/north/default/subjects/secret-subject/versions", "/nowhere", "/healthz"):
        count({"REQUEST_METHOD": "GET", "PATH_INFO": path}, "200", 0.003)
    assert 'room="registry",method="GET",status="200"' in text()
    assert "secret-subject" not in text()
    assert "north" not in text()


def test_unknown_methods_share_a_label() -> None:
    count({"REQUEST_METHOD": "BREW", "PATH_INFO": "/"}, "405", 0.003)
    assert "BREW" not in text()
    assert 'method="other"' in text()


def test_every_line_of_the_exposition_is_well_formed() -> None:
    count({"REQUEST_METHOD": "GET", "PATH_INFO": "/"}, "200", 0.003)
    form = re.compile(r'[a-z_]+\{[a-z_]+="[^"]*"(,[a-z_]+="[^"]*")*\} [0-9.]+')
    lines = [line for line in text().splitlines() if not line.startswith("#")]
    assert lines
    assert all(form.fullmatch(line) for line in lines)


def test_buckets_only_grow() -> None:
    count({"REQUEST_METHOD": "GET", "PATH_INFO": "/t/north/"}, "200", 0.03)
    values = re.findall(r'request_seconds_bucket\{[^}]*room="pages"[^}]*\} (\d+)', text())
    numbers = [int(value) for value in values]
    assert numbers == sorted(numbers)
    assert numbers[-1] == sample(text(), "accord_request_seconds_count", 'room="pages"')


@pytest.mark.parametrize(("seconds", "bound"), [(0.001, "0.001"), (0.0011, "0.005"), (500.0, "+Inf")])
def test_a_duration_counts_below_its_bound(seconds: float, bound: str) -> None:
    before = metrics.own()
    metrics.observe(metrics.TASK_SECONDS, bound, seconds=seconds)
    grown = {key: value for key, value in metrics.own().items() if before.get(key) != value}
    page = metrics.exposition(grown)
    assert sample(page, "accord_task_seconds_bucket", f'task="{bound}"', f'le="{bound}"') == 1


def test_tasks_are_counted_with_their_time() -> None:
    task_meter.begin("1")
    task_meter.end("1", "kit.example", "SUCCESS")
    task_meter.end("never begun", "kit.example", None)
    assert sample(text(), "accord_tasks_total", "kit.example", "success") == 1
    assert sample(text(), "accord_tasks_total", "kit.example", "unknown") == 1
    assert sample(text(), "accord_task_seconds_count", "kit.example") == 1


def test_a_forked_process_counts_from_nothing() -> None:
    count({"REQUEST_METHOD": "GET", "PATH_INFO": "/"}, "200", 0.003)
    with metrics._lock:  # noqa: SLF001  # as held by another thread at the moment of a fork
        child = os.fork()
        if not child:
            metrics.increment(metrics.TASKS, "in a child", "success")
            own = [key for key in metrics.own() if key[0] != "accord_cache_lookups_total"]
            os._exit(0 if len(own) == 1 else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


@pytest.fixture
def shared(tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in which this process shares its counters."""
    settings.ACCORD_METRICS_FOLDER = str(tmp_path / "metrics")
    monkeypatch.setattr(metric_files, "_ours", {})
    monkeypatch.setattr(metric_files, "INTERVAL_S", 0.01)
    metric_files.share()
    return tmp_path / "metrics"


def ended_pid() -> int:
    """The number of a process that has ended."""
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        process.wait()
    return process.pid


def test_processes_that_share_answer_for_each_other(shared: Path) -> None:
    other = shared / f"{os.getppid()}-1.json"
    other.write_text('[["accord_tasks_total", ["kit.shared", "success"], 0, 41]]')
    metrics.increment(metrics.TASKS, "kit.shared", "success")
    assert sample(metric_files.exposition({}), "accord_tasks_total", "kit.shared") == 42
    assert "process=" not in metric_files.exposition({})


def test_what_an_ended_process_has_counted_stays(shared: Path) -> None:
    for moment in (1, 2):
        path = shared / f"{ended_pid()}-{moment}.json"
        path.write_text('[["accord_tasks_total", ["kit.ended", "success"], 0, 5]]')
        metric_files.fold(shared)
        assert not path.exists()
    metric_files.fold(shared)
    assert sample(metric_files.exposition({}), "accord_tasks_total", "kit.ended") == 10


def test_counters_are_written_without_being_asked_for(shared: Path) -> None:
    metric_files.share()  # once is enough, and twice does no harm
    metrics.increment(metrics.TASKS, "kit.unasked", "success")
    deadline = time.monotonic() + PATIENCE_S
    while not any("kit.unasked" in path.read_text() for path in shared.glob("*.json")):
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_a_full_disk_ends_nothing(shared: Path, caplog: pytest.LogCaptureFixture) -> None:
    metric_files.Shared(shared / "gone").publish_if_possible()
    assert "counters could not be written: FileNotFoundError" in caplog.text


def test_without_a_folder_a_process_speaks_for_itself(settings: Settings) -> None:
    settings.ACCORD_METRICS_FOLDER = ""
    metric_files.share()
    metrics.increment(metrics.TASKS, "kit.alone", "success")
    assert f'process="{os.getpid()}"' in metric_files.exposition({})


@pytest.mark.django_db
@pytest.mark.usefixtures("_topic", "redis_url")
def test_what_waits_is_measured(north: Scope) -> None:
    before = gauges.measured()
    with tenancy.tenant_context(north.tenant.id), transaction.atomic():
        outbox.emit(north, TOPIC, {})
        dead = outbox.emit(north, TOPIC, {})
        Outbox.objects.scoped(north).filter(pk=dead).update(state=OutboxState.DEAD)
    with redis_client() as client:
        client.lpush(QUEUES[0], "{}")
        after = gauges.measured()
        client.lpop(QUEUES[0])
    grown = {key[0]: after[key] - before[key] for key in after if after[key] != before[key]}
    lag = grown.pop("accord_outbox_lag_seconds", 0.0)
    assert grown == {"accord_outbox_pending": 1, "accord_outbox_dead": 1, "accord_queue_tasks": 1}
    assert lag >= 0


@pytest.mark.django_db
def test_a_part_that_is_away_is_told(settings: Settings) -> None:
    settings.ACCORD_REDIS_URL = "redis://127.0.0.1:1/0"
    page = Client().get("/metrics").content.decode()
    assert sample(page, "accord_part_up", 'part="redis"') == 0
    assert sample(page, "accord_part_up", 'part="database"') == 1
    assert "accord_queue_tasks" not in page


@pytest.mark.django_db
def test_the_table_names_what_is_shown() -> None:
    named = {metric.name for metric in METRICS}
    shown = re.findall(r"^# TYPE (\S+) (\S+)$", metric_files.exposition(gauges.measured()), re.MULTILINE)
    assert {name for name, _ in shown} <= named
    assert len(named) == len(METRICS)


@pytest.mark.django_db
def test_who_comes_through_a_proxy_sees_no_counters(settings: Settings) -> None:
    settings.ACCORD_BEHIND_PROXY = True
    assert Client().get("/metrics", headers={"X-Forwarded-For": "192.0.2.1"}).status_code == 404
    assert Client().get("/metrics").status_code == 200


def test_several_processes_of_a_web_server_answer_alike(
    web: Callable[..., RunningProcess], tmp_path: Path
) -> None:
    server = web(count=2, ACCORD_METRICS_FOLDER=str(tmp_path / "metrics"))
    calls = 12
    for _ in range(calls):
        requests.get(f"{server.url}/api/v1/nothing", timeout=PATIENCE_S)
    deadline = time.monotonic() + PATIENCE_S
    while True:
        page = requests.get(f"{server.url}/metrics", timeout=PATIENCE_S).text
        if sample(page, "accord_requests_total", 'room="native"') == calls:
            break
        assert time.monotonic() < deadline, page
        time.sleep(0.1)


@pytest.mark.usefixtures("shared")
def test_a_worker_answers_probes_and_collectors(settings: Settings) -> None:
    settings.ACCORD_METRICS_PORT = free_port()
    door = worker_door.open_door()
    assert door is not None
    url = f"http://127.0.0.1:{settings.ACCORD_METRICS_PORT}"
    metrics.increment(metrics.TASKS, "kit.door", "success")
    with requests.Session() as session:
        assert session.get(f"{url}/healthz", timeout=PATIENCE_S).text == "ok\n"
        page = session.get(f"{url}/metrics", timeout=PATIENCE_S).text
        assert session.get(f"{url}/nothing", timeout=PATIENCE_S).status_code == 404
    assert sample(page, "accord_tasks_total", "kit.door") == 1
    door.shutdown()
    door.server_close()


def test_without_a_port_nothing_is_opened(settings: Settings) -> None:
    settings.ACCORD_METRICS_PORT = 0
    assert worker_door.open_door() is None
