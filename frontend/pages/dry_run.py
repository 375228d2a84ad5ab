"""A dry run of a policy: how far it is, and which versions would be judged otherwise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from frontend.pages.subjects import place_of
from frontend.pages.verdicts import rule_link
from registry.dry_run_records import ChangeKind

if TYPE_CHECKING:
    from accord_server.kit.paging import Batch
    from accord_server.kit.scope import Scope
    from frontend.pages.shell import Label
    from frontend.pages.verdicts import RuleLink
    from registry.dry_run_records import Decision, DryRunRecord, DryRunRow

PAGE_SIZE: Final = 50
SHOWN_DECISIONS: Final = 3
# What a change is called, the class that colours it, its sign.
KINDS: Final[dict[ChangeKind, tuple[Label, str, str]]] = {
    ChangeKind.REFUSED: (_("Would be refused"), "fail", "cross"),
    ChangeKind.ALLOWED: (_("Would be allowed"), "pass", "check"),
    ChangeKind.SEVERITY: (_("Would weigh otherwise"), "warn", "alert"),
}
STATES: Final[dict[str, Label]] = {
    "queued": _("Waiting for a worker"),
    "running": _("Running"),
    "done": _("Done"),
    "failed": _("Failed"),
    "cancelled": _("Cancelled"),
}
# Which bound ended a run before its time.
CUTS: Final[dict[str, Label]] = {
    "time": _("It took as long as a dry run may, so the rest was not looked at."),
    "work": _("It made as many comparisons as a dry run may, so the rest was not looked at."),
    "changes": _("It found as many changes as are listed, so the rest was not looked at."),
}


@dataclass(frozen=True, slots=True)
class Tally:
    """How many versions change in one way."""

    label: Label
    badge: str
    icon: str
    count: int


@dataclass(frozen=True, slots=True)
class DecidedBy:
    """A finding that decides a change, and what it weighs before and after."""

    rule: RuleLink
    decision: Decision


@dataclass(frozen=True, slots=True)
class ChangedVersion:
    """A version that would be judged otherwise."""

    row: DryRunRow
    label: Label
    badge: str
    icon: str
    url: str
    decided_by: tuple[DecidedBy, ...]
    further: int


@dataclass(frozen=True, slots=True)
class DryRunPage:
    """The whole page; ``first_url`` and ``next_url`` are empty where there is no such part."""

    record: DryRunRecord
    title: str
    state: Label
    cut: Label
    tallies: tuple[Tally, ...]
    changes: tuple[ChangedVersion, ...]
    url: str
    first_url: str
    next_url: str
    may_cancel: bool
    is_fragment: bool

    @property
    def is_untouched(self) -> bool:
        """True when the run is over and no verdict changes."""
        return self.record.is_over and not any(one.count for one in self.tallies)


def dry_run_page(
    scope: Scope, record: DryRunRecord, found: Batch[DryRunRow], *, after: int, is_fragment: bool
) -> DryRunPage:
    """Make the page of one part of the result."""
    url = reverse("frontend:dry-run", args=[*place_of(scope), record.id])
    is_own = record.created_by == scope.principal.key
    return DryRunPage(
        record=record,
        title=str(record.proposal.get("policy") or record.proposal.get("level")),
        state=STATES.get(record.state, record.state),
        cut=CUTS.get(record.cut, record.cut),
        tallies=tuple(Tally(*KINDS[kind], record.tally.get(kind, 0)) for kind in ChangeKind),
        changes=tuple(_changed(scope, row) for row in found.rows),
        url=url,
        first_url=url if after else "",
        next_url=f"{url}?after={found.after}" if found.after else "",
        may_cancel=not record.is_over and (is_own or scope.may("job.manage")),
        is_fragment=is_fragment,
    )


def _changed(scope: Scope, row: DryRunRow) -> ChangedVersion:
    label, badge, icon = KINDS[row.change.kind]
    decisions = row.change.decided_by
    return ChangedVersion(
        row=row,
        label=label,
        badge=badge,
        icon=icon,
        url=reverse("frontend:definition", args=[*place_of(scope), row.subject]) + f"?v={row.version}",
        decided_by=tuple(DecidedBy(rule_link(one.rule), one) for one in decisions[:SHOWN_DECISIONS]),
        further=len(decisions[SHOWN_DECISIONS:]) + row.change.left_out,
    )
