"""Where policies count: bound to a tenant, a namespace, a prefix of names or one subject."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from accord.errors import InvalidSubject
from accord.model import DEFAULT_CONTEXT
from accord.naming import validate_new_subject, validate_subject
from accord.policy.documents.templates import TEMPLATES, template_text, templates
from accord_server.kit import outbox
from accord_server.kit.edit_errors import VersionNotNamed
from registry.models import Policy, PolicyBinding, PolicyBindingChange
from registry.policy_errors import (
    BindingChanged,
    BindingNotFound,
    PlaceInvalid,
    PolicyLimitReached,
    PolicyNotFound,
    TemplateNotFound,
)
from registry.policy_records import BindPolicy, Bound, PolicyPlace, PolicyText
from registry.queries.policies import READ, WRITE, at, binding_record, may_at, require_at, words_of
from registry.services.advising import advice_at
from registry.services.events import POLICY_BOUND
from registry.services.policies import announce_places, await_turn, create_policy
from tenants.access import may_in_tenant
from tenants.records import AuditEntry
from tenants.services import record_audit

if TYPE_CHECKING:
    from accord.policy.documents import PolicyDocument
    from accord_server.kit.scope import Scope

MOST_BINDINGS: Final = 5_000
FROM_TEMPLATE: Final = "the template that comes with Accord"
# Contexts hold at most this many characters together with a prefix, as subjects do.
LONGEST_PREFIX: Final = 1_024


def bind_policy(scope: Scope, place: PolicyPlace, command: BindPolicy) -> Bound:
    """Bind the newest version of a policy to a place, instead of what was bound there; say what holds now.

    Raises:
        BindingNotFound, RightMissing: Policies may not be seen there, or not be bound.
        PlaceInvalid: Nothing can be bound there.
        PolicyNotFound: No such policy.
        VersionNotNamed, BindingChanged: Another one is bound there than the caller knows.
        PolicyLimitReached: The tenant has too many bindings.
    """
    require_at(scope, WRITE, place)
    validate_place(place)
    with transaction.atomic():
        await_turn(scope)
        policy = _policy(scope, command.policy)
        row = _bound(scope, place)
        is_other = row is None or row.policy_id != policy.pk
        if is_other or command.expected:
            _require_expected(scope, place, row, command.expected)
        if row is None or is_other:
            row = _rebound(scope, place, row, policy, reason=command.reason)
        record = binding_record(scope, PolicyBinding.objects.scoped(scope).get(pk=row.pk))
        return Bound(record, advice_at(scope, place))


def unbind_policy(scope: Scope, place: PolicyPlace, *, expected: int | None = None, reason: str = "") -> None:
    """Take a policy off a place; ``expected`` as in `BindPolicy`.

    Raises:
        BindingNotFound: Nothing is bound there, or nothing that may be seen.
        RightMissing: It may be seen, and ``policy.write`` is missing there.
        VersionNotNamed, BindingChanged: Another one is bound there than the caller knows.
    """
    require_at(scope, WRITE, place)
    with transaction.atomic():
        await_turn(scope)
        row = _bound(scope, place)
        if row is None:
            raise BindingNotFound(words_of(scope, place))
        _require_expected(scope, place, row, expected)
        row.delete()
        _note(scope, place, row.number + 1, policy="", reason=reason)
        _leave_traces(scope, place, row, before=row.policy.name, after=None)


def apply_template(scope: Scope, name: str, *, expected: int | None = None) -> Bound:
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
        return bind_policy(scope, place, BindPolicy(name, expected, FROM_TEMPLATE))


def namespace_templates(scope: Scope) -> tuple[PolicyDocument, ...]:
    """Return the templates that a namespace can take, the recommended one first.

    Raises:
        BindingNotFound, RightMissing: As `apply_template`, for ``policy.read``.
    """
    require_at(scope, READ, PolicyPlace(scope.namespace))
    known = templates()
    return tuple(known[name] for name in TEMPLATES if name in known)


def validate_place(place: PolicyPlace) -> None:
    """Refuse a place that nothing can lie at.

    Raises:
        PlaceInvalid: Naming it and why.
    """
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


def _bound(scope: Scope, place: PolicyPlace) -> PolicyBinding | None:
    """Lock what is bound to a place."""
    rows = PolicyBinding.objects.scoped(scope).filter(at(place)).select_related("policy")
    row: PolicyBinding | None = rows.select_for_update(of=("self",)).first()
    return row


def _require_expected(
    scope: Scope, place: PolicyPlace, row: PolicyBinding | None, expected: int | None
) -> None:
    if expected is None or expected == (row.number if row else 0):
        return
    if not expected:
        raise VersionNotNamed
    now = f"the policy {row.policy.name!r}" if row and may_at(scope, READ, place) else "another"
    raise BindingChanged(words_of(scope, place), now if row else "none")


def _rebound(
    scope: Scope, place: PolicyPlace, row: PolicyBinding | None, policy: Policy, *, reason: str
) -> PolicyBinding:
    """Bind a policy in place of what is there; note it in the history of the place and elsewhere."""
    before = None if row is None else row.policy.name
    if row is None:
        row = _new(scope, place, policy)
    else:
        row.policy, row.created_by, row.number = policy, scope.principal.key, row.number + 1
        row.created_at = timezone.now()
        row.save(update_fields=["policy", "created_at", "created_by", "number"])
    _note(scope, place, row.number, policy=policy.name, reason=reason)
    _leave_traces(scope, place, row, before=before, after=policy.name, reason=reason)
    return row


def _note(scope: Scope, place: PolicyPlace, number: int, *, policy: str, reason: str) -> None:
    PolicyBindingChange.objects.insert(
        scope,
        **_columns(place),
        number=number,
        policy=policy,
        created_by=scope.principal.key,
        reason=reason,
    )


def _columns(place: PolicyPlace) -> dict[str, Any]:
    subject = place.subject
    return {
        "namespace_id": place.namespace.id if place.namespace else None,
        "context": subject.context if subject else "",
        "name": subject.name if subject else "",
        "is_prefix": place.is_prefix,
    }


def _new(scope: Scope, place: PolicyPlace, policy: Policy) -> PolicyBinding:
    if PolicyBinding.objects.scoped(scope).count() >= MOST_BINDINGS:
        raise PolicyLimitReached("bindings of policies", MOST_BINDINGS)
    changes = PolicyBindingChange.objects.scoped(scope).filter(at(place))
    newest = changes.aggregate(newest=Max("number"))["newest"] or 0
    row: PolicyBinding = PolicyBinding.objects.insert(
        scope, policy=policy, **_columns(place), number=newest + 1, created_by=scope.principal.key
    )
    return row


def _leave_traces(
    scope: Scope,
    place: PolicyPlace,
    row: PolicyBinding,
    *,
    before: str | None,
    after: str | None,
    reason: str = "",
) -> None:
    announce_places(scope, [row])
    there, where = replace(scope, namespace=place.namespace), words_of(scope, place)
    outbox.emit(there, POLICY_BOUND, {"policy": after, "place": where})
    entry = AuditEntry(
        "policy.bind" if after else "policy.unbind",
        "policy binding",
        where,
        before=None if before is None else {"policy": before},
        after=None if after is None else {"policy": after, "reason": reason},
    )
    record_audit(there, entry=entry)
