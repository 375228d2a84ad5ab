"""Storing what processes have counted about tokens."""

from __future__ import annotations

import json
from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, cast
from uuid import UUID

from django.db import transaction
from django.db.models import Case, F, PositiveBigIntegerField, Value, When
from redis.exceptions import ResponseError

from accord_server.kit import tenancy
from accord_server.kit.redis_door import redis_client
from accord_server.kit.scope import TenantRef
from tenants.models import Token
from tenants.principals import operator_scope
from tenants.usage import COUNTS, LATEST

if TYPE_CHECKING:
    from redis import Redis

ASIDE: Final = ":aside"
LOCK: Final = "accord:token-uses-lock"
LOCK_S: Final = 55


@dataclass(frozen=True, slots=True)
class Uses:
    """What has been counted of one token since the last time."""

    field: str
    key_id: str
    count: int
    latest: dict[str, Any]


def flush_uses() -> int:
    """Store everything counted, tenant by tenant, and return for how many tokens.

    What is set aside and not stored, because this process dies, is stored by the next run.

    Raises:
        RedisError: Redis is away; nothing is lost.
    """
    with redis_client() as redis:
        if not redis.set(LOCK, "1", nx=True, ex=LOCK_S):
            return 0
        _set_aside(redis)
        by_tenant = _counted(redis)
        for tenant_id, uses in by_tenant.items():
            _store(tenant_id, uses)
            _forget(redis, [use.field for use in uses])
        redis.delete(LOCK)
    return sum(len(uses) for uses in by_tenant.values())


def _set_aside(redis: Redis) -> None:
    for name in (COUNTS, LATEST):
        if not redis.exists(name + ASIDE):
            # There is nothing to rename when nobody called.
            with suppress(ResponseError):
                redis.rename(name, name + ASIDE)


def _counted(redis: Redis) -> dict[UUID, list[Uses]]:
    latest = _texts(redis, LATEST + ASIDE)
    found: dict[UUID, list[Uses]] = defaultdict(list)
    for field, count in _texts(redis, COUNTS + ASIDE).items():
        tenant_id, _, key_id = field.partition(":")
        uses = Uses(field, key_id, int(count), json.loads(latest.get(field, "{}")))
        found[UUID(tenant_id)].append(uses)
    return found


def _texts(redis: Redis, name: str) -> dict[str, str]:
    # The client decodes answers (`redis_client`), which its types cannot say.
    return cast("dict[str, str]", redis.hgetall(name))


def _store(tenant_id: UUID, uses: list[Uses]) -> None:
    scope = operator_scope(TenantRef(tenant_id, ""))
    with tenancy.tenant_context(tenant_id), transaction.atomic():
        # One order for all, so that two runs cannot wait for each other.
        for use in sorted(uses, key=lambda one: one.key_id):
            Token.objects.scoped(scope).filter(key_id=use.key_id).update(**_values(use))


def _values(use: Uses) -> dict[str, Any]:
    # Limited uses have been counted when they were spent.
    count = PositiveBigIntegerField()
    more = Case(When(max_uses__isnull=True, then=Value(use.count)), default=Value(0), output_field=count)
    values: dict[str, Any] = {"use_count": F("use_count") + more}
    if use.latest:
        values["last_used_at"] = datetime.fromisoformat(use.latest["at"])
        values["last_address"] = use.latest["address"]
        values["last_client"] = use.latest["client"]
    return values


def _forget(redis: Redis, fields: list[str]) -> None:
    for name in (COUNTS, LATEST):
        redis.hdel(name + ASIDE, *fields)
