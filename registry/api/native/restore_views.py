"""A view that brings back what was soft-deleted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rest_framework import serializers
from rest_framework.response import Response

from accord.naming import parse_subject
from accord_server.kit.operations import single
from accord_server.kit.preconditions import LARGEST_NUMBER
from accord_server.kit.rest_bodies import Body
from registry.api.native.shapes import RestoredShape
from registry.services.restoring import RIGHT, restore_subject, restore_version
from tenants.api.base import TenantView

if TYPE_CHECKING:
    from rest_framework.request import Request


class RestoreSerializer(Body[Any]):
    """The body that says what comes back: a version, or with null what the deletion of the subject hid."""

    version = serializers.IntegerField(min_value=1, max_value=LARGEST_NUMBER, allow_null=True)


class Restore(TenantView):
    """The way back of versions."""

    rights = {"POST": RIGHT}
    bodies = {"POST": RestoreSerializer}
    answers = {"POST": single(RestoredShape)}

    def post(self, request: Request, subject: str, **_names: str) -> Response:
        """Bring them back with their numbers and ids; what is live already stays as it is."""
        version, name = self.body(request).validated_data["version"], parse_subject(subject)
        if version is None:
            restored = restore_subject(self.scope, name)
        else:
            restored = restore_version(self.scope, name, version)
        return Response({"subject": name.qualified, "versions": restored})
