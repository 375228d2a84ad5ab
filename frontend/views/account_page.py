"""What the views of allauth share on pages of ours: our template, our frame, our fields."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

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


class AccountFormView(FormView):  # type: ignore[type-arg]  # generic for type checkers alone
    """A form of allauth; name it before the view of allauth."""

    template: ClassVar[str]
    title: ClassVar[Label]
    crumbs: ClassVar[tuple[Crumb, ...]] = ()
    # What a form that was refused is answered with.
    refusal: ClassVar[int] = 200

    def get_form(self, form_class: type[BaseForm] | None = None) -> BaseForm:
        """Return the form in our dress."""
        return dressed(super().get_form(form_class))

    def render_to_response(self, context: dict[str, Any], **_options: Any) -> HttpResponse:
        """Show the form."""
        frame = Frame(self.title, self.crumbs)
        page = self.page(context)
        return render_page(
            self.request, self.template, page=page, frame=frame, status=self._status(context.get("form"))
        )

    def page(self, context: dict[str, Any]) -> object:
        """Say what the template gets."""
        return FormPage(context["form"], context.get("redirect_field_value") or "")

    def _status(self, form: BaseForm | None) -> int:
        if form is None or not form.errors:
            return 200
        codes = {fault.code for faults in form.errors.as_data().values() for fault in faults}
        return BUSY if TOO_MANY in codes else self.refusal
