"""Signing in and out, confirming that it is still oneself, and the way back when a password is forgotten."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from allauth.account import views as allauth_views
from django.contrib.auth import logout
from django.http import HttpResponseRedirect
from django.urls import reverse, reverse_lazy
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accord_server.kit import attempts
from accord_server.kit.configuration import configured
from accord_server.kit.error_tables import HttpError
from accord_server.kit.settings_table import EMAIL_URL, OIDC_PROVIDERS
from frontend.pages.accounts import ConfirmPage, DoorPage, ForgottenPage, FormPage
from frontend.pages.shell import Frame, render_page
from frontend.views.account_page import BUSY, REFUSED, AccountFormView, alternatives_of
from tenants.services import sessions, sign_ins
from tenants.services.passwords import ask_for_new_password

if TYPE_CHECKING:
    from django.forms import BaseForm
    from django.http import HttpRequest, HttpResponse

LONGEST_EMAIL = 254
NEW_PASSWORD = "password"  # noqa: S105  # what is said on the page, not a password


class SignIn(AccountFormView, allauth_views.LoginView):
    """Ask who it is, or let them in."""

    template, title, refusal = "sign_in.html", _("Sign in"), REFUSED

    def page(self, context: dict[str, Any]) -> DoorPage:
        """Say what has just been done, beside the form and the other ways in."""
        goes_to = context.get("redirect_field_value") or ""
        done = self.request.GET.get("done", "")
        return DoorPage(context["form"], goes_to, done, configured(OIDC_PROVIDERS))


class Confirm(AccountFormView, allauth_views.ReauthenticateView):
    """Ask for the password once more, before something is changed that matters."""

    template, title, refusal = "confirm.html", _("Confirm that it is you"), REFUSED

    def page(self, context: dict[str, Any]) -> ConfirmPage:
        """Offer the other ways as well."""
        goes_to = context.get("redirect_field_value") or ""
        return ConfirmPage(context["form"], goes_to, alternatives_of(context))


class NewPassword(AccountFormView, allauth_views.PasswordResetFromKeyView):
    """Let whoever has a link choose a new password; every session of theirs ends."""

    template, title = "new_password.html", _("New password")
    success_url = reverse_lazy("account_login", query={"done": NEW_PASSWORD})

    def page(self, context: dict[str, Any]) -> FormPage | None:
        """Return the form, or nothing where the link is not good."""
        return None if context.get("token_fail") else FormPage(context["form"])

    def form_valid(self, form: BaseForm) -> HttpResponse:
        """Take the password."""
        answer: HttpResponse = super().form_valid(form)
        sessions.end_sessions(self.reset_user)
        sign_ins.note(self.request, self.reset_user, sign_ins.RESET)
        return answer


@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    """End the session."""
    logout(request)
    return HttpResponseRedirect(reverse("account_login"))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def forgotten(request: HttpRequest) -> HttpResponse:
    """Send a link to whoever has an account with the address; nobody learns whether somebody has."""
    can_mail = bool(configured(EMAIL_URL).host)
    if request.method == "POST":
        if not can_mail:
            raise HttpError(404)
        return _send_link(request, request.POST.get("email", "")[:LONGEST_EMAIL])
    return _forgotten(request, ForgottenPage(can_mail))


def _send_link(request: HttpRequest, email: str) -> HttpResponse:
    if not attempts.may_mail(str(request.META.get("REMOTE_ADDR")), email):
        return _forgotten(request, ForgottenPage(can_mail=True, is_busy=True), status=BUSY)
    if not ask_for_new_password(email):
        raise HttpError(503)
    return _forgotten(request, ForgottenPage(can_mail=True, is_sent=True))


def _forgotten(request: HttpRequest, page: ForgottenPage, *, status: int = 200) -> HttpResponse:
    return render_page(request, "forgotten.html", page=page, frame=Frame(_("New password")), status=status)
