"""What the views of the native API share: who asks, and what that takes."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from rest_framework.views import APIView

from accord_server.kit.errors import remember_scope
from accord_server.kit.request_id import request_id_of
from accord_server.kit.rest_bodies import ObjectParser
from tenants.authentication import authenticate

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rest_framework.request import Request

    from accord_server.kit.scope import Scope


class PublicView(APIView):
    """A view of what everybody may know; nobody is asked who they are."""

    authentication_classes = ()


class TenantView(APIView):
    """A view below ``/tenants/{tenant}``, or further down; `scope` says who asks.

    ``rights`` says which right each method needs. ``hides`` is False where nothing is to be hidden:
    whoever lacks the right is told so. ``is_shared`` is True where the right on any part of the tenant is
    enough. Tests are generated from these.
    """

    rights: ClassVar[Mapping[str, str]]
    hides: ClassVar[bool] = True
    is_shared: ClassVar[bool] = False
    scope: Scope
    parser_classes = (ObjectParser,)

    def initial(self, request: Request, *args: object, **kwargs: str) -> None:
        """Authenticate before anything else is looked at."""
        self.scope = authenticate(
            request.headers.get("Authorization"),
            tenant_slug=kwargs["tenant"],
            namespace_slug=kwargs.get("namespace"),
            request_id=request_id_of(request.META),
            address=request.META.get("REMOTE_ADDR"),
            client=request.headers.get("User-Agent", ""),
        )
        remember_scope(request._request, self.scope)  # noqa: SLF001  # DRF offers no other way to Django's request
        super().initial(request, *args, **kwargs)
