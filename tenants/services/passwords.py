"""New passwords for those who forgot theirs: a link that is good once and for a day."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from urllib.parse import urljoin

import celery
from allauth.account.forms import default_token_generator
from allauth.account.utils import user_pk_to_url_str
from django.contrib.auth.models import User
from django.core.mail import send_mail
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _
from kombu.exceptions import OperationalError

from accord_server.kit.configuration import configured
from accord_server.kit.scope import PrincipalKind
from accord_server.kit.settings_table import EMAIL_FROM, PUBLIC_URL
from tenants.errors import PrincipalNotFound
from tenants.principals import principal_of

if TYPE_CHECKING:
    from collections.abc import Iterator

MAIL_LINKS: Final = "tenants.mail_links"
# Whoever asked twice got two mails; whoever waits for longer asks again.
EXPIRES_S: Final = 600


def ask_for_new_password(email: str) -> bool:
    """Have a worker send a link to whoever has an account with this address; False where none can be told.

    Whether somebody has one is looked up by the worker, so that the answer takes as long for one as for none.
    """
    try:
        celery.current_app.send_task(MAIL_LINKS, [email], queue="jobs", retry=False, expires=EXPIRES_S)
    except OperationalError:
        return False
    return True


def mail_links(email: str) -> int:
    """Send a link for each account with this address, and return how many there are."""
    users = list(_users_with(email))
    for user in users:
        text = render_to_string(
            "frontend/mail_new_password.txt", {"name": user.get_username(), "link": _link(user)}
        )
        send_mail(_("A new password for Accord"), text, configured(EMAIL_FROM), [user.email])
    return len(users)


def link_for(username: str) -> str:
    """Return a link by which a person chooses a new password: for the operator to hand on.

    Raises:
        PrincipalNotFound: There is no such account, or it is closed.
    """
    return _link(account_of(username))


def account_of(username: str) -> User:
    """Return an account that is not closed.

    Raises:
        PrincipalNotFound: There is none.
    """
    user: User | None = User.objects.filter(username=username, is_active=True).first()
    if user is None:
        raise PrincipalNotFound(principal_of(PrincipalKind.PERSON, username).key)
    return user


def _users_with(email: str) -> Iterator[User]:
    """Yield those whose address it is, in capitals or not, and who have a password to forget."""
    found = User.objects.filter(email__iexact=email.strip(), is_active=True).exclude(email="")
    return (user for user in found if user.has_usable_password())


def _link(user: User) -> str:
    key = {"uidb36": user_pk_to_url_str(user), "key": default_token_generator.make_token(user)}
    return urljoin(configured(PUBLIC_URL), reverse("account_reset_password_from_key", kwargs=key))
