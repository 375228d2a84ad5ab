"""Answers kept under the key that a caller sent along, so that a repeated POST is done once.

The answer is stored in the transaction of what it tells about: either both are there or neither, whatever
dies in between. A refusal is not kept, and leaves what it leaves without a key.
"""

from __future__ import annotations

import hashlib
import json
import re
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from django.db import DatabaseError, connections, transaction
from django.utils import timezone

from accord_server.kit import tenancy
from accord_server.kit.each_tenant import tenants_from
from accord_server.kit.edit_errors import KeyInUse, KeyReused
from accord_server.kit.error_tables import HttpError
from accord_server.kit.models import AnyAnswer, KeptAnswer, OperatorAnswer

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager
    from uuid import UUID

    from django.db.models import QuerySet

    from accord_server.kit.scope import Scope

HEADER: Final = "Idempotency-Key"
KEY: Final = re.compile(r"[!-~]{1,200}")
KEPT_FOR: Final = timedelta(hours=24)
LOCK: Final = "SELECT pg_try_advisory_xact_lock(hashtextextended(%s, 0))"


@dataclass(frozen=True, slots=True)
class Answer:
    """What is kept of an answer; ``is_repeated`` says that nothing was done for this one."""

    status: int
    headers: dict[str, str]
    body: Any
    is_repeated: bool = False


@dataclass(frozen=True, slots=True)
class Asker:
    """Whose keys they are, by ``name``; ``scope`` is where answers are kept, None for the installation."""

    name: str
    scope: Scope | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """A call as far as a repetition must be like it: who asks under which key, and what for."""

    asker: Asker
    key: str
    digest: bytes


def question(asker: Asker, key: str, method: str, path: str, body: object) -> Question:
    """Note what is asked.

    Raises:
        HttpError: 400 for a key that is none.
    """
    if KEY.fullmatch(key) is None:
        raise HttpError(400, f"{HEADER} is 1 to 200 visible characters of ASCII, without spaces")
    asked = json.dumps([method, path, body], sort_keys=True, default=str)
    return Question(asker, key, hashlib.sha256(asked.encode("utf-8", "surrogatepass")).digest())


def answer_once(asked: Question, act: Callable[[], Answer], keepable: Callable[[Any], Any]) -> Answer:
    """Return what was answered to this before, or do it and keep what ``keepable`` leaves of the answer.

    Raises:
        KeyInUse: The same call is being answered just now.
        KeyReused: The key was sent along with another call.
    """
    with _where(asked), transaction.atomic():
        _lock(asked)
        kept = _recall(asked)
        if kept is not None:
            return kept
        try:
            found = act()
        except DatabaseError:
            raise
        except Exception as refused:  # noqa: BLE001  # raised below: what it left, such as a counted attempt, stays
            refusal = refused
        else:
            _keep(asked, found, keepable(found.body))
            return found
    raise refusal


def prune() -> int:
    """Forget the answers that were kept long enough; return how many."""
    before = timezone.now() - KEPT_FOR
    of_operators, _ = OperatorAnswer.objects.filter(created_at__lt=before).delete()
    tenants = tenants_from("accord_tenants_with_kept_answers", before)
    return of_operators + sum(_prune_tenant(tenant) for tenant in tenants)


def _prune_tenant(tenant_id: UUID) -> int:
    with tenancy.tenant_context(tenant_id):
        rows = KeptAnswer.objects.unscoped("one tenant's, by id").filter(tenant_id=tenant_id)
        count, _ = rows.filter(created_at__lt=timezone.now() - KEPT_FOR).delete()
    return count


def _lock(asked: Question) -> None:
    scope = asked.asker.scope
    place = "operators" if scope is None else scope.tenant.id
    with connections[tenancy.ALIAS].cursor() as cursor:
        cursor.execute(LOCK, [f"{place} {asked.asker.name} {asked.key}"])
        (is_free,) = cursor.fetchone()
    if not is_free:
        raise KeyInUse(asked.key)


def _recall(asked: Question) -> Answer | None:
    row = _rows(asked).filter(created_at__gte=timezone.now() - KEPT_FOR).first()
    if row is None:
        return None
    if bytes(row.digest) != asked.digest:
        raise KeyReused(asked.key)
    return Answer(row.status, row.headers, json.loads(row.body), is_repeated=True)


def _keep(asked: Question, found: Answer, body: object) -> None:
    # One that is over and not pruned yet makes room.
    _rows(asked).delete()
    values = {
        "principal": asked.asker.name,
        "key": asked.key,
        "digest": asked.digest,
        "status": found.status,
        "headers": found.headers,
        "body": json.dumps(body),
    }
    if asked.asker.scope is None:
        OperatorAnswer.objects.create(**values)
    else:
        KeptAnswer.objects.insert(asked.asker.scope, **values)


def _rows(asked: Question) -> QuerySet[AnyAnswer]:
    scope = asked.asker.scope
    rows = OperatorAnswer.objects.all() if scope is None else KeptAnswer.objects.scoped(scope)
    return rows.filter(principal=asked.asker.name, key=asked.key)


def _where(asked: Question) -> AbstractContextManager[None]:
    scope = asked.asker.scope
    return nullcontext() if scope is None else tenancy.tenant_context(scope.tenant.id)
