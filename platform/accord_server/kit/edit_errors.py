"""Refusals of changes that every thing which can be changed shares."""

from __future__ import annotations

from typing import ClassVar

from accord.errors import Conflict, Invalid, error


@error
class VersionNotNamed(Invalid):
    """A change that does not say which version it was made for."""

    code = "version_not_named"
    template = "Name the version that you change in the header If-Match, as its ETag shows it."


@error
class Changed(Conflict):
    """Somebody changed the thing meanwhile; ``version`` is the one that is there now."""

    code = "changed_meanwhile"
    template = "{thing} was changed meanwhile: it is at version {version} now. Read it again, then change it."
    thing: str
    version: int


@error
class KeyInUse(Conflict):
    """The same call is being answered just now."""

    code = "idempotency_key_in_use"
    template = "A call with the Idempotency-Key '{key}' is being answered; send it again in a moment."
    key: str
    retry_after: ClassVar[int] = 1


@error
class KeyReused(Invalid):
    """A key that was sent along with another call."""

    code = "idempotency_key_reused"
    template = "The Idempotency-Key '{key}' came with another call before; take a new one for this call."
    key: str
