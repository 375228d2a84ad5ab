"""HTTP to a registry: addresses tried in order, bounded waits, bounded answers, typed errors."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from dataclasses import dataclass, field
from enum import StrEnum
from http import HTTPStatus
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias, TypeVar
from urllib.parse import unquote, urlencode

import urllib3
from urllib3.exceptions import HTTPError
from urllib3.util import Retry, Timeout, parse_url

from accord.client.errors import (
    NoNamespaceNamed,
    RegistryUnavailable,
    RegistryUnreachable,
    RegistryUnreadable,
    refusal,
)
from accord.client.records import Basic, Bearer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from urllib3 import BaseHTTPResponse
    from urllib3.util import Url

Value = TypeVar("Value")
Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"

MEDIA_TYPE: Final = "application/vnd.schemaregistry.v1+json"
_ACCEPT: Final = f"{MEDIA_TYPE}, application/vnd.schemaregistry+json, application/json"
# Statuses after which the same request may succeed; the set every Confluent client retries.
_TRANSIENT: Final = frozenset({408, 429, 500, 502, 503, 504})
# A repeated DELETE answers 404 although the first one worked, so it is sent once.
_REPEATABLE: Final = frozenset({"GET", "POST", "PUT"})
_LONGEST_WAIT: Final = 20.0
# Bytes of an answer that is taken piece by piece.
_PIECE: Final = 64 * 1024
_NAMESPACE: Final = re.compile(r"(?P<before>.*)/sr/(?P<tenant>[^/]+)/(?P<namespace>[^/]+)")


@dataclass(frozen=True, slots=True)
class ClientSettings:
    """How patient the client is; times in seconds, ``max_answer`` in bytes.

    ``connections`` is how many to an address are kept open, for callers with several threads.
    """

    connect_timeout: float = 5.0
    read_timeout: float = 60.0
    retries: int = 3
    backoff: float = 0.5
    max_answer: int = 64 * 1024 * 1024
    connections: int = 1


class Below(StrEnum):
    """Where the path of a call begins.

    Namespace and tenant are those of Accord's own interface, which only a base address ending in
    ``/sr/TENANT/NAMESPACE`` has.
    """

    REGISTRY = "{before}/sr/{tenant}/{namespace}"
    NAMESPACE = "{before}/api/v1/tenants/{tenant}/namespaces/{namespace}"
    TENANT = "{before}/api/v1/tenants/{tenant}"
    # That of any address: of a server without a namespace too.
    SERVER = "{before}/api/v1"


@dataclass(frozen=True, slots=True)
class Written:
    """A body that is sent letter by letter, since an answer may speak of its lines."""

    text: str
    media_type: str


@dataclass(frozen=True, slots=True)
class Packed:
    """A body of bytes."""

    data: bytes = field(repr=False)
    media_type: str


@dataclass(frozen=True, slots=True)
class Fetched:
    """An answer that is no JSON, and what names it; ``data`` is None where the caller has it already."""

    data: bytes | None = field(repr=False)
    tag: str


@dataclass(frozen=True, slots=True)
class Request:
    """One call: method, path and where it begins, query, body as JSON or as written, further headers."""

    method: str
    path: str
    query: Mapping[str, str] = field(default_factory=dict)
    body: Json | Written | Packed = None
    below: Below = Below.REGISTRY
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def target(self) -> str:
        """Path and query."""
        return f"{self.path}?{urlencode(self.query)}" if self.query else self.path

    @property
    def sent(self) -> bytes | None:
        """The body as bytes, None where there is none."""
        match self.body:
            case None:
                return None
            case Written():
                return self.body.text.encode()
            case Packed():
                return self.body.data
        return json.dumps(self.body).encode()

    @property
    def all_headers(self) -> dict[str, str]:
        """The headers, with what the body is."""
        if self.body is None:
            return dict(self.headers)
        media_type = MEDIA_TYPE if self.below is Below.REGISTRY else "application/json"
        if isinstance(self.body, Written | Packed):
            media_type = self.body.media_type
        return {"Content-Type": media_type, **self.headers}


class _Backoff(Retry):
    """Waits with jitter, and never longer than `_LONGEST_WAIT`, whatever ``Retry-After`` asks for."""

    def get_retry_after(self, response: BaseHTTPResponse) -> float | None:
        asked = super().get_retry_after(response)
        return None if asked is None else min(asked, _LONGEST_WAIT)


class Transport:
    """Sends requests to the first of several addresses that answers.

    The next address is tried after connection errors and transient statuses only. Redirects are never
    followed, so a credential stays with the address it was given for.
    """

    def __init__(
        self, addresses: Sequence[str], credential: Bearer | Basic | None, settings: ClientSettings
    ) -> None:
        if not addresses:
            raise ValueError("a registry client needs at least one address")
        self._settings = settings
        self._bases = [_Base.of(address, credential) for address in addresses]
        self._pool = urllib3.PoolManager(
            timeout=Timeout(connect=settings.connect_timeout, read=settings.read_timeout),
            retries=_retry(settings),
            maxsize=settings.connections,
        )

    @property
    def is_namespace(self) -> bool:
        """True where every address ends in ``/sr/TENANT/NAMESPACE``."""
        return all(_NAMESPACE.fullmatch(base.url) for base in self._bases)

    @property
    def shown(self) -> str:
        """The addresses without credentials, for messages."""
        return ", ".join(base.url for base in self._bases)

    def close(self) -> None:
        """Close every connection."""
        self._pool.clear()

    def send(self, request: Request) -> Json:
        """The decoded JSON answer.

        Raises a `RegistryRefusal`, `RegistryUnreachable` or `RegistryUnreadable`, and `NoNamespaceNamed` for
        a native request to an address that names no namespace.
        """
        return self._first(request, _decoded)

    def fetch(self, request: Request) -> Fetched:
        """The answer as it came; raises as `send`."""
        return self._first(request, _fetched)

    def stream(self, request: Request) -> Iterator[bytes]:
        """The answer piece by piece as it comes, however long it is; raises as `send`, in the middle too.

        It is asked of the first address alone, so that all pieces are of one answer.
        """
        base, *_ = self._bases
        try:
            response = self._open(base, request)
            if response.status >= HTTPStatus.MULTIPLE_CHOICES:
                _decoded(_Got(base.url, response.status, self._read(base, response), ""))
            yield from response.stream(_PIECE)
        except HTTPError as problem:
            raise RegistryUnreachable(address=base.url, details=str(problem)) from problem

    def _first(self, request: Request, read: Callable[[_Got], Value]) -> Value:
        """What the first address that answers has to say."""
        *others, last = self._bases
        for base in others:
            try:
                return self._send(base, request, read)
            except (RegistryUnavailable, RegistryUnreachable):
                continue
        return self._send(last, request, read)

    def _send(self, base: _Base, request: Request, read: Callable[[_Got], Value]) -> Value:
        try:
            response = self._open(base, request)
        except HTTPError as problem:
            reason = getattr(problem, "reason", None) or problem
            raise RegistryUnreachable(address=base.url, details=str(reason)) from problem
        try:
            tag = str(response.headers.get("ETag", ""))
            return read(_Got(base.url, response.status, self._read(base, response), tag))
        finally:
            response.release_conn()

    def _open(self, base: _Base, request: Request) -> BaseHTTPResponse:
        return self._pool.request(
            request.method,
            base.below(request.below) + request.target,
            body=request.sent,
            headers=base.headers | request.all_headers,
            redirect=False,
            preload_content=False,
        )

    def _read(self, base: _Base, response: BaseHTTPResponse) -> bytes:
        limit = self._settings.max_answer
        try:
            body = response.read(limit + 1)
        except HTTPError as problem:
            response.close()
            raise RegistryUnreachable(address=base.url, details=str(problem)) from problem
        if len(body) > limit:
            response.close()
            raise RegistryUnreadable(address=base.url, details=f"longer than {limit} bytes")
        return body


@dataclass(frozen=True, slots=True)
class _Base:
    """One address, free of credentials, and the headers that go with it."""

    url: str
    headers: dict[str, str]

    def below(self, place: Below) -> str:
        """The address that a path begins at; raises `NoNamespaceNamed`."""
        if place is Below.REGISTRY:
            return self.url
        found = _NAMESPACE.fullmatch(self.url)
        if place is Below.SERVER:
            return place.value.format(before=found["before"] if found else self.url)
        if found is None:
            raise NoNamespaceNamed(address=self.url)
        return place.format(**found.groupdict())

    @classmethod
    def of(cls, address: str, credential: Bearer | Basic | None) -> _Base:
        parsed = parse_url(address)
        if parsed.scheme not in {"http", "https"} or not parsed.host:
            raise ValueError(f"not an address of a registry: {address!r}")
        bare = parsed._replace(auth=None, query=None, fragment=None).url.rstrip("/")
        return cls(bare, _standing_headers() | _authorization(parsed, credential))


def _standing_headers() -> dict[str, str]:
    return {"Accept": _ACCEPT, "Confluent-Accept-Unknown-Properties": "true"}


def _authorization(address: Url, credential: Bearer | Basic | None) -> dict[str, str]:
    """What an address says of itself goes first: a token from the environment may be meant for another."""
    if address.auth:
        return _basic(unquote(address.auth))
    if isinstance(credential, Bearer):
        return {"Authorization": f"Bearer {credential.token}"}
    return {} if credential is None else _basic(f"{credential.user}:{credential.password}")


def _basic(pair: str) -> dict[str, str]:
    return {"Authorization": f"Basic {b64encode(pair.encode()).decode()}"}


def _retry(settings: ClientSettings) -> Retry:
    return _Backoff(
        total=settings.retries,
        redirect=0,
        allowed_methods=_REPEATABLE,
        status_forcelist=_TRANSIENT,
        backoff_factor=settings.backoff,
        backoff_max=_LONGEST_WAIT,
        backoff_jitter=settings.backoff,
        raise_on_status=False,
    )


class _Got(NamedTuple):
    """What came back from an address."""

    address: str
    status: int
    body: bytes
    tag: str


def _fetched(got: _Got) -> Fetched:
    if got.status == HTTPStatus.NOT_MODIFIED:
        return Fetched(None, got.tag)
    if got.status >= HTTPStatus.MULTIPLE_CHOICES:
        _decoded(got)
    return Fetched(got.body, got.tag)


def _decoded(got: _Got) -> Json:
    status = got.status
    try:
        answer: Json = json.loads(got.body) if got.body.strip() else None
    except (ValueError, RecursionError) as problem:
        if status in _TRANSIENT:
            raise refusal(status, -1, f"HTTP {status}") from problem
        details = f"HTTP {status} without JSON"
        raise RegistryUnreadable(address=got.address, details=details, status=status) from problem
    if status >= HTTPStatus.BAD_REQUEST:
        raise _refused(status, answer)
    if status >= HTTPStatus.MULTIPLE_CHOICES:
        raise RegistryUnreadable(address=got.address, details=f"a redirect (HTTP {status})")
    return answer


def _refused(status: int, answer: Json) -> Exception:
    body = answer if isinstance(answer, dict) else {}
    # Accord's own interface answers with problem documents (RFC 9457).
    code, message = body.get("error_code", body.get("code")), body.get("message", body.get("detail"))
    return refusal(
        status,
        code if isinstance(code, int | str) else -1,
        message if isinstance(message, str) else f"HTTP {status}",
        body,
    )
