"""Errors of the dialect: problem documents, as in the native API, with what a refused set is refused for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.http import JsonResponse

from accord_server.kit.error_tables import Dialect
from accord_server.kit.paths import is_descriptor_path
from accord_server.kit.plain_problems import PROBLEM_TYPE, problem_document
from registry import module_errors, policy_errors
from registry.api.descriptors.serializers import finding_data, lint_data, verdict_data
from registry.api.native.errors import TABLE
from tenants.api.errors import quota_parts

if TYPE_CHECKING:
    from django.http import HttpRequest

    from accord_server.kit.error_tables import Problem


def render(request: HttpRequest, problem: Problem) -> JsonResponse:
    """Render a problem document; a refusal says all that is wrong, part by part."""
    document = problem_document(request, problem) | _parts(problem.error)
    return JsonResponse(document, status=problem.status, content_type=PROBLEM_TYPE)


def _parts(error: Exception | None) -> dict[str, Any]:
    match error:
        case module_errors.FilesMissing():
            return {"missing": list(error.digests)}
        case module_errors.IncompatibleModule():
            return {"comparisons": verdict_data(error.verdict)}
        case module_errors.ModuleLintRefused():
            return {"lint": [lint_data(one) for one in error.findings]}
        case policy_errors.ContentRefused():
            return {"own": [finding_data(one) for one in error.findings]}
    return quota_parts(error)


DIALECT: Final = Dialect("descriptors", is_descriptor_path, TABLE, render)
