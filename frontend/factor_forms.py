"""Forms about second factors: allauth's, with attempts counted and codes used up."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from allauth.account.adapter import get_adapter
from allauth.core import context
from allauth.mfa.adapter import get_adapter as factors
from allauth.mfa.base.forms import AuthenticateForm, ReauthenticateForm
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.forms import ActivateTOTPForm
from allauth.mfa.webauthn.forms import (
    AddWebAuthnForm,
    AuthenticateWebAuthnForm,
    EditWebAuthnForm,
    LoginWebAuthnForm,
    ReauthenticateWebAuthnForm,
)
from django.core.exceptions import ValidationError
from django.forms import CharField
from django.utils.translation import gettext_lazy as _

from accord_server.kit import attempts
from tenants.records import Outcome
from tenants.services import sign_ins
from tenants.services.factors import use_code
from tenants.sign_in import TOO_MANY

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.contrib.auth.models import User

LONGEST_NAME = 100


class Counted:
    """A code that is tried at the pace of passwords, by whoever has passed that door."""

    user: User

    def clean_code(self) -> str:
        """Try the code."""
        adapter, request, name = get_adapter(), context.request, self.user.get_username()
        if not adapter.may_try(request, name):
            raise adapter.validation_error(TOO_MANY)
        try:
            code = self._tried()
        except ValidationError:
            tried = {"methods": ["code"]}
            sign_ins.note(request, self.user, sign_ins.SIGN_IN, outcome=Outcome.DENIED, after=tried)
            raise
        attempts.succeeded(adapter.get_client_ip(request), name)
        return code

    def _tried(self) -> str:
        code = str(super().clean_code())  # type: ignore[misc]  # of the form beside this one
        factor = getattr(self, "authenticator", None)
        if factor is None or factor.type != Authenticator.Type.TOTP or use_code(factor, code):
            return code
        raise factors().validation_error("incorrect_code")


class SecondFactor(Counted, AuthenticateForm):
    """The code that is asked for after the password."""


class ConfirmByCode(Counted, ReauthenticateForm):
    """The code that is asked for before something is changed that matters."""


class ActivateApp(Counted, ActivateTOTPForm):
    """The first code of an app."""


@contextmanager
def hostile_input() -> Iterator[None]:
    """Refuse what is no answer of a passkey; the library reads it member by member and expects them all."""
    try:
        yield
    except (AttributeError, LookupError, TypeError, ValueError):
        raise factors().validation_error("incorrect_code") from None


class SignInByPasskey(LoginWebAuthnForm):
    """A passkey in place of name and password."""

    def clean_credential(self) -> Authenticator:
        """Find whose it is."""
        with hostile_input():
            return super().clean_credential()


class SecondPasskey(AuthenticateWebAuthnForm):
    """A passkey after the password."""

    def clean_credential(self) -> Authenticator:
        """Try it."""
        with hostile_input():
            return super().clean_credential()


class ConfirmByPasskey(ReauthenticateWebAuthnForm):
    """A passkey before something is changed that matters."""

    def clean_credential(self) -> Authenticator:
        """Try it."""
        with hostile_input():
            return super().clean_credential()


class RenamePasskey(EditWebAuthnForm):
    """What the owner of a passkey calls it from now on."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["name"] = CharField(label=_("Name"), max_length=LONGEST_NAME)


class AddPasskey(AddWebAuthnForm):
    """A passkey and what its owner calls it."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["name"].label = _("Name")
        self.fields["name"].max_length = LONGEST_NAME
        self.fields["name"].initial = ""
        self.fields.pop("passwordless", None)

    def clean(self) -> dict[str, Any]:
        """Take passkeys alone that ask who holds them: each is good without a password."""
        self.cleaned_data["passwordless"] = True
        with hostile_input():
            cleaned: dict[str, Any] = super().clean()
        return cleaned

    def clean_name(self) -> str:
        """Name it somehow."""
        return str(self.cleaned_data["name"])[:LONGEST_NAME] or str(_("Passkey"))
