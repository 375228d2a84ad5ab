"""Roles: the list, one of them, a new one; and who may do what, with what decides it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import HttpResponseRedirect
from django.utils.translation import gettext as _

from accord_server.kit.paging import Batch
from frontend.pages.comparison import read_number
from frontend.pages.roles import (
    MANAGE,
    PAGE_SIZE,
    AccessForm,
    RoleForm,
    access_page,
    role_page,
    role_url,
    roles_page,
    roles_url,
)
from frontend.pages.shell import Crumb, Frame, crumbs_to, render_page
from frontend.views.page import tenant_form, tenant_page
from frontend.views.places import read_place, sealed
from frontend.views.refusals import REFUSALS, status_of
from tenants.access import require
from tenants.queries.explaining import RIGHT, Asked, explain_access, who_may
from tenants.queries.roles import WantedBindings, get_role, list_bindings, list_roles
from tenants.rights import RIGHTS
from tenants.services.roles import create_role, delete_role, update_role

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from accord_server.kit.scope import Scope
    from tenants.queries.explaining import Decision
    from tenants.records import RoleRecord

LONGEST = 4096


@tenant_page
def roles(request: HttpRequest, scope: Scope) -> HttpResponse:
    """List the roles: ours, then the tenant's own."""
    page = roles_page(scope, list_roles(scope))
    frame = Frame(_("Roles"), crumbs_to(scope.tenant.slug, "", Crumb(_("Roles"))))
    return render_page(request, "roles.html", page=page, frame=frame)


@tenant_form
def new(request: HttpRequest, scope: Scope) -> HttpResponse:
    """Take the name and the rights of a role of the tenant's own, and make it."""
    require(scope, MANAGE)
    if request.method != "POST":
        return _shown(request, scope, None, RoleForm("", "", frozenset()))
    form = _read(request, request.POST.get("name", "").strip())
    try:
        made = create_role(scope, name=form.name, rights=form.rights, summary=form.summary)
    except REFUSALS as error:
        return _shown(request, scope, None, form, error=error.message, status=status_of(error))
    return HttpResponseRedirect(role_url(scope, made.name))


@tenant_form
def role(request: HttpRequest, scope: Scope, role: str) -> HttpResponse:
    """Show a role and who holds it; change or delete one of the tenant's own."""
    record = get_role(scope, role)
    stored = RoleForm(record.name, record.summary, record.rights)
    if request.method != "POST":
        return _shown(request, scope, record, stored)
    form, expected = _read(request, role), read_number(request.POST.get("seen", ""))
    try:
        if request.POST.get("do") == "delete":
            delete_role(scope, name=role, expected=expected)
            return HttpResponseRedirect(roles_url(scope))
        update_role(scope, name=role, rights=form.rights, summary=form.summary, expected=expected)
    except REFUSALS as error:
        return _shown(request, scope, record, form, error=error.message, status=status_of(error))
    return HttpResponseRedirect(role_url(scope, role))


@tenant_page
def access(request: HttpRequest, scope: Scope) -> HttpResponse:
    """Tell whether somebody may do something and by what; without somebody, who may."""
    require(scope, RIGHT)
    given = {name: _text(request.GET.get(name, "")) for name in ("principal", "action", "object")}
    after = read_place(request)
    form, error, status = AccessForm(**given), "", 200
    found: Batch[Decision] = Batch((), None)
    try:
        found = sealed(request, _asked(scope, form, after)) if form.action else found
    except REFUSALS as refusal:
        error, status = refusal.message, status_of(refusal)
    is_asked = bool(form.action) and not error
    page = access_page(scope, form, found, after=after, is_asked=is_asked, error=error)
    way = Crumb(_("Roles"), roles_url(scope))
    frame = Frame(_("Who may"), crumbs_to(scope.tenant.slug, "", way, Crumb(_("Who may"))))
    return render_page(request, "access.html", page=page, frame=frame, status=status)


def _asked(scope: Scope, form: AccessForm, after: str) -> Batch[Decision]:
    asked = Asked(form.action, form.object)
    if form.principal:
        return Batch((explain_access(scope, form.principal, asked),), None)
    return who_may(scope, asked, after=after, limit=PAGE_SIZE)


def _read(request: HttpRequest, name: str) -> RoleForm:
    rights = frozenset(request.POST.getlist("right")) & RIGHTS.keys()
    return RoleForm(_text(name), _text(request.POST.get("summary", "")), rights)


def _text(text: str) -> str:
    return text.replace("\0", "").strip()[:LONGEST]


def _shown(
    request: HttpRequest,
    scope: Scope,
    record: RoleRecord | None,
    form: RoleForm,
    *,
    error: str = "",
    status: int = 200,
) -> HttpResponse:
    held = None
    if record is not None:
        wanted, after = WantedBindings(role=record.name), read_place(request)
        held = sealed(request, list_bindings(scope, wanted=wanted, after=after, limit=PAGE_SIZE))
    page = role_page(scope, record, form, held, error=error)
    title = record.name if record else _("New role")
    frame = Frame(title, crumbs_to(scope.tenant.slug, "", Crumb(_("Roles"), roles_url(scope)), Crumb(title)))
    return render_page(request, "role.html", page=page, frame=frame, status=status)
