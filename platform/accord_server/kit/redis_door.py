"""A client of Redis for what is not worth waiting for: counts, marks, messages."""

from __future__ import annotations

from typing import Final

from redis import Redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from accord_server.kit.configuration import configured
from accord_server.kit.settings_table import REDIS_URL

PATIENCE_S: Final = 1.0
# Celery's spelling of a unix socket, and the Redis client's own.
CELERY_SOCKET: Final = "redis+socket://"
REDIS_SOCKET: Final = "unix://"


def redis_client() -> Redis:
    """Return a client that gives up soon; its answers are decoded."""
    url = configured(REDIS_URL).replace(CELERY_SOCKET, REDIS_SOCKET)
    client: Redis = Redis.from_url(
        url,
        socket_timeout=PATIENCE_S,
        socket_connect_timeout=PATIENCE_S,
        retry=Retry(NoBackoff(), 0),
        decode_responses=True,
    )
    return client
