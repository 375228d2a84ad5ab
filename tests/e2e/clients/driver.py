"""A client of another language: a program that reads a call a line and answers each with a line, in JSON.

A call is ``{"call": name, "arguments": {…}}``. An answer is ``{"result": …}``, or what the client threw:
``{"error": {"status": HTTP status or null, "code": error code or null, "message": text}}``.
"""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from accord_server.dev.processes import last_words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

STOP_S = 60


@dataclass
class ClientError(Exception):
    """What a client threw: ``status`` and ``code`` as it tells them, None where it does not."""

    status: int | None
    code: int | None
    message: str


@dataclass
class Driver:
    """A running client; what it complains of goes to ``log``."""

    process: subprocess.Popen[str]
    log: Path

    @classmethod
    def start(cls, command: Sequence[str], environment: Mapping[str, str], log: Path) -> Driver:
        """Start a program that speaks as above."""
        with log.open("w") as complaints:
            process = subprocess.Popen(
                command,
                env=environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=complaints,
                text=True,
                encoding="utf-8",
            )
        return cls(process, log)

    def call(self, name: str, **arguments: Any) -> Any:
        """Let the client make a call; raise `ClientError` with what it threw."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        print(json.dumps({"call": name, "arguments": arguments}), file=self.process.stdin, flush=True)
        line = self.process.stdout.readline()
        assert line, f"{self.process.args!r} ended:\n{last_words(self.log, lines=60)}"
        answer = json.loads(line)
        if thrown := answer.get("error"):
            raise ClientError(thrown["status"], thrown["code"], thrown["message"])
        return answer["result"]

    def stop(self) -> None:
        """End the input, which ends the program."""
        self.process.communicate(timeout=STOP_S)
