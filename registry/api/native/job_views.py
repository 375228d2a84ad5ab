"""Views of jobs: all that workers do, in one list."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from django.urls import reverse
from rest_framework.response import Response

from accord_server.kit.error_tables import HttpError
from accord_server.kit.operations import choice, listed
from accord_server.kit.paging import batch_document, batch_size, cursor, next_cursor
from registry.api.native.job_shapes import JobShape
from registry.job_records import RIGHT, STATES, JobKind, WantedJobs
from registry.queries.jobs import list_jobs
from tenants.api.base import TenantView

if TYPE_CHECKING:
    from rest_framework.request import Request

    from registry.job_records import JobRecord

# Where each kind is followed, by its own rights.
ADDRESSES: Final = {
    JobKind.CHECK: "native-check",
    JobKind.DRY_RUN: "native-dry-run",
    JobKind.IMPORT: "native-import",
    JobKind.EXPORT: "native-export",
}


class NamespaceJobs(TenantView):
    """What workers do in a namespace."""

    rights = {"GET": RIGHT}
    answers = {"GET": listed(JobShape)}
    queries = {
        "GET": (
            choice("kind", "Only jobs of this kind.", *JobKind),
            choice("state", "Only jobs in this state; `open` for those that are not over.", *STATES),
        )
    }
    hides = False

    def get(self, request: Request, tenant: str, **_names: str) -> Response:
        """List checks, dry runs, imports and exports, newest first."""
        wanted = WantedJobs(_one_of(request, "kind", [*JobKind]), _one_of(request, "state", [*STATES]))
        batch = list_jobs(self.scope, wanted=wanted, after=cursor(request), limit=batch_size(request))
        shown = partial(job_document, tenant)
        return Response(batch_document(batch, shown, next_cursor(request, batch.after)))


class Jobs(NamespaceJobs):
    """What workers do in all namespaces of a tenant, and for the tenant itself."""

    is_shared = True


def job_document(tenant: str, job: JobRecord) -> JobShape:
    """Return a job with the address at which it is followed."""
    inside = [job.namespace] if job.namespace else []
    return {
        "kind": job.kind,
        "id": str(job.id),
        "namespace": job.namespace,
        "state": job.state,
        "progress": {"done": job.done, "total": job.total},
        "created_at": job.created_at.isoformat(),
        "created_by": job.created_by,
        "url": reverse(ADDRESSES[job.kind], args=[tenant, *inside, job.id]),
    }


def _one_of(request: Request, name: str, words: list[str]) -> str:
    given = request.query_params.get(name, "")
    if given and given not in words:
        raise HttpError(400, f"{name} is one of {', '.join(words)}")
    return given
