"""Binding policies to places, and taking them off."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from django.http import HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _

from accord_server.kit.edit_errors import VersionNotNamed
from frontend.pages.binding import bind_page, read_reason, read_seen, unbind_page
from frontend.pages.binding_places import PlaceFlaw, place_of_form, read_form
from frontend.pages.origins import policy_url
from frontend.pages.shell import Crumb, Frame, crumbs_to, render_page
from frontend.views.page import tenant_form
from registry.policy_errors import (
    BindingChanged,
    BindingNotFound,
    PlaceInvalid,
    PolicyLimitReached,
    PolicyNotFound,
)
from registry.policy_records import BindPolicy
from registry.queries.policies import WRITE, binding_at, list_policies, require_at
from registry.services.bindings import bind_policy, unbind_policy
from registry.services.policies import MOST_POLICIES
from tenants.access import require_in_tenant
from tenants.errors import RightMissing
from tenants.queries import namespaces_of

if TYPE_CHECKING:
    from django.http import HttpRequest

    from accord_server.kit.scope import Scope
    from frontend.pages.binding import BindPage
    from frontend.pages.binding_places import PlaceForm
    from registry.policy_records import PolicyPlace
    from tenants.records import NamespaceRecord

LONGEST_POLICY_NAME = 100


@tenant_form
def bind(request: HttpRequest, scope: Scope) -> HttpResponse:
    """Choose a policy and a place, and bind the one to the other."""
    require_in_tenant(scope, WRITE)
    values = request.POST if request.method == "POST" else request.GET
    form, policy = read_form(values), values.get("policy", "").replace("\0", "")[:LONGEST_POLICY_NAME]
    namespaces = namespaces_of(scope)
    if request.method != "POST":
        return _form(request, scope, _page(scope, form, policy, namespaces))
    command = BindPolicy(policy, read_seen(values, form), read_reason(values))
    try:
        bind_policy(scope, place_of_form(form, namespaces), command)
    except (BindingChanged, VersionNotNamed):
        # The page says what is bound there now; whoever sends it again means that.
        page = replace(_page(scope, form, policy, namespaces), reason=command.reason)
        return _form(request, scope, page, status=409)
    except (PlaceFlaw, PlaceInvalid, PolicyNotFound, PolicyLimitReached) as error:
        page = replace(_page(scope, form, policy, namespaces), reason=command.reason, error=str(error))
        return _form(request, scope, page, status=422)
    return HttpResponseRedirect(policy_url(scope, policy) + "#bound")


@tenant_form
def unbind(request: HttpRequest, scope: Scope) -> HttpResponse:
    """Ask whether a policy is to be taken off a place; then do it."""
    values = request.POST if request.method == "POST" else request.GET
    form = read_form(values)
    place = _meant(scope, form)
    require_at(scope, WRITE, place)
    record = binding_at(scope, place)
    is_late = False
    if request.method == "POST":
        try:
            unbind_policy(scope, place, expected=read_seen(values, form), reason=read_reason(values))
        except (BindingChanged, VersionNotNamed):
            is_late = True
        else:
            return HttpResponseRedirect(policy_url(scope, record.policy) + "#bound")
    reason = read_reason(values) if is_late else ""
    page = unbind_page(scope, form, record, is_late=is_late, reason=reason)
    title = _("Take %(policy)s off") % {"policy": record.policy}
    return render_page(
        request, "policy_unbind.html", page=page, frame=_frame(scope, title), status=409 if is_late else 200
    )


def _meant(scope: Scope, form: PlaceForm) -> PolicyPlace:
    try:
        return place_of_form(form, namespaces_of(scope))
    except PlaceFlaw:
        raise BindingNotFound("") from None


def _page(scope: Scope, form: PlaceForm, policy: str, namespaces: tuple[NamespaceRecord, ...]) -> BindPage:
    policies = list_policies(scope, limit=MOST_POLICIES).rows
    now = None
    with suppress(PlaceFlaw, BindingNotFound, RightMissing):
        now = binding_at(scope, place_of_form(form, namespaces))
    return bind_page(scope, form, policy=policy, policies=policies, namespaces=namespaces, now=now)


def _form(request: HttpRequest, scope: Scope, page: BindPage, *, status: int = 200) -> HttpResponse:
    frame = _frame(scope, _("Bind a policy"))
    return render_page(request, "policy_bind.html", page=page, frame=frame, status=status)


def _frame(scope: Scope, title: str) -> Frame:
    policies = Crumb(_("Policies"), reverse("frontend:policies", args=[scope.tenant.slug]))
    return Frame(title, crumbs_to(scope.tenant.slug, "", policies, Crumb(title)))
