"""A local HTTP server that answers like a Confluent registry, by script, and remembers what it was asked."""

from __future__ import annotations

import json
from collections import defaultdict
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@dataclass(frozen=True)
class Asked:
    """One request as it came over the wire."""

    method: str
    target: str
    headers: dict[str, str]
    body: Any


@dataclass(frozen=True)
class Reply:
    """One scripted answer."""

    status: int
    body: bytes
    headers: dict[str, str] = field(default_factory=dict)


class StandIn:
    """Scripted answers by method and target; the last answer of a script repeats."""

    def __init__(self) -> None:
        self.url = ""
        self.asked: list[Asked] = []
        self._scripts: defaultdict[tuple[str, str], list[Reply]] = defaultdict(list)

    def answer(self, call: str, body: object, status: int = 200, **headers: str) -> None:
        """Append an answer to the script of a call, written ``GET /subjects``."""
        method, target = call.split(" ", 1)
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        self._scripts[method, target].append(Reply(status, data, named))

    def refuse(self, call: str, status: int, code: int, message: str) -> None:
        """Append a refusal in the shape of the dialect."""
        self.answer(call, {"error_code": code, "message": message}, status)

    def reply(self, asked: Asked) -> Reply:
        """The next answer for a request; 404 in the dialect's shape where nothing is scripted."""
        self.asked.append(asked)
        script = self._scripts[asked.method, asked.target]
        if not script:
            return Reply(404, b'{"error_code":404,"message":"HTTP 404 Not Found"}')
        return script.pop(0) if len(script) > 1 else script[0]


@contextmanager
def stand_in() -> Iterator[StandIn]:
    """A running stand-in on a free port, closed with all its connections at the end."""
    script = StandIn()
    with serving(script.reply) as url:
        script.url = url
        yield script


@contextmanager
def serving(reply: Callable[[Asked], Reply]) -> Iterator[str]:
    """The address of a server on a free port that answers by a function."""
    with _Server(("127.0.0.1", 0), _handler(reply)) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


class _Server(ThreadingHTTPServer):
    daemon_threads = True  # a kept-alive connection of a test must not hold the server up


def _handler(reply: Callable[[Asked], Reply]) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = (
            True  # head and body leave apart, and the body would wait for the other side
        )

        def answer(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            sent = self.rfile.read(length).decode()
            kind = self.headers.get("Content-Type", "")
            is_json = "json" in kind and "ndjson" not in kind
            body = json.loads(sent) if sent and is_json else sent or None
            self.send(reply(Asked(self.command, self.path, dict(self.headers), body)))

        def send(self, reply: Reply) -> None:
            self.send_response(reply.status)
            for name, value in reply.headers.items():
                self.send_header(name, value)
            if "Content-Length" not in reply.headers:  # a test may promise more than it sends
                self.send_header("Content-Length", str(len(reply.body)))
            self.end_headers()
            self.wfile.write(reply.body)

        def log_message(self, *args: object) -> None:
            """Say nothing: the test reads `StandIn.asked`."""

    for method in ("GET", "POST", "PUT", "PATCH", "DELETE"):
        setattr(Handler, f"do_{method}", Handler.answer)
    return Handler
