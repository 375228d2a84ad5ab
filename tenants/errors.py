"""What this room refuses and why; `accord_server.kit.errors` turns it into answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from accord.errors import Conflict, Denied, Invalid, NotFound, Unavailable, error

if TYPE_CHECKING:
    from accord_server.kit.scope import Scope

CHALLENGE: Final = 'Bearer realm="Accord", Basic realm="Accord", charset="UTF-8"'


@error
class Unauthorized(Denied):
    """No token, or one that does not count: the answer never says which (401)."""

    code = "unauthorized"
    template = (
        "No token that counts came with the request: send one as 'Authorization: Bearer TOKEN', and make a"
        " new one if it was revoked or has expired."
    )
    # Who called, where the secret was right and only the token is dead: for the audit, never for the answer.
    caller: Scope | None = None
    headers: ClassVar[dict[str, str]] = {"WWW-Authenticate": CHALLENGE}


@error
class OperatorNeeded(Unauthorized):
    """No token of an operator that counts, where no other will do."""

    template = (
        "No operator's token that counts came with the request: whoever runs the installation makes one with"
        " 'manage.py issue_operator_token NAME'; send it as 'Authorization: Bearer TOKEN'."
    )


@error
class NamespaceNotFound(NotFound):
    """An unknown tenant or namespace, or one the caller has no business in: one answer for all."""

    code = "namespace_not_found"
    template = "Namespace not found."
    caller: Scope | None = None  # as in Unauthorized


@error
class TenantSuspended(Denied):
    """Nobody is let into a suspended tenant; only those are told who would be let in otherwise."""

    code = "tenant_suspended"
    template = (
        "Tenant '{tenant}' is suspended: nothing of it can be read or written until whoever runs this"
        " installation resumes it. Its data are kept."
    )
    tenant: str
    caller: Scope | None = None  # as in Unauthorized


@error
class TenantNotDeleted(NotFound):
    """Nothing to restore: no tenant of that name is deleted, or it is gone for good."""

    code = "tenant_not_deleted"
    template = "There is no deleted tenant '{slug}'."
    slug: str


@error
class TenantGoing(Conflict):
    """A deleted tenant whose time of grace is over."""

    code = "tenant_going"
    template = "Tenant '{slug}' cannot be restored: its time of grace is over and its data are being removed."
    slug: str


@error
class NamespaceGoing(Conflict):
    """A deleted namespace whose time of grace is over, or that was not to be kept."""

    code = "namespace_going"
    template = "Namespace '{slug}' cannot be restored: its data are being removed for good."
    slug: str


@error
class SecondFactorMissing(Denied):
    """The tenant shows its pages only to people who sign in with more than a password."""

    code = "second_factor_missing"
    template = (
        "Tenant '{tenant}' asks its people for a second factor: add an app or a passkey to your account."
    )
    tenant: str


@error
class RightMissing(Denied):
    """The caller may see the thing and lacks the right to do this with it."""

    code = "right_missing"
    template = "This needs the right '{right}'."
    right: str


@error
class UnknownRight(Invalid):
    """A name that is no right."""

    code = "unknown_right"
    template = "There is no right '{name}'."
    name: str


@error
class UnknownRole(Invalid):
    """A name that is no role."""

    code = "unknown_role"
    template = "There is no role '{name}'."
    name: str


@error
class InvalidGrant(Invalid):
    """A grant that cannot be read; ``place`` is a JSON pointer into the list of grants."""

    code = "invalid_grant"
    template = "Invalid grant at {place}: {details}"
    place: str
    details: str


@error
class InvalidDetail(Invalid):
    """A part of a thing that cannot be stored; ``place`` is a JSON pointer into the body."""

    code = "invalid_detail"
    template = "Invalid at {place}: {details}."
    place: str
    details: str


@error
class InvalidSlug(Invalid):
    """A slug of the wrong form, or a reserved one."""

    code = "invalid_slug"
    template = "'{slug}' cannot be a name here: {details}"
    slug: str
    details: str


@error
class SlugTaken(Conflict):
    """The name is in use."""

    code = "slug_taken"
    template = "The name '{slug}' is taken."
    slug: str


@error
class RoleNotFound(NotFound):
    """No role of that name in this tenant, neither ours nor its own."""

    code = "role_not_found"
    template = "Role '{role}' not found."
    role: str


@error
class RoleFixed(Conflict):
    """The roles that every tenant has cannot be changed."""

    code = "role_fixed"
    template = "The role '{role}' is built in; make one of your own instead."
    role: str


@error
class RoleBound(Conflict):
    """A role that somebody holds cannot be deleted."""

    code = "role_bound"
    template = "The role '{role}' is held by {holders}; unbind it first."
    role: str
    holders: int


@error
class BindingNotFound(NotFound):
    """No role binding of that id in this tenant."""

    code = "role_binding_not_found"
    template = "Role binding '{binding}' not found."
    binding: str


@error
class LastAdmin(Conflict):
    """Nobody would be left who can give roles."""

    code = "last_admin"
    template = "'{key}' is the last who can give roles in the whole tenant; give another that right first."
    key: str


@error
class InvitationNotFound(NotFound):
    """No invitation that is open, or none of that id in this tenant: strangers get one answer for all."""

    code = "invitation_not_found"
    template = "Invitation not found. It may have been accepted or revoked, or be over; ask for another."


@error
class InvitationRefused(Denied):
    """The account that wants to accept is not the one that was invited, or its password is wrong."""

    code = "invitation_refused"
    template = "This account cannot accept the invitation: {details}."
    details: str


@error
class NamespaceFixed(Conflict):
    """A namespace that stays whatever is asked."""

    code = "namespace_fixed"
    template = "The namespace '{slug}' is the address of the tenant itself and cannot be deleted."
    slug: str


@error
class NotConfirmed(Invalid):
    """Something that is hard to undo, and was not confirmed by name."""

    code = "not_confirmed"
    template = "Confirm it by name: {parameter}={name}."
    parameter: str
    name: str


@error
class InvalidLifetime(Invalid):
    """A token's times or counts outside the tenant's token rules."""

    code = "invalid_lifetime"
    template = "Invalid lifetime: {details}"
    details: str


@error
class GrantTooWide(Denied):
    """Nobody can hand out, in a token, what they may not do themselves."""

    code = "grant_too_wide"
    template = "The token would open '{right}', which you do not hold there."
    right: str


@error
class InvalidUser(Invalid):
    """A user name or password that cannot be used."""

    code = "invalid_user"
    template = "Invalid user: {details}"
    details: str


@error
class LimitReached(Conflict):
    """There are as many of these as there may be."""

    code = "limit_reached"
    template = "There can be at most {limit} {things}."
    limit: int
    things: str


@error
class PrincipalNotFound(NotFound):
    """No member or service account of that key in this tenant."""

    code = "principal_not_found"
    template = (
        "Principal '{key}' not found; a member is named person:NAME and a service account service:NAME,"
        " and it has to be there first."
    )
    key: str


@error
class TokenNotFound(NotFound):
    """No token of that key id in this tenant."""

    code = "token_not_found"
    template = "Token '{key_id}' not found."
    key_id: str


@error
class TokenPending(Conflict):
    """A token that waits for somebody who approves it."""

    code = "token_pending"
    template = "Token '{key_id}' waits for approval; approve or refuse it first."
    key_id: str


@error
class TokenNotPending(Conflict):
    """Only a token that waits can be approved or refused."""

    code = "token_not_pending"
    template = "Token '{key_id}' does not wait for approval: it is {state}."
    key_id: str
    state: str


@error
class TokenRolling(Conflict):
    """A token has two secrets already; a third would take one away that is still in use."""

    code = "token_rolling"
    template = "Token '{key_id}' has two secrets until {until}; drop the older one first, or wait."
    key_id: str
    until: str


@error
class TokenIsOver(Conflict):
    """A revoked or compromised token never comes back."""

    code = "token_is_over"
    template = "Token '{key_id}' is {state} for good."
    key_id: str
    state: str


@error
class AuditRecordNotFound(NotFound):
    """No such record of the audit log, or one that the caller may not read."""

    code = "audit_record_not_found"
    template = "Audit record '{record}' not found."
    record: int


@error
class QuotaReached(Conflict):
    """The tenant would have more of something than it may; nothing of the change was kept."""

    code = "quota_reached"
    template = (
        "This tenant may have {limit} {things}; it has {usage}, and this would add {needed}."
        " Nothing was stored. {advice}"
    )
    resource: str
    limit: int
    usage: int
    needed: int
    things: str
    advice: str


@error
class SchemaAboveQuota(Invalid):
    """One schema that is longer than those of the tenant may be."""

    code = "schema_above_quota"
    template = (
        "A schema of this tenant may have {limit} bytes; this one has {usage}. Nothing was stored. {advice}"
    )
    resource: str
    limit: int
    usage: int
    advice: str


@error
class TooManyRequests(Unavailable):
    """More requests in a second than may come; ``retry_after`` are the seconds until one may."""

    code = "too_many_requests"
    template = (
        "More than {limit} requests a second came from {whose} to one process of the server."
        " Send it again in {retry_after} s, keep what was read,"
        " or ask whoever runs the installation for more."
    )
    whose: str
    limit: int
    retry_after: int  # type: ignore[misc]  # each refusal has its own
