"""The policies of a tenant: the list, one policy, its history, two versions, going back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext as _

from accord.policy.documents.templates import templates
from frontend.pages.comparison import read_comparison, read_number
from frontend.pages.origins import policy_url
from frontend.pages.policies import PAGE_SIZE, policies_page
from frontend.pages.policy import (
    policy_diff_page,
    policy_frame,
    policy_head,
    policy_history_page,
    policy_page,
)
from frontend.pages.reverting import read_revert, revert_page
from frontend.pages.shell import Crumb, Frame, crumbs_to, render_page
from frontend.views import places
from frontend.views.page import tenant_form, tenant_page
from registry.policy_errors import PolicyChanged, PolicyFlawed, PolicyLimitReached, PolicyVersionNotFound
from registry.queries.policies import get_policy, list_bindings, list_policies, may_change, policy_versions
from registry.services.advising import advice_on_stored
from registry.services.bindings import MOST_BINDINGS
from registry.services.policies import revert_policy
from tenants.errors import RightMissing
from tenants.queries import namespaces_of

if TYPE_CHECKING:
    from django.http import HttpRequest

    from accord_server.kit.scope import Scope
    from frontend.pages.policy import PolicyHead
    from frontend.pages.reverting import RevertForm
    from registry.policy_records import PolicyVersionRecord


@tenant_page
def policies(request: HttpRequest, scope: Scope) -> HttpResponse:
    """List the policies by name, with where they are bound."""
    after = places.read_place(request)
    found = places.sealed(request, list_policies(scope, after=after, limit=PAGE_SIZE))
    bound = list_bindings(scope, limit=MOST_BINDINGS).rows if found.rows else ()
    page = policies_page(scope, found, bound, after=after, templates=templates())
    frame = Frame(_("Policies"), crumbs_to(scope.tenant.slug, "", Crumb(_("Policies"))))
    return render_page(request, "policies.html", page=page, frame=frame)


@tenant_page
def policy(request: HttpRequest, scope: Scope, policy: str) -> HttpResponse:
    """Show one policy: its newest version, unless the address says another."""
    newest = get_policy(scope, policy)
    asked = request.GET.get("v", "")
    record = get_policy(scope, policy, read_number(asked)) if asked else newest
    page = policy_page(
        scope,
        _head(scope, newest, tab="policy"),
        record,
        advice=advice_on_stored(record),
        bound=list_bindings(scope, policy=policy, limit=MOST_BINDINGS).rows,
        namespaces=namespaces_of(scope),
    )
    return render_page(request, "policy.html", page=page, frame=policy_frame(scope, policy, policy))


@tenant_page
def history(request: HttpRequest, scope: Scope, policy: str) -> HttpResponse:
    """List the versions of a policy, newest first: who, when, why."""
    after = places.read_number(request) or None
    head = _head(scope, get_policy(scope, policy), tab="policy-history")
    found = places.sealed(request, policy_versions(scope, policy, after=after, limit=PAGE_SIZE))
    page = policy_history_page(scope, head, found, after=after)
    frame = policy_frame(scope, policy, _("History of %(policy)s") % {"policy": policy})
    return render_page(request, "policy_history.html", page=page, frame=frame)


@tenant_page
def diff(request: HttpRequest, scope: Scope, policy: str) -> HttpResponse:
    """Show two versions of a policy side by side."""
    newest = get_policy(scope, policy)
    query = read_comparison(request.GET, range(1, newest.number + 1))
    if query is None:
        raise PolicyVersionNotFound(0)
    sides = get_policy(scope, policy, query.old), get_policy(scope, policy, query.new)
    page = policy_diff_page(scope, _head(scope, newest, tab="policy-diff"), sides, query)
    title = _("Versions %(old)s and %(new)s of %(policy)s")
    values = {"old": query.old, "new": query.new, "policy": policy}
    frame = policy_frame(scope, policy, title % values, width="wide")
    return render_page(request, "policy_diff.html", page=page, frame=frame)


@tenant_form
def revert(request: HttpRequest, scope: Scope, policy: str) -> HttpResponse:
    """Ask whether, and why, an older version is to count again; then store its content as the next one."""
    newest = get_policy(scope, policy)
    if not may_change(scope, policy):
        raise RightMissing("policy.write")
    if request.method != "POST":
        return _revert(request, scope, newest, read_revert(request.GET, newest.number))
    form = read_revert(request.POST, newest.number)
    try:
        revert_policy(scope, policy, to=form.to, expected=form.expected, reason=form.reason)
    except (PolicyChanged, PolicyFlawed, PolicyLimitReached) as error:
        return _revert(request, scope, newest, form, error=error.message)
    return HttpResponseRedirect(policy_url(scope, policy))


def _revert(
    request: HttpRequest, scope: Scope, newest: PolicyVersionRecord, form: RevertForm, *, error: str = ""
) -> HttpResponse:
    head = _head(scope, newest, tab="")
    record = get_policy(scope, newest.policy, form.to)
    page = revert_page(head, newest, record, reason=form.reason, error=error)
    title = _("Bring back version %(number)s of %(policy)s")
    frame = policy_frame(scope, newest.policy, title % {"number": form.to, "policy": newest.policy})
    return render_page(request, "policy_revert.html", page=page, frame=frame, status=409 if error else 200)


def _head(scope: Scope, newest: PolicyVersionRecord, *, tab: str) -> PolicyHead:
    return policy_head(scope, newest, tab=tab, may_change=may_change(scope, newest.policy))
