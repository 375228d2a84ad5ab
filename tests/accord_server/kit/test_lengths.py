"""Every answer whose end is known says so."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.http import HttpResponse, StreamingHttpResponse

from accord_server.kit.lengths import with_length

if TYPE_CHECKING:
    from django.http.response import HttpResponseBase


@pytest.mark.parametrize(
    ("response", "length"),
    [
        (HttpResponse("größer"), "8"),
        (HttpResponse(b""), "0"),
        (HttpResponse(b"", headers={"Content-Length": "7"}), "7"),
        (HttpResponse(status=204), None),
        (HttpResponse(status=304), None),
        (StreamingHttpResponse([b"a", b"b"]), None),
    ],
    ids=["text", "empty", "head", "no content", "not modified", "stream"],
)
def test_the_length_is_that_of_the_body(response: HttpResponseBase, length: str | None) -> None:
    assert with_length(response).headers.get("Content-Length") == length
