"""The kit's tasks, which may run twice at once without harm."""

from __future__ import annotations

from celery import shared_task

from accord_server.kit import kept_answers, nudge, outbox_drain

SOFT_LIMIT_S = 120
HARD_LIMIT_S = 180


@shared_task(name=nudge.DRAIN, soft_time_limit=SOFT_LIMIT_S, time_limit=HARD_LIMIT_S)
def drain_outbox() -> int:
    """Do the side effects that are due."""
    return outbox_drain.drain()


@shared_task(name="kit.prune_outbox", soft_time_limit=SOFT_LIMIT_S, time_limit=HARD_LIMIT_S)
def prune_outbox() -> int:
    """Forget the side effects done long ago."""
    return outbox_drain.prune()


@shared_task(name="kit.prune_answers", soft_time_limit=SOFT_LIMIT_S, time_limit=HARD_LIMIT_S)
def prune_answers() -> int:
    """Forget the answers that were kept long enough."""
    return kept_answers.prune()
