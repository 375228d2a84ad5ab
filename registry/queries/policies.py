"""Reads of policies, their versions and where they are bound.

The documents belong to the tenant: whoever may read policies in some part of it may read them all. Where
they are bound is shown as far as the caller may read policies there.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from django.db.models import F, Q

from accord.model import SubjectName
from accord_server.kit.paging import Batch, batch_of
from accord_server.kit.scope import NamespaceRef, SelectorKind
from registry.models import Policy, PolicyBinding, PolicyBindingChange, PolicyVersion
from registry.policy_errors import BindingNotFound, PolicyNotFound, PolicyVersionNotFound
from registry.policy_records import (
    BindingChangeRecord,
    BindingRecord,
    PolicyPlace,
    PolicyRow,
    PolicyVersionRecord,
)
from registry.queries.bound_policies import place_of_binding
from tenants.access import may_in_tenant, require_in_tenant
from tenants.errors import RightMissing

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from accord.policy.origins import BindingPlace
    from accord_server.kit.scope import Scope


READ: Final = "policy.read"
WRITE: Final = "policy.write"


def list_policies(scope: Scope, *, after: str = "", limit: int) -> Batch[PolicyRow]:
    """Return the policies of the tenant by name.

    Raises:
        RightMissing: ``policy.read`` is held nowhere in the tenant.
    """
    require_in_tenant(scope, READ)
    rows = PolicyVersion.objects.scoped(scope).filter(policy__deleted_at=None, policy__name__gt=after)
    newest = rows.filter(number=F("policy__newest")).select_related("policy").order_by("policy__name")
    found = [
        PolicyRow(
            row.policy.name,
            row.number,
            row.document.get("description", ""),
            row.created_at,
            row.created_by,
            row.reason,
        )
        for row in newest[: limit + 1]
    ]
    return batch_of(found, limit, lambda row: row.name)


def get_policy(scope: Scope, name: str, number: int | None = None) -> PolicyVersionRecord:
    """Return a version of a policy, or the newest.

    Raises:
        PolicyNotFound: No such policy, or none that may be seen.
        RightMissing: Policies may be written, not read.
        PolicyVersionNotFound: It has no such version.
    """
    policy = seen_policy(scope, name, READ)
    wanted = policy.newest if number is None else number
    row = _versions(scope, policy).filter(number=wanted).first()
    if row is None:
        raise PolicyVersionNotFound(wanted)
    return version_record(policy, row)


def policy_versions(scope: Scope, name: str, *, after: int | None, limit: int) -> Batch[PolicyVersionRecord]:
    """Return the versions of a policy, newest first; raises as `get_policy`."""
    policy = seen_policy(scope, name, READ)
    rows = _versions(scope, policy).order_by("-number")
    if after is not None:
        rows = rows.filter(number__lt=after)
    found = [version_record(policy, row) for row in rows[: limit + 1]]
    return batch_of(found, limit, lambda row: str(row.number))


def list_bindings(scope: Scope, *, policy: str = "", after: int = 0, limit: int) -> Batch[BindingRecord]:
    """Return where policies are bound, as far as the caller may read policies there.

    Raises:
        RightMissing: ``policy.read`` is held nowhere in the tenant.
    """
    require_in_tenant(scope, READ)
    rows = _bindings(scope).filter(pk__gt=after).order_by("pk")
    if policy:
        rows = rows.filter(policy__name=policy)
    seen: list[tuple[int, BindingRecord]] = []
    for row in rows.iterator():
        if may_at(scope, READ, place_of_row(row)):
            seen.append((row.pk, binding_record(scope, row)))
        if len(seen) > limit:
            break
    batch = batch_of(seen, limit, lambda one: str(one[0]))
    return Batch(tuple(record for _, record in batch.rows), batch.after)


def binding_at(scope: Scope, place: PolicyPlace) -> BindingRecord:
    """Return what is bound to exactly this place.

    Raises:
        BindingNotFound: Nothing, or nothing that may be seen.
        RightMissing: Policies may be written there, not read.
    """
    require_at(scope, READ, place)
    row = _bindings(scope).filter(at(place)).first()
    if row is None:
        raise BindingNotFound(words_of(scope, place))
    return binding_record(scope, row)


def binding_changes(
    scope: Scope, place: PolicyPlace, *, after: int | None = None, limit: int
) -> Batch[BindingChangeRecord]:
    """Return what was bound to exactly this place and taken off it, newest first.

    Raises:
        BindingNotFound: Nothing ever was, or nothing that may be seen.
        RightMissing: Policies may be written there, not read.
    """
    require_at(scope, READ, place)
    rows = PolicyBindingChange.objects.scoped(scope).filter(at(place)).order_by("-number")
    if after is not None:
        rows = rows.filter(number__lt=after)
    found = [
        BindingChangeRecord(row.number, row.policy or None, row.created_at, row.created_by, row.reason)
        for row in rows[: limit + 1]
    ]
    if not found and after is None:
        raise BindingNotFound(words_of(scope, place))
    return batch_of(found, limit, lambda row: str(row.number))


def seen_policy(scope: Scope, name: str, right: str) -> Policy:
    """Return a policy to whoever holds the right somewhere in the tenant.

    Raises:
        PolicyNotFound: No such policy, or none that may be seen.
        RightMissing: It may be seen, and the right is missing.
    """
    if not any(may_in_tenant(scope, one) for one in (READ, WRITE)):
        raise PolicyNotFound(name)
    require_in_tenant(scope, right)
    policy: Policy | None = Policy.objects.scoped(scope).filter(name=name, deleted_at=None).first()
    if policy is None:
        raise PolicyNotFound(name)
    return policy


def may_change(scope: Scope, name: str) -> bool:
    """Tell whether the caller may change a policy: at each place where it is bound, seen or not."""
    rows = _bindings(scope).filter(policy__name=name) if may_in_tenant(scope, WRITE) else None
    return rows is not None and all(may_at(scope, WRITE, place_of_row(row)) for row in rows)


def may_at(scope: Scope, right: str, place: PolicyPlace) -> bool:
    """Tell whether the right is held on all that a place stands for."""
    there = replace(scope, namespace=place.namespace)
    if place.subject is None:
        return there.may(right)
    if not place.is_prefix:
        return there.may(right, place.subject)
    kinds = (SelectorKind.ALL, SelectorKind.PREFIX)
    return any(one.kind in kinds and one.covers(place.subject) for one in there.selectors(right))


def require_at(scope: Scope, right: str, place: PolicyPlace) -> None:
    """Refuse unless the right is held on all that a place stands for.

    Raises:
        BindingNotFound: Nothing about policies may be seen there.
        RightMissing: Naming the right.
    """
    if may_at(scope, right, place):
        return
    if not any(may_at(scope, one, place) for one in (READ, WRITE)):
        raise BindingNotFound(words_of(scope, place))
    raise RightMissing(right)


def at(place: PolicyPlace) -> Q:
    """Return the filter of the binding of a place."""
    if place.namespace is None:
        return Q(namespace__isnull=True)
    subject = place.subject or SubjectName("", "")
    return Q(
        namespace=place.namespace.id, context=subject.context, name=subject.name, is_prefix=place.is_prefix
    )


def place_of_row(row: PolicyBinding) -> PolicyPlace:
    """Return the place of a binding."""
    if row.namespace is None:
        return PolicyPlace()
    subject = SubjectName(row.name, row.context) if row.context else None
    return PolicyPlace(NamespaceRef(row.namespace.id, row.namespace.slug), subject, row.is_prefix)


def words_of(scope: Scope, place: PolicyPlace) -> str:
    """Return a place in words."""
    return str(binding_place(scope, place))


def binding_record(scope: Scope, row: PolicyBinding) -> BindingRecord:
    """Return a binding whose policy and namespace were read with it."""
    place = place_of_row(row)
    return BindingRecord(
        policy=row.policy.name,
        version=row.policy.newest,
        namespace=place.namespace.slug if place.namespace else None,
        place=binding_place(scope, place),
        created_at=row.created_at,
        created_by=row.created_by,
        number=row.number,
    )


def bindings_of_policy(scope: Scope, policy: Policy) -> list[PolicyBinding]:
    """Return every binding of a policy, seen or not: for services that ask for rights on each."""
    return list(_bindings(scope).filter(policy=policy).order_by("pk"))


def places_bound_to(scope: Scope, name: str) -> tuple[PolicyPlace, ...]:
    """Return where a policy of that name is bound in the scope's namespace or around it, seen or not."""
    rows = _bindings(scope).filter(policy__name=name, policy__deleted_at=None).order_by("pk")
    here = None if scope.namespace is None else scope.namespace.id
    nearby = rows.filter(Q(namespace__isnull=True) | Q(namespace=here))
    return tuple(place_of_row(row) for row in nearby)


def version_record(policy: Policy, row: PolicyVersion) -> PolicyVersionRecord:
    """Return a version of the policy."""
    return PolicyVersionRecord(
        policy=policy.name,
        number=row.number,
        document=row.document,
        source=row.source,
        syntax=row.syntax,
        created_at=row.created_at,
        created_by=row.created_by,
        reason=row.reason,
        reverted_from=row.reverted_from,
    )


def binding_place(scope: Scope, place: PolicyPlace) -> BindingPlace:
    """Return a place as those who look for the policy in force know it."""
    subject = place.subject or SubjectName("", "")
    return place_of_binding(
        replace(scope, namespace=place.namespace),
        is_tenant=place.namespace is None,
        context=subject.context,
        name=subject.name,
        is_prefix=place.is_prefix,
    )


def _bindings(scope: Scope) -> QuerySet[PolicyBinding]:
    rows: QuerySet[PolicyBinding] = PolicyBinding.objects.scoped(scope)
    return rows.select_related("policy", "namespace")


def _versions(scope: Scope, policy: Policy) -> QuerySet[PolicyVersion]:
    rows: QuerySet[PolicyVersion] = PolicyVersion.objects.scoped(scope)
    return rows.filter(policy=policy)
