"""Views that bring back what was soft-deleted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rest_framework.response import Response

from accord.naming import parse_subject
from registry.api.native.base import TenantView
from registry.services.restoring import RIGHT, restore_subject, restore_version

if TYPE_CHECKING:
    from rest_framework.request import Request


class RestoreVersion(TenantView):
    """The way back of one version."""

    rights = {"POST": RIGHT}

    def post(self, request: Request, subject: str, version: int, **_names: str) -> Response:  # noqa: ARG002  # the signature is the framework's
        """Bring it back with its number and id."""
        name = parse_subject(subject)
        return Response(_document(name.qualified, [restore_version(self.scope, name, version)]))


class RestoreSubject(TenantView):
    """The way back of a whole subject."""

    rights = {"POST": RIGHT}

    def post(self, request: Request, subject: str, **_names: str) -> Response:  # noqa: ARG002  # the signature is the framework's
        """Undo its deletion: what was live until then is live again."""
        name = parse_subject(subject)
        return Response(_document(name.qualified, restore_subject(self.scope, name)))


def _document(subject: str, versions: list[int]) -> dict[str, object]:
    return {"subject": subject, "versions": versions}
