"""Views of the audit log: the list, one record, an export, and whether the log is as it was sealed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rest_framework.response import Response

from accord_server.kit.operations import PAGING, Query, choice, listed, single, streamed
from accord_server.kit.paging import batch_document, batch_size, cursor, next_cursor
from tenants.api.base import TenantView
from tenants.api.shapes import AuditShape, AuditVerdictShape, FaultShape
from tenants.audit_export import JSON_LINES, LISTING, MEDIA_TYPES, audit_document, export_answer, read_kind
from tenants.queries.audit import RIGHT, export_audit, get_audit, list_audit, shown_record
from tenants.queries.audit_verdicts import verify_audit
from tenants.wanted_records import FILTERS, read_wanted

if TYPE_CHECKING:
    from uuid import UUID

    from django.http import HttpResponse
    from rest_framework.request import Request

    from tenants.records import AuditFault, AuditVerdict

FORMAT: Final = "format"
PAGE: Final = tuple(query.name for query in PAGING)
FILTERED: Final = tuple(Query(name, f"Only records {words}.") for name, words in FILTERS.items())
AS_FORMAT: Final = choice(FORMAT, "How the lines are written: `jsonl` unless named.", *MEDIA_TYPES)


class Audit(TenantView):
    """The audit log of a tenant."""

    rights = {"GET": RIGHT}
    answers = {"GET": listed(AuditShape)}
    queries = {"GET": FILTERED}
    codes = {"GET": ("invalid_detail",)}
    hides = False
    is_shared = True

    def get(self, request: Request, **_names: str) -> Response:
        """List the records that the caller may read, newest first."""
        wanted = read_wanted(request.query_params.dict(), beside=PAGE)
        batch = list_audit(
            self.scope, wanted=wanted, after=cursor(request, listing=LISTING), limit=batch_size(request)
        )
        return Response(
            batch_document(batch, audit_document, next_cursor(request, batch.after, listing=LISTING))
        )


class AuditRecord(TenantView):
    """One record of the audit log."""

    rights = {"GET": RIGHT}
    answers = {"GET": single(AuditShape)}
    codes = {"GET": ("audit_record_not_found",)}
    hides = False
    is_shared = True

    def get(self, request: Request, record: int, **_names: str) -> Response:  # noqa: ARG002  # the signature is the framework's
        """Return it."""
        return Response(audit_document(get_audit(self.scope, record)))


class AuditExport(TenantView):
    """The audit log as text, as far as one answer goes; a record's cursor begins the next."""

    rights = {"GET": RIGHT}
    answers = {"GET": streamed(*(kind.partition(";")[0] for kind in MEDIA_TYPES.values()))}
    queries = {"GET": (*FILTERED, AS_FORMAT, PAGING[1])}
    codes = {"GET": ("invalid_detail",)}
    hides = False
    is_shared = True

    def get(self, request: Request, **_names: str) -> HttpResponse:
        """Stream the records that the caller may read, newest first."""
        wanted = read_wanted(request.query_params.dict(), beside=("cursor", FORMAT))
        kind = read_kind(request.query_params.get(FORMAT, JSON_LINES))
        rows = export_audit(self.scope, wanted=wanted, after=cursor(request, listing=LISTING))
        return export_answer(request, self.scope, rows, kind)


class AuditVerification(TenantView):
    """Whether the audit log is as it was sealed."""

    rights = {"GET": RIGHT}
    answers = {"GET": single(AuditVerdictShape)}
    queries = {"GET": (Query("checkpoint", "Where to go on: the `checkpoint` of the look before."),)}
    hides = False

    def get(self, request: Request, **_names: str) -> Response:
        """Look at the chain from a checkpoint on, as far as one look goes."""
        verdict = verify_audit(self.scope, checkpoint=request.query_params.get("checkpoint", ""))
        return Response(verdict_document(verdict, self.scope.tenant.id))


def verdict_document(verdict: AuditVerdict, tenant: UUID) -> AuditVerdictShape:
    """Return what a look at the chain of a tenant found."""
    return {
        "is_good": verdict.fault is None,
        "is_whole": verdict.is_whole,
        "checkpoint": verdict.checkpoint,
        "seals": verdict.seals,
        "records": verdict.records,
        "waiting": verdict.waiting,
        "expired": [{"month": one.month.isoformat(), "records": one.records} for one in verdict.expired],
        "fault": None if verdict.fault is None else _fault_document(verdict.fault, tenant),
    }


def _fault_document(fault: AuditFault, tenant: UUID) -> FaultShape:
    record = None if fault.record is None else shown_record(tenant, fault.record)
    return {"kind": fault.kind, "record": record, "seal": fault.seal}
