"""The accounts of allauth as a Django app, set up for pages alone."""

from __future__ import annotations

from allauth.account import checks as _checks  # noqa: F401  # checks register themselves
from allauth.account.apps import AccountConfig


class AccountsConfig(AccountConfig):
    """Does without the check that allauth's middleware stands around all requests: it stands around pages."""

    default = False

    def ready(self) -> None:
        """Do nothing: the checks are there, and signals are not used."""
