"""Passkeys: signing in with one, confirming with one, adding and removing them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from allauth.mfa.webauthn import views as webauthn
from allauth.mfa.webauthn.internal import auth
from django.core.serializers.json import DjangoJSONEncoder
from django.http import Http404, HttpResponse, HttpResponseRedirect, JsonResponse
from django.urls import reverse, reverse_lazy
from django.utils.translation import gettext_lazy as _

from frontend.account_forms import dressed
from frontend.pages.accounts import ConfirmPage, PasskeyPage
from frontend.pages.shell import Frame, render_page
from frontend.views.account_page import (
    REFUSED,
    AccountFormView,
    alternatives_of,
    crumbs_below_account,
    status_of,
)
from frontend.views.factors import after_adding, note_added
from frontend.views.page import member_of
from tenants.queries.factors import factors_of
from tenants.services import sign_ins

if TYPE_CHECKING:
    from django.forms import BaseForm
    from django.http import HttpRequest

MOST_PASSKEYS = 20
KIND = "passkey"


class SignIn(webauthn.LoginWebAuthnView):
    """Let in whoever has a passkey, whatever their name."""

    def get(self, request: HttpRequest, *args: Any, **names: Any) -> HttpResponse:  # noqa: ARG002  # the signature is allauth's
        """Return what the browser asks a passkey."""
        return JsonResponse(auth.begin_authentication(user=None))

    def form_invalid(self, form: BaseForm) -> HttpResponse:  # noqa: ARG002  # the signature is Django's
        """Send back to the door, where it says what was wrong."""
        return HttpResponseRedirect(reverse("account_login", query={"done": KIND}))


class Confirm(AccountFormView, webauthn.ReauthenticateWebAuthnView):
    """Ask for a passkey before something is changed that matters."""

    template, title, refusal = "confirm.html", _("Confirm that it is you"), REFUSED

    def page(self, context: dict[str, Any]) -> ConfirmPage:
        """Offer the other ways as well."""
        options = _json(context["js_data"]["request_options"])
        goes_to = context.get("redirect_field_value") or ""
        return ConfirmPage(context["form"], goes_to, alternatives_of(context), options)

    def form_invalid(self, form: BaseForm) -> HttpResponse:
        """Ask once more."""
        return self.render_to_response(self.get_context_data(form=form))

    def get_context_data(self, **names: Any) -> dict[str, Any]:
        """Keep the form that was refused."""
        return {**super().get_context_data(), **names}


class Add(AccountFormView, webauthn.AddWebAuthnView):
    """Add a passkey: one that is found without a name, and asks who holds it."""

    template, title, refusal = "passkey_add.html", _("Add a passkey"), REFUSED
    crumb = _("Passkey")

    def get_context_data(self, **names: Any) -> dict[str, Any]:
        """Ask for a passkey that needs no name and no password."""
        user = member_of(self.request)
        if len(factors_of(user).passkeys) >= MOST_PASSKEYS:
            raise Http404
        return {**super().get_context_data(), **names, "options": auth.begin_registration(user, True)}  # noqa: FBT003  # allauth takes it by place

    def page(self, context: dict[str, Any]) -> PasskeyPage:
        """Say what the browser asks for."""
        return PasskeyPage(context["form"], _json(context["options"]))

    def form_valid(self, form: BaseForm) -> HttpResponse:
        """Add it."""
        answer: HttpResponse = super().form_valid(form)
        note_added(self.request, {"factor": KIND, "name": form.cleaned_data["name"]})
        return answer

    def get_success_url(self) -> str:
        """Show recovery codes, if they are new."""
        return after_adding(is_first=self.did_generate_recovery_codes)


class Rename(webauthn.EditWebAuthnView):
    """Call a passkey otherwise."""

    success_url = reverse_lazy("account", query={"done": "factors"})

    def render_to_response(self, context: dict[str, Any], **_options: Any) -> HttpResponse:
        """Ask what it is to be called."""
        form = dressed(context["form"])
        page = PasskeyPage(form, name=self.object.wrap().name)
        frame = Frame(_("Rename a passkey"), crumbs_below_account(_("Passkey")))
        status = status_of(form, refusal=REFUSED)
        return render_page(self.request, "passkey_rename.html", page=page, frame=frame, status=status)

    def form_valid(self, form: BaseForm) -> HttpResponse:
        """Rename it."""
        before = {"factor": KIND, "name": self.object.wrap().name}
        after = {"factor": KIND, "name": form.cleaned_data["name"]}
        answer: HttpResponse = super().form_valid(form)
        user = member_of(self.request)
        sign_ins.note(self.request, user, sign_ins.RENAME_FACTOR, before=before, after=after)
        return answer


class Remove(webauthn.RemoveWebAuthnView):
    """Take a passkey off."""

    success_url = reverse_lazy("account", query={"done": "factors"})

    def render_to_response(self, context: dict[str, Any], **_options: Any) -> HttpResponse:
        """Ask whether it shall go."""
        page = PasskeyPage(context["form"], name=self.object.wrap().name)
        frame = Frame(_("Remove a passkey"), crumbs_below_account(_("Passkey")))
        return render_page(self.request, "passkey_remove.html", page=page, frame=frame)

    def form_valid(self, form: BaseForm) -> HttpResponse:
        """Remove it."""
        named = {"factor": KIND, "name": self.object.wrap().name}
        answer: HttpResponse = super().form_valid(form)
        sign_ins.note(self.request, member_of(self.request), sign_ins.REMOVE_FACTOR, after=named)
        return answer


def _json(options: object) -> str:
    return json.dumps(options, cls=DjangoJSONEncoder)
