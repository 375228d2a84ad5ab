"""Which compiler this process uses: the one it was told, or one of its own for as long as it runs."""

from __future__ import annotations

import atexit
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Final

from accord.errors import CompilerUnavailable
from accord.formats.protobuf.client import CompilerClient

if TYPE_CHECKING:
    from accord.formats.protobuf.client import Compiler
    from accord.formats.protobuf.exchange import Job, Outcome

MODULE: Final = "accord.formats.protobuf.compiler"
ROOT: Final = Path(__file__).parents[3]
END_SECONDS: Final = 5.0
_chosen: list[Compiler] = []


def use(compiler: Compiler | None) -> None:
    """Choose the compiler of this process; None chooses none."""
    _chosen[:] = [] if compiler is None else [compiler]


def use_own() -> None:
    """Choose a compiler of this process's own unless one was chosen."""
    if not _chosen:
        use(OwnCompiler())


def compiler() -> Compiler:
    """Return the compiler that was chosen; raises `accord.errors.CompilerUnavailable` without one."""
    if not _chosen:
        raise CompilerUnavailable(details="none was chosen; call accord.formats.protobuf.service.use")
    return _chosen[0]


@dataclass
class OwnCompiler:
    """A compiler process that is started for the first job and ends with this process, or by `close`.

    Threads may share it.
    """

    options: tuple[str, ...] = ()
    _process: subprocess.Popen[bytes] | None = field(default=None, init=False)
    _folder: str = field(default="", init=False)
    _starting: Lock = field(default_factory=Lock, init=False, repr=False, compare=False)

    @property
    def socket_path(self) -> str:
        """Where it listens."""
        return f"{self._folder}/compiler"

    @property
    def pid(self) -> int | None:
        """The process, once it was started."""
        return None if self._process is None else self._process.pid

    def compile(self, job: Job) -> Outcome:
        """Return what became of a job; raises `accord.errors.CompilerUnavailable`."""
        self.start()
        return CompilerClient(self.socket_path).compile(job)

    def start(self) -> None:
        """Start the process unless it runs; raises `accord.errors.CompilerUnavailable`."""
        with self._starting:
            if self._process is not None and self._process.poll() is not None:
                self.close()  # somebody ended it
            if self._process is None:
                self._start()

    def close(self) -> None:
        """End the process."""
        if self._process is None:
            return
        process, self._process = self._process, None
        process.terminate()
        process.communicate(timeout=END_SECONDS)
        shutil.rmtree(self._folder, ignore_errors=True)
        atexit.unregister(self.close)

    def _start(self) -> None:
        self._folder = tempfile.mkdtemp(prefix="accord-")
        command = (sys.executable, "-m", MODULE, "--socket", self.socket_path, "--with-parent", *self.options)
        paths = os.pathsep.join((str(ROOT), os.environ.get("PYTHONPATH", "")))
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": paths.rstrip(os.pathsep)},
        )
        atexit.register(self.close)
        assert self._process.stdout is not None  # noqa: S101  # tells mypy what PIPE means
        if not self._process.stdout.readline():
            self.close()
            raise CompilerUnavailable(details="it did not start; see what it said above")
