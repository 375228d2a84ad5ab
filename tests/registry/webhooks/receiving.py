"""A receiver of webhooks that keeps what it is told, and checks signatures as receivers do."""

from __future__ import annotations

import base64
import hmac
import json
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self


@dataclass(frozen=True)
class Received:
    """One request."""

    headers: dict[str, str]
    body: bytes

    @property
    def document(self) -> Any:
        """The body, read."""
        return json.loads(self.body)

    def is_signed_by(self, secret: str) -> bool:
        """Check the signature, as Standard Webhooks tells receivers to."""
        key = base64.b64decode(secret.removeprefix("whsec_"))
        content = f"{self.headers['webhook-id']}.{self.headers['webhook-timestamp']}.".encode() + self.body
        expected = "v1," + base64.b64encode(hmac.digest(key, content, "sha256")).decode()
        return any(hmac.compare_digest(expected, one) for one in self.headers["webhook-signature"].split(" "))


@dataclass
class Receiver:
    """A server; ``answers`` are given one after the other, the last of them for ever."""

    answers: list[int] = field(default_factory=lambda: [204])
    received: list[Received] = field(default_factory=list)

    def __enter__(self) -> Self:
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def url(self) -> str:
        """Where it is."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/hooks"

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                headers = {name.lower(): value for name, value in self.headers.items()}
                receiver.received.append(Received(headers, body))
                answers = receiver.answers
                self.send_response(answers.pop(0) if len(answers) > 1 else answers[0])
                self.end_headers()

            def log_message(self, *_words: object) -> None:
                """Say nothing."""

        return Handler
