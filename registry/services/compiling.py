"""The compiler shared fairly: of each tenant one large Protobuf text at a time is compiled by a process.

The compiler has few places and takes whoever comes first. A text that keeps protoc busy for long would keep
all of them from others if its tenant sent it often enough.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final
from weakref import WeakValueDictionary

from accord_server.kit.tenancy import active_tenant
from accord_server.kit.turnstile import Crowded, Turnstile
from registry.errors import TooBusy

if TYPE_CHECKING:
    from uuid import UUID

    from accord.formats.protobuf.client import Compiler
    from accord.formats.protobuf.exchange import Job, Outcome

# Files that are compiled already are read in a small part of the time that texts of their length take.
BYTES_PER_CHARACTER: Final = 32
# Compiled in some hundredths of a second whatever they hold; others never wait for these.
LIGHT_CHARACTERS: Final = 32_000
AT_ONCE: Final = 1
WAITING: Final = 1
PATIENCE_S: Final = 10.0


@dataclass
class FairCompiler:
    """A compiler in front of which the large texts of one tenant wait for each other; threads share it."""

    compiler: Compiler
    patience_seconds: float = PATIENCE_S
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False, repr=False, compare=False)
    # A tenant's is forgotten when nobody works or waits there.
    _turns: WeakValueDictionary[UUID | None, Turnstile] = field(
        default_factory=WeakValueDictionary, init=False, repr=False, compare=False
    )

    def compile(self, job: Job) -> Outcome:
        """Return what became of a job.

        Raises `accord.errors.CompilerUnavailable`, and `registry.errors.TooBusy` where the tenant has as
        many large texts compiled or waiting as it may.
        """
        ready = len(job.descriptors) // BYTES_PER_CHARACTER
        if ready + sum(map(len, job.files.values())) <= LIGHT_CHARACTERS:
            return self.compiler.compile(job)
        turns = self._turns_of(active_tenant())
        try:
            with turns.turn():
                return self.compiler.compile(job)
        except Crowded:
            raise TooBusy from None

    def _turns_of(self, tenant: UUID | None) -> Turnstile:
        with self._lock:
            found = self._turns.get(tenant)
            if found is None:
                found = Turnstile(inside=AT_ONCE, waiting=WAITING, patience=self.patience_seconds)
                self._turns[tenant] = found
            return found
