"""The pages of tokens: the list, and one of them with the steps of its life."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.http import HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _

from accord_server.kit.paging import Batch
from frontend.pages.comparison import read_number
from frontend.pages.shell import Crumb, Frame, crumbs_to, render_page
from frontend.pages.token_words import Bounds, sentence_of
from frontend.pages.tokens import PAGE_SIZE, read_filters, token_page, token_url, tokens_page
from frontend.views.page import tenant_form, tenant_page
from frontend.views.places import read_place, sealed
from frontend.views.refusals import REFUSALS, status_of
from tenants import services
from tenants.conditions import parse_conditions
from tenants.errors import PrincipalNotFound
from tenants.lifetimes import read_lifetime
from tenants.queries import find_principal, grants_of_principal, namespaces_of, tenant_of
from tenants.queries.people import RIGHT as PEOPLE
from tenants.queries.roles import RIGHT as SEE_ROLES
from tenants.queries.tokens import RIGHT, WantedTokens, get_token, list_tokens, namespace_slugs
from tenants.services import token_life

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from uuid import UUID

    from django.http import HttpRequest, HttpResponse

    from accord_server.kit.scope import Grant, Scope
    from frontend.pages.token_words import Sentence
    from tenants.records import TokenRecord

STEPS: Final[Mapping[str, Callable[..., TokenRecord]]] = {
    "approve": token_life.approve_token,
    "refuse": token_life.refuse_token,
    "suspend": services.suspend_token,
    "resume": services.resume_token,
    "revoke": services.revoke_token,
    "drop": token_life.drop_old_secret,
}


@tenant_page
def tokens(request: HttpRequest, scope: Scope) -> HttpResponse:
    """List the tokens, newest first; whoever may not read those of others sees their own."""
    filters, after = read_filters(request.GET), read_place(request)
    sees_all = scope.may(RIGHT)
    wanted = WantedTokens(
        filters.get("owner", "") if sees_all else scope.principal.key, filters.get("state", "")
    )
    found: Batch[TokenRecord] = Batch((), None)
    error = ""
    try:
        found = sealed(request, list_tokens(scope, wanted=wanted, after=after, limit=PAGE_SIZE))
    except PrincipalNotFound as flaw:
        error = flaw.message
    page = tokens_page(scope, found, filters=filters, after=after, sees_all=sees_all, error=error)
    frame = Frame(_("Tokens"), crumbs_to(scope.tenant.slug, "", Crumb(_("Tokens"))))
    return render_page(request, "tokens.html", page=page, frame=frame, status=422 if error else 200)


@tenant_form
def token(request: HttpRequest, scope: Scope, key_id: str) -> HttpResponse:
    """Show one token; take the step that a form asks for, and show what came of it."""
    record = get_token(scope, key_id)
    if request.method != "POST":
        return show_token(request, scope, record)
    expected, step = read_number(request.POST.get("seen", "")), request.POST.get("do", "")
    try:
        if step == "roll":
            grace = read_lifetime(request.POST.get("grace", "")) or token_life.GRACE
            made = token_life.roll_token(scope, key_id=key_id, grace=grace, expected=expected)
            return show_token(request, scope, made.record, secret=made.value)
        if step not in STEPS:
            return show_token(request, scope, record, status=400)
        STEPS[step](scope, key_id=key_id, expected=expected)
    except REFUSALS as error:
        record = get_token(scope, key_id)
        return show_token(request, scope, record, error=error.message, status=status_of(error))
    return HttpResponseRedirect(token_url(scope, key_id))


def show_token(
    request: HttpRequest,
    scope: Scope,
    record: TokenRecord,
    *,
    secret: str = "",
    error: str = "",
    status: int = 200,
) -> HttpResponse:
    """Show a token, with its fresh secret if it has one: that is shown this once and kept nowhere."""
    page = token_page(scope, record, _sentence(scope, record), secret=secret, error=error)
    way = Crumb(_("Tokens"), reverse("frontend:tokens", args=[scope.tenant.slug]))
    frame = Frame(record.name, crumbs_to(scope.tenant.slug, "", way, Crumb(record.name)))
    answer = render_page(request, "token.html", page=page, frame=frame, status=status)
    if secret:
        answer.headers["Cache-Control"] = "no-store"
    return answer


def slugs_for(scope: Scope) -> dict[UUID, str]:
    """Return what namespaces are called; of what the visitor may not see, nothing."""
    if scope.may(RIGHT):
        return namespace_slugs(scope)
    return {one.id: one.slug for one in namespaces_of(scope)}


def held_by(scope: Scope, owner: str) -> tuple[Grant, ...] | None:
    """Return what a principal may do; of one who is gone, nothing; None where the visitor may not know."""
    if owner == scope.principal.key:
        return scope.grants
    if not (scope.may(PEOPLE) and scope.may(SEE_ROLES)):
        return None
    try:
        return grants_of_principal(scope, find_principal(scope, owner))
    except PrincipalNotFound:
        return ()


def _sentence(scope: Scope, record: TokenRecord) -> Sentence:
    conditions = parse_conditions(dict(record.conditions))
    bounds = Bounds(
        owner=record.owner,
        held=held_by(scope, record.owner),
        forbidden=tenant_of(scope).rules.forbidden or frozenset(),
        until=record.expires_at,
        networks=conditions.networks,
        max_uses=record.max_uses,
        clients=conditions.clients,
        requests_per_second=conditions.pace.per_second if conditions.pace else None,
    )
    return sentence_of(record.grants, slugs_for(scope), bounds)
