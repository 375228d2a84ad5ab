"""Archives of whole tenants: asked for, waited for and fetched, by whoever runs the installation."""

from __future__ import annotations

import hashlib
import time
from typing import IO, TYPE_CHECKING, ClassVar, Final

from accord.client.control import Change, change, listed, place, read, where
from accord.client.errors import RegistryConflict, RegistryUnreachable
from accord.client.transport import Request
from accord.errors import Unavailable, error

if TYPE_CHECKING:
    from collections.abc import Callable

    from accord.client.namespaces import Document
    from accord.client.registry import RegistryClient

OPEN: Final = frozenset({"queued", "running"})
DONE: Final = "done"
# Goes without a byte before a download is given up.
_PATIENCE: Final = 4
_FIRST_PAUSE_S: Final = 0.25
_LONGEST_PAUSE_S: Final = 5.0
_ARCHIVE: Final = "/exports/{export}/archive"


@error
class NoArchive(Unavailable):
    """An export did not come to its end."""

    code: ClassVar[str] = "no_archive"
    template: ClassVar[str] = "export {export} is {state}: {details}"
    export: str
    state: str
    details: str


@error
class BrokenArchive(Unavailable):
    """What arrived is not what was written."""

    code: ClassVar[str] = "broken_archive"
    template: ClassVar[str] = (
        "the archive arrived broken: {what} is {found} instead of {expected}; fetch it again"
    )
    what: str
    found: str
    expected: str


def asked_for(client: RegistryClient, *, tenant: str | None) -> Document:
    """An export that is asked for now, or the one that is under way already; raises as the client does."""
    try:
        return change(client, Change("POST", "/exports"), tenant=tenant)
    except RegistryConflict:
        under_way = (one for one in listed(client, "/exports", {}, tenant=tenant) if one.get("state") in OPEN)
        found = next(under_way, None)
        if found is None:
            raise
        return found


def awaited(
    client: RegistryClient,
    export: str,
    tell: Callable[[int, int], None],
    *,
    tenant: str | None,
    patience: float,
) -> Document:
    """The export once it is done; ``tell`` hears how many files are, and of how many.

    ``patience`` is in seconds. Raises `NoArchive` where it failed or is not done by then.
    """
    until, pause = time.monotonic() + patience, _FIRST_PAUSE_S
    while True:
        found = read(client, place("/exports/{export}", {"export": export}), {}, tenant=tenant)
        state = str(found.get("state"))
        tell(int(str(found.get("done"))), int(str(found.get("total"))))
        if state == DONE:
            return found
        if state not in OPEN or time.monotonic() > until:
            details = "fetch it later with --export" if state in OPEN else str(found.get("error"))
            raise NoArchive(export=export, state=state, details=details)
        time.sleep(pause)
        pause = min(2 * pause, _LONGEST_PAUSE_S)


def fetch(
    client: RegistryClient,
    export: Document,
    stream: IO[bytes],
    tell: Callable[[int, int], None],
    *,
    tenant: str | None,
) -> str:
    """Write the archive of a finished export and return its SHA-256 in hexadecimal.

    Where the connection breaks it goes on from the byte it had. ``tell`` hears how many bytes are there, and
    of how many. Raises `BrokenArchive` unless size and digest are those that the export tells.
    """
    size, digest, path = (
        int(str(export["size"])),
        hashlib.sha256(),
        place(_ARCHIVE, {"export": str(export["id"])}),
    )
    got, tries = 0, 0
    while got < size:
        before = got
        try:
            for piece in client.stream(_from(path, got, tenant)):
                stream.write(piece)
                digest.update(piece)
                got += len(piece)
                tell(got, size)
        except RegistryUnreachable:
            tries = 1 if got > before else tries + 1
            if tries == _PATIENCE:
                raise
            time.sleep(_FIRST_PAUSE_S)
    _require("its size", str(got), str(size))
    # Archives of older releases do not tell theirs.
    _require("its SHA-256", digest.hexdigest(), str(export.get("sha256") or digest.hexdigest()))
    return digest.hexdigest()


def _from(path: str, start: int, tenant: str | None) -> Request:
    full, query, _, below = where(path, {}, tenant)
    return Request("GET", full, query, below=below, headers={"Range": f"bytes={start}-"} if start else {})


def _require(what: str, found: str, expected: str) -> None:
    if found != expected:
        raise BrokenArchive(what=what, found=found, expected=expected)
