"""The levels in force for all subjects whose fields are listed: a constant number of statements."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from django.db import connection

from accord.model import Format, SubjectName
from accord.policy.level_names import spell_level
from accord_server.kit.scope import NamespaceRef
from registry.models import Config
from registry.queries.bound_policies import bindings_of, effective_among, place_of_binding
from registry.queries.settings import config_among
from registry.records import BoundPolicy

if TYPE_CHECKING:
    from collections.abc import Mapping
    from uuid import UUID

    from accord_server.kit.scope import Scope

SOURCES: Final = """
SELECT source.id, source.namespace_id, subject.context, subject.name, source.format, source.level
FROM registry_fieldsource AS source JOIN registry_subject AS subject ON subject.id = source.subject_id
WHERE source.tenant_id = %(tenant)s
    AND (%(namespace)s::uuid IS NULL OR source.namespace_id = %(namespace)s::uuid)
    AND (%(name)s::text IS NULL OR (subject.context = %(context)s AND subject.name = %(name)s))
"""
BOUND: Final = """
SELECT binding.namespace_id, binding.context, binding.name, binding.is_prefix, policy.name, written.number,
    written.id
FROM registry_policybinding AS binding
JOIN registry_policy AS policy ON policy.id = binding.policy_id
JOIN registry_policyversion AS written ON written.policy_id = policy.id AND written.number = policy.newest
WHERE binding.tenant_id = %(tenant)s ORDER BY written.id
"""
CHANGE: Final = """
UPDATE registry_fieldsource AS source SET level = given.level
FROM unnest(%(keys)s::bigint[], %(levels)s::text[]) AS given (id, level)
WHERE source.tenant_id = %(tenant)s AND source.id = given.id
"""


class _Bound(NamedTuple):
    """A row of a binding; those of the tenant have no namespace, those of a namespace no context."""

    namespace: UUID | None
    context: str
    name: str
    is_prefix: bool
    policy: str
    version: int
    key: int

    def covers(self, namespace: UUID, subject: SubjectName) -> bool:
        """Tell whether a subject is under it."""
        if self.namespace is None:
            return True
        if self.namespace != namespace or not self.context:
            return self.namespace == namespace
        is_named = subject.name.startswith(self.name) if self.is_prefix else subject.name == self.name
        return self.context == subject.context and is_named


@dataclass(frozen=True, slots=True)
class _Rules:
    """What is bound and configured in a tenant."""

    scope: Scope
    bound: list[_Bound]
    configs: Mapping[UUID, Mapping[SubjectName, Mapping[str, Any]]]

    def level(self, namespace: UUID, subject: SubjectName, format_: Format) -> str:
        """Return the level in force for a subject."""
        inside = replace(self.scope, namespace=NamespaceRef(namespace, ""))
        policies = tuple(_policy(inside, one) for one in self.bound if one.covers(namespace, subject))
        config = config_among(self.configs.get(namespace, {}), subject)
        found = effective_among(bindings_of(inside, policies), subject, format_, config)
        return spell_level(found.level.value)


def set_levels(scope: Scope, subject: SubjectName | None = None) -> int:
    """Have the listed subjects found by the levels that are in force now; return how many were by others.

    Those of the scope's namespace are meant, or of the tenant where it has none, or one of them.
    """
    values: dict[str, Any] = {
        "tenant": scope.tenant.id,
        "namespace": scope.namespace.id if scope.namespace else None,
        "context": subject.context if subject else None,
        "name": subject.name if subject else None,
    }
    rules = _Rules(scope, [_Bound(*row) for row in _rows(BOUND, values)], _configs(scope))
    changed: dict[int, str] = {}
    for key, namespace, context, name, format_, listed in _rows(SOURCES, values):
        level = rules.level(namespace, SubjectName(name, context), Format(format_))
        if level != listed:
            changed[key] = level
    if changed:
        with connection.cursor() as cursor:
            cursor.execute(CHANGE, {**values, "keys": [*changed], "levels": [*changed.values()]})
    return len(changed)


def _policy(scope: Scope, one: _Bound) -> BoundPolicy:
    is_tenant = one.namespace is None
    place = place_of_binding(
        scope, is_tenant=is_tenant, context=one.context, name=one.name, is_prefix=one.is_prefix
    )
    return BoundPolicy(one.key, one.policy, one.version, place)


def _configs(scope: Scope) -> Mapping[UUID, dict[SubjectName, Mapping[str, Any]]]:
    found: dict[UUID, dict[SubjectName, Mapping[str, Any]]] = defaultdict(dict)
    rows = Config.objects.scoped(scope).values_list("namespace_id", "context", "name", "record")
    for namespace, context, name, record in rows:
        found[namespace][SubjectName(name, context)] = record
    return found


def _rows(statement: str, values: dict[str, Any]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return list(cursor.fetchall())
