"""The worker's roof: queues, delivery, and a schedule that names real tasks."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from celery._state import get_current_app

from accord_server.celery import QUEUES, SCHEDULE, Periodic, app
from accord_server.kit.configuration import configured
from accord_server.kit.settings_table import TASK_VISIBILITY_TIMEOUT


@pytest.fixture(scope="module", autouse=True)
def _tasks() -> None:
    app.loader.import_default_modules()


@pytest.mark.parametrize("row", SCHEDULE, ids=lambda row: row.task)
def test_every_row_of_the_schedule_names_a_task_and_a_queue(row: Periodic) -> None:
    assert row.task in app.tasks
    assert row.queue in QUEUES
    assert app.conf.beat_schedule[row.task]["schedule"] == row.seconds > 0


def test_a_task_is_acknowledged_only_when_done() -> None:
    assert app.conf.task_acks_late
    assert app.conf.task_reject_on_worker_lost
    assert app.conf.worker_prefetch_multiplier == 1


def test_no_task_outlives_its_visibility() -> None:
    ours = [
        task for name, task in app.tasks.items() if name.partition(".")[0] in {"kit", "registry", "tenants"}
    ]
    # A message that is acknowledged at once is not handed out again, however long its task takes.
    limits = [task.time_limit for task in ours if task.time_limit and task.acks_late]
    assert limits
    assert max(limits) < configured(TASK_VISIBILITY_TIMEOUT)


def test_tasks_are_data_and_never_code() -> None:
    assert app.conf.accept_content == ["json"]
    assert app.conf.task_serializer == "json"


def test_every_thread_finds_this_app() -> None:
    with ThreadPoolExecutor(max_workers=1) as pool:
        assert pool.submit(get_current_app).result() is app
