"""What the compiler process and its clients say to each other over a socket: jobs and outcomes.

A message is the length of its header in four bytes, big-endian, the header as JSON, then the parts whose
sizes the header gives. Both sides bound what they read.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final, cast

from accord.formats.protobuf.diagnostics import Diagnostic

if TYPE_CHECKING:
    import socket
    from collections.abc import Mapping, Sequence

LENGTH_BYTES: Final = 4
HEADER_BYTES: Final = 4 * 1024 * 1024
MESSAGE_BYTES: Final = 128 * 1024 * 1024
PIECE: Final = 1024 * 1024


class Malformed(Exception):
    """What came over the socket is no message, is too long, or ended early."""


class Status(StrEnum):
    """What became of a job."""

    COMPILED = "compiled"
    REFUSED = "refused"
    DIED = "died"


@dataclass(frozen=True, slots=True)
class Job:
    """Texts to compile by import path, and what they may import besides.

    ``descriptors`` is a serialized ``FileDescriptorSet`` of files that are compiled already; the files of
    Protobuf itself, of ``google/type`` and of ``confluent`` are known without it.
    """

    files: Mapping[str, str]
    descriptors: bytes = b""
    has_source_info: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """A serialized ``FileDescriptorSet`` with all imports, and what protoc said.

    ``reason`` says why a compiler that died did so.
    """

    status: Status
    diagnostics: tuple[Diagnostic, ...] = ()
    descriptors: bytes = field(default=b"", repr=False)
    reason: str = ""


def job_message(job: Job) -> bytes:
    """Return a job as a message."""
    texts = [text.encode() for text in job.files.values()]
    return _message({"files": list(job.files), "info": job.has_source_info}, [job.descriptors, *texts])


def outcome_message(outcome: Outcome) -> bytes:
    """Return an outcome as a message."""
    header = {"status": outcome.status, "reason": outcome.reason, "said": outcome.diagnostics}
    return _message(header, [outcome.descriptors])


def read_job(connection: socket.socket, *, limit: int = MESSAGE_BYTES) -> Job:
    """Read a job. Raises `Malformed`, and `OSError` of the socket."""
    header, parts = _read(connection, limit)
    try:
        paths = [str(path) for path in header["files"]]
        descriptors, *texts = parts
        files = dict(zip(paths, (part.decode() for part in texts), strict=True))
        return Job(files, descriptors, has_source_info=bool(header["info"]))
    except (KeyError, TypeError, ValueError) as reason:
        raise Malformed("the message is no job") from reason


def read_outcome(connection: socket.socket, *, limit: int = MESSAGE_BYTES) -> Outcome:
    """Read an outcome. Raises `Malformed`, and `OSError` of the socket."""
    header, parts = _read(connection, limit)
    try:
        said = tuple(Diagnostic(*one) for one in header["said"])
        (descriptors,) = parts
        return Outcome(Status(header["status"]), said, descriptors, str(header["reason"]))
    except (KeyError, TypeError, ValueError) as reason:
        raise Malformed("the message is no outcome") from reason


def _message(header: Mapping[str, object], parts: Sequence[bytes]) -> bytes:
    sizes = [len(part) for part in parts]
    head = json.dumps({**header, "sizes": sizes}).encode()
    return b"".join((len(head).to_bytes(LENGTH_BYTES, "big"), head, *parts))


def _read(connection: socket.socket, limit: int) -> tuple[dict[str, Any], list[bytes]]:
    length = int.from_bytes(_exactly(connection, LENGTH_BYTES), "big")
    if length > min(HEADER_BYTES, limit):
        raise Malformed(f"the header has more than {min(HEADER_BYTES, limit)} bytes")
    try:
        header = json.loads(_exactly(connection, length))
        sizes = [_size(one) for one in header["sizes"]]
    except (KeyError, TypeError, ValueError, RecursionError) as reason:
        raise Malformed("the header is not that of a message") from reason
    if sum(sizes) > limit:
        raise Malformed(f"the message has more than {limit} bytes")
    return cast("dict[str, Any]", header), [_exactly(connection, size) for size in sizes]


def _size(value: object) -> int:
    if not isinstance(value, int) or value < 0:
        raise ValueError(value)
    return value


def _exactly(connection: socket.socket, count: int) -> bytes:
    pieces: list[bytes] = []
    left = count
    while left:
        piece = connection.recv(min(left, PIECE))
        if not piece:
            raise Malformed("the message ended early")
        pieces.append(piece)
        left -= len(piece)
    return b"".join(pieces)
