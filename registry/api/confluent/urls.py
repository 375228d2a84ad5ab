"""The routes of the dialect, and the one function through which calls come in.

`ROUTES` says of each route which right it needs, what it is about, and what a caller sees who may not
see that; tests are generated from it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

from django.http import HttpResponse

from accord_server.kit.error_tables import HttpError
from accord_server.kit.errors import remember_scope
from accord_server.kit.paths import RAW_PATH
from accord_server.kit.request_id import request_id_of
from registry.api.confluent import openapi
from registry.api.confluent.aliasing import followed
from registry.api.confluent.calls import Call, NoContent, RawText
from registry.api.confluent.context_paths import Rewritten, rewritten
from registry.api.confluent.negotiation import answer_type, is_consumed
from registry.api.confluent.routing import Resolver, allowed
from registry.api.confluent.views import compatibility, contexts, root, schemas, settings, subjects
from tenants.authentication import authenticate_or_welcome
from tenants.usage import usage

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest, QueryDict

    from accord_server.kit.scope import Scope

    View = Callable[[Call], Any]

WITH_BODY: Final = frozenset({"POST", "PUT", "PATCH"})
NEW_MEMBERS_HEADER: Final = "Confluent-Accept-Unknown-Properties"
CLIENT_HEADER: Final = "Confluent-Client-Version"


class About(StrEnum):
    """What a route is about."""

    SERVICE = "service"
    LIST = "list"
    CONTEXT = "context"
    SUBJECT = "subject"
    VERSION = "version"
    SCHEMA = "schema"
    SETTINGS = "settings"


class Unseen(StrEnum):
    """What a caller gets who may not see what the route is about: never whether it exists."""

    NOTHING_HIDDEN = "nothing hidden"
    LEFT_OUT = "left out"
    MISSING = "missing"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Route:
    """One row: ``right`` is what the view needs, ``permanent_right`` instead with ``permanent=true``.

    ``is_immutable`` says that the answer about an id, once given, is the same until the epoch of the
    namespace moves (`tenants.announcements.announce_namespace`).
    """

    method: str
    template: str
    view: View
    right: str = ""
    about: About = About.SERVICE
    unseen: Unseen = Unseen.NOTHING_HIDDEN
    permanent_right: str = ""
    is_immutable: bool = False


SUBJECT: Final = "/subjects/{subject}"
VERSIONS: Final = "/subjects/{subject}/versions"
VERSION: Final = "/subjects/{subject}/versions/{version}"
CHECKS: Final = "/compatibility/subjects/{subject}/versions"
# Where the name of a subject may be an alias.
ALIASED: Final = (SUBJECT, CHECKS)
BY_ID: Final = "/schemas/ids/{id}"
BY_GUID: Final = "/schemas/guids/{guid}"

S, V, X, A = About.SUBJECT, About.VERSION, About.SCHEMA, About.SETTINGS
MISSING, REFUSED, LEFT_OUT = Unseen.MISSING, Unseen.REFUSED, Unseen.LEFT_OUT


def get_openapi(call: Call) -> dict[str, Any]:  # noqa: ARG001  # the signature of a view
    """``GET /openapi.json``: all that the table says."""
    return openapi.document(ROUTES)


ROUTES: Final = (
    Route("GET", "/", root.root),
    Route("POST", "/", root.root),
    Route("GET", "/contexts", contexts.list_contexts, "subject.list", About.LIST, LEFT_OUT),
    Route("DELETE", "/contexts/{context}", contexts.delete_context, "subject.purge", About.CONTEXT, REFUSED),
    Route("GET", "/subjects", subjects.list_subjects, "subject.list", About.LIST, LEFT_OUT),
    Route("POST", SUBJECT, subjects.look_up, "subject.read", S, MISSING),
    Route("DELETE", SUBJECT, subjects.delete_subject, "subject.delete", S, MISSING, "subject.purge"),
    Route("GET", VERSIONS, subjects.list_versions, "subject.read", S, MISSING),
    Route("POST", VERSIONS, subjects.register, "subject.write", S, REFUSED),
    Route("GET", f"{SUBJECT}/metadata", subjects.get_version_with, "subject.read", S, MISSING),
    Route("GET", VERSION, subjects.get_version, "subject.read", V, MISSING),
    Route("DELETE", VERSION, subjects.delete_version, "subject.delete", V, MISSING, "subject.purge"),
    Route("POST", f"{VERSION}/tags", subjects.tag, "subject.write", V, MISSING),
    Route("GET", f"{VERSION}/schema", subjects.get_version_text, "subject.read", V, MISSING),
    Route("GET", f"{VERSION}/referencedby", subjects.list_dependants, "subject.read", V, MISSING),
    Route("GET", "/schemas", schemas.list_schemas, "subject.read", About.LIST, LEFT_OUT),
    Route("GET", "/schemas/types", schemas.list_types),
    Route("GET", BY_ID, schemas.get_schema, "schema.read", X, MISSING, is_immutable=True),
    Route("GET", f"{BY_ID}/schema", schemas.get_schema_text, "schema.read", X, MISSING, is_immutable=True),
    Route("GET", f"{BY_ID}/subjects", schemas.list_subjects, "schema.read", X, MISSING),
    Route("GET", f"{BY_ID}/versions", schemas.list_versions, "schema.read", X, MISSING),
    Route("GET", BY_GUID, schemas.get_schema_of_guid, "schema.read", X, MISSING),
    Route("GET", f"{BY_GUID}/ids", schemas.list_ids, "schema.read", About.LIST, LEFT_OUT),
    Route("POST", CHECKS, compatibility.check_all, "compat.check", S, MISSING),
    Route("POST", f"{CHECKS}/{{version}}", compatibility.check_one, "compat.check", V, MISSING),
    *(
        Route(method, f"/{setting}{place}", view, f"{setting}.{verb}", A, unseen)
        for setting, views in (
            ("config", (settings.get_config, settings.put_config, settings.delete_config)),
            ("mode", (settings.get_mode, settings.put_mode, settings.delete_mode)),
        )
        for place in ("", "/{subject}")
        for (method, verb, unseen), view in zip(
            (("GET", "read", MISSING), ("PUT", "write", REFUSED), ("DELETE", "write", REFUSED)),
            views,
            strict=True,
        )
    ),
    Route("GET", "/v1/metadata/id", root.get_identity),
    Route("GET", "/v1/metadata/version", root.get_version),
    Route("GET", "/v1/metadata/deployment", root.get_deployment),
    Route("GET", "/associations/resources/{resource}", root.get_associations),
    Route("GET", "/associations/resources/{namespace}/{name}", root.get_associations),
    Route("GET", "/openapi.json", get_openapi),
)

RESOLVER: Final = Resolver(ROUTES)


def dispatch(request: HttpRequest, tenant: str, namespace: str, path: str) -> HttpResponse:
    """Answer a call; ``path`` is decoded and begins below the namespace.

    Raises:
        Unauthorized, NamespaceNotFound: First of all, whatever the path.
        HttpError: 404, 405, 406 or 415, and what the views raise.
    """
    scope = _scope(request, tenant, namespace)
    method = request.method or "GET"
    place = rewritten(path, _raw_path(request, path))
    match = RESOLVER.resolve(method, place.path, place.raw_path)
    content_type = answer_type(request.headers.get("Accept", ""))
    if content_type is None:
        raise HttpError(406)
    if method == "OPTIONS":
        return HttpResponse(content_type=content_type, headers={"Allow": allowed(match)})
    if method in WITH_BODY and not is_consumed(request.headers.get("Content-Type", "")):
        raise HttpError(415)
    route = match.methods["GET" if method == "HEAD" else method]
    call = Call(
        scope,
        match.values,
        _query(request, place),
        request.body,
        takes_new_members(*(request.headers.get(one, "") for one in (NEW_MEMBERS_HEADER, CLIENT_HEADER))),
    )
    if match.template.startswith(ALIASED):
        call = followed(call, {"subject.read", route.right, route.permanent_right})
    answer = route.view(call)
    if route.right:
        usage.note_right(scope, route.right)
    return _answer(answer, content_type, is_head=method == "HEAD")


def _scope(request: HttpRequest, tenant: str, namespace: str) -> Scope:
    scope = authenticate_or_welcome(
        request.headers.get("Authorization"),
        tenant_slug=tenant,
        namespace_slug=namespace,
        request_id=request_id_of(request.META),
        address=request.META.get("REMOTE_ADDR"),
        client=request.headers.get("User-Agent", ""),
    )
    remember_scope(request, scope)
    return scope


def _query(request: HttpRequest, place: Rewritten) -> QueryDict:
    """Return the query as the context of the path makes it."""
    changed = place.parameters(request.GET)
    if not changed:
        return request.GET
    query: QueryDict = request.GET.copy()
    for name, value in changed.items():
        query[name] = value
    return query


def _raw_path(request: HttpRequest, path: str) -> str | None:
    """Return the part of the undecoded path that ``path`` is decoded from, where the server tells it."""
    raw: str | None = request.META.get(RAW_PATH)
    if raw is None:
        return None
    before = request.path_info.removesuffix(path).count("/")
    return "/" + "/".join(raw.split("/")[before + 1 :])


def takes_new_members(accepts: str, client: str) -> bool:
    """Tell whether a caller takes members that older clients do not know.

    Clients that name their version do: the one for Python says that it does only where it sends a body,
    and needs the guid of what it reads.
    """
    return accepts.strip().lower() == "true" or bool(client.strip())


def _answer(value: object, content_type: str, *, is_head: bool) -> HttpResponse:
    if isinstance(value, NoContent):
        return HttpResponse(status=204, content_type=content_type)
    text = (
        value.text
        if isinstance(value, RawText)
        else json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    )
    body = text.encode()
    headers = {"Content-Length": str(len(body))}
    return HttpResponse(b"" if is_head else body, content_type=content_type, headers=headers)
