"""Views of the native API: asynchronous checks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rest_framework.response import Response

from accord_server.kit.operations import made, single
from registry import services
from registry.api.native.check_answers import check_response
from registry.api.native.serializers import CheckSerializer, check_document
from registry.api.native.verdict_shapes import CheckShape
from tenants.api.base import TenantView

if TYPE_CHECKING:
    from uuid import UUID

    from rest_framework.request import Request


class Checks(TenantView):
    """Asynchronous checks of a namespace."""

    rights = {"POST": "compat.check"}
    bodies = {"POST": CheckSerializer}
    answers = {"POST": made(CheckShape, 200, status=202)}
    codes = {
        "POST": (
            "subject_not_found",
            "too_many_checks",
            "unknown_level",
        )
    }

    def post(self, request: Request, tenant: str, namespace: str) -> Response:
        """Ask for a check: 202 and where to follow it, 200 if it is finished already."""
        body = self.body(request)
        record = services.request_check(self.scope, body.command(body.validated_data["subject"]))
        return check_response(record, tenant, namespace)


class Check(TenantView):
    """One asynchronous check."""

    rights = {"GET": "compat.check", "DELETE": "compat.check"}
    answers = dict.fromkeys(("GET", "DELETE"), single(CheckShape))
    codes = {"GET": ("check_not_found",), "DELETE": ("check_not_found",)}
    unversioned = {"DELETE": "A check is only cancelled, which changes nothing else."}

    def get(self, request: Request, tenant: str, namespace: str, check: UUID) -> Response:  # noqa: ARG002  # names of the path
        """Return state, progress and, once it is done, the result."""
        return Response(check_document(services.follow_check(self.scope, check)))

    def delete(self, request: Request, tenant: str, namespace: str, check: UUID) -> Response:  # noqa: ARG002  # as above
        """Cancel it; who waits for its verdict is told so."""
        return Response(check_document(services.cancel_check(self.scope, check)))
