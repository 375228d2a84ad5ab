"""The outermost layer of the web: counts answers and the time until they start, and logs them."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING, Any

from accord_server.kit import metrics
from accord_server.kit.configuration import configured
from accord_server.kit.errors import SCOPE_KEY
from accord_server.kit.paths import HEALTH_PATHS, NATIVE_PREFIX, REGISTRY_PREFIX, is_root_path
from accord_server.kit.request_id import request_id_of
from accord_server.kit.settings_table import ACCESS_LOG

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    WsgiApplication = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]

log = logging.getLogger("accord.access")

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


class Meter:
    """Counts every answer; what the application below sends is passed on as it is."""

    def __init__(self, application: WsgiApplication) -> None:
        self._application = application
        self._is_logging = configured(ACCESS_LOG)

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Answer the request and count it."""
        begin = time.perf_counter()
        # A layer below may lead the call elsewhere; who called knows only this address.
        path = str(environ.get("PATH_INFO", ""))

        def start(status: str, headers: list[tuple[str, str]], *error: object) -> object:
            seconds = time.perf_counter() - begin
            count(environ, status[:3], seconds)
            if self._is_logging:
                tell(environ, path, status[:3], seconds)
            return start_response(status, headers, *error)

        return self._application(environ, start)


def count(environ: dict[str, Any], status: str, seconds: float) -> None:
    """Add one answer to the counters."""
    method = str(environ.get("REQUEST_METHOD", ""))
    room = room_of(str(environ.get("PATH_INFO", "")))
    metrics.increment(metrics.REQUESTS, room, method if method in METHODS else "other", status)
    metrics.observe(metrics.REQUEST_SECONDS, room, seconds=seconds)


def tell(environ: dict[str, Any], path: str, status: str, seconds: float) -> None:
    """Write one line of the log; the query stays out of it, since callers put anything there."""
    scope = environ.get(SCOPE_KEY)
    facts = {
        "request_id": request_id_of(environ),
        "method": environ.get("REQUEST_METHOD", ""),
        "path": path.encode("latin-1", "replace").decode("utf-8", "replace"),
        "status": int(status),
        "milliseconds": round(seconds * 1000, 3),
        "address": environ.get("REMOTE_ADDR", ""),
    }
    if scope is not None:
        facts |= {"tenant": scope.tenant.slug, "tenant_id": str(scope.tenant.id), "token": scope.token_key}
    log.info("%(method)s %(path)s %(status)s", facts, extra={"facts": facts})


def room_of(path: str) -> str:
    """Return who answers for a path: one of four words."""
    if path.startswith(REGISTRY_PREFIX) or is_root_path(path):
        return "registry"
    if path.startswith(NATIVE_PREFIX):
        return "native"
    return "health" if path in HEALTH_PATHS else "pages"
