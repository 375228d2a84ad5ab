"""Encrypting sensitive values of metadata anew, by the key that encrypts now: row by row, in small bites."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.db import connection, transaction
from django.db.models import Q

from registry.errors import SensitiveUnavailable
from registry.models import Config, Contract
from registry.records import METADATA_MEMBERS
from registry.sealing import SEALED, resealed, resealed_members

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from uuid import UUID

    from django.db.models import Model, QuerySet

    from accord_server.kit.scope import Scope

TENANTS: Final = "SELECT * FROM registry_tenants_with_sealed_metadata()"


@dataclass(frozen=True, slots=True)
class Resealed:
    """What came of some rows: how many were encrypted anew, were so already, or can be read by no key."""

    changed: int = 0
    kept: int = 0
    unreadable: int = 0

    def __add__(self, other: Resealed) -> Resealed:
        return Resealed(
            self.changed + other.changed, self.kept + other.kept, self.unreadable + other.unreadable
        )


@dataclass(frozen=True, slots=True)
class _Kind:
    """One table with sealed values: which rows have some, in what column, and how that is done anew."""

    rows: type[Model]
    column: str
    has_some: Q
    change: Callable[[Mapping[str, Any]], dict[str, Any] | None]

    def after(self, scope: Scope, key: int, size: int) -> QuerySet[Any]:
        """Return the next rows, locked."""
        found = self.rows.objects.scoped(scope).filter(self.has_some, pk__gt=key)  # type: ignore[attr-defined]  # every table of a tenant has it
        locked: QuerySet[Any] = found.select_for_update().order_by("pk")[:size]
        return locked


_KINDS: Final = (
    _Kind(Contract, "metadata", Q(metadata__has_key=SEALED), resealed),
    _Kind(
        Config,
        "record",
        Q(*((f"record__{name}__has_key", SEALED) for name in METADATA_MEMBERS), _connector=Q.OR),
        lambda record: resealed_members(record, METADATA_MEMBERS),
    ),
)


def tenants_with_sealed() -> list[UUID]:
    """Return the tenants that have sensitive values stored."""
    with connection.cursor() as cursor:
        cursor.execute(TENANTS)
        return [tenant for (tenant,) in cursor.fetchall()]


def reseal(scope: Scope, *, size: int) -> Iterator[Resealed]:
    """Encrypt the tenant's sensitive values anew, so many rows in a transaction; tell what came of them.

    What the newest key encrypted is left alone, so that whoever was interrupted may begin once more.
    """
    for kind in _KINDS:
        key = 0
        while True:
            with transaction.atomic():
                rows = list(kind.after(scope, key, size))
                told = sum((_resealed(scope, kind, row) for row in rows), Resealed())
            if not rows:
                break
            key = rows[-1].pk
            yield told


def _resealed(scope: Scope, kind: _Kind, row: Model) -> Resealed:
    try:
        found = kind.change(getattr(row, kind.column))
    except SensitiveUnavailable:
        return Resealed(unreadable=1)
    if found is None:
        return Resealed(kept=1)
    # Not saved as a whole: nothing that anybody is shown has changed, the time of the last change neither.
    kind.rows.objects.scoped(scope).filter(pk=row.pk).update(**{kind.column: found})  # type: ignore[attr-defined]  # as above
    return Resealed(changed=1)
