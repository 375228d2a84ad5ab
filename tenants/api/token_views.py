"""Views of tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from django.urls import reverse
from rest_framework.response import Response

from accord_server.kit.operations import WORDS, Query, Reply, choice, listed, made, single, tagged
from accord_server.kit.paging import batch_document, batch_size, cursor, next_cursor, words_asked
from accord_server.kit.preconditions import etag, expected_if_named, expected_version
from accord_server.kit.request_id import request_id_of
from tenants import services
from tenants.api.base import PublicView, TenantView
from tenants.api.documents import rights_report, token_document
from tenants.api.shapes import IssuedTokenShape, Received, RightsReport, TokenShape
from tenants.api.token_bodies import (
    LeakSerializer,
    RollSerializer,
    TokenDetailsSerializer,
    TokenSerializer,
)
from tenants.models import TokenState
from tenants.queries import tokens as queries
from tenants.queries.tokens import WantedTokens
from tenants.services import token_life

if TYPE_CHECKING:
    from collections.abc import Callable

    from rest_framework.request import Request

    from tenants.records import IssuedToken, TokenRecord


class TokenView(TenantView):
    """A view of tokens of a tenant."""

    hides = False
    # A token is used, and comes to its end, without being changed.
    tag_is_whole = False
    secrets = frozenset({"token"})

    def shown(self, record: TokenRecord) -> Response:
        """Answer with a token."""
        document = token_document(record, queries.namespace_slugs(self.scope))
        return Response(document, headers=etag(record.revision))

    def issued(self, made: IssuedToken, *, status: int = 200, where: str = "") -> Response:
        """Answer with a token and its secret, which is shown this once."""
        document = token_document(made.record, queries.namespace_slugs(self.scope))
        headers = etag(made.record.revision) | ({"Location": where} if where else {})
        return Response({**document, "token": made.value}, status=status, headers=headers)


class Tokens(TokenView):
    """The tokens of a tenant."""

    rights = {"GET": "token.read", "POST": "token.manage"}
    bodies = {"POST": TokenSerializer}
    answers = {"GET": listed(TokenShape), "POST": made(IssuedTokenShape, is_tagged=True)}
    examples = {
        "POST": {
            "name": "CI of payments",
            "owner": "service:ci",
            "kind": "ci",
            "grants": [{"preset": "ci-check", "namespaces": ["payments"]}],
            "expires_in": "12h",
        }
    }
    queries = {
        "GET": (
            WORDS,
            Query("owner", "Only those of this person or service account: `service:robot`."),
            choice("state", "Only those in this state.", *TokenState.values),
        )
    }
    codes = {
        "POST": (
            "grant_too_wide",
            "invalid_detail",
            "invalid_grant",
            "invalid_lifetime",
            "principal_not_found",
        )
    }

    def get(self, request: Request, **_names: str) -> Response:
        """List them, newest first, of an owner or in a state where one is named."""
        wanted = WantedTokens(
            request.query_params.get("owner", ""), request.query_params.get("state", ""), words_asked(request)
        )
        batch = queries.list_tokens(
            self.scope, wanted=wanted, after=cursor(request), limit=batch_size(request)
        )
        slugs = queries.namespace_slugs(self.scope)
        return Response(
            batch_document(batch, lambda one: token_document(one, slugs), next_cursor(request, batch.after))
        )

    def post(self, request: Request, tenant: str) -> Response:
        """Issue one; its value is shown this once."""
        serializer = self.body(request)
        made = services.issue_token(self.scope, command=serializer.command(self.scope))
        where = reverse("native-token", args=[tenant, made.record.key_id])
        return self.issued(made, status=201, where=where)


class Token(TokenView):
    """One token, by its key id."""

    rights = {"GET": "token.read", "PATCH": "token.manage"}
    bodies = {"PATCH": TokenDetailsSerializer}
    answers = {"GET": tagged(TokenShape), "PATCH": tagged(TokenShape)}
    codes = {
        "PATCH": (
            "grant_too_wide",
            "token_is_over",
        )
    }

    def get(self, request: Request, key_id: str, **_names: str) -> Response:  # noqa: ARG002  # the signature is the framework's
        """Return it, without its secrets."""
        return self.shown(queries.get_token(self.scope, key_id))

    def patch(self, request: Request, key_id: str, **_names: str) -> Response:
        """Change what is said of it, or make its grants narrower."""
        expected = expected_version(request)
        serializer = self.body(request)
        details = serializer.details(self.scope)
        return self.shown(
            token_life.update_token(self.scope, key_id=key_id, details=details, expected=expected)
        )


class TokenRights(TokenView):
    """What of a token was used."""

    rights = {"GET": "token.read"}
    answers = {"GET": single(RightsReport)}

    def get(self, request: Request, key_id: str, **_names: str) -> Response:  # noqa: ARG002  # the signature is the framework's
        """Tell which of its rights were used, and when last, and which never were."""
        return Response(rights_report(queries.get_token(self.scope, key_id)))


class TokenStep(TokenView):
    """A step in the life of a token; which one, the subclass says."""

    rights = {"POST": "token.manage"}
    answers = {"POST": tagged(TokenShape)}
    codes = {
        "POST": (
            "token_is_over",
            "token_not_pending",
        )
    }
    if_match = {"POST": False}
    act: ClassVar[Callable[..., TokenRecord]]

    def post(self, request: Request, key_id: str, **_names: str) -> Response:
        """Take the step."""
        return self.shown(type(self).act(self.scope, key_id=key_id, expected=expected_if_named(request)))


class SuspendToken(TokenStep):
    """Making a token count for nothing until it is resumed."""

    act = staticmethod(services.suspend_token)


class ResumeToken(TokenStep):
    """Making a suspended token count again."""

    act = staticmethod(services.resume_token)


class RevokeToken(TokenStep):
    """Ending a token and all that descend from it, for good."""

    act = staticmethod(services.revoke_token)


class ApproveToken(TokenStep):
    """Letting a token count that waited for it."""

    act = staticmethod(token_life.approve_token)


class RefuseToken(TokenStep):
    """Ending a token that waited for approval."""

    act = staticmethod(token_life.refuse_token)


class DropOldSecret(TokenStep):
    """Ending the older secret of a token that was rolled."""

    act = staticmethod(token_life.drop_old_secret)


class DropNewSecret(TokenStep):
    """Taking a roll back whose answer never arrived."""

    act = staticmethod(token_life.drop_new_secret)


class RollToken(TokenView):
    """Giving a token a second secret."""

    rights = {"POST": "token.manage"}
    bodies = {"POST": RollSerializer}
    answers = {"POST": tagged(IssuedTokenShape)}
    codes = {
        "POST": (
            "invalid_lifetime",
            "token_pending",
            "token_rolling",
        )
    }
    if_match = {"POST": False}

    def post(self, request: Request, key_id: str, **_names: str) -> Response:
        """Roll it; the new value is shown this once, and the old one counts on for the time of grace."""
        grace, expected = self.body(request).validated_data["grace"], expected_if_named(request)
        made = token_life.roll_token(self.scope, key_id=key_id, grace=grace, expected=expected)
        return self.issued(made)


class LeakedTokens(PublicView):
    """Telling of a token that was found where it does not belong."""

    bodies = {"POST": LeakSerializer}
    answers = {"POST": Reply(Received, 202)}

    def post(self, request: Request) -> Response:
        """Take it; whoever tells learns nothing of it, and if it is a token it never counts again."""
        found = self.body(request).validated_data["token"]
        token_life.report_leak(
            found, request_id=request_id_of(request.META), address=request.META.get("REMOTE_ADDR")
        )
        return Response({"received": True}, status=202)
