"""The two renderers that need no dialect: problem documents for programs, a line of text for anybody."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import HttpRequest, HttpResponse, JsonResponse

from accord_server.kit.request_id import request_id_of

if TYPE_CHECKING:
    from django.http.response import HttpResponseBase

    from accord_server.kit.error_tables import Problem

PROBLEM_TYPE = "application/problem+json"


def problem_document(request: HttpRequest, problem: Problem) -> dict[str, Any]:
    """Return the members of RFC 9457, with our code and the id to ask about."""
    document: dict[str, Any] = {
        "type": "about:blank",
        "title": problem.phrase,
        "status": problem.status,
        "request_id": request_id_of(request.META),
    }
    if problem.message:
        document["detail"] = problem.message
    if problem.code is not None:
        document["code"] = problem.code
    return document


def render_problem_document(request: HttpRequest, problem: Problem) -> HttpResponseBase:
    """Render the native API's errors."""
    document = problem_document(request, problem)
    return JsonResponse(document, status=problem.status, content_type=PROBLEM_TYPE)


def render_text(_request: HttpRequest, problem: Problem) -> HttpResponseBase:
    """Render an error for whoever asks; pages have their own dialect."""
    text = f"{problem.status} {problem.phrase}\n{problem.message}".rstrip() + "\n"
    return HttpResponse(text, status=problem.status, content_type="text/plain; charset=utf-8")
