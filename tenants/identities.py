"""Identities of OpenID Connect: whom they let in, and whose they become.

An identity belongs to an account because its person said so while signed in, or because an invitation went to
the address that the provider has verified. An address alone never joins an identity to an account that is
there: whoever made that account may have given an address that is not theirs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from django.http import HttpResponseRedirect
from django.urls import reverse

from accord_server.kit.request_id import request_id_of
from tenants.errors import InvalidUser, InvitationNotFound, InvitationRefused
from tenants.services import sign_ins
from tenants.services.invitations import Stranger, accept_by_identity

if TYPE_CHECKING:
    from allauth.socialaccount.models import SocialLogin
    from django.http import HttpRequest

CONNECT: Final = "connect"
# What a session keeps while its person is at the provider.
INVITATION: Final = "invitation"


class Identities(DefaultSocialAccountAdapter):
    """Lets in whose identity belongs to an account, and brings the invited in."""

    def is_open_for_signup(self, request: HttpRequest, sociallogin: SocialLogin) -> bool:  # noqa: ARG002  # the signature is allauth's
        """Make no account for whoever comes by: people are invited."""
        return False

    def on_authentication_error(self, *_args: Any, **_options: Any) -> None:
        """Say at the door that it did not work."""
        raise _refused("provider")

    def pre_social_login(self, request: HttpRequest, sociallogin: SocialLogin) -> None:
        """Decide about somebody whom the provider knows."""
        if not _is_allowed(sociallogin):
            raise _refused("identity")
        if sociallogin.state.get("process") == CONNECT:
            if not sociallogin.is_existing and request.user.is_authenticated:
                added = {"provider": sociallogin.account.provider}
                sign_ins.note(request, request.user, sign_ins.ADD_IDENTITY, after=added)
        elif not sociallogin.is_existing:
            _bring_in(request, sociallogin)

    def get_connect_redirect_url(self, request: HttpRequest, socialaccount: Any) -> str:  # noqa: ANN401, ARG002  # the signature is allauth's
        """Go back to the account."""
        return reverse("account", query={"done": "identities"})


def _is_allowed(sociallogin: SocialLogin) -> bool:
    domains = sociallogin.provider.app.settings["domains"]
    return not domains or _verified_address(sociallogin).rpartition("@")[2] in domains


def _verified_address(sociallogin: SocialLogin) -> str:
    """Return the address that the provider has verified; the word "false" is no truth."""
    every = sociallogin.email_addresses
    return next((str(one.email).lower() for one in every if one.verified is True and one.email), "")


def _bring_in(request: HttpRequest, sociallogin: SocialLogin) -> None:
    """Accept the invitation that the person came with."""
    stranger = Stranger(_verified_address(sociallogin), str(sociallogin.user.username or ""))
    where: dict[str, Any] = {
        "request_id": request_id_of(request.META),
        "address": request.META.get("REMOTE_ADDR"),
    }
    try:
        user = accept_by_identity(value=request.session.pop(INVITATION, ""), stranger=stranger, **where)
    except (InvitationNotFound, InvitationRefused, InvalidUser):
        raise _refused("identity") from None
    sociallogin.connect(request, user)


def _refused(why: str) -> ImmediateHttpResponse:
    return ImmediateHttpResponse(HttpResponseRedirect(reverse("account_login", query={"done": why})))
