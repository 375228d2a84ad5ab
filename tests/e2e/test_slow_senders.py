"""Clients that begin a body and never end it do not keep others from the running platform."""

from __future__ import annotations

import contextlib
import time
from typing import TYPE_CHECKING

import pytest
import requests

from accord_server.dev.services import web_command
from tests.accord_server.kit.wire import half_sent, head

if TYPE_CHECKING:
    from tests.e2e.platform import Platform

pytestmark = pytest.mark.e2e

SOON_S = 5


def test_health_and_reads_are_answered_while_many_send_half(platform: Platform) -> None:
    words = list(web_command(1))
    processes, threads = (int(words[words.index(name) + 1]) for name in ("--workers", "--blocking-threads"))
    half = (head("POST", "/api/v1/", "Content-Length: 5"), b"hel")
    with contextlib.ExitStack() as stack:
        for _ in range(3 * processes * threads):
            stack.enter_context(contextlib.closing(half_sent(str(platform.run["url"]), *half)))
        began = time.monotonic()
        for _ in range(4):
            assert requests.get(f"{platform.run['url']}/healthz", timeout=SOON_S).status_code == 200
            assert platform.call("GET", "/subjects").status_code == 200
        assert time.monotonic() - began < SOON_S
