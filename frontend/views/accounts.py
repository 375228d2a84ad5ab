"""The account of the visitor: password and sessions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from allauth.account import views as allauth_views
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponseRedirect
from django.urls import reverse, reverse_lazy
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from accord_server.kit.configuration import configured
from accord_server.kit.settings_table import OIDC_PROVIDERS
from frontend.pages.accounts import AccountPage
from frontend.pages.shell import Crumb, Frame, render_page
from frontend.views.account_page import REFUSED, AccountFormView
from frontend.views.page import member_of, member_page
from tenants.queries import tenants_of
from tenants.queries.factors import factors_of, has_second_factor
from tenants.queries.identities import identities_of
from tenants.queries.sessions import sessions_of
from tenants.services import sessions, sign_ins

if TYPE_CHECKING:
    from django.contrib.auth.models import User
    from django.forms import BaseForm
    from django.http import HttpRequest, HttpResponse
    from django.http.response import HttpResponseBase

OTHERS: Final = "others"
LONGEST_NUMBER: Final = 18


@member_page
def account(request: HttpRequest) -> HttpResponse:
    """Show what belongs to the account."""
    user = member_of(request)
    page = AccountPage(
        user.get_username(),
        user.email,
        user.has_usable_password(),
        factors_of(user),
        identities_of(user),
        configured(OIDC_PROVIDERS),
        sessions_of(user, current=request.session.session_key),
        request.GET.get("done", ""),
        _asking(user, request.GET.get("needed", "")),
    )
    return render_page(request, "account.html", page=page, frame=Frame(_("Account"), (Crumb(_("Account")),)))


def _asking(user: User, slug: str) -> str:
    """Return the tenant of the visitor's that asks for a second factor, if that brought them here."""
    if not slug or has_second_factor(user):
        return ""
    return next((one.slug for one in tenants_of(user) if one.slug == slug), "")


class ChangePassword(AccountFormView, allauth_views.PasswordChangeView):
    """Change the password; every other session ends."""

    template, title, refusal = "change_password.html", _("Change the password"), REFUSED
    crumb = _("Password")
    success_url = reverse_lazy("account", query={"done": "password"})

    def dispatch(self, request: HttpRequest, *args: Any, **names: Any) -> HttpResponseBase:
        """Show nothing to those who sign in without a password."""
        if request.user.is_authenticated and not request.user.has_usable_password():
            raise Http404
        answer: HttpResponseBase = super().dispatch(request, *args, **names)
        return answer

    def form_valid(self, form: BaseForm) -> HttpResponse:
        """Take the password."""
        answer: HttpResponse = super().form_valid(form)
        user = member_of(self.request)
        sessions.end_sessions(user, but=self.request.session.session_key)
        sign_ins.note(self.request, user, sign_ins.CHANGE)
        return answer


@login_required
@require_POST
def end_session(request: HttpRequest) -> HttpResponse:
    """End one session of the visitor, or all others."""
    user, wanted = member_of(request), request.POST.get("session", "")
    if wanted == OTHERS:
        sessions.end_sessions(user, but=request.session.session_key)
    elif not (_is_number(wanted) and sessions.end_session(user, int(wanted))):
        raise Http404
    sign_ins.note(request, user, sign_ins.END_SESSION, after={"sessions": wanted})
    return HttpResponseRedirect(reverse("account", query={"done": "sessions"}))


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= LONGEST_NUMBER
