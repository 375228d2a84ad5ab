"""Whether a schema is there already under another name."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from rest_framework.response import Response

from accord_server.kit.operations import single
from registry.api.native.search_shapes import SimilarSubjectsShape
from registry.api.native.serializers import CandidateSerializer
from registry.services.likeness import similar_subjects
from tenants.api.base import TenantView

if TYPE_CHECKING:
    from rest_framework.request import Request


class SimilarSubjects(TenantView):
    """The subjects that are like a candidate."""

    rights = {"POST": "compat.check"}
    bodies = {"POST": CandidateSerializer}
    answers = {"POST": single(SimilarSubjectsShape)}
    is_question = True

    def post(self, request: Request, subject: str, **_names: str) -> Response:
        """Name the other subjects whose latest schemas have much the same fields; nothing is stored."""
        command = self.body(request).command(subject)
        found = similar_subjects(self.scope, command.subject, command.schema)
        return Response({"items": [asdict(one) for one in found]})
