"""People and service accounts: the lists with their forms, and one of them with its roles."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final
from uuid import UUID

from django.http import HttpResponseRedirect
from django.utils.translation import gettext as _

from accord_server.kit.paging import LARGEST_BATCH, Batch
from frontend.pages.comparison import read_number
from frontend.pages.members import (
    PAGE_SIZE,
    Found,
    member_page,
    member_url,
    members_page,
    members_url,
)
from frontend.pages.shell import Crumb, Frame, crumbs_to, render_page
from frontend.views.page import tenant_form
from frontend.views.places import read_place, sealed
from frontend.views.refusals import REFUSALS, status_of
from tenants import services
from tenants.errors import BindingNotFound, InvalidDetail, InvitationNotFound
from tenants.queries import namespaces_of
from tenants.queries.invitations import list_invitations
from tenants.queries.people import get_principal, list_accounts, list_members
from tenants.queries.roles import RIGHT as SEE_ROLES
from tenants.queries.roles import WantedBindings, list_bindings, list_roles
from tenants.services.invitations import Invite, WantedBinding, invite, revoke_invitation
from tenants.services.roles import end_binding

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from django.http import HttpRequest, HttpResponse, QueryDict

    from accord_server.kit.scope import Scope
    from frontend.pages.members import MembersPage
    from tenants.records import Invited, PrincipalRecord

LONGEST: Final = 1024
EVERY_SUBJECT: Final = "*"


@tenant_form
def members(request: HttpRequest, scope: Scope) -> HttpResponse:
    """List people, invitations and service accounts; invite, and add an account."""
    step = request.POST.get("do", "")
    if request.method != "POST":
        return _lists(request, scope, _page(request, scope))
    if step not in STEPS:
        return _lists(request, scope, _page(request, scope), status=400)
    try:
        invited = STEPS[step](scope, request.POST)
    except REFUSALS as error:
        page = replace(_page(request, scope), error=error.message, at=step)
        return _lists(request, scope, page, status=status_of(error))
    if invited is None:
        return HttpResponseRedirect(members_url(scope))
    return _lists(request, scope, replace(_page(request, scope), invited=invited))


@tenant_form
def member(request: HttpRequest, scope: Scope, principal: str) -> HttpResponse:
    """Show one with its roles; do what a form asks for, and show what came of it."""
    record = get_principal(scope, principal)
    if request.method != "POST":
        return _one(request, scope, principal)
    expected, step = read_number(request.POST.get("seen", "")), request.POST.get("do", "")
    try:
        match step:
            case "bind":
                binding = _binding(request.POST)
                services.bind_role(
                    scope, principal=record.key, role=binding.role, namespace_slug=binding.namespace,
                    subjects=binding.subjects,
                )  # fmt: skip
            case "unbind":
                end_binding(scope, binding=_id(request.POST, BindingNotFound("?")))
            case "suspend":
                services.suspend_principal(scope, principal=record.key, expected=expected)
            case "resume":
                services.resume_principal(scope, principal=record.key, expected=expected)
            case "remove":
                services.remove_principal(scope, principal=record.key, expected=expected)
                return HttpResponseRedirect(members_url(scope))
            case _:
                return _one(request, scope, principal, status=400)
    except REFUSALS as error:
        return _one(request, scope, principal, error=error.message, status=status_of(error))
    return HttpResponseRedirect(member_url(scope, record.key))


def _invite(scope: Scope, given: QueryDict) -> Invited:
    who, binding = _text(given, "who"), _binding(given)
    email, username = (who, "") if "@" in who else ("", who)
    return invite(scope, command=Invite(email, username, (binding,) if binding.role else ()))


def _add_account(scope: Scope, given: QueryDict) -> None:
    services.create_service_account(scope, slug=_text(given, "slug"), description=_text(given, "description"))


def _revoke(scope: Scope, given: QueryDict) -> None:
    revoke_invitation(scope, invitation=_id(given, InvitationNotFound()))


STEPS: Final[Mapping[str, Callable[[Scope, QueryDict], Invited | None]]] = {
    "invite": _invite,
    "account": _add_account,
    "revoke": _revoke,
}


def _binding(given: QueryDict) -> WantedBinding:
    """Read a role and where it is to be held."""
    subjects = _text(given, "subjects") or EVERY_SUBJECT
    return WantedBinding(_text(given, "role"), _text(given, "namespace") or None, subjects)


def _id(given: QueryDict, unknown: Exception) -> UUID:
    try:
        return UUID(given.get("id", ""))
    except ValueError:
        raise unknown from None


def _text(given: QueryDict, name: str) -> str:
    text = given.get(name, "").strip()
    if len(text) > LONGEST or "\0" in text:
        raise InvalidDetail(f"/{name}", f"it has at most {LONGEST} characters, none of them NUL")
    return text


def _page(request: HttpRequest, scope: Scope) -> MembersPage:
    after, accounts_after = read_place(request), read_place(request, "accounts")
    none: Batch[PrincipalRecord] = Batch((), None)
    found = Found(
        members=none
        if accounts_after
        else sealed(request, list_members(scope, after=after, limit=PAGE_SIZE)),
        accounts=none
        if after
        else sealed(request, list_accounts(scope, after=accounts_after, limit=PAGE_SIZE)),
        invitations=list_invitations(scope, is_open=True, limit=LARGEST_BATCH),
        roles=list_roles(scope) if scope.may(SEE_ROLES) else (),
        namespaces=namespaces_of(scope),
    )
    return members_page(scope, found, after=after, accounts_after=accounts_after)


def _lists(request: HttpRequest, scope: Scope, page: MembersPage, *, status: int = 200) -> HttpResponse:
    frame = Frame(_("Members"), crumbs_to(scope.tenant.slug, "", Crumb(_("Members"))))
    answer = render_page(request, "members.html", page=page, frame=frame, status=status)
    if page.invited:
        answer.headers["Cache-Control"] = "no-store"
    return answer


def _one(
    request: HttpRequest, scope: Scope, principal: str, *, error: str = "", status: int = 200
) -> HttpResponse:
    record, sees_roles = get_principal(scope, principal), scope.may(SEE_ROLES)
    wanted = WantedBindings(principal=record.key)
    held = list_bindings(scope, wanted=wanted, limit=LARGEST_BATCH) if sees_roles else None
    choices = (list_roles(scope) if sees_roles else ()), namespaces_of(scope)
    page = member_page(scope, record, held, choices, error=error)
    way = Crumb(_("Members"), members_url(scope))
    frame = Frame(record.name, crumbs_to(scope.tenant.slug, "", way, Crumb(record.name)))
    return render_page(request, "member.html", page=page, frame=frame, status=status)
