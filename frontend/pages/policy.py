"""One policy: its text, what it means, where it is bound, its history, and two of its versions compared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from accord.policy.documents import read_document, to_yaml
from frontend.diff import compare_texts
from frontend.highlight import highlight_policy, paint
from frontend.pages.advice import advice_panel
from frontend.pages.binding_places import bound_place
from frontend.pages.comparison import ComparisonQuery, View, neighbours, painted
from frontend.pages.formats import FORMATS
from frontend.pages.origins import policy_url
from frontend.pages.shell import Crumb, Frame, Label, crumbs_to
from frontend.pages.subject import TabLink
from registry.queries.policies import WRITE
from tenants.access import may_in_tenant

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from django.utils.safestring import SafeString

    from accord.model import Format
    from accord.policy.advice import Advice
    from accord_server.kit.paging import Batch
    from accord_server.kit.scope import Scope
    from frontend.diff import SideBySide
    from frontend.pages.advice import AdvicePanel
    from frontend.pages.binding_places import BoundPlace
    from frontend.pages.comparison import DiffRow, Links
    from registry.policy_records import BindingRecord, PolicyVersionRecord
    from tenants.records import NamespaceRecord

PAGE_SIZE: Final = 50
OFFERED: Final = 200
YAML: Final = "yaml"
TABS: Final[tuple[tuple[str, Label], ...]] = (
    ("policy", _("Policy")),
    ("policy-history", _("History")),
    ("policy-diff", _("Compare")),
)


@dataclass(frozen=True, slots=True)
class PolicyHead:
    """The head of every page of one policy; ``edit_url`` is empty for whoever may not change it."""

    name: str
    description: str
    newest: int
    tabs: tuple[TabLink, ...]
    edit_url: str


@dataclass(frozen=True, slots=True)
class FormatAdvice:
    """What a policy means for one format."""

    label: Label
    panel: AdvicePanel


@dataclass(frozen=True, slots=True)
class PolicyPage:
    """The page of one version."""

    head: PolicyHead
    record: PolicyVersionRecord
    lines: tuple[SafeString, ...]
    advice: tuple[FormatAdvice, ...]
    bound: tuple[BoundPlace, ...]
    bind_url: str
    revert_url: str
    newest_url: str

    @property
    def is_newest(self) -> bool:
        """True for the version that counts where the policy is bound."""
        return self.record.number == self.head.newest


@dataclass(frozen=True, slots=True)
class HistoryItem:
    """One version of the history."""

    record: PolicyVersionRecord
    url: str
    diff_url: str
    revert_url: str


@dataclass(frozen=True, slots=True)
class PolicyHistoryPage:
    """The history, newest first, part by part."""

    head: PolicyHead
    items: tuple[HistoryItem, ...]
    first_url: str
    next_url: str


@dataclass(frozen=True, slots=True)
class TextDiff:
    """Two texts as the templates of differences print them."""

    query: ComparisonQuery
    rows: tuple[DiffRow, ...]
    removed: int
    added: int
    is_cut: bool
    links: Links | None = None
    old_url: str = ""
    new_url: str = ""
    labels: tuple[str, ...] = ()

    @property
    def is_same(self) -> bool:
        """True when the texts do not differ."""
        return not self.removed and not self.added


@dataclass(frozen=True, slots=True)
class PolicyDiffPage:
    """Two versions of a policy side by side."""

    head: PolicyHead
    sides: tuple[PolicyVersionRecord, PolicyVersionRecord]
    diff: TextDiff
    numbers: tuple[int, ...]


def policy_head(scope: Scope, newest: PolicyVersionRecord, *, tab: str, may_change: bool) -> PolicyHead:
    """Make the head from the newest version."""
    place = [scope.tenant.slug, newest.policy]
    return PolicyHead(
        name=newest.policy,
        description=str(newest.document.get("description", "")),
        newest=newest.number,
        tabs=tuple(
            TabLink(
                label,
                reverse(f"frontend:{route}", args=place),
                route == tab,
                newest.number if route == "policy-history" else None,
            )
            for route, label in TABS
        ),
        edit_url=reverse("frontend:policy-edit", args=place) if may_change else "",
    )


def policy_frame(scope: Scope, name: str, title: Label, *, width: str = "") -> Frame:
    """Return the frame of a page of one policy."""
    policies = Crumb(_("Policies"), reverse("frontend:policies", args=[scope.tenant.slug]))
    return Frame(title, crumbs_to(scope.tenant.slug, "", policies, Crumb(name)), width)


def policy_page(
    scope: Scope,
    head: PolicyHead,
    record: PolicyVersionRecord,
    *,
    advice: Mapping[Format, Advice],
    bound: Iterable[BindingRecord],
    namespaces: tuple[NamespaceRecord, ...],
) -> PolicyPage:
    """Make the page of one version."""
    bind = reverse("frontend:policy-bind", args=[scope.tenant.slug])
    is_old = record.number != head.newest
    return PolicyPage(
        head=head,
        record=record,
        lines=tuple(paint(line) for line in highlight_policy(record.source.rstrip("\n"), record.syntax)),
        advice=format_advice(advice),
        bound=tuple(bound_place(scope, one, namespaces) for one in bound),
        bind_url=f"{bind}?policy={record.policy}" if may_in_tenant(scope, WRITE) else "",
        revert_url=_revert_url(scope, record) if is_old and head.edit_url else "",
        newest_url=policy_url(scope, record.policy),
    )


def format_advice(advice: Mapping[Format, Advice]) -> tuple[FormatAdvice, ...]:
    """Return what a policy means for each format."""
    return tuple(FormatAdvice(FORMATS[format_], advice_panel(one)) for format_, one in advice.items())


def policy_history_page(
    scope: Scope, head: PolicyHead, found: Batch[PolicyVersionRecord], *, after: int | None
) -> PolicyHistoryPage:
    """Make the page of one part of the history."""
    url = reverse("frontend:policy-history", args=[scope.tenant.slug, head.name])
    diff = reverse("frontend:policy-diff", args=[scope.tenant.slug, head.name])
    items = tuple(
        HistoryItem(
            record,
            policy_url(scope, head.name, record.number),
            f"{diff}?from={record.number - 1}&to={record.number}" if record.number > 1 else "",
            _revert_url(scope, record) if head.edit_url and record.number != head.newest else "",
        )
        for record in found.rows
    )
    next_url = f"{url}?after={found.after}" if found.after else ""
    return PolicyHistoryPage(head, items, url if after else "", next_url)


def policy_diff_page(
    scope: Scope,
    head: PolicyHead,
    sides: tuple[PolicyVersionRecord, PolicyVersionRecord],
    query: ComparisonQuery,
) -> PolicyDiffPage:
    """Make the page of two versions."""
    numbers = range(1, head.newest + 1)
    old_url, new_url = (policy_url(scope, head.name, side.number) for side in sides)
    diff = text_diff(alike(*sides), query)
    shown = TextDiff(
        query, diff.rows, diff.removed, diff.added, diff.is_cut, neighbours(query, numbers), old_url, new_url
    )
    offered = sorted({*numbers[-OFFERED:], query.old, query.new}, reverse=True)
    return PolicyDiffPage(head, sides, shown, tuple(offered))


def text_diff(texts: tuple[str, str, str], query: ComparisonQuery) -> TextDiff:
    """Compare two policy texts of one syntax."""
    old, new, syntax = texts
    found: SideBySide = (
        compare_texts(old, new, context=None) if query.is_unfolded else compare_texts(old, new)
    )
    lines = highlight_policy(old, syntax), highlight_policy(new, syntax)
    rows = tuple(painted(found, query.view, lines=lines))
    return TextDiff(query, rows, found.removed, found.added, found.is_cut)


def alike(old: PolicyVersionRecord, new: PolicyVersionRecord) -> tuple[str, str, str]:
    """Return two texts in one syntax: as they were written if that is one, else both in YAML."""
    if old.syntax == new.syntax:
        return old.source, new.source, old.syntax
    return _as_yaml(old), _as_yaml(new), YAML


def whole_diff(old: int = 0, new: int = 0) -> ComparisonQuery:
    """Return how two texts are laid out that have no page of their own."""
    return ComparisonQuery(old, new, View.UNIFIED)


def _as_yaml(record: PolicyVersionRecord) -> str:
    if record.syntax == YAML:
        return record.source
    document = read_document(record.source, is_json=True).document
    return record.source if document is None else to_yaml(document)


def _revert_url(scope: Scope, record: PolicyVersionRecord) -> str:
    return reverse("frontend:policy-revert", args=[scope.tenant.slug, record.policy]) + f"?to={record.number}"
