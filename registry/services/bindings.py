"""Where policies count: bound to a tenant, a namespace, a prefix of names or one subject."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from django.db import transaction

from accord.errors import InvalidSubject
from accord.model import DEFAULT_CONTEXT
from accord.naming import validate_new_subject, validate_subject
from accord.policy.documents.templates import TEMPLATES, template_text, templates
from accord_server.kit import outbox
from registry.models import Policy, PolicyBinding
from registry.policy_errors import (
    BindingNotFound,
    PlaceInvalid,
    PolicyLimitReached,
    PolicyNotFound,
    TemplateNotFound,
)
from registry.policy_records import PolicyPlace, PolicyText
from registry.queries.policies import (
    READ,
    WRITE,
    at,
    binding_record,
    may_in_tenant,
    require_at,
    words_of,
)
from registry.services.events import POLICY_BOUND
from registry.services.policies import announce_places, await_turn, create_policy
from tenants.records import AuditEntry
from tenants.services import record_audit

if TYPE_CHECKING:
    from accord_server.kit.scope import Scope
    from registry.policy_records import BindingRecord

MOST_BINDINGS: Final = 5_000
FROM_TEMPLATE: Final = "the template that comes with Accord"
# Contexts hold at most this many characters together with a prefix, as subjects do.
LONGEST_PREFIX: Final = 1_024


def bind_policy(scope: Scope, place: PolicyPlace, name: str) -> BindingRecord:
    """Bind the newest version of a policy to a place, instead of what was bound there.

    Raises:
        BindingNotFound, RightMissing: Policies may not be seen there, or not be bound.
        PlaceInvalid: Nothing can be bound there.
        PolicyNotFound: No such policy.
        PolicyLimitReached: The tenant has too many bindings.
    """
    require_at(scope, WRITE, place)
    _validate(place)
    with transaction.atomic():
        await_turn(scope)
        policy = _policy(scope, name)
        row = PolicyBinding.objects.scoped(scope).filter(at(place)).select_related("policy").first()
        before = None if row is None else row.policy.name
        if row is None:
            row = _new(scope, place, policy)
        elif row.policy_id != policy.pk:
            row.policy, row.created_by = policy, scope.principal.key
            row.save(update_fields=["policy", "created_by"])
        if before != policy.name:
            _leave_traces(scope, place, row, before=before, after=policy.name)
        return binding_record(scope, PolicyBinding.objects.scoped(scope).get(pk=row.pk))


def unbind_policy(scope: Scope, place: PolicyPlace) -> None:
    """Take a policy off a place.

    Raises:
        BindingNotFound: Nothing is bound there, or nothing that may be seen.
        RightMissing: It may be seen, and ``policy.write`` is missing there.
    """
    require_at(scope, WRITE, place)
    with transaction.atomic():
        rows = PolicyBinding.objects.scoped(scope).filter(at(place)).select_related("policy")
        row = rows.select_for_update(of=("self",)).first()
        if row is None:
            raise BindingNotFound(words_of(scope, place))
        row.delete()
        _leave_traces(scope, place, row, before=row.policy.name, after=None)


def apply_template(scope: Scope, name: str) -> BindingRecord:
    """Bind a template to the scope's namespace, storing it as a policy of the tenant if need be.

    A policy of that name that is there already is taken as it is.

    Raises:
        TemplateNotFound: There is no such template here.
        RightMissing: ``policy.write`` is missing on the namespace.
    """
    place = PolicyPlace(scope.namespace)
    require_at(scope, WRITE, place)
    known = templates()
    if name not in known:
        raise TemplateNotFound(name, ", ".join(known))
    with transaction.atomic():
        await_turn(scope)
        if not Policy.objects.scoped(scope).filter(name=name, deleted_at=None).exists():
            create_policy(scope, PolicyText(template_text(name), reason=FROM_TEMPLATE))
        return bind_policy(scope, place, name)


def template_names(scope: Scope) -> tuple[str, ...]:
    """Return the templates that a namespace can take, the recommended one first.

    Raises:
        BindingNotFound, RightMissing: As `apply_template`, for ``policy.read``.
    """
    require_at(scope, READ, PolicyPlace(scope.namespace))
    known = templates()
    return tuple(name for name in TEMPLATES if name in known)


def _validate(place: PolicyPlace) -> None:
    subject = place.subject
    if subject is None:
        return
    try:
        (validate_subject if place.is_prefix else validate_new_subject)(subject)
    except InvalidSubject:
        raise PlaceInvalid(subject.qualified, "no subject can be named so") from None
    if not subject.name and (subject.context == DEFAULT_CONTEXT or not place.is_prefix):
        raise PlaceInvalid(subject.qualified, "it has no name; bind the policy to the namespace")
    if len(subject.qualified.encode()) > LONGEST_PREFIX:
        raise PlaceInvalid(subject.qualified[:40], f"it is longer than {LONGEST_PREFIX} bytes")


def _policy(scope: Scope, name: str) -> Policy:
    """Lock a policy against being changed or deleted while it is bound."""
    if not any(may_in_tenant(scope, right) for right in (READ, WRITE)):
        raise PolicyNotFound(name)
    rows = Policy.objects.scoped(scope).filter(name=name, deleted_at=None)
    policy: Policy | None = rows.select_for_update().first()
    if policy is None:
        raise PolicyNotFound(name)
    return policy


def _new(scope: Scope, place: PolicyPlace, policy: Policy) -> PolicyBinding:
    if PolicyBinding.objects.scoped(scope).count() >= MOST_BINDINGS:
        raise PolicyLimitReached("bindings of policies", MOST_BINDINGS)
    subject = place.subject
    row: PolicyBinding = PolicyBinding.objects.insert(
        scope,
        policy=policy,
        namespace_id=place.namespace.id if place.namespace else None,
        context=subject.context if subject else "",
        name=subject.name if subject else "",
        is_prefix=place.is_prefix,
        created_by=scope.principal.key,
    )
    return row


def _leave_traces(
    scope: Scope, place: PolicyPlace, row: PolicyBinding, *, before: str | None, after: str | None
) -> None:
    announce_places(scope, [row])
    there, where = replace(scope, namespace=place.namespace), words_of(scope, place)
    outbox.emit(there, POLICY_BOUND, {"policy": after, "place": where})
    entry = AuditEntry(
        "policy.bind" if after else "policy.unbind",
        "policy binding",
        where,
        before=None if before is None else {"policy": before},
        after=None if after is None else {"policy": after},
    )
    record_audit(there, entry=entry)
