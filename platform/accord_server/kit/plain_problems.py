"""The two renderers that need no dialect: problem documents for programs, a line of text for anybody."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

from django.http import HttpRequest, HttpResponse, JsonResponse

from accord_server.kit.request_id import request_id_of
from accord_server.kit.rest_details import pointer_of

if TYPE_CHECKING:
    from django.http.response import HttpResponseBase

    from accord_server.kit.error_tables import Problem

PROBLEM_TYPE = "application/problem+json"
# A code is for good; these names changed from one Python to the next.
RENAMED: Final = {
    413: "content_too_large",
    414: "uri_too_long",
    416: "range_not_satisfiable",
    422: "unprocessable_content",
}


def problem_document(request: HttpRequest, problem: Problem) -> dict[str, Any]:
    """Return the members of RFC 9457, with a code, the id to ask about and what is wrong where."""
    document: dict[str, Any] = {
        "type": "about:blank",
        "title": problem.phrase,
        "status": problem.status,
        "detail": problem.message or problem.phrase,
        "code": _code(problem),
        "request_id": request_id_of(request.META),
    }
    if problem.flaws:
        document["errors"] = [
            {"pointer": pointer_of(flaw), "detail": flaw.message, "code": flaw.code} for flaw in problem.flaws
        ]
    return document


def render_problem_document(request: HttpRequest, problem: Problem) -> HttpResponseBase:
    """Render the native API's errors."""
    document = problem_document(request, problem)
    return JsonResponse(document, status=problem.status, content_type=PROBLEM_TYPE)


def render_text(_request: HttpRequest, problem: Problem) -> HttpResponseBase:
    """Render an error for whoever asks; pages have their own dialect."""
    text = f"{problem.status} {problem.phrase}\n{problem.message}".rstrip() + "\n"
    return HttpResponse(text, status=problem.status, content_type="text/plain; charset=utf-8")


def _code(problem: Problem) -> int | str:
    """Return the error's own code; a refusal by HTTP itself is named after its status."""
    if problem.code is not None:
        return problem.code
    return RENAMED.get(problem.status) or HTTPStatus(problem.status).name.lower()
