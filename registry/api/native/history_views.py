"""The history of a subject: each registration with the policy in force and the verdict."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rest_framework.response import Response

from accord.model import Severity
from accord.naming import parse_subject
from accord_server.kit.operations import listed
from accord_server.kit.paging import batch_document, batch_size, cursor, next_cursor, number_in
from registry.api.native.policy_shapes import RegistrationShape
from registry.policy_values import origin_document, place_document
from registry.queries.registrations import registrations_of
from tenants.api.base import TenantView

if TYPE_CHECKING:
    from datetime import datetime

    from rest_framework.request import Request

    from registry.api.native.policy_shapes import InForceShape, JudgedShape, WaivedByShape
    from registry.registration_records import InForce, Judged, Registration

WEIGHED = (Severity.BLOCK, Severity.WARN, Severity.INFO)


class SubjectHistory(TenantView):
    """The history of a subject."""

    rights = {"GET": "subject.read"}
    answers = {"GET": listed(RegistrationShape)}

    def get(self, request: Request, subject: str, **_names: str) -> Response:
        """List its registrations, newest first."""
        before = number_in(cursor(request)) or None
        found = parse_subject(subject)
        batch = registrations_of(self.scope, found, before=before, limit=batch_size(request))
        return Response(batch_document(batch, registration_document, next_cursor(request, batch.after)))


def registration_document(one: Registration) -> RegistrationShape:
    """Return one entry of the history."""
    return {
        "version": one.number,
        "id": one.schema_id,
        "format": one.format,
        "created_at": one.created_at.isoformat(),
        "created_by": one.created_by,
        "deleted_at": _moment(one.deleted_at),
        "level": one.level,
        "in_force": None if one.in_force is None else _in_force(one.in_force),
        "verdict": None if one.judged is None else _verdict(one.judged),
        "findings": [
            {
                "rule": finding.rule,
                "severity": finding.severity,
                "path": finding.path,
                "direction": finding.direction,
                "version": finding.version,
            }
            for finding in one.findings
        ],
    }


def _in_force(one: InForce) -> InForceShape:
    return {
        "preset": one.preset,
        "preset_origin": origin_document(one.preset_origin),
        "level_origin": origin_document(one.level_origin),
        "policies": [
            {"policy": at.policy, "version": at.version, "place": place_document(at.place)}
            for at in one.policies
        ],
    }


def _verdict(one: Judged) -> JudgedShape:
    counts = {str(severity): one.counts.get(severity, 0) for severity in WEIGHED}
    by = one.waived_by
    waived_by: WaivedByShape | None = (
        None if by is None else {"waiver": by.waiver, "given_by": by.given_by, "reason": by.reason}
    )
    return {
        "outcome": one.outcome,
        "is_compatible": one.outcome.is_compatible,
        "compared": one.compared,
        "findings": counts,
        "waived_by": waived_by,
    }


def _moment(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()
