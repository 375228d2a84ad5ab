"""How people sign in: what allauth asks of an installation, answered for ours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.authentication import get_authentication_records
from django.contrib.auth import authenticate
from django.http import HttpResponseRedirect
from django.shortcuts import resolve_url
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext_lazy as _

from accord_server.kit import attempts
from tenants import session_life
from tenants.callers import clean_address
from tenants.services import sessions, sign_ins

if TYPE_CHECKING:
    from django.contrib.auth.models import User
    from django.http import HttpRequest, HttpResponse

TOO_MANY: Final = "too_many_login_attempts"
# What is noted of a session without an address of its own: a unix socket has none.
NO_ADDRESS: Final = "::"


class SignIn(DefaultAccountAdapter):
    """Lets in whom we know, at the pace that `kit.attempts` allows, and keeps the audit log."""

    error_messages = DefaultAccountAdapter.error_messages | {
        TOO_MANY: _("Too many attempts. Wait a few minutes and try again."),
        "username_password_mismatch": _("This name and password do not match an account."),
        "incorrect_password": _("This is not your password."),
        "enter_current_password": _("This is not your password."),
        "incorrect_code": _("This code is wrong, or was used before."),
    }

    def is_open_for_signup(self, request: HttpRequest) -> bool:  # noqa: ARG002  # the signature is allauth's
        """Make no account for whoever comes by: people are invited."""
        return False

    def is_ajax(self, request: HttpRequest) -> bool:  # noqa: ARG002  # the signature is allauth's
        """Answer with pages alone."""
        return False

    def add_message(self, *_args: Any, **_options: Any) -> None:
        """Say nothing between pages: each says itself what has happened."""

    def get_client_ip(self, request: HttpRequest) -> str:
        """Return the address as the front door of the server has cleared it."""
        return clean_address(request.META.get("REMOTE_ADDR")) or NO_ADDRESS

    def is_safe_url(self, url: str) -> bool:
        """Send nobody anywhere but to the host where they are."""
        request = self.request
        return url_has_allowed_host_and_scheme(url, {request.get_host()}, require_https=request.is_secure())

    def authenticate(self, request: HttpRequest, **credentials: Any) -> User | None:
        """Try a name and a password, at sign-in and where somebody confirms that it is them."""
        name = str(credentials.get("username", ""))
        if not self.may_try(request, name):
            raise self.validation_error(TOO_MANY)
        user = authenticate(request, username=name, password=credentials.get("password"))
        if user is None:
            sign_ins.note_named(request, name, sign_ins.SIGN_IN)
            return None
        attempts.succeeded(self.get_client_ip(request), name)
        return user

    def may_try(self, request: HttpRequest, name: str) -> bool:
        """Count an attempt for a name; the first that is refused is told to the audit log."""
        address = self.get_client_ip(request)
        if attempts.may_try(address, name):
            return True
        if attempts.is_first(f"locked {address} {name}"):
            sign_ins.note_named(request, name, sign_ins.LOCK_OUT)
        return False

    def login(self, request: HttpRequest, user: User) -> None:
        """Begin a session, under a new key."""
        super().login(request, user)
        session_life.begin(request.session)
        methods = [_method(one) for one in get_authentication_records(request, user)]
        sign_ins.note(request, user, sign_ins.SIGN_IN, after={"methods": methods})
        sessions.end_oldest(user)

    def respond_user_inactive(self, request: HttpRequest, user: User) -> HttpResponse:  # noqa: ARG002  # the signature is allauth's
        """Send back to the start whoever has an account that was closed."""
        return HttpResponseRedirect(resolve_url("account_login"))


def _method(record: dict[str, Any]) -> str:
    """Name one way in which somebody proved who they are."""
    return str(record.get("type") or record.get("provider") or record["method"])
