"""The version a change was made for, and the one a caller has: ETag, If-Match, If-None-Match."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from accord_server.kit.edit_errors import VersionNotNamed
from accord_server.kit.error_tables import HttpError

if TYPE_CHECKING:
    from rest_framework.request import Request

LARGEST_NUMBER: Final = 2**31 - 1


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


def expected_if_named(request: Request) -> int | None:
    """Return the version that a step is taken for, None for whichever there is, as where none is named.

    Raises:
        HttpError: As `expected_version`.
    """
    return expected_version(request) if "If-Match" in request.headers else None


def expected_change(request: Request) -> int | None:
    """Return the change of a binding that another is made for: 0 where none is named, None for whichever.

    Raises:
        HttpError: As `expected_version`.
    """
    return expected_version(request) if "If-Match" in request.headers else 0


def is_known(request: Request, tag: str) -> bool:
    """Tell whether the caller has what this ETag names already, as ``If-None-Match`` says."""
    named = request.headers.get("If-None-Match", "").split(",")
    return any(one.strip().removeprefix("W/") in {"*", tag} for one in named)


def etag(version: int) -> dict[str, str]:
    """Return the header that names a version."""
    return {"ETag": f'"{version}"'}
