"""The imports into a namespace, and one of them: how far it is, and what was refused."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from frontend.pages.subjects import place_of

if TYPE_CHECKING:
    from accord_server.kit.paging import Batch
    from accord_server.kit.scope import Scope
    from frontend.pages.shell import Label
    from frontend.pages.subject import TabLink
    from registry.import_records import ImportRecord, IssueRow

PAGE_SIZE: Final = 50
# What a state is called, the class that colours it, its sign.
STATES: Final[dict[str, tuple[Label, str, str]]] = {
    "running": (_("Running"), "warn", "clock"),
    "done": (_("Done"), "pass", "check"),
    "cancelled": (_("Cancelled"), "fail", "cross"),
}
# What to change, by the code of the refusal.
REMEDIES: Final[dict[str, Label]] = {
    "version_taken": _("Another schema has this number here: delete it for good, or import elsewhere."),
    "schema_id_taken": _("Another schema has this id here: import into an empty namespace."),
    "not_in_import_mode": _("Set the mode of the context, or of the subject, to IMPORT."),
    "read_only": _("Set the mode of the context, or of the subject, to IMPORT."),
    "reference_not_found": _("Import what it refers to first, or restore it if it is deleted here."),
    "reference_exists": _("Delete what refers to it first."),
    "subject_is_alias": _("Take the alias out of the config of the subject."),
    "version_not_found": _("Import the version before it is deleted."),
}
ELSE: Final = _("Mend it at the source, and import again: what is here already stays as it is.")


@dataclass(frozen=True, slots=True)
class ImportItem:
    """One import in the list."""

    record: ImportRecord
    label: Label
    badge: str
    icon: str
    url: str


@dataclass(frozen=True, slots=True)
class ImportsPage:
    """The list; ``first_url`` and ``next_url`` are empty where there is no such part."""

    items: tuple[ImportItem, ...]
    tabs: tuple[TabLink, ...]
    first_url: str
    next_url: str


@dataclass(frozen=True, slots=True)
class Issue:
    """One refusal, and what to change."""

    row: IssueRow
    remedy: Label


@dataclass(frozen=True, slots=True)
class ImportPage:
    """One import; ``first_url`` and ``next_url`` are empty where there is no such part."""

    item: ImportItem
    issues: tuple[Issue, ...]
    first_url: str
    next_url: str
    may_cancel: bool
    is_fragment: bool

    @property
    def record(self) -> ImportRecord:
        """The import itself."""
        return self.item.record

    @property
    def done(self) -> int:
        """How many of the planned steps have an outcome."""
        record = self.record
        return min(self.planned, record.registered + record.deleted + record.present + record.refused)

    @property
    def planned(self) -> int:
        """How many steps there are."""
        return sum(self.record.planned.values())

    @property
    def is_equal(self) -> bool:
        """True where both sides hold the same at the end."""
        result = self.record.result
        return result is not None and result.source_sha256 == result.target_sha256


def imports_page(
    scope: Scope, found: Batch[ImportRecord], *, before: int, tabs: tuple[TabLink, ...]
) -> ImportsPage:
    """Make the list of imports."""
    url = reverse("frontend:imports", args=place_of(scope))
    return ImportsPage(
        items=tuple(_item(scope, record) for record in found.rows),
        tabs=tabs,
        first_url=url if before else "",
        next_url=f"{url}?after={found.after}" if found.after else "",
    )


def import_page(
    scope: Scope, record: ImportRecord, found: Batch[IssueRow], *, after: int, is_fragment: bool
) -> ImportPage:
    """Make the page of one import."""
    item = _item(scope, record)
    is_own = record.created_by == scope.principal.key
    return ImportPage(
        item=item,
        issues=tuple(Issue(row, REMEDIES.get(row.refusal.code, ELSE)) for row in found.rows),
        first_url=item.url if after else "",
        next_url=f"{item.url}?after={found.after}" if found.after else "",
        may_cancel=not record.is_over and (is_own or scope.may("job.manage")),
        is_fragment=is_fragment,
    )


def _item(scope: Scope, record: ImportRecord) -> ImportItem:
    url = reverse("frontend:import", args=[*place_of(scope), record.id])
    return ImportItem(record, *STATES[record.state], url)
