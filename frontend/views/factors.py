"""Second factors: apps that show codes, recovery codes, and being asked for one of them."""

from __future__ import annotations

import json
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from allauth.mfa.base import views as base
from allauth.mfa.recovery_codes import views as codes
from allauth.mfa.totp import views as totp
from django.core.serializers.json import DjangoJSONEncoder
from django.urls import reverse, reverse_lazy
from django.utils.translation import gettext_lazy as _

from frontend.account_forms import dressed
from frontend.pages.accounts import AppPage, CodesPage, ConfirmPage, FormPage, SecondFactorPage
from frontend.pages.shell import Frame, render_page
from frontend.views.account_page import (
    REFUSED,
    AccountFormView,
    alternatives_of,
    crumbs_below_account,
    status_of,
)
from frontend.views.page import member_of
from tenants.queries.factors import factors_of
from tenants.services import sessions, sign_ins
from tenants.services.factors import held_codes

if TYPE_CHECKING:
    from django.forms import BaseForm
    from django.http import HttpRequest, HttpResponse
    from django.http.response import HttpResponseBase

APP = {"factor": "totp"}


class SecondFactor(base.AuthenticateView):
    """Ask for a code or a passkey after the password."""

    def render_to_response(self, context: dict[str, Any], **_options: Any) -> HttpResponse:
        """Show what the person has."""
        has_passkey = bool(factors_of(self.stage.login.user).passkeys)
        asked = context["js_data"]["request_options"]
        options = json.dumps(asked, cls=DjangoJSONEncoder) if has_passkey else ""
        refused = bool(context["webauthn_form"].errors)
        page = SecondFactorPage(dressed(context["form"]), options, refused)
        frame = Frame(_("Second factor"))
        status = REFUSED if refused else status_of(context["form"], refusal=REFUSED)
        return render_page(self.request, "second_factor.html", page=page, frame=frame, status=status)


class ConfirmByCode(AccountFormView, base.ReauthenticateView):
    """Ask for a code before something is changed that matters."""

    template, title, refusal = "confirm.html", _("Confirm that it is you"), REFUSED

    def page(self, context: dict[str, Any]) -> ConfirmPage:
        """Offer the other ways as well."""
        goes_to = context.get("redirect_field_value") or ""
        return ConfirmPage(context["form"], goes_to, alternatives_of(context))


class AddApp(AccountFormView, totp.ActivateTOTPView):
    """Add an app: its first code proves that it has the secret."""

    template, title, refusal = "app.html", _("Authenticator app"), REFUSED
    crumb = _("Authenticator app")

    def page(self, context: dict[str, Any]) -> AppPage:
        """Show the secret, as a picture and to be typed."""
        secret = str(context["form"].secret)
        spelled = " ".join(secret[at : at + 4] for at in range(0, len(secret), 4))
        return AppPage(context["form"], context["totp_svg_data_uri"], spelled)

    def form_valid(self, form: BaseForm) -> HttpResponse:
        """Add it."""
        answer: HttpResponse = super().form_valid(form)
        note_added(self.request, APP)
        return answer

    def get_success_url(self) -> str:
        """Show recovery codes, if they are new."""
        return after_adding(is_first=self.did_generate_recovery_codes)


class RemoveApp(AccountFormView, totp.DeactivateTOTPView):
    """Take the app off."""

    template, title = "app_remove.html", _("Remove the app")
    crumb = _("Authenticator app")
    success_url = reverse_lazy("account", query={"done": "factors"})

    def form_valid(self, form: BaseForm) -> HttpResponse:
        """Remove it."""
        answer: HttpResponse = super().form_valid(form)
        sign_ins.note(self.request, member_of(self.request), sign_ins.REMOVE_FACTOR, after=APP)
        return answer


class Codes(codes.ViewRecoveryCodesView):
    """Show recovery codes once."""

    def dispatch(self, request: HttpRequest, *args: Any, **names: Any) -> HttpResponseBase:
        """Let two who look at once see them once, and none who looks bring a used one back."""
        with held_codes(member_of(request)) if request.user.is_authenticated else nullcontext():
            answer: HttpResponseBase = super().dispatch(request, *args, **names)
            return answer

    def render_to_response(self, context: dict[str, Any], **_options: Any) -> HttpResponse:
        """Show them, or how many are left."""
        unused = context["unused_codes"]
        page = CodesPage(tuple(unused) if context["can_view_codes"] else None, len(unused))
        return _codes(self.request, page)


class NewCodes(AccountFormView, codes.GenerateRecoveryCodesView):
    """Replace recovery codes by others."""

    template, title = "codes_new.html", _("New recovery codes")
    crumb = _("Recovery codes")

    def page(self, context: dict[str, Any]) -> FormPage:
        """Ask whether the old ones shall end."""
        return FormPage(context["form"])

    def form_valid(self, form: BaseForm) -> HttpResponse:
        """Replace them."""
        answer: HttpResponse = super().form_valid(form)
        sign_ins.note(self.request, member_of(self.request), sign_ins.RENEW_CODES)
        return answer


def note_added(request: HttpRequest, factor: dict[str, str]) -> None:
    """End what was begun without the new factor, perhaps by somebody else, and note that there is one."""
    user = member_of(request)
    sessions.end_sessions(user, but=request.session.session_key)
    sign_ins.note(request, user, sign_ins.ADD_FACTOR, after=factor)


def after_adding(*, is_first: bool) -> str:
    """Return where to go after a factor was added: who has just got recovery codes must see them."""
    if is_first:
        return reverse("mfa_view_recovery_codes")
    return reverse("account", query={"done": "factors"})


def _codes(request: HttpRequest, page: CodesPage) -> HttpResponse:
    frame = Frame(_("Recovery codes"), crumbs_below_account(_("Recovery codes")))
    answer = render_page(request, "codes.html", page=page, frame=frame)
    answer.headers["Cache-Control"] = "no-store"
    return answer
