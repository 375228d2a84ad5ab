"""What callers without a token may do in a namespace: shown, allowed, ended."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rest_framework import serializers
from rest_framework.response import Response

from accord_server.kit.operations import tagged
from accord_server.kit.preconditions import etag, expected_version
from accord_server.kit.rest_bodies import Body
from tenants import services
from tenants.api.base import TenantView
from tenants.api.shapes import AnonymousShape
from tenants.grants import MAX_SELECTORS
from tenants.queries import anonymous_access
from tenants.rights import ANONYMOUS
from tenants.selectors import MAX_SELECTOR_LENGTH

if TYPE_CHECKING:
    from rest_framework.request import Request

    from tenants.records import AnonymousAccess


class AnonymousSerializer(Body[Any]):
    """The body that opens a namespace."""

    access = serializers.ChoiceField(
        list(ANONYMOUS), error_messages={"invalid_choice": f"Must be one of: {', '.join(ANONYMOUS)}."}
    )
    subjects = serializers.ListField(
        child=serializers.CharField(max_length=MAX_SELECTOR_LENGTH, trim_whitespace=False),
        default=lambda: ["*"],
        min_length=1,
        max_length=MAX_SELECTORS,
        error_messages={"not_a_list": "Must be a list."},
    )


class AnonymousAccessOf(TenantView):
    """What callers without a token may do."""

    rights = {"GET": "namespace.read", "PUT": "namespace.manage", "DELETE": "namespace.manage"}
    bodies = {"PUT": AnonymousSerializer}
    answers = dict.fromkeys(("GET", "PUT", "DELETE"), tagged(AnonymousShape))
    codes = {"PUT": ("invalid_grant",)}
    hides = False

    def get(self, request: Request, **_names: str) -> Response:  # noqa: ARG002  # the signature is the framework's
        """Return it."""
        return _shown(anonymous_access(self.scope))

    def put(self, request: Request, **_names: str) -> Response:
        """Allow it in place of what was allowed before, if nobody was faster."""
        expected, wanted = expected_version(request), self.body(request).validated_data
        return _shown(services.allow_anonymous(self.scope, **wanted, expected=expected))

    def delete(self, request: Request, **_names: str) -> Response:
        """Allow nothing any more, if nobody was faster."""
        return _shown(services.end_anonymous(self.scope, expected=expected_version(request)))


def _shown(one: AnonymousAccess) -> Response:
    return Response(anonymous_document(one), headers=etag(one.mark))


def anonymous_document(one: AnonymousAccess) -> AnonymousShape:
    """Return what is allowed."""
    return {
        "access": one.access,
        "subjects": list(one.subjects),
        "rights": sorted(ANONYMOUS[one.access].rights) if one.access in ANONYMOUS else [],
        "created_at": None if one.created_at is None else one.created_at.isoformat(),
        "created_by": one.created_by,
    }
