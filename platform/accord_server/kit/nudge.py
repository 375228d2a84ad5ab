"""Telling a worker that there is something to do, without ever depending on it being told.

The schedule looks every few seconds anyway; a nudge only saves the wait.
"""

from __future__ import annotations

import logging
import time

from celery import current_app

log = logging.getLogger("accord.outbox")

DRAIN = "kit.drain_outbox"
# After a failure nobody waits for Redis again for so long.
QUIET_S = 10.0
EXPIRES_S = 60

_quiet_until = 0.0


def worker() -> None:
    """Ask for the outbox to be drained soon; a Redis that is away is not an error."""
    tell(DRAIN, queue="jobs")


def tell(task: str, *, queue: str) -> bool:
    """Ask for a task without arguments to be done soon; False where no worker could be told."""
    global _quiet_until  # noqa: PLW0603  # one number per process, and a lost update costs one more try
    if time.monotonic() < _quiet_until:
        return False
    try:
        current_app.send_task(task, queue=queue, retry=False, ignore_result=True, expires=EXPIRES_S)
    except Exception as error:  # noqa: BLE001  # the side effect is stored, so nothing here matters to the caller
        _quiet_until = time.monotonic() + QUIET_S
        log.warning("no worker could be told: %s", type(error).__name__)
        return False
    return True
