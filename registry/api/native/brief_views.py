"""All subjects in brief, for whoever copies a namespace."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rest_framework.response import Response

from accord_server.kit.operations import listed
from accord_server.kit.paging import batch_document, batch_size, cursor, next_cursor, number_in
from registry.api.native.shapes import SubjectSettingsShape
from registry.queries.subject_settings import subjects_in_brief
from tenants.api.base import TenantView

if TYPE_CHECKING:
    from rest_framework.request import Request

    from registry.queries.subject_settings import SubjectInBrief


class SubjectSettings(TenantView):
    """The subjects of a namespace with their own settings."""

    rights = {"GET": "config.read"}
    answers = {"GET": listed(SubjectSettingsShape)}
    hides = False

    def get(self, request: Request, **_names: str) -> Response:
        """List them, soft-deleted ones too, in the order in which they came."""
        after, limit = number_in(cursor(request)), batch_size(request)
        batch = subjects_in_brief(self.scope, after=after, limit=limit)
        return Response(batch_document(batch, brief_document, next_cursor(request, batch.after)))


def brief_document(one: SubjectInBrief) -> SubjectSettingsShape:
    """Return a subject as it is listed."""
    return {
        "subject": one.subject.qualified,
        "versions": one.versions,
        "deleted": one.deleted,
        "config": one.config,
        "mode": one.mode,
    }
