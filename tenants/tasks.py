"""Tasks of this room, which may run twice at once without harm."""

from __future__ import annotations

from celery import shared_task
from redis.exceptions import RedisError

from tenants.services import token_watch
from tenants.services.uses import flush_uses


@shared_task(
    name="tenants.flush_token_uses", autoretry_for=(RedisError,), max_retries=3, default_retry_delay=5
)
def flush_token_uses() -> int:
    """Store the last uses of tokens."""
    return flush_uses()


@shared_task(name="tenants.watch_tokens")
def watch_tokens() -> int:
    """Tell of tokens that end soon, and end what is over or unused."""
    return token_watch.watch_tokens()
