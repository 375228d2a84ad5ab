"""Which tables hold rows of a tenant, in an order in which these can go: found in the models, never listed.

A table that is added tomorrow is exported and purged because its model is a `TenantOwned`; its rows belong to
a namespace where they name one, or refer to rows that do.
"""

from __future__ import annotations

from functools import cache
from graphlib import TopologicalSorter
from typing import TYPE_CHECKING, Final, NamedTuple

from django.apps import apps
from django.db import models

from accord_server.kit.models import TenantOwned
from tenants.models import AuditAnchor, AuditRecord, AuditSeal, AuditWaiting, Namespace

if TYPE_CHECKING:
    from collections.abc import Iterator

OwnedModel = type[TenantOwned]

# The log of what was done goes last, so that it speaks of the rest as long as there is a rest.
LAST: Final = (AuditWaiting, AuditSeal, AuditAnchor, AuditRecord)
NAMESPACE: Final = "namespace_id"


class Chain(NamedTuple):
    """How rows of the first table are those of a namespace: each column refers to the next table.

    The last column names the namespace.
    """

    model: OwnedModel
    tables: tuple[str, ...]
    columns: tuple[str, ...]


@cache
def owned_models() -> tuple[OwnedModel, ...]:
    """Return every model with rows of tenants, each before those that its rows refer to; the audit log last.

    Raises:
        CycleError: Two tables refer to each other, so that the rows of neither could go.
    """
    every = [model for model in apps.get_models() if issubclass(model, TenantOwned)]
    referring: TopologicalSorter[OwnedModel] = TopologicalSorter()
    for model in sorted(every, key=lambda one: one._meta.db_table):
        referring.add(model)
        for _, target in links(model):
            if target is not model:
                referring.add(target, model)
    ordered = [model for model in referring.static_order() if model not in LAST]
    return (*ordered, *LAST)


def links(model: OwnedModel) -> Iterator[tuple[str, OwnedModel]]:
    """Yield the columns of a table that refer to rows of tenants, and whose rows those are."""
    for field in model._meta.concrete_fields:
        target = field.related_model
        if (
            isinstance(field, models.ForeignKey)
            and isinstance(target, type)
            and issubclass(target, TenantOwned)
        ):
            yield field.column, target


def refers_to_itself(model: OwnedModel) -> bool:
    """Tell whether rows refer to others of their own table: always newer ones to older ones."""
    return any(target is model for _, target in links(model))


@cache
def namespace_chains() -> tuple[Chain, ...]:
    """Return how rows belong to namespaces, in an order in which they can go; the audit log stays.

    A table whose rows belong in one way or another is there with each.
    """
    return tuple(chain for model in owned_models() if model not in LAST for chain in _chains(model))


def _chains(model: OwnedModel) -> Iterator[Chain]:
    table = model._meta.db_table
    if any(field.column == NAMESPACE for field in model._meta.concrete_fields):
        yield Chain(model, (table,), (NAMESPACE,))
    for column, target in links(model):
        if target not in (model, Namespace):
            for further in _chains(target):
                yield Chain(model, (table, *further.tables), (column, *further.columns))
