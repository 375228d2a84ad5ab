"""Who may do what on which, and what decides it: the same question that every call asks, with its reason."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from django.db.models import Q

from accord.naming import split_subject
from accord_server.kit.paging import Batch, batch_of
from tenants.access import effective, grants_of_bindings, require_everywhere
from tenants.errors import InvalidDetail, UnknownRight
from tenants.models import CustomRole, Member
from tenants.queries.namespaces import find_namespace, tenant_of
from tenants.queries.people import binding_of, find_principal, principal_record, rights_of_custom_roles
from tenants.queries.roles import binding_record, held_bindings, key_of_holder
from tenants.queries.tokens import get_token
from tenants.rights import RIGHTS, Reach, roles_with

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from accord.model import SubjectName
    from accord_server.kit.scope import Grant, NamespaceRef, Scope
    from tenants.models import RoleBinding, ServiceAccount
    from tenants.records import BindingRecord

RIGHT: Final = "role.read"
TOKEN: Final = "token:"  # noqa: S105  # the kind of a key, as person: is
FORM: Final = "expected nothing, NAMESPACE or NAMESPACE/SUBJECT"


@dataclass(frozen=True, slots=True)
class Asked:
    """What is to be done on what: ``object`` is empty for the tenant, ``ns`` or ``ns/subject``."""

    action: str
    object: str = ""


@dataclass(frozen=True, slots=True)
class Decision:
    """Whether a principal may do it, by which role binding, and by which grant of a token if it is one."""

    principal: str
    is_allowed: bool
    reason: str
    binding: BindingRecord | None = None
    grant: Grant | None = None


@dataclass(frozen=True, slots=True)
class _Target:
    """What is asked about, found."""

    right: str
    namespace: NamespaceRef | None
    subject: SubjectName | None

    def is_open(self, scope: Scope, grants: tuple[Grant, ...]) -> bool:
        """Tell whether grants open it."""
        return replace(scope, namespace=self.namespace, grants=grants).may(self.right, self.subject)


def explain_access(scope: Scope, principal: str, asked: Asked) -> Decision:
    """Tell whether a member, a service account or a token may do something, and what decides it.

    Raises:
        RightMissing: Without ``role.read``, or ``token.read`` for a token.
        UnknownRight, InvalidDetail: The question means nothing.
        NamespaceNotFound, PrincipalNotFound, TokenNotFound: What it is about is not there.
    """
    require_everywhere(scope, RIGHT)
    target = _target(scope, asked)
    if principal.startswith(TOKEN):
        return _explain_token(scope, principal.removeprefix(TOKEN), target)
    row = find_principal(scope, principal)
    if not principal_record(row).is_active:
        return Decision(principal, is_allowed=False, reason=f"{principal} is suspended")
    return _explain(scope, principal, _bindings(scope, row), target)


def who_may(scope: Scope, asked: Asked, *, after: str = "", limit: int) -> Batch[Decision]:
    """Return who may do something, by key, each with the role binding that decides it.

    Raises:
        RightMissing: Without ``role.read``.
        UnknownRight, InvalidDetail, NamespaceNotFound: As `explain_access`.
    """
    require_everywhere(scope, RIGHT)
    target = _target(scope, asked)
    own = CustomRole.objects.scoped(scope).filter(rights__contains=[target.right]).values("name")
    rows = held_bindings(scope).filter(Q(role__in=roles_with(target.right)) | Q(role__in=own))
    here = Q(namespace=None) | Q(namespace_id=target.namespace.id if target.namespace else None)
    alive = Q(member__is_active=True, member__user__is_active=True) | Q(service_account__is_active=True)
    found: dict[str, Decision] = {}
    for row in rows.filter(here & alive).order_by("id").annotate(custom=rights_of_custom_roles(scope)):
        key = key_of_holder(row)
        if key > after and key not in found and _opens(scope, row, target):
            found[key] = _allowed(key, row)
    return batch_of([found[key] for key in sorted(found)][: limit + 1], limit, lambda one: one.principal)


def _target(scope: Scope, asked: Asked) -> _Target:
    if asked.action not in RIGHTS:
        raise UnknownRight(asked.action)
    slug, _, subject = asked.object.partition("/")
    reach = RIGHTS[asked.action].reach
    if (subject and reach > Reach.SUBJECT) or (slug and reach > Reach.NAMESPACE) or (subject and not slug):
        raise InvalidDetail("/object", f"{asked.action} is about more than that; {FORM}")
    namespace = find_namespace(scope, slug).ref if slug else None
    return _Target(asked.action, namespace, split_subject(subject) if subject else None)


def _explain(scope: Scope, key: str, rows: QuerySet[RoleBinding], target: _Target) -> Decision:
    for row in rows:
        if _opens(scope, row, target):
            return _allowed(key, row)
    roles = ", ".join(roles_with(target.right))
    return Decision(key, is_allowed=False, reason=f"no role there has {target.right}; these have: {roles}")


def _explain_token(scope: Scope, key_id: str, target: _Target) -> Decision:
    token, key = get_token(scope, key_id), f"{TOKEN}{key_id}"
    if token.state != "active":
        return Decision(key, is_allowed=False, reason=f"the token is {token.state}")
    grant = next((one for one in token.grants if target.is_open(scope, (one,))), None)
    if grant is None:
        return Decision(key, is_allowed=False, reason=f"no grant of the token opens {target.right} there")
    forbidden = tenant_of(scope).rules.forbidden or frozenset()
    if not target.is_open(scope, effective([grant], [grant], forbidden)):
        return Decision(key, is_allowed=False, reason=f"the tenant lets no token do {target.right}")
    owner = find_principal(scope, token.owner)
    held = _explain(scope, token.owner, _bindings(scope, owner), target)
    if not principal_record(owner).is_active or not held.is_allowed:
        return Decision(key, is_allowed=False, reason=f"its owner {token.owner} may not", grant=grant)
    return replace(held, principal=key, grant=grant)


def _bindings(scope: Scope, row: Member | ServiceAccount) -> QuerySet[RoleBinding]:
    column = "member_id" if isinstance(row, Member) else "service_account_id"
    rows = held_bindings(scope).filter(**{column: row.pk}).order_by("id")
    return rows.annotate(custom=rights_of_custom_roles(scope))


def _opens(scope: Scope, row: RoleBinding, target: _Target) -> bool:
    return target.is_open(scope, grants_of_bindings([binding_of(row)]))


def _allowed(key: str, row: RoleBinding) -> Decision:
    record = binding_record(row)
    where = record.namespace or "the whole tenant"
    subjects = "" if record.subjects == "*" else f", on {record.subjects}"
    return Decision(key, is_allowed=True, reason=f"role {record.role} in {where}{subjects}", binding=record)
