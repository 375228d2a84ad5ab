"""Forms about accounts: allauth's, with the names and checks of ours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from allauth.account.adapter import get_adapter
from allauth.account.fields import SetPasswordField
from allauth.account.forms import ChangePasswordForm, LoginForm
from django.contrib.auth.password_validation import password_validators_help_texts
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django.forms import BaseForm


class SignInForm(LoginForm):
    """A user name and a password."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["login"].label = _("User name")
        self.fields["login"].widget.attrs |= {"autocapitalize": "none", "spellcheck": "false"}

    def add_prefix(self, field_name: str) -> str:
        """Call the name what it is: password managers and programs know it so."""
        return "username" if field_name == "login" else field_name


class ChangePassword(ChangePasswordForm):
    """The password as it is and as it shall be."""

    def clean_oldpassword(self) -> str:
        """Try the old password as at sign-in: counted, and told to the audit log."""
        given = str(self.cleaned_data["oldpassword"])
        if not get_adapter().reauthenticate(self.user, given):
            raise get_adapter().validation_error("enter_current_password")
        return given


def dressed(form: BaseForm) -> BaseForm:
    """Give the fields the look of ours."""
    for field in form.fields.values():
        field.widget.attrs["class"] = "input"
        field.widget.attrs.pop("placeholder", None)
        is_new = isinstance(field, SetPasswordField)
        field.help_text = " ".join(password_validators_help_texts()) if is_new else ""
    return form
