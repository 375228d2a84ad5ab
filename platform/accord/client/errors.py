"""What a registry refuses, and what goes wrong on the way to it."""

from __future__ import annotations

from dataclasses import field
from http import HTTPStatus
from typing import TYPE_CHECKING, ClassVar

from accord.errors import AccordError, Conflict, Denied, Invalid, NotFound, Unavailable, error

if TYPE_CHECKING:
    from collections.abc import Mapping


@error
class RegistryRefusal(AccordError):
    """The registry answered with an error body.

    ``status`` is the HTTP status, ``error_code`` the dialect's number (40401, 42201, ...) or the stable code
    of Accord's own interface (``policy_changed``), -1 when the body had none; ``details`` the registry's own
    sentence; ``document`` all of the body, which may tell every reason by itself. All are untrusted.
    """

    template: ClassVar[str] = "{details} (HTTP {status}, code {error_code})"
    status: int
    error_code: int | str
    details: str
    document: Mapping[str, object] = field(default_factory=dict, repr=False)


@error
class RegistryNotFound(RegistryRefusal, NotFound):
    """The subject, version, schema or setting is not there, or may not be seen."""

    code: ClassVar[str] = "registry_not_found"


@error
class RegistryConflict(RegistryRefusal, Conflict):
    """A schema is incompatible with what is registered."""

    code: ClassVar[str] = "registry_conflict"


@error
class RegistryDenied(RegistryRefusal, Denied):
    """The credential is missing or wrong (401), or a right is missing (403)."""

    code: ClassVar[str] = "registry_denied"


@error
class RegistryInvalid(RegistryRefusal, Invalid):
    """The registry understood the request and finds it wrong."""

    code: ClassVar[str] = "registry_invalid"


@error
class RegistryUnavailable(RegistryRefusal, Unavailable):
    """The registry kept answering with a status that asks to try again."""

    code: ClassVar[str] = "registry_unavailable"


@error
class RegistryUnreachable(Unavailable):
    """No address of the registry could be reached; ``details`` speaks of the last attempt."""

    code: ClassVar[str] = "registry_unreachable"
    template: ClassVar[str] = "cannot reach the registry at {address}: {details}"
    address: str
    details: str


@error
class RegistryUnreadable(Unavailable):
    """What answered does not speak the registry's language: no JSON, another shape, too long.

    ``status`` is the HTTP status of an answer without JSON, 0 elsewhere.
    """

    code: ClassVar[str] = "registry_unreadable"
    template: ClassVar[str] = "the answer of {address} is not one of a schema registry: {details}"
    address: str
    details: str
    status: int = 0


@error
class NoNamespaceNamed(Invalid):
    """The address does not say which namespace of Accord is meant, as its own interface must know."""

    code: ClassVar[str] = "no_namespace_named"
    template: ClassVar[str] = (
        "this is asked of Accord alone, at an address that ends in /sr/TENANT/NAMESPACE, not at {address}"
    )
    address: str


_BY_STATUS: dict[int, type[RegistryRefusal]] = {
    HTTPStatus.UNAUTHORIZED: RegistryDenied,
    HTTPStatus.FORBIDDEN: RegistryDenied,
    HTTPStatus.NOT_FOUND: RegistryNotFound,
    HTTPStatus.REQUEST_TIMEOUT: RegistryUnavailable,
    HTTPStatus.CONFLICT: RegistryConflict,
    HTTPStatus.TOO_MANY_REQUESTS: RegistryUnavailable,
}


def refusal(
    status: int, error_code: int | str, details: str, document: Mapping[str, object] | None = None
) -> RegistryRefusal:
    """The error for a status of 400 or above."""
    is_fault = status >= HTTPStatus.INTERNAL_SERVER_ERROR
    found = _BY_STATUS.get(status, RegistryUnavailable if is_fault else RegistryInvalid)
    return found(status=status, error_code=error_code, details=details, document=document or {})
