"""What the views of allauth share on pages of ours: our template, our frame, our fields."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.views.generic.edit import FormView

from frontend.account_forms import dressed
from frontend.pages.accounts import Alternative, FormPage
from frontend.pages.shell import Crumb, Frame, Label, render_page
from tenants.sign_in import TOO_MANY

if TYPE_CHECKING:
    from django.forms import BaseForm
    from django.http import HttpResponse

WAYS: dict[str, Label] = {
    "reauthenticate": _("Use your password"),
    "mfa_reauthenticate": _("Use a code"),
    "mfa_reauthenticate:webauthn": _("Use a passkey"),
}
REFUSED = 403
BUSY = 429


def crumbs_below_account(label: Label) -> tuple[Crumb, ...]:
    """Return the way to a page below that of the account."""
    return Crumb(_("Account"), reverse("account")), Crumb(label)


def alternatives_of(context: dict[str, Any]) -> tuple[Alternative, ...]:
    """Return the other ways to confirm who one is."""
    found = context.get("reauthentication_alternatives", ())
    return tuple(Alternative(WAYS[one["id"]], one["url"]) for one in found)


def status_of(form: BaseForm | None, *, refusal: int) -> int:
    """Return what a form is answered with: whether it was refused, and for being too many."""
    if form is None or not form.errors:
        return 200
    codes = {fault.code for faults in form.errors.as_data().values() for fault in faults}
    return BUSY if TOO_MANY in codes else refusal


class AccountFormView(FormView):  # type: ignore[type-arg]  # generic for type checkers alone
    """A form of allauth; name it before the view of allauth."""

    template: ClassVar[str]
    title: ClassVar[Label]
    # What the page is called below the page of the account; without a name it stands before the door.
    crumb: ClassVar[Label] = ""
    # What a form that was refused is answered with.
    refusal: ClassVar[int] = 200

    def get_form(self, form_class: type[BaseForm] | None = None) -> BaseForm:
        """Return the form in our dress."""
        return dressed(super().get_form(form_class))

    def render_to_response(self, context: dict[str, Any], **_options: Any) -> HttpResponse:
        """Show the form."""
        status = status_of(context.get("form"), refusal=self.refusal)
        frame = Frame(self.title, crumbs_below_account(self.crumb) if self.crumb else ())
        return render_page(self.request, self.template, page=self.page(context), frame=frame, status=status)

    def page(self, context: dict[str, Any]) -> object:
        """Say what the template gets."""
        return FormPage(context["form"], context.get("redirect_field_value") or "")
