"""Views of dry runs of policies."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from django.urls import reverse
from rest_framework.response import Response

from accord_server.kit.operations import choice, listed, made, single
from accord_server.kit.paging import batch_document, batch_size, cursor, next_cursor, number_in
from registry.api.native import dry_run_documents as documents
from registry.api.native.policy_shapes import DryRunShape, VerdictChangeShape
from registry.dry_run_records import ChangeKind
from registry.queries import dry_runs as queries
from registry.services import dry_runs as services
from tenants.api.base import TenantView

if TYPE_CHECKING:
    from uuid import UUID

    from rest_framework.request import Request


class DryRuns(TenantView):
    """Dry runs of policies over the history of a namespace."""

    rights = {"GET": "policy.read", "POST": "policy.read"}
    bodies = {"POST": documents.DryRunSerializer}
    answers = {"GET": listed(DryRunShape), "POST": made(DryRunShape, status=202)}
    queries = {"GET": (choice("state", "`open`: only those that are not over.", "open"),)}
    codes = {
        "POST": (
            "place_invalid",
            "policy_flawed",
            "policy_not_found",
            "policy_version_not_found",
            "proposal_invalid",
            "too_many_dry_runs",
            "unknown_level",
        )
    }
    hides = False

    def get(self, request: Request, **_names: str) -> Response:
        """List those that may be seen, newest first; ``?state=open`` for those that are not over."""
        batch = queries.list_dry_runs(
            self.scope,
            is_open=request.query_params.get("state") == "open",
            before=number_in(cursor(request)) or None,
            limit=batch_size(request),
        )
        shown = partial(documents.dry_run_document, self.scope)
        return Response(batch_document(batch, shown, next_cursor(request, batch.after)))

    def post(self, request: Request, tenant: str, namespace: str) -> Response:
        """Ask for one: 202 and where to follow it."""
        record = services.start_dry_run(self.scope, self.body(request).command(self.scope))
        where = reverse("native-dry-run", args=[tenant, namespace, record.id])
        shown = documents.dry_run_document(self.scope, record)
        return Response(shown, status=202, headers={"Location": where})


class DryRun(TenantView):
    """One dry run."""

    rights = {"GET": "policy.read", "DELETE": "policy.read"}
    answers = dict.fromkeys(("GET", "DELETE"), single(DryRunShape))
    codes = {"GET": ("dry_run_not_found",), "DELETE": ("dry_run_not_found",)}
    unversioned = {"DELETE": "A dry run is only cancelled, which changes nothing else."}

    def get(self, request: Request, dry_run: UUID, **_names: str) -> Response:  # noqa: ARG002  # the signature is the framework's
        """Return state and progress, and how much was found."""
        return Response(documents.dry_run_document(self.scope, queries.dry_run(self.scope, dry_run)))

    def delete(self, request: Request, dry_run: UUID, **_names: str) -> Response:  # noqa: ARG002  # the signature is the framework's
        """Cancel it; what it has found stays."""
        record = services.cancel_dry_run(self.scope, dry_run)
        return Response(documents.dry_run_document(self.scope, record))


class DryRunChanges(TenantView):
    """What a dry run has found."""

    rights = {"GET": "policy.read"}
    answers = {"GET": listed(VerdictChangeShape)}
    queries = {"GET": (choice("change", "Only changes of this kind.", *ChangeKind),)}
    codes = {"GET": ("dry_run_not_found",)}

    def get(self, request: Request, dry_run: UUID, **_names: str) -> Response:
        """List the versions whose verdict changes, in parts."""
        kind, after = documents.asked_kind(request), number_in(cursor(request))
        limit = batch_size(request)
        batch = queries.dry_run_changes(self.scope, dry_run, kind=kind, after=after, limit=limit)
        return Response(batch_document(batch, documents.change_document, next_cursor(request, batch.after)))
