"""The view of the document that describes this API."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rest_framework.response import Response

from accord_server.kit.operations import single
from tenants.api.base import PublicView

if TYPE_CHECKING:
    from rest_framework.request import Request


class OpenApi(PublicView):
    """The API in the words of OpenAPI."""

    answers = {"GET": single(dict[str, Any])}

    def get(self, request: Request) -> Response:  # noqa: ARG002  # the signature is the framework's
        """Describe every address with its methods, rights, parameters, bodies and problems."""
        from accord_server.kit.openapi import document  # noqa: PLC0415  # a server starts without it

        return Response(document())
