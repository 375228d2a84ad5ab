"""Lines for the person who waits: what is being done, what is done, and when."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, field
from typing import TextIO


@dataclass
class Progress:
    """Prints one line per step; on a terminal the step being worked on is shown too."""

    out: TextIO = field(default_factory=lambda: sys.stdout)
    started: float = field(default_factory=time.monotonic)

    def begin(self, step: str) -> None:
        """Show what is being worked on; only on a terminal, where the next line can replace it."""
        if self.out.isatty():
            self.out.write(f"\r\x1b[K{self._clock()} … {step}")
            self.out.flush()

    def done(self, result: str) -> None:
        """Print a line that stays."""
        start = "\r\x1b[K" if self.out.isatty() else ""
        self.out.write(f"{start}{self._clock()} {result}\n")
        self.out.flush()

    @property
    def seconds(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self.started

    def _clock(self) -> str:
        return f"[{self.seconds:6.1f} s]"
