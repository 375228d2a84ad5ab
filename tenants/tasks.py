"""Tasks of this room."""

from __future__ import annotations

from celery import shared_task
from redis.exceptions import RedisError

from tenants.services.uses import flush_uses


@shared_task(
    name="tenants.flush_token_uses", autoretry_for=(RedisError,), max_retries=3, default_retry_delay=5
)
def flush_token_uses() -> int:
    """Store the last uses of tokens."""
    return flush_uses()
