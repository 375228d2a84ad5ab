"""What a tenant uses of its quotas: a bar for each limit, and the last weeks of one as a line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy as _

from tenants.quotas import STORED

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from frontend.pages.shell import Label
    from frontend.pages.subject import TabLink
    from tenants.quota_records import DayOfUse, QuotaRecord, ResourceUse

DAYS: Final = 90
FULL: Final = 100
NAMES: Final[dict[str, Label]] = {
    "namespaces": _("Namespaces"),
    "subjects": _("Subjects"),
    "versions": _("Versions"),
    "stored_bytes": _("Stored bytes"),
    "tokens": _("Tokens"),
    "schema_bytes": _("Bytes of one schema"),
    "requests_per_second": _("Requests a second, each process"),
    "open_checks": _("Unfinished checks"),
    "waiting_checks": _("Waiting requests, each process"),
}
STEP: Final = 1024
UNITS: Final = ("KiB", "MiB", "GiB", "TiB")
# The drawing in units of its own; room is left for the line itself.
WIDTH: Final = 600
HEIGHT: Final = 120
EDGE: Final = 4


@dataclass(frozen=True, slots=True)
class LimitRow:
    """One limit; ``filled`` is the part of its bar, of a hundred."""

    use: ResourceUse
    label: Label
    filled: int
    is_full: bool

    @property
    def used(self) -> str:
        """What is in use."""
        return amount(self.use.name, self.use.used or 0)

    @property
    def limit(self) -> str:
        """The limit; nothing where there is none."""
        return amount(self.use.name, self.use.limit) if self.use.limit else ""


@dataclass(frozen=True, slots=True)
class DayRow:
    """What was in use at the end of a day; ``text`` is the same for people."""

    day: date
    used: int
    text: str


@dataclass(frozen=True, slots=True)
class Choice:
    """One resource whose history can be shown."""

    value: str
    label: Label
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class UsagePage:
    """The page; ``line`` are the points of the drawing, and there is none of a single day."""

    tabs: tuple[TabLink, ...]
    rows: tuple[LimitRow, ...]
    choices: tuple[Choice, ...]
    chosen: Label
    days: tuple[DayRow, ...]
    line: str
    highest: str

    @property
    def near(self) -> tuple[LimitRow, ...]:
        """The limits of which most is in use."""
        return tuple(row for row in self.rows if row.use.is_near)

    @property
    def latest_first(self) -> tuple[DayRow, ...]:
        """The days as a table lists them."""
        return self.days[::-1]


def read_resource(text: str) -> str:
    """Return the resource whose history is asked for."""
    return text if text in STORED else STORED[2]


def amount(resource: str, count: int) -> str:
    """Return so much of a resource as people read it: bytes in the largest unit of which there is one."""
    if not resource.endswith("_bytes") or count < STEP:
        return f"{count:,}"
    power = min((count.bit_length() - 1) // 10, len(UNITS))
    return f"{round(count / STEP**power, 1):g} {UNITS[power - 1]}"


def usage_page(
    tabs: tuple[TabLink, ...], record: QuotaRecord, days: Sequence[DayOfUse], resource: str
) -> UsagePage:
    """Build the page."""
    rows = tuple(
        DayRow(one.day, one.used[resource], amount(resource, one.used[resource]))
        for one in days
        if resource in one.used
    )
    return UsagePage(
        tabs,
        tuple(_row(use) for use in record.uses),
        tuple(Choice(name, NAMES[name], name == resource) for name in STORED),
        NAMES[resource],
        rows,
        _line(rows),
        amount(resource, max((row.used for row in rows), default=0)),
    )


def _row(use: ResourceUse) -> LimitRow:
    percent = use.percent
    return LimitRow(use, NAMES[use.name], min(percent or 0, FULL), (percent or 0) >= FULL)


def _line(rows: Sequence[DayRow]) -> str:
    """Return the points of a line from the first day to the last, at its highest near the upper edge."""
    if len(rows) <= 1:
        return ""
    first, span = rows[0].day, (rows[-1].day - rows[0].day).days
    highest = max(row.used for row in rows) or 1
    points = (
        (
            EDGE + (WIDTH - 2 * EDGE) * (row.day - first).days / span,
            HEIGHT - EDGE - (HEIGHT - 2 * EDGE) * row.used / highest,
        )
        for row in rows
    )
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
