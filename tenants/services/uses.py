"""Storing what processes have counted about tokens, each use once.

What was counted is set aside as a batch with a number, and each token remembers the batch it was counted
in last. So a run that dies before it has forgotten a batch, or that outlives its lock while others go on,
stores nothing twice and forgets nothing of theirs.
"""

from __future__ import annotations

import json
from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, cast
from uuid import UUID, uuid4

from django.db import transaction
from django.db.models import Case, F, Func, JSONField, PositiveBigIntegerField, Value, When
from redis.exceptions import ResponseError

from accord_server.kit import tenancy
from accord_server.kit.redis_door import redis_client
from accord_server.kit.scope import TenantRef
from tenants.models import Token, TokenSecret
from tenants.principals import operator_scope
from tenants.queries import database_clock
from tenants.usage import COUNTS, LATEST, RIGHTS

if TYPE_CHECKING:
    from redis import Redis

    from accord_server.kit.scope import Scope

ASIDE: Final = ":aside"
# Among the counts of a batch, its number; the names of tokens hold a colon.
BATCH: Final = "batch"
LOCK: Final = "accord:token-uses-lock"
LOCK_S: Final = 55
MICROSECONDS: Final = 1_000_000
LET_GO: Final = "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end"
FORGET: Final = """
if redis.call('HGET', KEYS[1], 'batch') == ARGV[1] then
    return redis.call('DEL', KEYS[1], KEYS[2], KEYS[3])
end
"""


@dataclass(frozen=True, slots=True)
class Uses:
    """What has been counted of one token since the last time."""

    field: str
    key_id: str
    count: int
    latest: dict[str, Any]
    rights: dict[str, str]


def flush_uses() -> int:
    """Store everything counted, tenant by tenant, and return for how many tokens.

    What is set aside and not stored, because this process dies, is stored by the next run.

    Raises:
        RedisError: Redis is away; nothing is lost.
    """
    with redis_client() as redis:
        mine = uuid4().hex
        if not redis.set(LOCK, mine, nx=True, ex=LOCK_S):
            return 0
        batch = _set_aside(redis)
        by_tenant = _counted(redis)
        for tenant_id, uses in by_tenant.items():
            _store(tenant_id, uses, batch)
        _forget(redis, batch)
        redis.eval(LET_GO, 1, LOCK, mine)
    return sum(len(uses) for uses in by_tenant.values())


def _set_aside(redis: Redis) -> int:
    """Take what is counted out of the way of those who count on; return the number of the batch.

    Numbers grow with the clock of the database, which all runs share.
    """
    for name in (COUNTS, LATEST, RIGHTS):
        if not redis.exists(name + ASIDE):
            # There is nothing to rename when nobody called.
            with suppress(ResponseError):
                redis.rename(name, name + ASIDE)
    redis.hsetnx(COUNTS + ASIDE, BATCH, str(int(database_clock().timestamp() * MICROSECONDS)))
    return int(_texts(redis, COUNTS + ASIDE)[BATCH])


def _counted(redis: Redis) -> dict[UUID, list[Uses]]:
    latest, rights = _texts(redis, LATEST + ASIDE), _rights(redis)
    found: dict[UUID, list[Uses]] = defaultdict(list)
    counts = _texts(redis, COUNTS + ASIDE)
    # A right may be carried a moment after the use that it was needed for.
    for field in counts.keys() | rights.keys() - {BATCH}:
        if field == BATCH:
            continue
        tenant_id, _, key_id = field.partition(":")
        told = json.loads(latest.get(field, "{}"))
        uses = Uses(field, key_id, int(counts.get(field, 0)), told, rights.get(field, {}))
        found[UUID(tenant_id)].append(uses)
    return found


def _rights(redis: Redis) -> dict[str, dict[str, str]]:
    """Return the day on which each right of a token was used last, by token."""
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for name, day in _texts(redis, RIGHTS + ASIDE).items():
        field, _, right = name.rpartition(":")
        found[field][right] = day
    return found


def _texts(redis: Redis, name: str) -> dict[str, str]:
    # The client decodes answers (`redis_client`), which its types cannot say.
    return cast("dict[str, str]", redis.hgetall(name))


def _store(tenant_id: UUID, uses: list[Uses], batch: int) -> None:
    scope = operator_scope(TenantRef(tenant_id, ""))
    with tenancy.tenant_context(tenant_id), transaction.atomic():
        # One order for all, so that two runs cannot wait for each other.
        for use in sorted(uses, key=lambda one: one.key_id):
            rows = Token.objects.scoped(scope).filter(key_id=use.key_id, last_batch__lt=batch)
            if rows.update(**_values(use), last_batch=batch):
                _note_slot(scope, use)


def _values(use: Uses) -> dict[str, Any]:
    # Limited uses have been counted when they were spent.
    count = PositiveBigIntegerField()
    more = Case(When(max_uses__isnull=True, then=Value(use.count)), default=Value(0), output_field=count)
    values: dict[str, Any] = {"use_count": F("use_count") + more}
    if use.rights:
        values["used_rights"] = _merged(use.rights)
    if use.latest:
        values["last_used_at"] = datetime.fromisoformat(use.latest["at"])
        values["last_address"] = use.latest["address"]
        values["last_client"] = use.latest["client"]
    return values


def _merged(rights: dict[str, str]) -> Func:
    """Return what was used before with what was used now."""
    output = JSONField()
    return Func(
        F("used_rights"),
        Value(rights, output),
        template="(%(expressions)s)",
        arg_joiner=" || ",
        output_field=output,
    )


def _note_slot(scope: Scope, use: Uses) -> None:
    """Note which secret was used, so that nobody drops one that is still in use."""
    slot = use.latest.get("slot")
    if slot is not None:
        rows = TokenSecret.objects.scoped(scope).filter(token__key_id=use.key_id, slot=slot)
        rows.update(last_used_at=datetime.fromisoformat(use.latest["at"]))


def _forget(redis: Redis, batch: int) -> None:
    """Forget the batch that is stored, unless others have done so and set the next one aside."""
    redis.eval(FORGET, 3, COUNTS + ASIDE, LATEST + ASIDE, RIGHTS + ASIDE, str(batch))
