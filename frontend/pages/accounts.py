"""What the pages about accounts show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from django.forms import BaseForm

    from tenants.records import SessionRecord


@dataclass(frozen=True, slots=True)
class FormPage:
    """A form as it stands, and where to go afterwards."""

    form: BaseForm
    goes_to: str = ""
    done: str = ""


@dataclass(frozen=True, slots=True)
class ForgottenPage:
    """The way to a new password: by mail where the installation can send some."""

    can_mail: bool
    is_sent: bool = False
    is_busy: bool = False


@dataclass(frozen=True, slots=True)
class AccountPage:
    """All that belongs to the account of the visitor."""

    name: str
    email: str
    has_password: bool
    sessions: tuple[SessionRecord, ...]
    done: str = ""
