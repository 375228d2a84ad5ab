"""Views of exports of whole tenants, for whoever runs the installation."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from django.http import StreamingHttpResponse
from django.urls import reverse
from rest_framework.response import Response

from accord_server.kit.error_tables import HttpError
from accord_server.kit.operations import NOTHING, listed, made, single, streamed
from accord_server.kit.paging import batch_document, next_cursor, part_of
from registry.api.native.shapes import ExportShape
from registry.services import tenant_exports as services
from tenants.api.base import OPERATOR, OperatorView

if TYPE_CHECKING:
    from uuid import UUID

    from django.http.response import HttpResponseBase
    from rest_framework.request import Request

    from registry.export_records import ExportRecord

# All that a download which was cut off asks for.
RANGE: Final = re.compile(r"bytes=([0-9]{1,18})-")


class Exports(OperatorView):
    """The exports of a tenant."""

    answers = {"GET": listed(ExportShape), "POST": made(ExportShape)}
    codes = {"POST": ("export_under_way",)}

    def get(self, request: Request, tenant: str) -> Response:
        """List them, newest first; there are few."""
        found = part_of(request, services.list_exports(self.enter(request, tenant)))
        return Response(batch_document(found, export_document, next_cursor(request, found.after)))

    def post(self, request: Request, tenant: str) -> Response:
        """Ask for one: 201 and where to look how far it is."""
        record = services.start_export(self.enter(request, tenant))
        where = reverse("native-export", args=[tenant, record.id])
        return Response(export_document(record), status=201, headers={"Location": where})


class Export(OperatorView):
    """One export."""

    rights = {"GET": OPERATOR, "DELETE": OPERATOR}
    answers = {"GET": single(ExportShape), "DELETE": NOTHING}
    unversioned = {"DELETE": "An export is never changed, only removed."}
    codes = dict.fromkeys(("GET", "DELETE"), ("export_not_found",))

    def get(self, request: Request, tenant: str, export: UUID) -> Response:
        """Return how far it is."""
        return Response(export_document(services.get_export(self.enter(request, tenant), export)))

    def delete(self, request: Request, tenant: str, export: UUID) -> Response:
        """Remove it with its archive."""
        services.delete_export(self.enter(request, tenant), export)
        return Response(status=204)


class Archive(OperatorView):
    """The archive of an export."""

    rights = {"GET": OPERATOR}
    answers = {"GET": streamed("application/zip", others=(206,))}
    codes = {"GET": ("export_not_done", "export_not_found", "range_not_satisfiable")}

    def get(self, request: Request, tenant: str, export: UUID) -> HttpResponseBase:
        """Stream it, from a byte on where one is named."""
        start = range_start(request.headers.get("Range", ""))
        record, parts = services.open_archive(self.enter(request, tenant), export, start=start)
        if start and start >= record.size:
            raise HttpError(416, headers={"Content-Range": f"bytes */{record.size}"})
        answer = StreamingHttpResponse(parts, content_type="application/zip", status=206 if start else 200)
        answer["Content-Length"] = str(record.size - start)
        answer["Accept-Ranges"] = "bytes"
        answer["Content-Disposition"] = f'attachment; filename="{tenant}.zip"'
        if start:
            answer["Content-Range"] = f"bytes {start}-{record.size - 1}/{record.size}"
        return answer


def range_start(header: str) -> int:
    """Return the byte that a download goes on from; forms of ranges that are not served mean the whole."""
    found = RANGE.fullmatch(header)
    return int(found[1]) if found else 0


def export_document(record: ExportRecord) -> ExportShape:
    """Return an export as it is answered."""
    return {
        "id": str(record.id),
        "state": record.state,
        "done": record.done,
        "total": record.total,
        "size": record.size,
        "sha256": None if record.sha256 is None else record.sha256.hex(),
        "error": record.error or None,
        "created_at": record.created_at.isoformat(),
        "created_by": record.created_by,
        "ended_at": record.ended_at.isoformat() if record.ended_at else None,
    }
