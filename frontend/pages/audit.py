"""The audit log of a tenant: the list with its filters, and one record with what it changed."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from frontend.pages.tabs import tenant_tabs
from tenants.audit_export import CSV, JSON_LINES
from tenants.records import Outcome
from tenants.wanted_records import FILTERS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from accord_server.kit.paging import Batch
    from accord_server.kit.scope import Scope
    from frontend.pages.shell import Label
    from frontend.pages.subject import TabLink
    from tenants.records import AuditRow, NamespaceRecord

PAGE_SIZE: Final = 50
LONGEST: Final = 4096
# Filters that are typed: the name, its words, an example or the type of the input.
TYPED: Final[tuple[tuple[str, Label, str], ...]] = (
    ("actor", _("Who"), "person:alice"),
    ("action", _("Action"), "subject.delete"),
    ("object", _("Object"), "orders-value"),
    ("token", _("Key id of the token"), ""),
    ("request_id", _("Request"), ""),
)
OUTCOMES: Final[tuple[tuple[str, Label], ...]] = (
    ("", _("Any outcome")),
    (Outcome.ALLOWED, _("Allowed")),
    (Outcome.DENIED, _("Denied")),
)
EXPORTS: Final[tuple[tuple[str, Label], ...]] = ((CSV, _("CSV")), (JSON_LINES, _("JSON lines")))


@dataclass(frozen=True, slots=True)
class FilterField:
    """One input of the form."""

    name: str
    label: Label
    example: str
    value: str


@dataclass(frozen=True, slots=True)
class Choice:
    """One choice of a list."""

    value: str
    label: Label
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class AuditItem:
    """One row of the list."""

    row: AuditRow
    url: str
    is_denied: bool


@dataclass(frozen=True, slots=True)
class ExportLink:
    """One way to take the records that are shown elsewhere."""

    label: Label
    url: str


@dataclass(frozen=True, slots=True)
class AuditPage:
    """The whole page; addresses are empty where there is nothing."""

    tabs: tuple[TabLink, ...]
    url: str
    fields: tuple[FilterField, ...]
    since: str
    until: str
    outcomes: tuple[Choice, ...]
    namespaces: tuple[Choice, ...]
    items: tuple[AuditItem, ...]
    exports: tuple[ExportLink, ...]
    is_filtered: bool
    first_url: str
    next_url: str
    error: str


@dataclass(frozen=True, slots=True)
class AuditRecordPage:
    """One record; ``before`` and ``after`` are JSON, empty where there is none."""

    row: AuditRow
    is_denied: bool
    before: str
    after: str
    back_url: str
    request_url: str


def read_filters(values: Mapping[str, str]) -> dict[str, str]:
    """Return the filters of an address that say something."""
    return {name: values[name].strip()[:LONGEST] for name in FILTERS if values.get(name, "").strip()}


def audit_page(
    scope: Scope,
    found: Batch[AuditRow],
    namespaces: Iterable[NamespaceRecord],
    *,
    filters: Mapping[str, str],
    after: str,
    error: str,
) -> AuditPage:
    """Make the page of one part of the log."""
    url = reverse("frontend:audit", args=[scope.tenant.slug])
    slugs: list[tuple[str, Label]] = [("", _("Any namespace")), *((one.slug, one.slug) for one in namespaces)]
    return AuditPage(
        tabs=tenant_tabs(scope, "audit"),
        url=url,
        fields=tuple(FilterField(*words, filters.get(words[0], "")) for words in TYPED),
        since=filters.get("since", ""),
        until=filters.get("until", ""),
        outcomes=_choices(OUTCOMES, filters.get("outcome", "")),
        namespaces=_choices(slugs, filters.get("namespace", "")),
        items=tuple(AuditItem(row, _record_url(scope, row), _is_denied(row)) for row in found.rows),
        exports=tuple(ExportLink(label, _export_url(scope, filters, kind)) for kind, label in EXPORTS),
        is_filtered=bool(filters),
        first_url=_with(url, filters) if after else "",
        next_url=_with(url, {**filters, "after": found.after}) if found.after else "",
        error=error,
    )


def audit_record_page(scope: Scope, row: AuditRow) -> AuditRecordPage:
    """Make the page of one record."""
    url = reverse("frontend:audit", args=[scope.tenant.slug])
    return AuditRecordPage(
        row=row,
        is_denied=_is_denied(row),
        before=_text(row.before),
        after=_text(row.after),
        back_url=url,
        request_url=_with(url, {"request_id": row.request_id}) if row.request_id else "",
    )


def _is_denied(row: AuditRow) -> bool:
    return row.outcome == Outcome.DENIED


def _choices(rows: Iterable[tuple[str, Label]], chosen: str) -> tuple[Choice, ...]:
    return tuple(Choice(value, label, value == chosen) for value, label in rows)


def _record_url(scope: Scope, row: AuditRow) -> str:
    return reverse("frontend:audit-record", args=[scope.tenant.slug, row.id])


def _export_url(scope: Scope, filters: Mapping[str, str], kind: str) -> str:
    return _with(reverse("frontend:audit-export", args=[scope.tenant.slug]), {**filters, "format": kind})


def _with(url: str, query: Mapping[str, str]) -> str:
    return f"{url}?{urlencode(query)}" if query else url


def _text(document: dict[str, object] | None) -> str:
    return "" if document is None else json.dumps(document, indent=2, ensure_ascii=False, sort_keys=True)
