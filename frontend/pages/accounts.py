"""What the pages about accounts show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from django.forms import BaseForm

    from accord_server.kit.setting_types import OidcProvider
    from frontend.pages.shell import Label
    from tenants.records import FactorsRecord, IdentityRecord, SessionRecord


@dataclass(frozen=True, slots=True)
class FormPage:
    """A form as it stands, and where to go afterwards."""

    form: BaseForm
    goes_to: str = ""
    done: str = ""


@dataclass(frozen=True, slots=True)
class DoorPage(FormPage):
    """The door, and the providers by which one may come in."""

    providers: tuple[OidcProvider, ...] = ()


@dataclass(frozen=True, slots=True)
class OutsidePage:
    """Where the provider is to which somebody goes."""

    url: str


@dataclass(frozen=True, slots=True)
class InvitationPage:
    """An invitation that is being accepted."""

    token: str
    username: str
    error: str
    providers: tuple[OidcProvider, ...]


@dataclass(frozen=True, slots=True)
class ForgottenPage:
    """The way to a new password: by mail where the installation can send some."""

    can_mail: bool
    is_sent: bool = False
    is_busy: bool = False


@dataclass(frozen=True, slots=True)
class Alternative:
    """Another way to confirm who one is."""

    label: Label
    url: str


@dataclass(frozen=True, slots=True)
class ConfirmPage:
    """One way to confirm who one is, and the others; ``options`` are for a passkey."""

    form: BaseForm
    goes_to: str
    alternatives: tuple[Alternative, ...] = ()
    options: str = ""


@dataclass(frozen=True, slots=True)
class SecondFactorPage:
    """What is asked for after the password: a code, a passkey, or either."""

    form: BaseForm
    options: str = ""
    is_refused: bool = False


@dataclass(frozen=True, slots=True)
class AppPage:
    """The secret of an app that shows codes, to be scanned or typed."""

    form: BaseForm
    picture: str
    secret: str


@dataclass(frozen=True, slots=True)
class CodesPage:
    """Recovery codes, shown this once; None where they were shown before."""

    codes: tuple[str, ...] | None
    left: int


@dataclass(frozen=True, slots=True)
class PasskeyPage:
    """A passkey that is being added, or taken off."""

    form: BaseForm
    options: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class AccountPage:
    """All that belongs to the account of the visitor; ``asking`` is a tenant that wants a second factor."""

    name: str
    email: str
    has_password: bool
    factors: FactorsRecord
    identities: tuple[IdentityRecord, ...]
    providers: tuple[OidcProvider, ...]
    sessions: tuple[SessionRecord, ...]
    done: str = ""
    asking: str = ""
