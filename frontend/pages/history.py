"""The history of a subject: each registration with the policy in force and the verdict, newest first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accord.model import Severity
from accord.policy.origins import OriginKind
from frontend.pages.paging import make_pager
from frontend.pages.subject import ORIGINS
from frontend.pages.subjects import place_of
from frontend.pages.verdicts import rule_link
from registry.registration_records import Outcome

if TYPE_CHECKING:
    from accord.policy.origins import Origin
    from accord_server.kit.scope import Scope
    from frontend.pages.paging import Pager
    from frontend.pages.shell import Label
    from frontend.pages.subject import SubjectHead
    from frontend.pages.verdicts import RuleLink
    from registry.records import Page
    from registry.registration_records import InForce, Judged, PolicyAt, Registration, WaivedBy

# What became of a registration: its words, the class that colours it, its sign.
OUTCOMES: Final[dict[Outcome, tuple[Label, str, str]]] = {
    Outcome.FIRST: (gettext_lazy("First version"), "info", "check"),
    Outcome.ALLOWED: (gettext_lazy("Compatible"), "pass", "check"),
    Outcome.WAIVED: (gettext_lazy("Waived"), "fail", "alert"),
    Outcome.UNCHECKED: (gettext_lazy("Not compared"), "info", "minus"),
    Outcome.IMPORTED: (gettext_lazy("Imported"), "info", "download"),
}
WARNED: Final[tuple[Label, str, str]] = (gettext_lazy("Compatible, with warnings"), "warn", "alert")
SHOWN_RULES: Final = 3


@dataclass(frozen=True, slots=True)
class Mark:
    """An outcome as a badge."""

    label: Label
    badge: str
    icon: str


@dataclass(frozen=True, slots=True)
class HistoryItem:
    """One registration; ``url`` is empty for a deleted version, ``mark`` None where nothing was kept."""

    row: Registration
    url: str
    level_origin: Label
    preset: str
    policies: tuple[str, ...]
    mark: Mark | None
    waiver: WaivedBy | None
    notes: tuple[str, ...]
    rules: tuple[RuleLink, ...]
    hidden_rules: int


@dataclass(frozen=True, slots=True)
class HistoryPage:
    """The whole page."""

    head: SubjectHead
    items: tuple[HistoryItem, ...]
    pager: Pager


def history_page(scope: Scope, head: SubjectHead, found: Page[Registration]) -> HistoryPage:
    """Make the page."""
    definition = reverse("frontend:definition", args=[*place_of(scope), head.subject])
    return HistoryPage(
        head=head,
        items=tuple(_item(row, definition) for row in found.rows),
        pager=make_pager(found, lambda number: f"?page={number}" if number > 1 else "?"),
    )


def _item(row: Registration, definition: str) -> HistoryItem:
    rules = list(dict.fromkeys(finding.rule for finding in row.findings))
    in_force = row.in_force
    return HistoryItem(
        row=row,
        url="" if row.deleted_at else f"{definition}?v={row.number}",
        level_origin="" if in_force is None else _origin(in_force.level_origin),
        preset="" if in_force is None else in_force.preset,
        policies=() if in_force is None else _policies(in_force),
        mark=None if row.judged is None else _mark(row.judged),
        waiver=None if row.judged is None else row.judged.waived_by,
        notes=() if row.judged is None else tuple(_notes(row.judged)),
        rules=tuple(rule_link(rule) for rule in rules[:SHOWN_RULES]),
        hidden_rules=max(0, len(rules) - SHOWN_RULES),
    )


def _mark(judged: Judged) -> Mark:
    is_warned = judged.outcome is Outcome.ALLOWED and judged.counts.get(Severity.WARN)
    return Mark(*(WARNED if is_warned else OUTCOMES[judged.outcome]))


def _notes(judged: Judged) -> list[str]:
    told = [(judged.compared, _compared)]
    counted = ((Severity.BLOCK, _blocked), (Severity.WARN, _warnings), (Severity.INFO, _remarks))
    told += [(judged.counts.get(severity, 0), words) for severity, words in counted]
    return [words(count) for count, words in told if count]


def _compared(count: int) -> str:
    return ngettext("compared with %(count)d version", "compared with %(count)d versions", count) % {
        "count": count
    }


def _blocked(count: int) -> str:
    return ngettext("%(count)d blocking finding", "%(count)d blocking findings", count) % {"count": count}


def _warnings(count: int) -> str:
    return ngettext("%(count)d warning", "%(count)d warnings", count) % {"count": count}


def _remarks(count: int) -> str:
    return ngettext("%(count)d remark", "%(count)d remarks", count) % {"count": count}


def _origin(origin: Origin) -> Label:
    """Return who set a value; policies are listed by themselves, so their name is enough."""
    match origin.kind:
        case OriginKind.POLICY:
            return _("from the policy %(policy)s") % {"policy": origin.policy}
        case OriginKind.CONFIG:
            kind = origin.scope.partition(" ")[0]
            return ORIGINS[kind if kind in ORIGINS else "namespace"]
        case OriginKind.INSTALLATION:
            return ORIGINS["server"]


def _policies(in_force: InForce) -> tuple[str, ...]:
    return tuple(_policy(one) for one in in_force.policies)


def _policy(one: PolicyAt) -> str:
    words = {"policy": one.policy, "version": one.version, "place": str(one.place)}
    return _("policy %(policy)s, version %(version)s, bound to %(place)s") % words
