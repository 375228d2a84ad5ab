"""What is asked of the parts when somebody collects the counters: how much waits, and for how long."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from celery import current_app
from django.db import Error as DatabaseError
from django.db import connections
from redis import RedisError

from accord_server.kit import metrics
from accord_server.kit.redis_door import redis_client
from accord_server.kit.tenancy import ALIAS

if TYPE_CHECKING:
    from accord_server.kit.metrics import Metric, Tally

BACKLOG: Final = "SELECT pending, dead, lag_seconds FROM accord_outbox_backlog()"


def measured() -> Tally:
    """Ask the database and Redis; of one that does not answer only that is told."""
    tally: Tally = {}
    for part, ask in (("database", outbox), ("redis", queues)):
        try:
            tally |= ask()
            tally |= _gauge(metrics.PART_UP, part, value=1)
        except (DatabaseError, RedisError):
            tally |= _gauge(metrics.PART_UP, part, value=0)
    return tally


def outbox() -> Tally:
    """Ask what is in the outbox, of all tenants together."""
    with connections[ALIAS].cursor() as cursor:
        cursor.execute(BACKLOG)
        pending, dead, lag = cursor.fetchone()
    return (
        _gauge(metrics.OUTBOX_PENDING, value=pending)
        | _gauge(metrics.OUTBOX_DEAD, value=dead)
        | _gauge(metrics.OUTBOX_LAG, value=lag)
    )


def queues() -> Tally:
    """Ask how many tasks nobody has taken yet; Celery keeps each queue in a list of its name."""
    names = [queue.name for queue in current_app.conf.task_queues]
    with redis_client() as client, client.pipeline(transaction=False) as asked:
        for name in names:
            asked.llen(name)
        lengths = asked.execute()
    tally: Tally = {}
    for name, length in zip(names, lengths, strict=True):
        tally |= _gauge(metrics.QUEUE_TASKS, name, value=length)
    return tally


def _gauge(metric: Metric, *labels: str, value: float) -> Tally:
    return {(metric.name, labels, 0): float(value)}
