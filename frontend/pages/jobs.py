"""All that workers do for a tenant, in one list with its filters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from frontend.pages.audit import Choice
from frontend.pages.tabs import tenant_tabs
from registry.job_records import OPEN, STATES, JobKind, JobState, WantedJobs

if TYPE_CHECKING:
    from collections.abc import Mapping

    from accord_server.kit.paging import Batch
    from accord_server.kit.scope import Scope
    from frontend.pages.shell import Label
    from frontend.pages.subject import TabLink
    from registry.job_records import JobRecord

PAGE_SIZE: Final = 50
KINDS: Final[Mapping[str, Label]] = {
    "": _("Any kind"),
    JobKind.CHECK: _("Check"),
    JobKind.DRY_RUN: _("Dry run"),
    JobKind.IMPORT: _("Import"),
    JobKind.EXPORT: _("Export"),
}
WORDS: Final[Mapping[str, Label]] = {
    "": _("Any state"),
    OPEN: _("Not over"),
    JobState.QUEUED: _("Queued"),
    JobState.RUNNING: _("Running"),
    JobState.DONE: _("Done"),
    JobState.FAILED: _("Failed"),
    JobState.CANCELLED: _("Cancelled"),
}
# The class that colours a state; others are under way.
BADGES: Final = {JobState.DONE: "pass", JobState.FAILED: "fail", JobState.CANCELLED: "fail"}
# The kinds that have a page of their own.
PAGES: Final = {JobKind.DRY_RUN: "frontend:dry-run", JobKind.IMPORT: "frontend:import"}


@dataclass(frozen=True, slots=True)
class JobItem:
    """One job; ``url`` is empty where there is no page of it."""

    record: JobRecord
    kind: Label
    state: Label
    badge: str
    url: str


@dataclass(frozen=True, slots=True)
class JobsPage:
    """The list; addresses are empty where there is no such part."""

    tabs: tuple[TabLink, ...]
    url: str
    kinds: tuple[Choice, ...]
    states: tuple[Choice, ...]
    items: tuple[JobItem, ...]
    is_filtered: bool
    first_url: str
    next_url: str


def read_wanted_jobs(values: Mapping[str, str]) -> WantedJobs:
    """Return which jobs an address asks for; what means nothing asks for all."""
    kind, state = values.get("kind", ""), values.get("state", "")
    return WantedJobs(kind if kind in KINDS else "", state if state in STATES else "")


def jobs_page(scope: Scope, found: Batch[JobRecord], *, wanted: WantedJobs, after: str) -> JobsPage:
    """Make the page of one part of the list."""
    url = reverse("frontend:jobs", args=[scope.tenant.slug])
    asked = {"kind": wanted.kind, "state": wanted.state}
    query = {name: value for name, value in asked.items() if value}
    return JobsPage(
        tabs=tenant_tabs(scope, "jobs"),
        url=url,
        kinds=tuple(Choice(value, label, value == wanted.kind) for value, label in KINDS.items()),
        states=tuple(Choice(value, label, value == wanted.state) for value, label in WORDS.items()),
        items=tuple(_item(scope, one) for one in found.rows),
        is_filtered=bool(query),
        first_url=f"{url}?{urlencode(query)}" if after else "",
        next_url=f"{url}?{urlencode({**query, 'after': found.after})}" if found.after else "",
    )


def _item(scope: Scope, job: JobRecord) -> JobItem:
    state = JobState(job.state)
    page = PAGES.get(job.kind)
    url = reverse(page, args=[scope.tenant.slug, job.namespace, job.id]) if page else ""
    return JobItem(job, KINDS[job.kind], WORDS[state], BADGES.get(state, "warn"), url)
