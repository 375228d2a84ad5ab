"""What the layer before Django makes of a WSGI environment, whatever server made it."""

from __future__ import annotations

import time
from io import BytesIO
from typing import TYPE_CHECKING, Any

import pytest

from accord_server.kit.error_tables import HttpError
from accord_server.kit.intake import Intake, body_limit, read_body, trust_proxy
from accord_server.kit.paths import RAW_PATH, check_path, is_descriptor_path
from accord_server.kit.setting_types import NamespaceAddress

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_django import Settings


class Broken(BytesIO):
    """A stream whose other end is gone."""

    def read(self, *_sizes: Any) -> bytes:
        """Fail."""
        raise ConnectionResetError


class Slow(BytesIO):
    """A stream whose other end takes its time."""

    def read(self, *_sizes: Any) -> bytes:
        """Wait."""
        time.sleep(0.3)
        return b""


def environ_of(body: bytes = b"", **variables: object) -> dict[str, Any]:
    return {"REQUEST_METHOD": "POST", "PATH_INFO": "/", "wsgi.input": BytesIO(body), **variables}


def test_a_body_without_a_length_gets_one() -> None:
    environ = environ_of(b"hello", **{"wsgi.input_terminated": True, "HTTP_TRANSFER_ENCODING": "chunked"})
    read_body(environ)
    assert (environ["CONTENT_LENGTH"], environ["wsgi.input"].read()) == ("5", b"hello")
    assert "HTTP_TRANSFER_ENCODING" not in environ


def test_no_more_than_the_length_is_read() -> None:
    environ = environ_of(b"hello, next request", CONTENT_LENGTH="5")
    read_body(environ)
    assert environ["wsgi.input"].read() == b"hello"


@pytest.mark.parametrize(
    ("path", "limit"),
    [
        ("/sr/north/default/descriptors/modules/a/versions", 200_000),
        ("/sr/north/default/descriptors", 200_000),
        ("/sr/north/default/subjects/descriptors/versions", 100_000),
        ("/descriptors/modules", 100_000),
        ("/api/v1/descriptors", 100_000),
    ],
)
def test_sets_of_descriptors_may_be_longer(settings: Settings, path: str, limit: int) -> None:
    settings.ACCORD_BODY_LIMIT, settings.ACCORD_DESCRIPTOR_LIMIT = 100_000, 200_000
    assert body_limit(environ_of(PATH_INFO=path)) == limit
    read_body(environ_of(b"x" * limit, PATH_INFO=path, CONTENT_LENGTH=str(limit)))
    with pytest.raises(HttpError, match=f"longer than {limit} bytes"):
        read_body(environ_of(b"x" * (limit + 1), PATH_INFO=path, CONTENT_LENGTH=str(limit + 1)))


def test_at_the_root_they_may_be_too(settings: Settings) -> None:
    settings.ACCORD_ROOT_NAMESPACE = NamespaceAddress("north", "default")
    assert is_descriptor_path("/descriptors/modules")
    assert not is_descriptor_path("/subjects/descriptors")


def test_a_request_without_a_body_is_left_alone() -> None:
    environ = environ_of(b"x", REQUEST_METHOD="GET", **{"wsgi.input_terminated": True})
    stream = environ["wsgi.input"]
    read_body(environ)
    assert environ["wsgi.input"] is stream


@pytest.mark.parametrize(
    ("environ", "status"),
    [
        (environ_of(b"hel", CONTENT_LENGTH="5"), 400),
        (environ_of(b"hello", CONTENT_LENGTH="five"), 400),
        (environ_of(b"hello"), 411),
        (environ_of(CONTENT_LENGTH="5") | {"wsgi.input": Broken()}, 400),
        (environ_of(CONTENT_LENGTH="99999999", HTTP_EXPECT="100-continue"), 413),
        (environ_of(b"x" * 6_000_000, CONTENT_LENGTH="6000000"), 413),
    ],
)
def test_what_cannot_be_read_is_refused(environ: dict[str, Any], status: int) -> None:
    with pytest.raises(HttpError) as refusal:
        read_body(environ)
    assert refusal.value.status == status


def call(environ: dict[str, Any]) -> tuple[str, dict[str, str], bytes]:
    """Call the layer as a server does; the application behind it says what it was given."""
    started: list[Any] = []

    def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        start_response("200 OK", [])
        return [environ["wsgi.input"].read()]

    body = b"".join(Intake(application)(environ, lambda *words: started.append(words)))
    ((status, headers),) = started
    return status, dict(headers), body


def test_what_can_be_read_goes_through() -> None:
    status, _, body = call(environ_of(b"hello", CONTENT_LENGTH="5"))
    assert (status, body) == ("200 OK", b"hello")


def test_what_cannot_is_answered_before_the_application() -> None:
    status, headers, body = call(
        environ_of(b"hel", PATH_INFO="/api/v1/", CONTENT_LENGTH="5", HTTP_X_REQUEST_ID="mine-1")
    )
    assert status == "400 Bad Request"
    assert headers["X-Request-ID"] == "mine-1"
    assert b"ended before" in body


def test_a_body_that_dribbles_in_is_given_up(settings: Settings) -> None:
    settings.ACCORD_BODY_TIMEOUT = 0.05
    with pytest.raises(HttpError) as refusal:
        read_body(environ_of(CONTENT_LENGTH="5") | {"wsgi.input": Slow()})
    assert refusal.value.status == 408


@pytest.mark.parametrize(
    ("variable", "target", "raw"),
    [
        ("RAW_URI", "/a%2Fb?c=d", "/a%2Fb"),
        ("REQUEST_URI", "/a%2Fb", "/a%2Fb"),
        ("RAW_URI", "http://host/a%2Fb", "/a%2Fb"),
        ("RAW_URI", "/somewhere/else", None),
        ("RAW_URI", None, None),
    ],
)
def test_the_undecoded_path_is_kept_if_it_is_the_same_path(
    variable: str, target: str | None, raw: str | None
) -> None:
    environ = environ_of(PATH_INFO="/a/b") | {variable: target}
    check_path(environ)
    assert environ.get(RAW_PATH) == raw


def test_a_caller_cannot_set_the_undecoded_path() -> None:
    environ = environ_of(PATH_INFO="/a/b", HTTP_ACCORD_RAW_PATH="/c")
    check_path(environ)
    assert RAW_PATH not in environ


@pytest.mark.parametrize(("is_behind", "address"), [(True, "203.0.113.9"), (False, "127.0.0.1")])
def test_a_proxy_is_believed_only_where_there_is_one(
    is_behind: bool,
    address: str,
    settings: Settings,
) -> None:
    settings.ACCORD_BEHIND_PROXY = is_behind
    environ = environ_of(REMOTE_ADDR="127.0.0.1", HTTP_X_FORWARDED_FOR="10.0.0.1, 203.0.113.9")
    trust_proxy(environ)
    assert environ["REMOTE_ADDR"] == address
