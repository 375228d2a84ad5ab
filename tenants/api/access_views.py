"""The view of who may do what on which."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rest_framework.response import Response

from accord_server.kit.operations import PAGING, Query, single
from accord_server.kit.paging import batch_document, batch_size, cursor, next_cursor
from tenants.api.base import TenantView
from tenants.api.documents import binding_document, grant_document
from tenants.api.shapes import Decisions, DecisionShape
from tenants.queries.explaining import Asked, explain_access, who_may
from tenants.queries.tokens import namespace_slugs

if TYPE_CHECKING:
    from rest_framework.request import Request

    from tenants.queries.explaining import Decision


class Access(TenantView):
    """Who may do what on which."""

    rights = {"GET": "role.read"}
    answers = {"GET": single(DecisionShape | Decisions)}
    queries = {
        "GET": (
            Query("principal", "Who: `person:dora`, `service:robot`; without it all who may are listed."),
            Query("action", "The right that is asked about."),
            Query("object", "On what: `namespace`, or `namespace/subject`; nothing for the whole tenant."),
            *PAGING,
        )
    }
    codes = {
        "GET": (
            "invalid_detail",
            "principal_not_found",
            "token_not_found",
            "unknown_right",
        )
    }
    hides = False

    def get(self, request: Request, **_names: str) -> Response:
        """Tell whether a principal may do it and by what; without a principal, list all who may."""
        principal, action, thing = (
            request.query_params.get(name, "") for name in ("principal", "action", "object")
        )
        asked = Asked(action, thing)
        if principal:
            return Response(self._document(explain_access(self.scope, principal, asked)))
        batch = who_may(self.scope, asked, after=cursor(request), limit=batch_size(request))
        return Response(batch_document(batch, self._document, next_cursor(request, batch.after)))

    def _document(self, found: Decision) -> DecisionShape:
        grant = None
        if found.grant is not None:
            grant = grant_document(found.grant, namespace_slugs(self.scope))
        return {
            "principal": found.principal,
            "allowed": found.is_allowed,
            "reason": found.reason,
            "binding": None if found.binding is None else binding_document(found.binding),
            "grant": grant,
        }
