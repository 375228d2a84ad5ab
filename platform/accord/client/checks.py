"""Checks that a worker of Accord does: followed to their end, or cancelled with whoever waits for them."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, ClassVar, Final

from accord.errors import AccordError, Unavailable, error

if TYPE_CHECKING:
    from collections.abc import Callable
    from uuid import UUID

    from accord.client.answers import Answer
    from accord.client.registry import RegistryClient

PATIENCE_S: Final = 600.0
FIRST_PAUSE_S: Final = 0.2
LONGEST_PAUSE_S: Final = 2.0
CANCELLED: Final = "somebody cancelled it"


class CheckState(StrEnum):
    """Where a check stands."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


@error
class CheckEnded(Unavailable):
    """A worker gave no verdict: it failed, or the check was cancelled."""

    code: ClassVar[str] = "check_ended"
    template: ClassVar[str] = "check {check} of the registry gave no verdict: {details}"
    check: str
    details: str


@error
class CheckUnfinished(Unavailable):
    """A worker takes longer than the caller waits; the check goes on."""

    code: ClassVar[str] = "check_unfinished"
    template: ClassVar[str] = (
        "check {check} of the registry is not done after {seconds:g} seconds; ask again to wait on for it"
    )
    check: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to wait for a check, in seconds, and who is told of how many versions it is through with.

    ``tell`` gets the versions that are done and all of them, after each look.
    """

    seconds: float
    tell: Callable[[int, int], None]


def await_check(client: RegistryClient, check: UUID, patience: Patience) -> Answer:
    """The result of a check, as soon as it is done; it is cancelled if the wait is interrupted (Ctrl-C).

    Raises `CheckEnded`, `CheckUnfinished` and what `accord.client.RegistryClient` raises.
    """
    try:
        return _result(client, check, patience)
    except KeyboardInterrupt:
        # It stays where somebody else asked for it.
        with suppress(AccordError):
            client.ask_accord("DELETE", _path(check))
        raise


def _result(client: RegistryClient, check: UUID, patience: Patience) -> Answer:
    end, pause = time.monotonic() + patience.seconds, FIRST_PAUSE_S
    while True:
        found = client.ask_accord("GET", _path(check))
        state = found.one_of("state", CheckState)
        if state is CheckState.DONE:
            return found.inside("result")
        if state in (CheckState.FAILED, CheckState.CANCELLED):
            raise CheckEnded(check=str(check), details=_reason(found))
        _tell(found.inside("progress"), patience)
        left = end - time.monotonic()
        if left <= 0:
            raise CheckUnfinished(check=str(check), seconds=patience.seconds)
        time.sleep(min(pause, left))
        pause = min(2 * pause, LONGEST_PAUSE_S)


def _tell(progress: Answer, patience: Patience) -> None:
    patience.tell(progress.inside("done").integer(), progress.inside("total").integer())


def _reason(found: Answer) -> str:
    result = found.at("result")
    return CANCELLED if result is None else result.string("message")


def _path(check: UUID) -> str:
    return f"/checks/{check}"
