"""The error boundary: every raise becomes an answer of the path's dialect, and nothing leaks."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from django.core.exceptions import BadRequest, PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.db import DataError, OperationalError
from django.http import Http404, HttpResponse, JsonResponse
from django.test import Client, override_settings
from django.urls import path, re_path
from rest_framework.exceptions import APIException, MethodNotAllowed, Throttled, ValidationError
from rest_framework.views import APIView

from accord.errors import Denied, InvalidSubject, NotFound, SchemaTooLarge, Unavailable, error
from accord_server.kit import errors
from accord_server.kit.errors import Denial, Dialect, ErrorTable, HttpError, Problem, Row

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.http import HttpRequest
    from django.test.client import _MonkeyPatchedWSGIResponse
    from rest_framework.request import Request

SECRET = "the-inner-secret"  # what must not leak


@error
class Missing(NotFound):
    """Not there."""

    code = "missing"
    template = "{name} is missing"
    name: str


@error
class MissingToo(Missing):
    """A special way of not being there."""


@error
class Forbidden(Denied):
    """Not allowed."""

    code = "forbidden"
    template = "not allowed"
    headers = {"WWW-Authenticate": "Bearer"}  # as dialects read it


@error
class Away(Unavailable):
    """Away."""

    code = "away"
    template = "away"
    retry_after = 7


TABLE = ErrorTable(
    {
        Missing: Row(404, 40401),
        InvalidSubject: Row(422, 42208, message="Invalid subject."),
        SchemaTooLarge: Row(413, 42209, message=lambda error: f"Too large: {error.details}"),  # type: ignore[attr-defined]  # the row's own class
    }
)


def render(_request: HttpRequest, problem: Problem) -> JsonResponse:
    """Render as a dialect of numbers."""
    body = {"error_code": problem.code or problem.status, "message": problem.message or problem.phrase}
    return JsonResponse(body, status=problem.status, content_type="application/numbers+json")


class Raising:
    """A view that raises what the test gives it."""

    error: Exception = Http404()

    def __call__(self, request: HttpRequest, **_names: str) -> HttpResponse:
        """Raise."""
        raise self.error


class RestView(APIView):
    """A view of the REST framework that raises the same."""

    def get(self, request: Request) -> HttpResponse:
        """Raise."""
        raise raising.error


raising = Raising()
urlpatterns = [
    path("numbers/raise", raising),
    path("api/raise", raising),
    path("api/rest", RestView.as_view()),
    path("page", raising),
    re_path("^numbers/", errors.unknown_route),
]
handler400, handler403 = "accord_server.kit.errors.bad_request", "accord_server.kit.errors.forbidden"
handler404, handler500 = "accord_server.kit.errors.not_found", "accord_server.kit.errors.crash"


@pytest.fixture(autouse=True)
def _numbers() -> Iterator[None]:
    known = list(errors._dialects)  # noqa: SLF001  # put back afterwards
    errors._dialects[:] = []  # noqa: SLF001  # put back afterwards
    errors.register(Dialect("numbers", lambda path: path.startswith("/numbers"), TABLE, render))
    with override_settings(ROOT_URLCONF=__name__):
        yield
    errors._dialects[:] = known  # noqa: SLF001  # what was there before


def get(where: str, what: Exception | None = None) -> _MonkeyPatchedWSGIResponse:
    """Call a view that raises; return the answer."""
    raising.error = what or Http404()
    return Client(raise_request_exception=False).get(where)


@pytest.mark.parametrize(
    ("what", "status", "code", "message"),
    [
        (Missing("it"), 404, 40401, "it is missing"),
        (MissingToo("it"), 404, 40401, "it is missing"),
        (InvalidSubject("a"), 422, 42208, "Invalid subject."),
        (SchemaTooLarge("2 MB"), 413, 42209, "Too large: 2 MB"),
        (Forbidden(), 403, "forbidden", "not allowed"),
        (Away(), 503, "away", "away"),
        (HttpError(405), 405, 405, "Method Not Allowed"),
        (HttpError(406, "no such type"), 406, 406, "no such type"),
        (Http404("a path"), 404, 404, "Not Found"),
        (PermissionDenied(SECRET), 403, 403, "Forbidden"),
        (SuspiciousOperation(SECRET), 400, 400, "Bad Request"),
        (BadRequest(SECRET), 400, 400, "Bad Request"),
        (RequestDataTooBig(SECRET), 413, 413, "Request Entity Too Large"),
        (DataError(SECRET), 400, 400, "Bad Request"),
        (ValueError("A string literal cannot contain NUL (0x00) characters."), 400, 400, "Bad Request"),
        (OperationalError(SECRET), 503, 503, "Service Unavailable"),
        (ValueError(SECRET), 500, 500, "Internal Server Error"),
        (RecursionError(SECRET), 500, 500, "Internal Server Error"),
    ],
)
def test_what_is_raised_is_answered_by_the_table(
    what: Exception, status: int, code: object, message: str
) -> None:
    answer = get("/numbers/raise", what)
    assert (answer.status_code, answer.json()) == (status, {"error_code": code, "message": message})
    assert answer.headers["Content-Type"] == "application/numbers+json"


@pytest.mark.parametrize(
    ("where", "debug"),
    [
        ("/numbers/raise", False),
        *((path, debug) for path in ("/api/raise", "/api/rest") for debug in (True, False)),
    ],
)
def test_a_crash_leaks_nothing_to_programs(where: str, debug: bool) -> None:
    with override_settings(DEBUG=debug):
        answer = get(where, RuntimeError(SECRET))
    assert answer.status_code == 500
    assert SECRET not in answer.content.decode()
    assert "json" in answer.headers["Content-Type"]


def test_a_crash_leaks_nothing_to_people() -> None:
    answer = get("/page", RuntimeError(SECRET))
    assert (answer.status_code, answer.headers["Content-Type"]) == (500, "text/plain; charset=utf-8")
    assert SECRET not in answer.content.decode()


@pytest.mark.parametrize("debug", [True, False])
def test_an_unknown_route_is_answered_in_the_dialect(*, debug: bool) -> None:
    with override_settings(DEBUG=debug):
        answer = get("/numbers/elsewhere")
    assert (answer.status_code, answer.json()["error_code"]) == (404, 404)


def test_a_problem_document_says_what_is_known() -> None:
    answer = get("/api/raise", Missing("it"))
    document = answer.json()
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert document.pop("request_id") == answer.headers["X-Request-ID"]
    assert document == {
        "type": "about:blank",
        "title": "Not Found",
        "status": 404,
        "detail": "it is missing",
        "code": "missing",
    }


@pytest.mark.parametrize(
    ("what", "detail", "code"),
    [
        (MethodNotAllowed("GET"), 'Method "GET" not allowed.', "method_not_allowed"),
        (Http404("a path"), "Not Found", "not_found"),
        (HttpError(411, "A length is needed."), "A length is needed.", "length_required"),
        (RequestDataTooBig(SECRET), "Request Entity Too Large", "content_too_large"),
        (RuntimeError(SECRET), "Internal Server Error", "internal_server_error"),
    ],
)
def test_every_problem_document_has_detail_and_code(what: Exception, detail: str, code: str) -> None:
    document = get("/api/rest", what).json()
    assert (document["detail"], document["code"]) == (detail, code)
    assert "errors" not in document


def test_a_problem_document_names_the_place_of_each_flaw() -> None:
    document = get("/api/rest", ValidationError({"name": ["Is missing."]}, code="required")).json()
    assert (document["detail"], document["code"]) == ("name: Is missing.", "bad_request")
    assert document["errors"] == [{"pointer": "#/name", "detail": "Is missing.", "code": "required"}]


@pytest.mark.parametrize(
    ("what", "status"),
    [
        (MethodNotAllowed("GET"), 405),
        (ValidationError({"name": ["is missing"]}), 400),
        (Throttled(wait=3), 429),
        (APIException(), 500),
        (Missing("it"), 404),
        (Http404(), 404),
        (PermissionDenied(), 403),
    ],
)
def test_the_rest_framework_answers_through_the_same_door(what: Exception, status: int) -> None:
    answer = get("/api/rest", what)
    assert (answer.status_code, answer.json()["status"]) == (status, status)


@pytest.mark.parametrize(
    ("what", "header", "value"),
    [
        (Forbidden(), "WWW-Authenticate", "Bearer"),
        (Away(), "Retry-After", "7"),
        (HttpError(405, headers={"Allow": "GET"}), "Allow", "GET"),
        (OperationalError(), "Retry-After", "1"),
    ],
)
def test_headers_come_from_attributes(what: Exception, header: str, value: str) -> None:
    assert get("/numbers/raise", what).headers[header] == value


def test_the_rest_framework_sets_headers_too() -> None:
    assert get("/api/rest", Throttled(wait=3)).headers["Retry-After"] == "3"


def test_refusals_are_reported_and_a_failing_report_changes_nothing() -> None:
    seen: list[Denial] = []

    def report(denial: Denial) -> None:
        seen.append(denial)
        raise RuntimeError(SECRET)

    errors.on_denied(report)
    answers = [get("/numbers/raise", Forbidden()), get("/numbers/raise", Missing("it"))]
    errors._denial_hooks.remove(report)  # noqa: SLF001  # as it was
    assert [answer.status_code for answer in answers] == [403, 404]
    assert [(denial.method, denial.path, denial.status) for denial in seen] == [
        ("GET", "/numbers/raise", 403)
    ]


def test_a_crash_is_logged_with_its_request(caplog: pytest.LogCaptureFixture) -> None:
    get("/numbers/raise", RuntimeError(SECRET))
    (record,) = [record for record in caplog.records if record.name == "accord.errors"]
    assert record.getMessage() == "GET /numbers/raise failed with RuntimeError"
    assert record.exc_info


def test_what_is_unavailable_for_now_is_logged_in_a_line(caplog: pytest.LogCaptureFixture) -> None:
    get("/numbers/raise", Away())
    (record,) = [record for record in caplog.records if record.name == "accord.errors"]
    assert record.getMessage() == "GET /numbers/raise was answered 503: Away"
    assert (record.levelname, record.exc_info) == ("WARNING", None)


def test_refusals_are_not_logged_as_crashes(caplog: pytest.LogCaptureFixture) -> None:
    get("/numbers/raise", Missing("it"))
    assert [record for record in caplog.records if record.name == "accord.errors"] == []


def test_a_problem_document_is_json() -> None:
    assert json.loads(get("/api/raise").content)["status"] == 404
