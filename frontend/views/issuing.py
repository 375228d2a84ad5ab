"""Issuing a token: what it may do is said while one types, its secret is shown once."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from django.urls import reverse
from django.utils.translation import gettext as _

from accord_server.kit.paging import LARGEST_BATCH
from frontend.pages.comparison import read_number
from frontend.pages.shell import Crumb, Frame, crumbs_to, render_page
from frontend.pages.token_form import (
    first_form,
    read_command,
    read_form,
    with_one_more,
    without,
)
from frontend.pages.token_new import Offer, token_new_page
from frontend.pages.token_words import Bounds, sentence_of
from frontend.pages.tokens import RIGHT
from frontend.views.page import is_fragment, tenant_form
from frontend.views.refusals import REFUSALS
from frontend.views.tokens import held_by, show_token
from tenants import services
from tenants.errors import InvalidDetail, InvalidGrant, InvalidLifetime, PrincipalNotFound
from tenants.queries import database_now, namespaces_of, tenant_of
from tenants.queries.people import RIGHT as PEOPLE
from tenants.queries.people import list_accounts
from tenants.services.tokens import DEFAULT_LIFETIME

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from accord.errors import AccordError
    from accord_server.kit.scope import Scope
    from frontend.pages.token_form import Flaws, TokenForm
    from frontend.pages.token_words import Sentence
    from tenants.records import IssueToken, PrincipalRecord


@tenant_form
def new(request: HttpRequest, scope: Scope) -> HttpResponse:
    """Take what a token is to open, say what it may do, and issue it."""
    offer = Offer(namespaces_of(scope), tenant_of(scope).rules, _owners(request, scope))
    if request.method != "POST":
        return _shown(
            request, scope, first_form(request.GET, _owner(request, scope), offer.ids, offer.days), offer
        )
    form, step = read_form(request.POST), request.POST.get("do", "")
    if step != "issue":
        return _shown(request, scope, _edited(form, step), offer)
    command, flaws = read_command(form, offer.ids, offer.days)
    if flaws:
        return _shown(request, scope, form, offer, flaws)
    try:
        made = services.issue_token(scope, command=command)
    except REFUSALS as error:
        return _shown(request, scope, form, offer, _flaw(error))
    return show_token(request, scope, made.record, secret=made.value)


def _owner(request: HttpRequest, scope: Scope) -> str:
    return request.GET.get("owner", "").replace("\0", "")[:200] or scope.principal.key


def _edited(form: TokenForm, step: str) -> TokenForm:
    """Return the form with a grant more or less."""
    if step == "add":
        return with_one_more(form)
    if step.startswith("drop-"):
        return without(form, read_number(step.removeprefix("drop-")))
    return form


def _flaw(error: AccordError) -> Flaws:
    """Return what a service refuses, beside the field that it is about."""
    match error:
        case PrincipalNotFound():
            return {"owner": error.message}
        case InvalidLifetime():
            return {"lifetime": error.message}
        case InvalidGrant(place="/kind"):
            return {"owner": error.message}
        case InvalidDetail():
            return {"within": error.message}
        case _:
            return {"": error.message}


def _shown(
    request: HttpRequest, scope: Scope, form: TokenForm, offer: Offer, flaws: Flaws | None = None
) -> HttpResponse:
    command, _unfinished = read_command(form, offer.ids, offer.days)
    page = token_new_page(scope, form, _sentence(scope, command, offer), offer, flaws=flaws or {})
    if is_fragment(request):
        return render_page(
            request, "_token_sentence.html", page=replace(page, is_fragment=True), frame=Frame("")
        )
    way = Crumb(_("Tokens"), reverse("frontend:tokens", args=[scope.tenant.slug]))
    frame = Frame(_("New token"), crumbs_to(scope.tenant.slug, "", way, Crumb(_("New token"))), "wide")
    return render_page(request, "token_new.html", page=page, frame=frame, status=422 if flaws else 200)


def _sentence(scope: Scope, command: IssueToken, offer: Offer) -> Sentence:
    is_mine = command.owner == scope.principal.key or not scope.may(RIGHT)
    bounds = Bounds(
        owner=scope.principal.key if is_mine else command.owner,
        held=scope.grants if is_mine else held_by(scope, command.owner),
        forbidden=offer.rules.forbidden or frozenset(),
        until=database_now() + (command.lifetime or DEFAULT_LIFETIME[command.kind]),
        networks=command.networks,
        max_uses=command.max_uses,
    )
    return sentence_of(command.grants, {one.id: one.slug for one in offer.namespaces}, bounds)


def _owners(request: HttpRequest, scope: Scope) -> tuple[PrincipalRecord, ...]:
    """Return the service accounts for which the visitor may issue tokens; a part of the page shows none."""
    if is_fragment(request) or not (scope.may(RIGHT) and scope.may(PEOPLE)):
        return ()
    return list_accounts(scope, limit=LARGEST_BATCH).rows
