"""Bodies read in bounded time, and farewells to clients whose body does not come.

A server's stream cannot be asked to wait only so long, so a thread of our own reads it while the server's
waits for that one. The server's threads are few and serve everybody: a body that is there at once is read
by any of them, but only `PATIENT` of them wait for slow senders.

A read that was begun goes on until the connection ends. Granian, before it lets go of a request, waits for
that read *and keeps the interpreter's lock*: a thread that returned meanwhile would stop the whole process
until the client hangs up. So under Granian the answer to an unfinished body ends the connection: it announces
one byte more than comes, and a server that owes a byte hangs up. One client at a time that was too slow is
told in full instead, and its thread waits until it leaves.
"""

from __future__ import annotations

import time
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import cache
from threading import BoundedSemaphore
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from accord_server.kit.configuration import configured
from accord_server.kit.error_tables import HttpError
from accord_server.kit.lengths import LENGTH
from accord_server.kit.settings_table import BODY_TIMEOUT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from django.http.response import HttpResponseBase

PIECE: Final = 64 * 1024
# A client that is still sending does not see an answer; this much is read and dropped so that it does.
DROPPED_AT_MOST: Final = 64 * 1024 * 1024
# What is sent together with its head, or one round trip later, is there by now.
PROMPT_S: Final = 0.25
# The server's threads that may wait for slow senders, and for a client to hang up; one more must be left.
PATIENT: Final = 2
COURTEOUS: Final = 1
# More than any server here has threads: each of those waits for one reader at most.
READERS: Final = 64
GRANIAN: Final = "Granian"
# Who hangs up in the same breath may not have sent what was said before.
SENT_S: Final = 0.05
TOO_SLOW: Final = 408
CROWDED: Final = 503
AGAIN: Final = {"Retry-After": "1"}

_patient = BoundedSemaphore(PATIENT)
_courteous = BoundedSemaphore(COURTEOUS)


class Unfinished(HttpError):
    """A refusal while the body is still being read."""

    def __init__(self, status: int, message: str, reading: Future[bytes]) -> None:
        super().__init__(status, message, headers=AGAIN if status == CROWDED else None)
        self.reading = reading


class _Crowded(Exception):
    """As many threads wait for slow senders as may."""


def read_in_time(stream: BinaryIO, length: int | None, limit: int) -> bytes:
    """Return the body, which may have ``limit`` bytes.

    Raises:
        HttpError: 400 the connection broke, 413 too long.
        Unfinished: 408 too slow, 503 too many others are slow.
    """
    patience = configured(BODY_TIMEOUT)
    reading = _readers().submit(_read, stream, length, limit, time.monotonic() + patience)
    try:
        return _wait_for(reading, patience)
    except TimeoutError:
        raise Unfinished(TOO_SLOW, f"The body did not arrive within {patience} seconds.", reading) from None
    except _Crowded:
        raise Unfinished(CROWDED, "Too many slow bodies are on their way; send it again.", reading) from None
    except OSError:
        raise HttpError(400, "The body could not be read.") from None


def part(
    environ: dict[str, Any],
    start_response: Callable[..., Any],
    response: HttpResponseBase,
    reading: Future[bytes],
) -> Iterable[bytes]:
    """Answer a client whose body is still being read, and see to it that the read ends."""
    body = b"".join(response)
    is_safe = reading.done() or environ.get("SERVER_SOFTWARE") != GRANIAN
    is_told_in_full = is_safe or (response.status_code == TOO_SLOW and _courteous.acquire(blocking=False))
    if not is_safe:
        response.headers["Connection"] = "close"
        response.headers[LENGTH] = str(len(body) + (not is_told_in_full))
    start_response(f"{response.status_code} {response.reason_phrase}", list(response.items()))
    if is_safe:
        return [body]
    return _until_it_leaves(body, reading) if is_told_in_full else _cut_short(body, reading)


def too_long(limit: int) -> HttpError:
    """Return the refusal of a body beyond the limit."""
    return HttpError(413, f"The body is longer than {limit} bytes.")


def _wait_for(reading: Future[bytes], patience: float) -> bytes:
    prompt = min(PROMPT_S, patience)
    try:
        return reading.result(timeout=prompt)
    except TimeoutError:
        if reading.done():
            return reading.result()
    if not _patient.acquire(blocking=False):
        raise _Crowded
    try:
        return reading.result(timeout=patience - prompt)
    finally:
        _patient.release()


def _until_it_leaves(body: bytes, reading: Future[bytes]) -> Iterator[bytes]:
    """Send everything; then wait for the end of the read, which the client brings about."""
    try:
        yield body
        wait([reading])
    finally:
        _courteous.release()


def _cut_short(body: bytes, reading: Future[bytes]) -> Iterator[bytes]:
    """Send everything but the byte that was announced as well."""
    yield body
    wait([reading], timeout=SENT_S)


@cache
def _readers() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(READERS, thread_name_prefix="accord-body")


def _read(stream: BinaryIO, length: int | None, limit: int, deadline: float) -> bytes:
    """Read a body; drop what is beyond the limit and say so at its end."""
    seen, kept = 0, bytearray()
    while piece := stream.read(PIECE if length is None else min(PIECE, length - seen)):
        seen += len(piece)
        if seen <= limit:
            kept += piece
        if seen > limit + DROPPED_AT_MOST:
            break
        if time.monotonic() > deadline:
            raise TimeoutError
    if seen > limit:
        raise too_long(limit)
    return bytes(kept)
