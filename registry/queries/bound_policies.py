"""The policies bound around a subject, and the one that they make together with its config record."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from accord.errors import InvalidPolicy
from accord.model import Format, SubjectName
from accord.policy.documents import read_document
from accord.policy.inheritance import Binding, ConfigRecord, effective
from accord.policy.level_names import nearest_confluent, parse_level
from accord.policy.origins import BindingPlace, Reach, Valued
from accord.rules.presets import DEFAULT_PRESET, LENIENT_PRESET
from accord_server.kit.cache import BoundedMemory, memory_named
from registry.models import PolicyVersion
from registry.records import LEVEL_KEPT, BoundPolicy, SettingsInForce

if TYPE_CHECKING:
    from collections.abc import Sequence

    from accord.policy.documents import PolicyDocument
    from accord.policy.effective import EffectivePolicy
    from accord_server.kit.scope import Scope
    from registry.records import ConfigInForce

DOCUMENTS: Final[BoundedMemory[PolicyDocument]] = memory_named("policy_documents")
LENIENT: Final = "LENIENT"
# The two columns between which Confluent's `compatibilityPolicy` chooses.
CONFLUENT_COLUMNS: Final = frozenset({DEFAULT_PRESET, LENIENT_PRESET})

# All bindings that cover a place, as one text; a subject has a name, a context or a namespace has none.
BOUND_AT: Final = """
SELECT jsonb_agg(jsonb_build_array(binding.namespace_id IS NULL, binding.context, binding.name,
    binding.is_prefix, policy.name, written.number, written.id))::text AS found
FROM registry_policybinding AS binding
JOIN registry_policy AS policy ON policy.id = binding.policy_id
JOIN registry_policyversion AS written ON written.policy_id = policy.id AND written.number = policy.newest
WHERE binding.tenant_id = %(tenant)s AND (
    binding.namespace_id IS NULL OR binding.namespace_id = %(namespace)s AND (
        binding.context = '' OR binding.context = {context} AND CASE
            WHEN binding.is_prefix THEN starts_with({name}::text, binding.name)
            ELSE binding.name = {name}
        END
    )
)
"""
BOUND: Final = BOUND_AT.format(context="%(context)s", name="%(name)s")


def bound_among(scope: Scope, found: str | None) -> tuple[BoundPolicy, ...]:
    """Return what `BOUND` found, always in the same order."""
    rows = sorted(json.loads(found or "[]"), key=lambda row: row[-1])
    return tuple(
        BoundPolicy(key, policy, version, _place(scope, *where)) for *where, policy, version, key in rows
    )


def effective_policy(
    scope: Scope,
    subject: SubjectName,
    format_: Format,
    settings: SettingsInForce,
    *,
    instead: Binding | None = None,
) -> EffectivePolicy:
    """Return the policy in force: no statement unless a document was not read before, then one.

    ``instead`` counts in place of what is bound to the same place, to see what it would do there.

    Raises:
        InvalidPolicy: A stored policy cannot be read by this release.
    """
    bindings = bindings_of(scope, settings.bound)
    if instead is not None:
        bindings = [one for one in bindings if one.place != instead.place] + [instead]
    return effective_among(bindings, subject, format_, settings.config)


def effective_among(
    bindings: Sequence[Binding], subject: SubjectName, format_: Format, config: ConfigInForce
) -> EffectivePolicy:
    """Return the policy that these bindings and a config record make."""
    record = _record(config, subject)
    found = effective(bindings, format_, subject=subject, record=record)
    if record.level is not None and config.record.get(LEVEL_KEPT) and not found.locked.value:
        own = effective(bindings, format_, subject=subject, record=replace(record, level=None))
        if nearest_confluent(own.level.value) == nearest_confluent(record.level):
            found = own
    return _as_strict_as_asked(found)


def place_of_binding(
    scope: Scope, *, is_tenant: bool, context: str, name: str, is_prefix: bool
) -> BindingPlace:
    """Return the place that a row of bindings speaks of; the namespace is the scope's."""
    if is_tenant:
        return BindingPlace(Reach.TENANT, scope.tenant.slug)
    if not context:
        return BindingPlace(Reach.NAMESPACE, scope.namespace.slug if scope.namespace else "")
    reach = Reach.PREFIX if is_prefix else Reach.SUBJECT
    return BindingPlace(reach, SubjectName(name, context).qualified)


def _place(scope: Scope, is_tenant: bool, context: str, name: str, is_prefix: bool) -> BindingPlace:  # noqa: FBT001  # a row of the statement
    return place_of_binding(scope, is_tenant=is_tenant, context=context, name=name, is_prefix=is_prefix)


def bindings_of(scope: Scope, bound: Sequence[BoundPolicy]) -> list[Binding]:
    """Return what bound policies say: no statement unless a document was not read before, then one.

    Raises:
        InvalidPolicy: A stored policy cannot be read by this release.
    """
    recalled = {one.key: DOCUMENTS.recall((scope.tenant.id, one.key)) for one in bound}
    known = {key: document for key, document in recalled.items() if document is not None}
    unread = recalled.keys() - known.keys()
    if unread:
        rows = PolicyVersion.objects.scoped(scope).filter(pk__in=unread).values_list("pk", "document")
        known |= {key: _kept(scope, key, json.dumps(document)) for key, document in rows}
    return [Binding(one.place, one.version, known[one.key]) for one in bound]


def _kept(scope: Scope, key: int, text: str) -> PolicyDocument:
    read = read_document(text, is_json=True)
    if read.document is None:
        raise InvalidPolicy(details=f"this release cannot read a policy that is bound: {read.problems[0]}")
    DOCUMENTS.keep((scope.tenant.id, key), read.document, weight=len(text))
    return read.document


def _record(config: ConfigInForce, subject: SubjectName) -> ConfigRecord:
    if config.origin == "server":
        return ConfigRecord("")
    record = config.record
    named = {"subject": f"subject {subject.qualified}", "context": f"context {subject.context}"}
    return ConfigRecord(
        named.get(config.origin, "global"),
        level=parse_level(config.level) if config.level else None,
        normalize=record.get("normalize"),
        group=record.get("compatibilityGroup"),
        strictness=record.get("compatibilityPolicy"),
        validate_fields=record.get("validateFields"),
    )


def _as_strict_as_asked(found: EffectivePolicy) -> EffectivePolicy:
    """Let the config record choose between Confluent's two columns, which differ for JSON Schema alone."""
    preset, strictness = found.preset.value, found.strictness
    if found.format is not Format.JSON or strictness.value is None or preset not in CONFLUENT_COLUMNS:
        return found
    wanted = LENIENT_PRESET if strictness.value == LENIENT else DEFAULT_PRESET
    if wanted == preset:
        return found
    return replace(found, values={**found.values, "preset": Valued(wanted, strictness.origin)})
