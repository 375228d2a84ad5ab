"""The bare server serves the body it is given, under the options of the platform's own."""

from __future__ import annotations

import urllib.request

from benchmarks.servers import bare


def test_the_bare_server_answers_the_same_bytes() -> None:
    with bare(b'{"schema":"x"}') as url, urllib.request.urlopen(url, timeout=30) as answer:
        assert answer.read() == b'{"schema":"x"}'
        assert answer.headers["Content-Type"] == "application/vnd.schemaregistry.v1+json"
