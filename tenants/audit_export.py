"""The audit log as text, line by line: JSON lines, and CSV that no spreadsheet takes for formulas."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from django.http import HttpResponse

from accord.model.cells import csv_line
from accord_server.kit.paging import next_cursor
from tenants.errors import InvalidDetail
from tenants.queries.audit import place_of_record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from django.http import HttpRequest

    from accord_server.kit.scope import Scope
    from tenants.records import AuditRow

CSV_COLUMNS: Final = (
    "cursor", "id", "at", "actor", "actor_kind", "token_key_id", "token_slot", "action", "object_kind",
    "object_name", "namespace", "outcome", "address", "request_id", "before", "after",
)  # fmt: skip
# A record's place is good in the list and in each export.
LISTING: Final = "audit"
CSV: Final = "csv"
JSON_LINES: Final = "jsonl"
# An answer is made in memory: what does not fit is in the next.
MOST_BYTES: Final = 16 * 2**20
MEDIA_TYPES: Final = {CSV: "text/csv; charset=utf-8; header=present", JSON_LINES: "application/jsonl"}


def audit_document(row: AuditRow) -> dict[str, Any]:
    """Return a record as it is answered."""
    return {
        "id": row.id,
        "at": row.at.isoformat(),
        "actor": row.actor,
        "actor_kind": row.actor_kind,
        "token_key_id": row.token_key_id or None,
        "token_slot": row.token_slot,
        "action": row.action,
        "object_kind": row.object_kind,
        "object_name": row.object_name,
        "namespace": row.namespace,
        "outcome": row.outcome,
        "address": row.address,
        "request_id": row.request_id or None,
        "before": row.before,
        "after": row.after,
    }


def read_kind(text: str) -> str:
    """Read the format of an export.

    Raises:
        InvalidDetail: There is no such format.
    """
    if text not in MEDIA_TYPES:
        raise InvalidDetail("format", f"it is {' or '.join(MEDIA_TYPES)}")
    return text


def export_answer(request: HttpRequest, scope: Scope, rows: Iterable[AuditRow], kind: str) -> HttpResponse:
    """Return an export, of at most so many bytes and one record more.

    It is whole before any of it is sent, and says how long it is: where an answer without a length breaks
    off, the server ends it as if that were all, and half a log would look like the whole.
    """
    content = bytearray()
    for line in _lines_of(request, rows, kind):
        content += line.encode()
        if len(content) >= MOST_BYTES:
            break
    answer = HttpResponse(bytes(content), content_type=MEDIA_TYPES[kind])
    answer["Content-Length"] = str(len(content))
    answer["Content-Disposition"] = f'attachment; filename="audit-{scope.tenant.slug}.{kind}"'
    return answer


def _lines_of(request: HttpRequest, rows: Iterable[AuditRow], kind: str) -> Iterator[str]:
    # Each record says where the next part begins, should it be the last that arrives.
    documents = (
        {"cursor": next_cursor(request, place_of_record(row), listing=LISTING), **audit_document(row)}
        for row in rows
    )
    return _csv(documents) if kind == CSV else _json_lines(documents)


def _json_lines(documents: Iterable[dict[str, Any]]) -> Iterator[str]:
    for one in documents:
        yield json.dumps(one) + "\n"


def _csv(documents: Iterable[dict[str, Any]]) -> Iterator[str]:
    yield csv_line(CSV_COLUMNS)
    for one in documents:
        yield csv_line(one[name] for name in CSV_COLUMNS)
