"""What all tabs of a subject share: name, facts, tabs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from frontend.pages.shell import Crumb, Frame, Label, crumbs_to
from frontend.pages.subjects import WRITE, place_of

if TYPE_CHECKING:
    from accord.model import Format, SubjectName
    from accord_server.kit.scope import Scope
    from registry.records import LevelInForce, VersionRecord


@dataclass(frozen=True, slots=True)
class Tab:
    """One row of the table of tabs: the route it leads to, what it is called, the right that opens it."""

    route: str
    label: Label
    right: str = "subject.read"


TABS: Final = (
    Tab("definition", _("Definition")),
    Tab("versions", _("Versions")),
    Tab("comparison", _("Compare")),
    Tab("references", _("References")),
    Tab("history", _("History")),
    Tab("lint", _("Lint")),
    Tab("life", _("Life")),
    Tab("subject-policy", _("Policy"), "policy.read"),
)

# Where a level comes from, in words; the keys are those of `registry.records.LevelInForce`.
ORIGINS: Final[dict[str, Label]] = {
    "subject": _("set on this subject"),
    "context": _("from its context"),
    "namespace": _("from the namespace"),
    "server": _("the default of this server"),
}


@dataclass(frozen=True, slots=True)
class TabLink:
    """A tab as the page prints it."""

    label: Label
    url: str
    is_here: bool
    count: int | None = None


@dataclass(frozen=True, slots=True)
class SubjectHead:
    """The head of every page of one subject; ``next_url`` is empty for who may not register there.

    ``mode`` is empty where versions are registered as usual, and for who may not read modes.
    """

    subject: SubjectName
    format: Format
    level: str
    origin: Label
    latest: int
    schema_id: int
    versions: int
    tabs: tuple[TabLink, ...]
    next_url: str
    mode: str = ""


def subject_head(
    scope: Scope, latest: VersionRecord, level: LevelInForce, *, versions: int, tab: str
) -> SubjectHead:
    """Make the head from the latest version, the level in force and the count of live versions."""
    return SubjectHead(
        subject=latest.subject,
        format=latest.schema.format,
        level=level.name,
        origin=ORIGINS.get(level.origin, level.origin),
        latest=latest.number,
        schema_id=latest.schema.id,
        versions=versions,
        tabs=_tabs(scope, latest.subject, tab=tab, count=versions),
        next_url=next_url(scope, latest) if scope.may(WRITE, latest.subject) else "",
    )


def next_url(scope: Scope, latest: VersionRecord) -> str:
    """Return the address of the form that registers the next version."""
    query = {"subject": latest.subject.qualified, "format": str(latest.schema.format), "from": "latest"}
    return f"{reverse('frontend:register', args=place_of(scope))}?{urlencode(query)}"


def subject_frame(scope: Scope, subject: SubjectName, title: Label, *, width: str = "") -> Frame:
    """Return the frame of a page of one subject."""
    tenant, namespace = place_of(scope)
    return Frame(title, crumbs_to(tenant, namespace, Crumb(subject.qualified)), width)


def _tabs(scope: Scope, subject: SubjectName, *, tab: str, count: int) -> tuple[TabLink, ...]:
    return tuple(
        TabLink(
            label=row.label,
            url=reverse(f"frontend:{row.route}", args=[*place_of(scope), subject]),
            is_here=row.route == tab,
            count=count if row.route == "versions" else None,
        )
        for row in TABS
        if scope.may(row.right, subject)
    )
