"""Fingerprints of schemas that were stored before fingerprints were: filled in bit by bit, by a job."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Final

from accord.errors import AccordError
from accord.formats.fingerprints import fingerprints
from accord.model import Format
from registry.models import Schema
from registry.queries.history import closure_of, stored_schemas
from registry.services.candidates import model_of

if TYPE_CHECKING:
    from accord.formats.fingerprints import Fingerprints
    from accord_server.kit.scope import Scope
    from registry.records import StoredSchema

log = logging.getLogger("accord.fingerprints")

BATCH: Final = 200
COLUMNS: Final = ("rabin", "md5", "sha256")


def columns_of(found: Fingerprints | None) -> dict[str, bytes]:
    """Return what a row holds of a schema's fingerprints: nothing of one that has none."""
    return {name: b"" if found is None else getattr(found, name) for name in COLUMNS}


def fill_in(scope: Scope) -> int:
    """Store the fingerprints of some of the tenant's schemas that wait for theirs; return of how many."""
    rows = Schema.objects.scoped(scope)
    keys = list(rows.filter(sha256__isnull=True).order_by("pk").values_list("pk", flat=True)[:BATCH])
    for key, stored in stored_schemas(scope, keys).items():
        rows.filter(pk=key).update(**columns_of(_fingerprints(scope, stored)))
    return len(keys)


def _fingerprints(scope: Scope, stored: StoredSchema) -> Fingerprints | None:
    if stored.source.format is not Format.AVRO:
        return None
    behind = closure_of(scope, [stored.schema_key]) if stored.source.references else {}
    try:
        return fingerprints(model_of(scope.tenant.id, stored, behind).parsed)
    except AccordError as reason:
        # Whatever let it in long ago, nobody can look it up by a fingerprint that it does not have.
        log.warning("schema %d has no fingerprints: %s", stored.schema_key, reason)
        return None
