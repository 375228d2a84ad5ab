"""The routes of the dialect, and the one function through which calls come in.

`ROUTES` says of each route which right it needs and what a caller sees who may not see what it is about;
tests are generated from it.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

from django.http import HttpResponse

from accord_server.kit.error_tables import HttpError
from accord_server.kit.errors import remember_scope
from accord_server.kit.request_id import request_id_of
from registry.api.descriptors import views
from registry.api.descriptors.calls import Bytes, Call, Created, Told, Unchanged
from tenants.authentication import authenticate
from tenants.usage import usage

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from django.http import HttpRequest

    View = Callable[[Call], Any]


class Unseen(StrEnum):
    """What a caller gets who may not see what the route is about: never whether it exists."""

    LEFT_OUT = "left out"
    MISSING = "missing"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Route:
    """One row: ``right`` is what the view needs on the module or subject."""

    method: str
    template: str
    view: View
    right: str
    unseen: Unseen = Unseen.MISSING


READ: Final = "desc.read"
MODULE: Final = "/modules/{module}"
VERSION: Final = f"{MODULE}/versions/{{version}}"
ROUTES: Final = (
    Route("GET", "/modules", views.get_modules, READ, Unseen.LEFT_OUT),
    Route("DELETE", MODULE, views.delete_module, "subject.purge"),
    Route("GET", f"{MODULE}/versions", views.get_versions, READ),
    Route("POST", f"{MODULE}/versions", views.post_version, "desc.write", Unseen.REFUSED),
    Route("POST", f"{MODULE}/check", views.post_check, "compat.check"),
    Route("POST", f"{MODULE}/lint", views.post_lint, "compat.check"),
    Route("GET", f"{MODULE}/diff", views.get_diff, READ),
    Route("GET", VERSION, views.get_version, READ),
    Route("DELETE", VERSION, views.delete_version, "subject.purge"),
    Route("GET", f"{VERSION}/set", views.get_set, READ),
    Route("GET", f"{VERSION}/files", views.get_files, READ),
    Route("GET", f"{VERSION}/files/{{path}}", views.get_file, READ),
    Route("GET", f"{VERSION}/zip", views.get_archive, READ),
    Route("GET", f"{VERSION}/packages", views.get_packages, READ),
    Route("GET", f"{VERSION}/messages", views.get_messages, READ),
    Route("GET", f"{VERSION}/services", views.get_services, READ),
    Route("POST", f"{VERSION}/subjects", views.post_subject, READ),
    Route("POST", "/digests", views.post_digests, READ, Unseen.LEFT_OUT),
    Route("GET", "/subjects/{subject}/versions/{version}", views.get_subject_set, "subject.read"),
)
# Subjects and paths of files hold slashes.
GREEDY: Final = frozenset(("{subject}", "{path}"))


def _pattern(template: str) -> re.Pattern[str]:
    segments = template.split("/")[1:]
    parts = [
        re.escape(one)
        if not one.startswith("{")
        else f"(?P<{one[1:-1]}>{'.+?' if one in GREEDY else '[^/]+'})"
        for one in segments
    ]
    # Both forms answer, with and without a slash at the end; nothing is ever redirected.
    return re.compile("/" + "/".join(parts) + "/?", re.DOTALL)


PATTERNS: Final = {template: _pattern(template) for template in dict.fromkeys(one.template for one in ROUTES)}


def dispatch(request: HttpRequest, tenant: str, namespace: str, path: str) -> HttpResponse:
    """Answer a call; ``path`` is decoded and begins below ``descriptors``.

    Raises:
        Unauthorized, NamespaceNotFound: First of all, whatever the path.
        HttpError: 404 or 405, and what the views raise.
    """
    scope = authenticate(
        request.headers.get("Authorization"),
        tenant_slug=tenant,
        namespace_slug=namespace,
        request_id=request_id_of(request.META),
        address=request.META.get("REMOTE_ADDR"),
        client=request.headers.get("User-Agent", ""),
    )
    remember_scope(request, scope)
    methods, values = _resolved(path)
    method = request.method or "GET"
    if method == "OPTIONS":
        return HttpResponse(headers={"Allow": _allowed(methods)})
    route = methods.get("GET" if method == "HEAD" else method)
    if route is None:
        raise HttpError(405, headers={"Allow": _allowed(methods)})
    kind = request.headers.get("Content-Type", "").partition(";")[0].strip().lower()
    known = request.headers.get("If-None-Match", "")
    answer = route.view(Call(scope, values, request.GET, request.body, kind, known))
    usage.note_right(scope, route.right)
    return _answer(answer)


def _resolved(path: str) -> tuple[dict[str, Route], dict[str, str]]:
    for template, pattern in PATTERNS.items():
        found = pattern.fullmatch(path)
        if found is not None:
            return {one.method: one for one in ROUTES if one.template == template}, found.groupdict()
    raise HttpError(404)


def _allowed(methods: dict[str, Route]) -> str:
    return ", ".join(sorted({*methods, "OPTIONS"} | ({"HEAD"} if "GET" in methods else set())))


def _answer(value: object) -> HttpResponse:
    match value:
        case Bytes():
            headers = {"ETag": value.tag, **value.headers}
            if value.file_name:
                headers["Content-Disposition"] = f'attachment; filename="{value.file_name}"'
            return HttpResponse(value.data, content_type=value.media_type, headers=headers)
        case Unchanged():
            return HttpResponse(status=304, headers={"ETag": value.tag, **value.headers})
        case Created():
            return _json(value.document, status=201)
        case Told():
            return _json(value.document, headers=value.headers)
    return _json(value)


def _json(value: object, *, status: int = 200, headers: Mapping[str, str] | None = None) -> HttpResponse:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return HttpResponse(text.encode(), status=status, content_type="application/json", headers=headers)
