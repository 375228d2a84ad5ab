"""What the views of allauth share on pages of ours: our template, our frame, our fields."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.generic.edit import FormView

from frontend.account_forms import dressed
from frontend.pages.accounts import FormPage
from frontend.pages.shell import Crumb, Frame, render_page
from tenants.sign_in import TOO_MANY

if TYPE_CHECKING:
    from django.forms import BaseForm
    from django.http import HttpResponse

    from frontend.pages.shell import Label

REFUSED = 403
BUSY = 429


def crumbs_below_account(label: Label) -> tuple[Crumb, ...]:
    """Return the way to a page below that of the account."""
    return Crumb(_("Account"), reverse("account")), Crumb(label)


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
        status = self._status(context.get("form"))
        frame = Frame(self.title, crumbs_below_account(self.crumb) if self.crumb else ())
        return render_page(self.request, self.template, page=self.page(context), frame=frame, status=status)

    def page(self, context: dict[str, Any]) -> FormPage | None:
        """Say what the template gets."""
        return FormPage(context["form"], context.get("redirect_field_value") or "")

    def _status(self, form: BaseForm | None) -> int:
        if form is None or not form.errors:
            return 200
        codes = {fault.code for faults in form.errors.as_data().values() for fault in faults}
        return BUSY if TOO_MANY in codes else self.refusal
