"""Writing policies: checked while one types, stored if nobody was faster."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from django.http import HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from frontend.pages.origins import policy_url
from frontend.pages.policy import policy_frame
from frontend.pages.policy_editor import (
    clashing,
    editor_page,
    form_of,
    fresh_form,
    may_try,
    read_form,
    review_of,
)
from frontend.pages.shell import Crumb, Frame, crumbs_to, render_page
from frontend.views.page import is_fragment, tenant_form
from registry.dry_run_records import StartDryRun
from registry.policy_errors import (
    PolicyChanged,
    PolicyExists,
    PolicyFlawed,
    PolicyLimitReached,
    PolicyVersionNotFound,
    TooManyDryRuns,
)
from registry.policy_records import PolicyText
from registry.queries.policies import WRITE, get_policy, list_bindings, may_change
from registry.services.advising import advice_on_stored
from registry.services.bindings import MOST_BINDINGS
from registry.services.dry_runs import start_dry_run
from registry.services.policies import create_policy, read_policy, replace_policy
from tenants.access import require_in_tenant
from tenants.errors import RightMissing
from tenants.queries import namespaces_of

if TYPE_CHECKING:
    from django.http import HttpRequest

    from accord_server.kit.scope import Scope
    from frontend.pages.policy_editor import EditorForm, EditorPage
    from registry.policy_records import PolicyVersionRecord

NOT_SAVED: Final = gettext_noop("Nothing was saved: mend the problems that are named beside the text.")

NOT_TRIED: Final = gettext_noop("Nothing was tried: mend the problems that are named beside the text.")
NO_NAMESPACE: Final = gettext_noop("Choose a namespace whose history the policy is tried on.")


@tenant_form
def new(request: HttpRequest, scope: Scope) -> HttpResponse:
    """Write a new policy, from a template if one likes."""
    require_in_tenant(scope, WRITE)
    if request.method != "POST":
        return _shown(request, scope, _new_page(scope, fresh_form(request.GET.get("template", ""))))
    form = read_form(request.POST)
    page = _new_page(scope, form, is_part=is_fragment(request))
    if request.POST.get("do") == "try":
        return _tried(request, scope, page)
    if request.POST.get("do") != "save":
        return _shown(request, scope, page)
    try:
        record = create_policy(scope, PolicyText(form.text, form.is_json, form.reason))
    except PolicyFlawed:
        return _shown(request, scope, replace(page, error=_(NOT_SAVED)), status=422)
    except (PolicyExists, PolicyLimitReached) as error:
        return _shown(request, scope, replace(page, error=error.message), status=409)
    return HttpResponseRedirect(policy_url(scope, record.policy))


@tenant_form
def edit(request: HttpRequest, scope: Scope, policy: str) -> HttpResponse:
    """Write the next version of a policy."""
    newest = get_policy(scope, policy)
    if not may_change(scope, policy):
        raise RightMissing(WRITE)
    if request.method != "POST":
        return _shown(request, scope, _page(scope, form_of(newest), newest))
    form = read_form(request.POST)
    page = _page(scope, form, _base(scope, newest, form.expected), is_part=is_fragment(request))
    if request.POST.get("do") == "try":
        return _tried(request, scope, page)
    if request.POST.get("do") != "save":
        return _shown(request, scope, page)
    try:
        text = PolicyText(form.text, form.is_json, form.reason)
        replace_policy(scope, policy, text, expected=form.expected)
    except PolicyFlawed:
        return _shown(request, scope, replace(page, error=_(NOT_SAVED)), status=422)
    except PolicyLimitReached as error:
        return _shown(request, scope, replace(page, error=error.message), status=409)
    except PolicyChanged:
        theirs = get_policy(scope, policy)
        return _shown(request, scope, clashing(scope, _page(scope, form, theirs), theirs), status=409)
    return HttpResponseRedirect(policy_url(scope, policy))


def _new_page(scope: Scope, form: EditorForm, *, is_part: bool = False) -> EditorPage:
    read = read_policy(scope, PolicyText(form.text, form.is_json))
    review = review_of(read, None, meant={}, bound=())
    return editor_page(scope, form, review, namespaces=namespaces_of(scope), is_fragment=is_part)


def _page(scope: Scope, form: EditorForm, base: PolicyVersionRecord, *, is_part: bool = False) -> EditorPage:
    read = read_policy(scope, PolicyText(form.text, form.is_json), name=base.policy)
    bound = list_bindings(scope, policy=base.policy, limit=MOST_BINDINGS).rows
    review = review_of(read, base, meant=advice_on_stored(base), bound=bound)
    namespaces = namespaces_of(scope)
    return editor_page(scope, form, review, name=base.policy, namespaces=namespaces, is_fragment=is_part)


def _tried(request: HttpRequest, scope: Scope, page: EditorPage) -> HttpResponse:
    """Start a dry run of the text as it stands, over the history of the chosen namespace."""
    if page.review.problems:
        return _shown(request, scope, replace(page, error=_(NOT_TRIED)), status=422)
    slug = request.POST.get("namespace", "")
    chosen = next((one for one in namespaces_of(scope) if one.slug == slug and may_try(scope, one)), None)
    if chosen is None:
        return _shown(request, scope, replace(page, error=_(NO_NAMESPACE)), status=422)
    text = PolicyText(page.form.text, page.form.is_json)
    try:
        run = start_dry_run(replace(scope, namespace=chosen.ref), StartDryRun(text=text))
    except TooManyDryRuns as error:
        return _shown(request, scope, replace(page, error=error.message), status=503)
    return HttpResponseRedirect(reverse("frontend:dry-run", args=[scope.tenant.slug, slug, run.id]))


def _base(scope: Scope, newest: PolicyVersionRecord, expected: int) -> PolicyVersionRecord:
    """Return the version that a change was made for; the newest if there is no such version."""
    try:
        return get_policy(scope, newest.policy, expected)
    except PolicyVersionNotFound:
        return newest


def _shown(request: HttpRequest, scope: Scope, page: EditorPage, *, status: int = 200) -> HttpResponse:
    if page.is_fragment:
        return render_page(request, "_policy_review.html", page=page, frame=Frame(""), status=200)
    if page.name:
        title = _("Change %(policy)s") % {"policy": page.name}
        frame = policy_frame(scope, page.name, title, width="wide")
    else:
        policies = Crumb(_("Policies"), reverse("frontend:policies", args=[scope.tenant.slug]))
        way = crumbs_to(scope.tenant.slug, "", policies, Crumb(_("New policy")))
        frame = Frame(_("New policy"), way, "wide")
    return render_page(request, "policy_editor.html", page=page, frame=frame, status=status)
