"""Views of comments on versions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.urls import reverse
from rest_framework import serializers
from rest_framework.response import Response

from accord.naming import parse_subject
from accord_server.kit.operations import NOTHING, listed, made, tagged
from accord_server.kit.paging import batch_document, batch_size, cursor, next_cursor, number_in
from accord_server.kit.preconditions import etag, expected_version
from accord_server.kit.rest_bodies import Body
from registry.api.native.life_documents import comment_document
from registry.api.native.shapes import CommentShape
from registry.queries.lives import comments_on, get_comment
from registry.services.comments import LONGEST_COMMENT, RIGHT, add_comment, delete_comment, edit_comment
from tenants.api.base import TenantView

if TYPE_CHECKING:
    from uuid import UUID

    from rest_framework.request import Request


class CommentSerializer(Body[Any]):
    """The body that is said."""

    text = serializers.CharField(max_length=LONGEST_COMMENT)


class Comments(TenantView):
    """The comments on a version."""

    rights = {"GET": "subject.read", "POST": RIGHT}
    bodies = {"POST": CommentSerializer}
    answers = {"GET": listed(CommentShape), "POST": made(CommentShape, is_tagged=True)}
    codes = {
        "POST": (
            "comment_invalid",
            "comment_limit_reached",
        )
    }

    def get(self, request: Request, subject: str, version: int, **_names: str) -> Response:
        """List them, newest first."""
        before = number_in(cursor(request)) or None
        name, limit = parse_subject(subject), batch_size(request)
        batch = comments_on(self.scope, name, version, before=before, limit=limit)
        return Response(batch_document(batch, comment_document, next_cursor(request, batch.after)))

    def post(self, request: Request, subject: str, version: int, **names: str) -> Response:
        """Add one."""
        text = self.body(request).validated_data["text"]
        found = add_comment(self.scope, parse_subject(subject), version, text)
        where = [names["tenant"], names["namespace"], subject, version, found.id]
        headers = etag(found.revision) | {"Location": reverse("native-comment", args=where)}
        return Response(comment_document(found), status=201, headers=headers)


class Comment(TenantView):
    """One comment on a version."""

    rights = {"GET": "subject.read", "PUT": RIGHT, "DELETE": RIGHT}
    bodies = {"PUT": CommentSerializer}
    answers = {"GET": tagged(CommentShape), "PUT": tagged(CommentShape), "DELETE": NOTHING}
    codes = {
        "GET": ("comment_not_found",),
        "PUT": ("comment_invalid", "comment_not_found", "comment_of_another"),
        "DELETE": ("comment_not_found",),
    }

    def get(self, request: Request, subject: str, version: int, comment: UUID, **_names: str) -> Response:  # noqa: ARG002  # the signature is the framework's
        """Return it."""
        found = get_comment(self.scope, parse_subject(subject), version, comment)
        return Response(comment_document(found), headers=etag(found.revision))

    def put(self, request: Request, subject: str, version: int, comment: UUID, **_names: str) -> Response:
        """Change one's own, if nobody was faster."""
        expected, text = expected_version(request), self.body(request).validated_data["text"]
        name = parse_subject(subject)
        found = edit_comment(self.scope, name, version, comment, text, expected=expected)
        return Response(comment_document(found), headers=etag(found.revision))

    def delete(self, request: Request, subject: str, version: int, comment: UUID, **_names: str) -> Response:
        """Take it away."""
        expected = expected_version(request)
        delete_comment(self.scope, parse_subject(subject), version, comment, expected=expected)
        return Response(status=204)
