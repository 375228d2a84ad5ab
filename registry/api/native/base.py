"""What the views of the native API share: who asks, preconditions, parts of lists."""

from __future__ import annotations

import base64
import binascii
from typing import TYPE_CHECKING, Any, ClassVar, Final

from rest_framework.views import APIView

from accord_server.kit.error_tables import HttpError
from accord_server.kit.errors import remember_scope
from accord_server.kit.request_id import request_id_of
from registry.api.native.parsers import ObjectParser
from registry.policy_errors import VersionNotNamed
from tenants.authentication import authenticate

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rest_framework.request import Request
    from rest_framework.serializers import Serializer

    from accord_server.kit.scope import Scope

LARGEST_BATCH: Final = 200
DEFAULT_BATCH: Final = 50
LARGEST_NUMBER: Final = 2**31 - 1


class PublicView(APIView):
    """A view of what everybody may know; nobody is asked who they are."""

    authentication_classes = ()


class TenantView(APIView):
    """A view below ``/tenants/{tenant}``, or further down; `scope` says who asks.

    ``rights`` says which right each method needs, ``bodies`` what checks the body of each method that has
    one and describes it in OpenAPI. ``hides`` is False where nothing is to be hidden: whoever lacks the right
    is told so. ``is_shared`` is True where the right on any part of the tenant is enough. Tests are generated
    from these.
    """

    rights: ClassVar[Mapping[str, str]]
    bodies: ClassVar[Mapping[str, type[Serializer[Any]]]] = {}
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

    def body(self, request: Request) -> Any:  # noqa: ANN401  # whatever the view declares
        """Return the serializer of this method with its checked members.

        Raises:
            ValidationError: With every flaw.
        """
        read = self.bodies[request.method or ""](data=request.data)
        read.is_valid(raise_exception=True)
        return read


def expected_version(request: Request) -> int | None:
    """Return the version that a change was made for, None for whichever there is.

    Raises:
        VersionNotNamed: No version is named.
        HttpError: 400 for a header that no version of ours can have.
    """
    named = request.headers.get("If-Match", "").strip()
    if not named:
        raise VersionNotNamed
    if named == "*":
        return None
    digits = named.removeprefix('"').removesuffix('"')
    if named != f'"{digits}"' or not (digits.isascii() and digits.isdigit()) or int(digits) > LARGEST_NUMBER:
        raise HttpError(400, 'If-Match is * or one ETag, such as "3"')
    return int(digits)


def expected_change(request: Request) -> int | None:
    """Return the change of a binding that another is made for: 0 where none is named, None for whichever.

    Raises:
        HttpError: As `expected_version`.
    """
    return expected_version(request) if "If-Match" in request.headers else 0


def is_known(request: Request, version: int) -> bool:
    """Tell whether the caller has this version already, as ``If-None-Match`` says."""
    named = request.headers.get("If-None-Match", "").split(",")
    return any(one.strip().removeprefix("W/") in {"*", f'"{version}"'} for one in named)


def etag(version: int) -> dict[str, str]:
    """Return the header that names a version."""
    return {"ETag": f'"{version}"'}


def batch_size(request: Request) -> int:
    """Return how many rows of a list are asked for.

    Raises:
        HttpError: 400 for what is no number between 1 and `LARGEST_BATCH`.
    """
    given = request.query_params.get("limit", str(DEFAULT_BATCH))
    is_number = given.isascii() and given.isdigit() and len(given) <= len(str(LARGEST_BATCH))
    if not is_number or not 1 <= int(given) <= LARGEST_BATCH:
        raise HttpError(400, f"limit is a number from 1 to {LARGEST_BATCH}")
    return int(given)


def cursor(request: Request) -> str:
    """Return the place in a list that is asked for: empty at its beginning.

    Raises:
        HttpError: 400 for a text that no answer had.
    """
    try:
        text = request.query_params.get("cursor", "").encode("ascii")
        given = base64.b64decode(text, altchars=b"-_", validate=True).decode()
    except (binascii.Error, UnicodeError):
        raise HttpError(400, "cursor is not one that an answer gave") from None
    if "\0" in given:
        raise HttpError(400, "cursor is not one that an answer gave")
    return given


def number_in(place: str) -> int:
    """Return the number that a place in a list is, 0 at the beginning.

    Raises:
        HttpError: 400 for anything else.
    """
    if not place:
        return 0
    if not (place.isascii() and place.isdigit() and len(place) < len(str(2**63))):
        raise HttpError(400, "cursor is not one that an answer gave")
    return int(place)


def next_cursor(place: str | None) -> str | None:
    """Return a place in a list as callers send it back."""
    return None if place is None else base64.urlsafe_b64encode(place.encode()).decode()
