"""What is stored of second factors beyond what allauth stores."""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from allauth.core.internal.cryptokit import normalize_user_code
from allauth.mfa.models import Authenticator
from django.db import transaction

from tenants.services.passwords import account_of
from tenants.services.sign_ins import REMOVE_FACTOR, note_by_operator

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.contrib.auth.models import User

# A code is good for less; what was used within this time is remembered.
REMEMBERED_S: Final = 300
USED: Final = "used"
CODES: Final = Authenticator.Type.RECOVERY_CODES


@transaction.atomic
def use_code(factor: Authenticator, code: str) -> bool:
    """Use the code of an app up; False where it was used before, in whatever process and spelling."""
    code = normalize_user_code(code)
    row = Authenticator.objects.select_for_update().get(pk=factor.pk)
    now = int(time.time())
    used = {one: at for one, at in row.data.get(USED, {}).items() if at > now - REMEMBERED_S}
    if code in used:
        return False
    row.data[USED] = {**used, code: now}
    row.save(update_fields=["data"])
    factor.data = row.data
    return True


@contextmanager
def held_codes(user: User) -> Iterator[None]:
    """Let no recovery code of the person be used meanwhile: when shown, allauth stores them whole."""
    with transaction.atomic():
        list(Authenticator.objects.select_for_update().filter(user=user, type=CODES))
        yield


def remove_factors(username: str) -> int:
    """Take every second factor off an account, in an operator's name; return how many there were.

    Raises:
        PrincipalNotFound: There is no such account.
    """
    user = account_of(username)
    deleted, _kinds = Authenticator.objects.filter(user=user).delete()
    note_by_operator(user, REMOVE_FACTOR)
    return int(deleted)
