"""Views of the native API."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from django.urls import reverse
from rest_framework.response import Response
from rest_framework.views import APIView

from accord_server.kit.errors import remember_scope
from accord_server.kit.request_id import request_id_of
from registry import queries, services
from registry.api.native.parsers import ObjectParser
from registry.api.native.serializers import CheckSerializer, check_document
from tenants.authentication import authenticate

if TYPE_CHECKING:
    from collections.abc import Mapping
    from uuid import UUID

    from rest_framework.request import Request

    from accord_server.kit.scope import Scope

FINISHED = frozenset({"done", "failed"})


class NamespaceView(APIView):
    """A view below ``/tenants/{tenant}/namespaces/{namespace}``; `scope` says who asks.

    ``rights`` says which right each method needs; tests are generated from it.
    """

    rights: ClassVar[Mapping[str, str]]
    scope: Scope
    parser_classes = (ObjectParser,)

    def initial(self, request: Request, *args: object, **kwargs: str) -> None:
        """Authenticate before anything else is looked at."""
        self.scope = authenticate(
            request.headers.get("Authorization"),
            tenant_slug=kwargs["tenant"],
            namespace_slug=kwargs["namespace"],
            request_id=request_id_of(request.META),
            address=request.META.get("REMOTE_ADDR"),
            client=request.headers.get("User-Agent", ""),
        )
        remember_scope(request._request, self.scope)  # noqa: SLF001  # DRF offers no other way to Django's request
        super().initial(request, *args, **kwargs)


class Checks(NamespaceView):
    """Asynchronous checks of a namespace."""

    rights = {"POST": "compat.check"}

    def post(self, request: Request, tenant: str, namespace: str) -> Response:
        """Ask for a check: 202 and where to follow it, 200 if it is finished already."""
        serializer = CheckSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        record = services.request_check(self.scope, serializer.command())
        where = reverse("native-check", args=[tenant, namespace, record.id])
        status = 200 if record.state in FINISHED else 202
        return Response(check_document(record), status=status, headers={"Location": where})


class Check(NamespaceView):
    """One asynchronous check."""

    rights = {"GET": "compat.check"}

    def get(self, request: Request, tenant: str, namespace: str, check: UUID) -> Response:  # noqa: ARG002  # names of the path
        """Return state, progress and, once it is done, the result."""
        return Response(check_document(queries.check_run(self.scope, check)))
