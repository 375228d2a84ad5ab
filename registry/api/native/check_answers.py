"""The answer to whoever asked for a check: where to follow it, or what came out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.urls import reverse
from rest_framework.response import Response

from registry.api.native.serializers import check_document

if TYPE_CHECKING:
    from registry.records import CheckRunRecord

FINISHED: Final = frozenset({"done", "failed", "cancelled"})


def check_response(record: CheckRunRecord, tenant: str, namespace: str) -> Response:
    """Return 202 with the address of a check, or 200 if it is finished already."""
    where = reverse("native-check", args=[tenant, namespace, record.id])
    status = 200 if record.state in FINISHED else 202
    return Response(check_document(record), status=status, headers={"Location": where})
