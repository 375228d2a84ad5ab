"""Views of waivers, with their bodies and documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.urls import reverse
from rest_framework import serializers
from rest_framework.response import Response

from accord.model import Format, Reference, SchemaText
from accord.naming import parse_subject
from accord_server.kit.operations import Query, choice, listed, made, single
from accord_server.kit.paging import batch_document, batch_size, cursor, next_cursor, number_in
from registry.api.native.serializers import LONGEST_NAME, SchemaBody
from registry.api.native.shapes import WaiverShape
from registry.queries import waivers as queries
from registry.services import waivers as services
from registry.waiver_records import GiveWaiver
from tenants.api.base import TenantView

if TYPE_CHECKING:
    from uuid import UUID

    from rest_framework.request import Request

    from registry.waiver_records import WaiverRecord


class WaiverSerializer(SchemaBody):
    """The body that says what to waive, until when and why."""

    subject = serializers.CharField(max_length=LONGEST_NAME, trim_whitespace=False)
    reason = serializers.CharField(max_length=500)
    expires_at = serializers.DateTimeField()
    rules = serializers.ListField(
        child=serializers.CharField(max_length=100),
        required=False,
        max_length=50,
        error_messages={"not_a_list": "Must be a list."},
    )

    def command(self) -> GiveWaiver:
        """Return what the service is asked.

        Raises:
            InvalidSubject: The name can never exist.
        """
        given = self.validated_data
        references = tuple(Reference(**one) for one in given.get("references", ()))
        return GiveWaiver(
            subject=parse_subject(given["subject"]),
            schema=SchemaText(Format(given["format"]), given["schema"], references),
            reason=given["reason"],
            expires_at=given["expires_at"],
            rules=tuple(dict.fromkeys(given.get("rules", ()))),
            normalize=given["normalize"],
            contract=self.contract,
        )


class Waivers(TenantView):
    """The waivers of a namespace."""

    rights = {"GET": "waiver.read", "POST": "waiver.write"}
    bodies = {"POST": WaiverSerializer}
    answers = {"GET": listed(WaiverShape), "POST": made(WaiverShape)}
    queries = {
        "GET": (
            Query("subject", "Only those for this subject."),
            choice("state", "`open`: only those that can be used.", "open"),
        )
    }
    codes = {
        "POST": (
            "nothing_to_waive",
            "waiver_exists",
            "waiver_invalid",
            "waiver_limit_reached",
        )
    }
    hides = False

    def get(self, request: Request, **_names: str) -> Response:
        """List those that may be read, newest first."""
        named = request.query_params.get("subject")
        batch = queries.list_waivers(
            self.scope,
            subject=parse_subject(named) if named else None,
            is_open=request.query_params.get("state") == "open",
            before=number_in(cursor(request)) or None,
            limit=batch_size(request),
        )
        return Response(batch_document(batch, waiver_document, next_cursor(request, batch.after)))

    def post(self, request: Request, tenant: str, namespace: str) -> Response:
        """Give one."""
        record = services.give_waiver(self.scope, self.body(request).command())
        where = reverse("native-waiver", args=[tenant, namespace, record.id])
        return Response(waiver_document(record), status=201, headers={"Location": where})


class Waiver(TenantView):
    """One waiver."""

    rights = {"GET": "waiver.read", "DELETE": "waiver.write"}
    answers = dict.fromkeys(("GET", "DELETE"), single(WaiverShape))
    codes = {
        "DELETE": (
            "waiver_not_found",
            "waiver_over",
        ),
        "GET": ("waiver_not_found",),
    }
    unversioned = {"DELETE": "A waiver is never changed, only ended."}

    def get(self, request: Request, waiver: UUID, **_names: str) -> Response:  # noqa: ARG002  # the signature is the framework's
        """Return it."""
        return Response(waiver_document(queries.get_waiver(self.scope, waiver)))

    def delete(self, request: Request, waiver: UUID, **_names: str) -> Response:  # noqa: ARG002  # the signature is the framework's
        """Revoke it."""
        return Response(waiver_document(services.revoke_waiver(self.scope, waiver)))


def waiver_document(record: WaiverRecord) -> WaiverShape:
    """Return a waiver."""
    return {
        "id": str(record.id),
        "subject": record.subject.qualified,
        "format": record.format,
        "digest": record.digest,
        "rules": list(record.rules),
        "findings": [
            {"rule": rule, "path": path, "direction": direction} for rule, path, direction in record.findings
        ],
        "reason": record.reason,
        "state": record.state,
        "created_at": record.created_at.isoformat(),
        "created_by": record.created_by,
        "expires_at": record.expires_at.isoformat(),
        "ended_at": record.ended_at.isoformat() if record.ended_at else None,
        "ended_by": record.ended_by or None,
        "version": record.version,
    }
