"""What Protobuf schemas were compiled to, of those that older releases stored without: kept by and by."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Final, NamedTuple

from django.db import transaction

from accord.errors import AccordError, CompilerUnavailable
from accord.model import Format
from registry.models import Schema
from registry.queries.history import closure_of, stored_schemas
from registry.services.candidates import model_of
from registry.services.filing import set_of, store_sets

if TYPE_CHECKING:
    from collections.abc import Iterator

    from accord_server.kit.scope import Scope
    from registry.records import StoredSchema
    from registry.services.filing import NewSet

log = logging.getLogger("accord.filing")

BATCH: Final = 200


class Filed(NamedTuple):
    """How many schemas have their files now, and how many cannot be compiled any more."""

    filed: int = 0
    refused: int = 0


def file_older(scope: Scope) -> Iterator[Filed]:
    """Keep what the tenant's Protobuf schemas compile to where nobody kept it; tell what came of each batch.

    Each is committed by itself and is asked for once: whoever was interrupted may begin once more.

    Raises:
        CompilerUnavailable: There is no compiler; what was told is kept.
    """
    waiting = Schema.objects.scoped(scope).filter(
        content__format=Format.PROTOBUF, descriptor_set__isnull=True
    )
    after = 0
    while keys := list(waiting.filter(pk__gt=after).order_by("pk").values_list("pk", flat=True)[:BATCH]):
        after = keys[-1]
        done = [_file(scope, one) for one in stored_schemas(scope, keys).values()]
        yield Filed(sum(done), len(done) - sum(done))


def _file(scope: Scope, stored: StoredSchema) -> bool:
    """Keep what a schema compiles to; tell whether it does."""
    try:
        made = _compiled(scope, stored)
    except CompilerUnavailable:
        raise
    except AccordError as reason:
        # Whatever let it in long ago, it is read as it ever was.
        log.warning("schema %d cannot be compiled: %s", stored.schema_key, reason)
        return False
    with transaction.atomic():
        keys = store_sets(scope, made)
        waiting = Schema.objects.scoped(scope).filter(pk=stored.schema_key, descriptor_set__isnull=True)
        waiting.update(descriptor_set_id=keys[0])
    return True


def _compiled(scope: Scope, stored: StoredSchema) -> list[NewSet]:
    behind = closure_of(scope, [stored.schema_key]) if stored.source.references else {}
    made = set_of(model_of(scope.tenant.id, stored, behind).parsed)
    return [] if made is None else [made]
