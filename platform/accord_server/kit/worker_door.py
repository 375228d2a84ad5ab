"""What a worker or the schedule answers over HTTP: that it lives, and what it has counted.

Nothing here asks the database or Redis: the processes of a pool are forked from this one, and must not
inherit a connection.
"""

from __future__ import annotations

import threading
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Final

from accord_server.kit import metric_files, metrics
from accord_server.kit.configuration import configured
from accord_server.kit.settings_table import METRICS_PORT

if TYPE_CHECKING:
    from collections.abc import Callable

EVERYWHERE: Final = "0.0.0.0"  # noqa: S104  # probes and collectors come from elsewhere
PATIENCE_S: Final = 5.0
PAGES: Final[dict[str, Callable[[], str]]] = {
    "/healthz": lambda: "ok\n",
    "/metrics": lambda: metric_files.exposition({}),
}


class Door(ThreadingHTTPServer):
    """A server whose threads keep nobody from ending."""

    daemon_threads = True


class Answerer(BaseHTTPRequestHandler):
    """Answers the two pages, and says nothing in the log."""

    timeout = PATIENCE_S
    server_version = "accord"
    sys_version = ""

    def do_GET(self) -> None:
        """Answer."""
        page = PAGES.get(self.path.partition("?")[0])
        body = (page() if page else "Not found\n").encode()
        self.send_response(HTTPStatus.OK if page else HTTPStatus.NOT_FOUND)
        self.send_header("Content-Type", metrics.CONTENT_TYPE)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_words: object) -> None:
        """Leave probes out of the log."""


def open_door() -> Door | None:
    """Answer from now on, in a thread of its own, where a port is set."""
    port = configured(METRICS_PORT)
    if not port:
        return None
    door = Door((EVERYWHERE, port), Answerer)
    threading.Thread(target=door.serve_forever, name="door", daemon=True).start()
    return door
