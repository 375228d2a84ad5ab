"""All outcomes of a check, and what they come to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from accord.cli.cases import Status
from accord.model import Severity

if TYPE_CHECKING:
    from collections.abc import Sequence

    from accord.cli.cases import Outcome
    from accord.cli.explaining import Told

UNUSABLE: Final = 2


@dataclass(frozen=True, slots=True)
class Report:
    """The outcomes of a check; ``is_strict`` lets warnings refuse as well."""

    outcomes: Sequence[Outcome]
    is_strict: bool = False

    def refuses(self, told: Told) -> bool:
        """Tell whether a finding refuses the schema it is about."""
        return told.severity is Severity.BLOCK or (self.is_strict and told.severity is Severity.WARN)

    def is_refused(self, outcome: Outcome) -> bool:
        """Tell whether a file may not be registered."""
        is_blocked = outcome.status is Status.BLOCKED
        return is_blocked or any(self.refuses(told) for told in outcome.findings)

    @property
    def exit_code(self) -> int:
        """0 where all is well, 1 where something is refused, 2 where something could not be judged."""
        if any(one.status is Status.UNREADABLE for one in self.outcomes):
            return UNUSABLE
        return int(any(self.is_refused(one) for one in self.outcomes))

    def verdict(self, outcome: Outcome) -> str:
        """What came of a file, in one word."""
        if outcome.status in (Status.UNREADABLE, Status.SKIPPED):
            return str(outcome.status)
        return "incompatible" if self.is_refused(outcome) else "compatible"
