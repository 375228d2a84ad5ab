"""The worker's roof: one Celery app, its queues and the table of what runs when."""

from __future__ import annotations

import logging.config
import os
from dataclasses import dataclass
from typing import Any

from celery import Celery, Task
from celery.signals import (
    beat_init,
    setup_logging,
    task_postrun,
    task_prerun,
    worker_init,
    worker_process_init,
)
from django.conf import settings
from kombu import Queue

from accord_server.kit import live_connections, metric_files, task_meter, tenancy, worker_door
from accord_server.kit.configuration import configured
from accord_server.kit.settings_table import OUTBOX_INTERVAL

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "accord_server.settings")

# Heavy comparisons and lint work, messages to receivers that may be slow, everything else: scaled apart.
QUEUES = ("checks", "jobs", "webhooks")


@dataclass(frozen=True, slots=True)
class Periodic:
    """One row of the schedule: a task by its registered name and the seconds between two runs."""

    task: str
    seconds: float
    queue: str = "jobs"


SCHEDULE = (
    Periodic("kit.drain_outbox", seconds=configured(OUTBOX_INTERVAL)),
    Periodic("kit.prune_outbox", seconds=3600),
    Periodic("kit.prune_answers", seconds=3600),
    # Checks whose worker was lost; those just asked for are handed out at once.
    Periodic("registry.resume_checks", seconds=10, queue="checks"),
    Periodic("registry.prune_checks", seconds=3600),
    Periodic("registry.resume_dry_runs", seconds=10),
    Periodic("registry.prune_dry_runs", seconds=3600),
    # Those whose pause is over; new ones are sent at once.
    Periodic("registry.send_webhooks", seconds=5, queue="webhooks"),
    Periodic("registry.prune_webhook_messages", seconds=3600),
    # Nothing to do once the schemas of older releases have theirs.
    Periodic("registry.fill_fingerprints", seconds=60),
    Periodic("registry.list_fields", seconds=300),
    Periodic("registry.collect_files", seconds=3600),
    Periodic("registry.write_exports", seconds=30),
    Periodic("registry.prune_exports", seconds=3600),
    # At most once a minute per token: a write per request would dominate start-up storms of clients.
    Periodic("tenants.flush_token_uses", seconds=60),
    Periodic("tenants.watch_tokens", seconds=3600),
    # What waits can still be changed unseen, so it waits for seconds only.
    Periodic("tenants.seal_audit", seconds=10),
    Periodic("tenants.keep_audit_months", seconds=3600),
    Periodic("tenants.clear_sessions", seconds=3600),
    # Those whose worker was not told; others are taken up at once.
    Periodic("tenants.note_refusals", seconds=10),
    # Until what was deleted long enough ago is gone; nothing to do otherwise.
    Periodic("tenants.purge_deleted", seconds=120),
    # What is not folded is added up with every registration.
    Periodic("tenants.fold_usage", seconds=10),
    # The last of a day is what it is remembered by.
    Periodic("tenants.note_usage", seconds=3600),
)

app = Celery("accord")
# Threads of a web server know no current app of their own and fall back on this one.
app.set_default()
app.config_from_object("django.conf:settings", namespace="CELERY")
app.conf.task_queues = [Queue(name) for name in QUEUES]
app.conf.beat_schedule = {
    row.task: {
        "task": row.task,
        "schedule": row.seconds,
        # A run that nobody took before the next one is due is not worth keeping.
        "options": {"queue": row.queue, "expires": max(row.seconds, 60)},
    }
    for row in SCHEDULE
}
app.autodiscover_tasks()


@setup_logging.connect
def log_as_the_web_does(**_signal: Any) -> None:
    """Give workers the same lines as web processes."""
    logging.config.dictConfig(settings.LOGGING)
    logging.captureWarnings(capture=True)


@task_prerun.connect
def reconnect(**_signal: Any) -> None:
    """Let no task begin on a connection that the database has closed meanwhile."""
    live_connections.close_lost()


@task_prerun.connect
@task_postrun.connect
def serve_nobody(**_signal: Any) -> None:
    """Take the tenant off the connection around every task."""
    tenancy.reset()


@worker_init.connect
@beat_init.connect
def show_counters(**_signal: Any) -> None:
    """Answer probes and collectors, where a port is set, with what all processes of the pool have counted."""
    metric_files.share()
    worker_door.open_door()


@worker_process_init.connect
def share_counters(**_signal: Any) -> None:
    """Let a process of the pool count for its parent."""
    metric_files.share()


@task_prerun.connect
def begin_task(task_id: str, **_signal: Any) -> None:
    """Note when a task began."""
    task_meter.begin(task_id)


@task_postrun.connect
def end_task(task_id: str, task: Task[..., Any], state: str, **_signal: Any) -> None:
    """Count a task that has ended."""
    task_meter.end(task_id, task.name, state)
