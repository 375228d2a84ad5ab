"""The way to the compiler process: one connection for each job, tried twice."""

from __future__ import annotations

import contextlib
import socket
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from accord.errors import CompilerUnavailable
from accord.formats.protobuf.diagnostics import too_large
from accord.formats.protobuf.exchange import MESSAGE_BYTES, Malformed, job_message, read_outcome

if TYPE_CHECKING:
    from accord.formats.protobuf.exchange import Job, Outcome

PAUSE_SECONDS: Final = 0.2
PATIENCE_SECONDS: Final = 60.0


class Compiler(Protocol):
    """The port through which Protobuf is compiled."""

    def compile(self, job: Job) -> Outcome:
        """Return what became of a job; raises `accord.errors.CompilerUnavailable`."""
        ...


@dataclass(frozen=True, slots=True)
class CompilerClient:
    """A compiler process that listens at ``path``.

    ``patience_seconds`` bounds each wait of a job: for a free place among those that run, and the answer.
    """

    path: str
    patience_seconds: float = PATIENCE_SECONDS

    def compile(self, job: Job) -> Outcome:
        """Return what became of a job.

        A process that was just restarted is asked once more. Raises
        `accord.errors.CompilerUnavailable`, and `SchemaTooLarge` for more than it takes.
        """
        message = job_message(job)
        if len(message) > MESSAGE_BYTES:
            raise too_large(f"the files have more than {MESSAGE_BYTES} bytes together; split them")
        try:
            return self._ask(message)
        except TimeoutError as reason:
            raise self._absent(reason) from reason
        except (OSError, Malformed):
            time.sleep(PAUSE_SECONDS)
        try:
            return self._ask(message)
        except (OSError, Malformed) as reason:
            raise self._absent(reason) from reason

    def _ask(self, message: bytes) -> Outcome:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(self.patience_seconds)
            connection.connect(self.path)
            # Who dies of a message may have answered before it read all.
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                connection.sendall(message)
            return read_outcome(connection)

    def _absent(self, reason: Exception) -> CompilerUnavailable:
        what = getattr(reason, "strerror", None) or str(reason)
        command = f"python -m accord.formats.protobuf.compiler --socket {self.path}"
        return CompilerUnavailable(details=f"{what} at {self.path}; is '{command}' running?")
