"""Policies as documents with a history: written, changed by compare-and-set, reverted, deleted.

A change counts at once wherever the policy is bound, so it needs ``policy.write`` on each of these places;
one that is bound nowhere needs it somewhere in the tenant.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.db import connection, transaction
from django.utils import timezone

from accord.policy.documents import Problem, as_data, pinned, read_document
from accord_server.kit import outbox
from registry.models import Policy, PolicyBinding, PolicySyntax, PolicyVersion
from registry.policy_errors import (
    PolicyBound,
    PolicyChanged,
    PolicyExists,
    PolicyFlawed,
    PolicyLimitReached,
    PolicyNotFound,
    PolicyVersionNotFound,
)
from registry.policy_records import PolicyText, PolicyVersionRecord, ReadPolicy
from registry.queries.policies import (
    READ,
    WRITE,
    bindings_of_policy,
    may_at,
    place_of_row,
    version_record,
    words_of,
)
from registry.services.advising import advice_on
from registry.services.events import POLICY_CHANGED
from tenants.access import may_in_tenant, require_in_tenant
from tenants.announcements import announce_namespace, announce_tenant
from tenants.errors import RightMissing
from tenants.records import AuditEntry
from tenants.services import record_audit

if TYPE_CHECKING:
    from collections.abc import Iterable

    from accord.policy.documents import PolicyDocument
    from accord_server.kit.scope import Scope

MOST_POLICIES: Final = 500
MOST_VERSIONS: Final = 1_000
LONGEST_REASON: Final = 500
# The last words of addresses that lead elsewhere.
RESERVED: Final = frozenset({"validate"})
TURN: Final = "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))"


def read_policy(scope: Scope, text: PolicyText, *, name: str | None = None) -> ReadPolicy:
    """Return what a text would be as a policy, storing nothing; ``name`` is that of the policy it changes.

    Raises:
        RightMissing: ``policy.read`` is held nowhere in the tenant.
    """
    require_in_tenant(scope, READ)
    try:
        document = _document(text, name=name)
    except PolicyFlawed as error:
        return ReadPolicy(None, error.problems)
    return ReadPolicy(as_data(document), advice=advice_on(document))


def create_policy(scope: Scope, text: PolicyText) -> PolicyVersionRecord:
    """Store a new policy under the name that its text gives it.

    One that was deleted goes on counting its versions.

    Raises:
        RightMissing: ``policy.write`` is held nowhere in the tenant.
        PolicyFlawed: With every problem of the text.
        PolicyExists: There is one of that name.
        PolicyLimitReached: There are too many.
    """
    require_in_tenant(scope, WRITE)
    document = _document(text)
    with transaction.atomic():
        await_turn(scope)
        policy = Policy.objects.scoped(scope).filter(name=document.name).select_for_update().first()
        if policy is not None and policy.deleted_at is None:
            raise PolicyExists(document.name)
        if Policy.objects.scoped(scope).filter(deleted_at=None).count() >= MOST_POLICIES:
            raise PolicyLimitReached("policies", MOST_POLICIES)
        if policy is None:
            policy = Policy.objects.insert(scope, name=document.name, newest=0)
        policy.deleted_at = None
        return _write(scope, policy, text, document=document)


def replace_policy(scope: Scope, name: str, text: PolicyText, *, expected: int | None) -> PolicyVersionRecord:
    """Store the next version of a policy; ``expected`` is the newest that its writer knew, None for any.

    Raises:
        PolicyNotFound, RightMissing: It may not be seen, or not be changed at one of its places.
        PolicyFlawed: With every problem of the text.
        PolicyChanged: Somebody was faster.
        PolicyLimitReached: It has too many versions.
    """
    _require_visible(scope, name)
    document = _document(text, name=name)
    with transaction.atomic():
        policy = _locked(scope, name, expected=expected)
        return _write(scope, policy, text, document=document)


def revert_policy(
    scope: Scope, name: str, *, to: int, expected: int | None, reason: str = ""
) -> PolicyVersionRecord:
    """Store the content of an older version as the next one.

    Raises:
        PolicyVersionNotFound: There is no such version.
        PolicyNotFound, RightMissing, PolicyChanged, PolicyLimitReached: As `replace_policy`.
        PolicyFlawed: This release has no use for the old text.
    """
    with transaction.atomic():
        policy = _locked(scope, name, expected=expected)
        old = PolicyVersion.objects.scoped(scope).filter(policy=policy, number=to).first()
        if old is None:
            raise PolicyVersionNotFound(to)
        values = _values(old)
        return _added(scope, policy, **values, reason=reason[:LONGEST_REASON], reverted_from=to)


def delete_policy(scope: Scope, name: str, *, expected: int | None) -> None:
    """Delete a policy that is bound nowhere; what was registered under it goes on naming its versions.

    Raises:
        PolicyNotFound, RightMissing, PolicyChanged: As `replace_policy`.
        PolicyBound: It is bound, and where as far as the caller may see.
    """
    with transaction.atomic():
        policy = _locked(scope, name, expected=expected)
        bound = bindings_of_policy(scope, policy)
        if bound:
            places = [words_of(scope, place_of_row(row)) for row in bound]
            raise PolicyBound(name, ", ".join(places[:5]))
        policy.deleted_at = timezone.now()
        policy.save(update_fields=["deleted_at"])
        _leave_traces(scope, policy, "policy.delete", before=policy.newest, after=None)


def await_turn(scope: Scope) -> None:
    """Let one caller of a tenant at a time count policies or bindings and add to them."""
    with connection.cursor() as cursor:
        cursor.execute(TURN, [f"policies of {scope.tenant.id}"])


def announce_places(scope: Scope, rows: Iterable[PolicyBinding]) -> None:
    """Say that what was answered about the places of these bindings may not hold any more."""
    namespaces = {row.namespace.id if row.namespace else None for row in rows}
    if None in namespaces:
        announce_tenant(scope.tenant.id)
    for namespace in namespaces:
        if namespace is not None:
            announce_namespace(namespace)


def _document(text: PolicyText, *, name: str | None = None) -> PolicyDocument:
    read = read_document(text.text, is_json=text.is_json)
    if read.document is None:
        raise PolicyFlawed(read.problems)
    found = read.document
    if found.name in RESERVED:
        raise PolicyFlawed((Problem(1, 1, "name", f"the name {found.name!r} is reserved; take another"),))
    if name is not None and found.name != name:
        message = f"the policy at this address is named {name!r}; write that name"
        raise PolicyFlawed((Problem(1, 1, "name", message),))
    return pinned(found)


def _require_visible(scope: Scope, name: str) -> None:
    if not any(may_in_tenant(scope, right) for right in (READ, WRITE)):
        raise PolicyNotFound(name)
    require_in_tenant(scope, WRITE)


def _locked(scope: Scope, name: str, *, expected: int | None) -> Policy:
    """Lock a policy against being changed or bound by others, and admit the caller to all its places."""
    _require_visible(scope, name)
    rows = Policy.objects.scoped(scope).filter(name=name, deleted_at=None)
    policy: Policy | None = rows.select_for_update().first()
    if policy is None:
        raise PolicyNotFound(name)
    for row in bindings_of_policy(scope, policy):
        if not may_at(scope, WRITE, place_of_row(row)):
            raise RightMissing(WRITE)
    if expected is not None and expected != policy.newest:
        raise PolicyChanged(name, policy.newest)
    return policy


def _write(
    scope: Scope, policy: Policy, text: PolicyText, *, document: PolicyDocument
) -> PolicyVersionRecord:
    return _added(
        scope,
        policy,
        document=as_data(document),
        source=text.text,
        syntax=PolicySyntax.JSON if text.is_json else PolicySyntax.YAML,
        reason=text.reason[:LONGEST_REASON],
    )


def _values(old: PolicyVersion) -> dict[str, Any]:
    """Return what an old version says, if it is still a policy."""
    read = read_document(old.source, is_json=old.syntax == PolicySyntax.JSON)
    if read.document is None:
        raise PolicyFlawed(read.problems)
    return {"document": old.document, "source": old.source, "syntax": old.syntax}


def _added(scope: Scope, policy: Policy, **values: Any) -> PolicyVersionRecord:
    if policy.newest >= MOST_VERSIONS:
        raise PolicyLimitReached(f"versions of the policy {policy.name!r}", MOST_VERSIONS)
    before, policy.newest = policy.newest, policy.newest + 1
    policy.save(update_fields=["newest", "deleted_at"])
    row = PolicyVersion.objects.insert(
        scope, policy=policy, number=policy.newest, created_by=scope.principal.key, **values
    )
    told = {"before": before or None, "after": policy.newest, "reason": row.reason}
    _leave_traces(scope, policy, "policy.write", **told)
    return version_record(policy, row)


def _leave_traces(
    scope: Scope, policy: Policy, action: str, *, before: int | None, after: int | None, reason: str = ""
) -> None:
    announce_places(scope, bindings_of_policy(scope, policy))
    outbox.emit(scope, POLICY_CHANGED, {"policy": policy.name, "action": action, "version": after})
    entry = AuditEntry(
        action,
        "policy",
        policy.name,
        before=None if before is None else {"version": before},
        after=None if after is None else {"version": after, "reason": reason},
    )
    record_audit(scope, entry=entry)
