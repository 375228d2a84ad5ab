"""The OpenAPI document of the native API, printed by drf-spectacular from what its views declare."""

from __future__ import annotations

import re
from functools import cache, cached_property
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

from django.urls import URLPattern, get_resolver
from drf_spectacular.extensions import OpenApiSerializerExtension, OpenApiSerializerFieldExtension
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ResolvedComponent
from drf_spectacular.utils import OpenApiParameter, OpenApiRequest, OpenApiResponse

from accord_server.kit import shapes
from accord_server.kit.errors import statuses_of
from accord_server.kit.examples import add_examples
from accord_server.kit.kept_answers import HEADER as IDEMPOTENCY_KEY
from accord_server.kit.operations import JSON_TYPE, PAGING, TEXT, Query, Reply
from accord_server.kit.plain_problems import PROBLEM_TYPE
from accord_server.kit.problem_shapes import Problem

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping


Json = dict[str, Any]

DIALECT: Final = "native"
VARIABLE: Final = re.compile(r"{(\w+)}")
WITH_BODY: Final = frozenset({"POST", "PUT", "PATCH"})
TAG: Final[Json] = {"type": "string", "pattern": '^"[0-9]+"$'}
# What may become of any call, by its kind; codes of HTTP itself.
OF_HTTP: Final = {
    "bad_request": 400,
    "not_found": 404,
    "not_acceptable": 406,
    "content_too_large": 413,
    "unsupported_media_type": 415,
    "range_not_satisfiable": 416,
    "unprocessable_content": 422,
    "too_many_requests": 429,
    "service_unavailable": 503,
}
BY_ANY_CALL: Final = ("bad_request", "not_found", "not_acceptable", "service_unavailable")
BY_A_CHANGE: Final = ("quota_reached",)
BY_A_BODY: Final = ("content_too_large", "unsupported_media_type", "unprocessable_content")
BELOW_A_TENANT: Final = (
    "unauthorized",
    "namespace_not_found",
    "right_missing",
    "tenant_suspended",
    "too_many_requests",
)
# What may be wrong with what a path names.
BY_A_NAME: Final = {
    "subject": ("subject_not_found", "invalid_subject"),
    "module": ("module_not_found",),
    "version": ("version_not_found",),
    "name": ("principal_not_found",),
    "role": ("role_not_found",),
    "binding": ("role_binding_not_found",),
    "key_id": ("token_not_found",),
}
BY_A_KEY: Final = ("idempotency_key_in_use", "idempotency_key_reused")
BY_A_PRECONDITION: Final = ("changed_meanwhile",)
# Where a path begins that says more than which tenant, namespace or subject is meant.
PLACES: Final = frozenset({"tenants", "namespaces", "subjects", "versions"})
UNSAID: Final = Reply(object, others=(201, 202, 204))
LOCATION: Final[Json] = {"type": "string", "format": "uri-reference"}


class NativeSchema(AutoSchema):
    """Describes one method of one view from what the view declares."""

    view: Any

    @property
    def answer(self) -> Reply:
        """What the method gives; a test asks for it of every one."""
        found: Reply = self.view.answers.get(self.method, UNSAID)
        return found

    def get_operation(self, *place: Any) -> Json | None:
        """Describe it; a body must be there unless nothing in it must."""
        found = super().get_operation(*place)
        if found and "requestBody" in found:
            read = self.view.bodies.get(self.method)
            found["requestBody"]["required"] = read is None or any(
                one.required for one in read().fields.values()
            )
            if self.method in self.view.examples:
                found["requestBody"]["content"][JSON_TYPE]["example"] = self.view.examples[self.method]
        return found

    def get_operation_id(self) -> str:
        """Return method and name of the address."""
        return f"{self.method.lower()}-{_name_of(self.path_regex).removeprefix('native-')}"

    def get_summary(self) -> str:
        """Return what is there, and what the method does with it."""
        thing, act = (_sentence(one) for one in (type(self.view), getattr(self.view, self.method.lower())))
        return f"{thing.rstrip('.')}: {act[:1].lower()}{act[1:]}" if act else thing

    def get_description(self) -> str:  # type: ignore[override]  # as the framework itself overrides it
        """Return nothing more: the rest of a docstring is for those who read the code."""
        return ""

    def get_tags(self) -> list[str]:
        """Return what the address is about."""
        words = [one for one in self.path.split("/")[3:] if one and not one.startswith("{")]
        about = [one for one in words if one not in PLACES] or words[-1:]
        return [about[0].replace("-", " ")]

    def get_auth(self) -> list[Json]:
        """Return how one says who one is."""
        return [] if self.is_public else [{"bearer": []}]

    def get_extensions(self) -> Json:
        """Return the right that it takes."""
        return {} if self.is_public else {"x-right": self.view.rights[self.method]}

    @property
    def is_public(self) -> bool:
        """Whether nobody is asked who they are."""
        return not hasattr(self.view, "rights")

    def get_request_serializer(self) -> Any:  # noqa: ANN401  # the signature is the framework's
        """Return what a body is, by its type."""
        schema = self.view.texts.get(self.method)
        if self.method in self.view.bodies:
            schema = self.resolve_serializer(self.view.bodies[self.method], "request").ref
        return schema and {kind: OpenApiRequest(schema) for kind in self.map_parsers()}

    def get_response_serializers(self) -> Any:  # noqa: ANN401  # as above
        """Return what is given, by status and type, and every way to be refused."""
        return self._responses

    @cached_property
    def _responses(self) -> dict[Any, OpenApiResponse]:
        """Both, once: the framework asks for them again for each of them."""
        return dict(self._answers()) | dict(self._refusals())

    def get_override_parameters(self) -> list[Any]:
        """Return the parameters of query and headers, and the headers of answers."""
        return [*map(_in_query, self._queries()), *self._headers_sent(), *self._headers_given()]

    def _answers(self) -> Iterator[tuple[Any, OpenApiResponse]]:
        answer = self.answer
        for status in (answer.status, *answer.others):
            words = _sentence(getattr(self.view, self.method.lower()))
            if answer.shape is not None:
                yield (status, JSON_TYPE), OpenApiResponse(self._schema(), description=words)
            elif not answer.media_types:
                yield status, OpenApiResponse(description=words)
            for kind in answer.media_types:
                yield (status, kind), OpenApiResponse(dict(TEXT), description=words)
        if self._may_be_known:
            yield 304, OpenApiResponse(description="It is as the caller knows it.")

    def _schema(self) -> Json:
        schema = shapes.schema_of(self.answer.shape, self._component)
        if not self.answer.is_list:
            return schema
        following = {"type": ["string", "null"], "description": "The `cursor` of what follows, if anything."}
        items = {"type": "array", "items": schema}
        return {
            "type": "object",
            "properties": {"items": items, "next": following},
            "required": ["items", "next"],
        }

    def _component(self, shape: type) -> Json:
        component = ResolvedComponent(shape.__name__, ResolvedComponent.SCHEMA, {}, shape)  # type: ignore[no-untyped-call]  # the framework is typed in part
        if component not in self.registry:
            self.registry.register(component)
            component.schema = shapes.members_of(shape, self._component)
        return component.ref

    def _refusals(self) -> Iterator[tuple[Any, OpenApiResponse]]:
        for status, schema, words in refusals(self.codes(), self._component(Problem)):
            yield (status, PROBLEM_TYPE), OpenApiResponse(schema, description=words)

    def codes(self) -> set[str]:
        """Return the codes of all problems that a call may meet."""
        found = {*BY_ANY_CALL, *self.view.codes.get(self.method, ())}
        if not self.is_public:
            found |= {*BELOW_A_TENANT}
        if self.method in WITH_BODY and not self.is_public:
            found |= {*BY_A_CHANGE}
        if self.method in WITH_BODY:
            found |= {*BY_A_BODY, *getattr(self.view.bodies.get(self.method), "codes", ())}
        found |= {code for name in VARIABLE.findall(self.path) for code in BY_A_NAME.get(name, ())}
        if self._keeps_answers:
            found |= {*BY_A_KEY}
        if self._matches is not None:
            found |= {*BY_A_PRECONDITION, *(("version_not_named",) if self._matches else ())}
        return found

    @property
    def _keeps_answers(self) -> bool:
        """Whether a call that is repeated with its key is done once."""
        return self.method == "POST" and self.view.keeps_answers and not self.view.is_question

    @property
    def _matches(self) -> bool | None:
        """Whether the header If-Match must be there; None where it means nothing."""
        found: bool | None = self.view.matches(self.method)
        return found

    @property
    def _may_be_known(self) -> bool:
        """Whether the ETag tells that the whole answer is as the caller knows it."""
        return self.method == "GET" and self.answer.is_tagged and self.view.tag_is_whole

    def _queries(self) -> Iterable[Query]:
        return (*self.view.queries.get(self.method, ()), *(PAGING if self.answer.is_list else ()))

    def _headers_sent(self) -> Iterator[OpenApiParameter]:
        if self._matches is not None:
            words = "The ETag of what is to change, or `*` for whichever there is."
            yield _header("If-Match", words, {"type": "string"}, is_required=self._matches)
        if self._may_be_known:
            yield _header("If-None-Match", "The ETag that the caller has.", {"type": "string"})
        if self._keeps_answers:
            words = "1 to 200 visible characters; a call that is repeated with its key is done once."
            yield _header(IDEMPOTENCY_KEY, words, {"type": "string", "pattern": "^[!-~]{1,200}$"})

    def _headers_given(self) -> Iterator[OpenApiParameter]:
        answer = self.answer
        statuses = [answer.status, *answer.others]
        if answer.is_tagged:
            told = [*statuses, *([304] if self._may_be_known else ())]
            yield _header("ETag", "The version that is shown.", TAG, given=told)
        if answer.is_created:
            yield _header("Location", "Where it is.", LOCATION, given=statuses)
        elif HTTPStatus.ACCEPTED in answer.others:
            followed = "Where the work that was begun is followed."
            yield _header("Location", followed, LOCATION, given=[HTTPStatus.ACCEPTED])


class BodyExtension(OpenApiSerializerExtension):  # type: ignore[no-untyped-call]  # as above
    """A body of ours has no other members than it names."""

    target_class = "accord_server.kit.rest_bodies.Body"
    match_subclasses = True

    def map_serializer(self, auto_schema: AutoSchema, direction: Any) -> Json:  # noqa: ANN401  # the signature is the framework's
        """Describe it."""
        printed = auto_schema._map_serializer  # noqa: SLF001  # what the framework's manual says to call
        schema: Json = printed(self.target, direction, bypass_extensions=True)  # type: ignore[no-untyped-call]  # as above
        return {**schema, "additionalProperties": False}


class FieldExtension(OpenApiSerializerFieldExtension):  # type: ignore[no-untyped-call]  # as above
    """A field of ours says itself what it takes."""

    target_class = "accord_server.kit.rest_bodies.DescribedField"
    match_subclasses = True

    def map_serializer_field(self, auto_schema: AutoSchema, direction: Any) -> Json:  # noqa: ANN401, ARG002  # as above
        """Describe it."""
        return dict(self.target.described)


@cache
def document() -> Json:
    """Return the document; it is the same for as long as the process lives."""
    return add_examples(SchemaGenerator().get_schema(public=True))  # type: ignore[no-untyped-call]  # as above


def strip_marks(result: Json, **_context: object) -> Json:
    """Take away what the framework notes for itself beside enumerations."""
    _strip(result)
    return result


def refusals(codes: Iterable[str], problem: Json) -> Iterator[tuple[int, Json, str]]:
    """Sort codes by the status they come with: the schema of such a problem, and words for it."""
    by_status: dict[int, list[str]] = {}
    for code in sorted(codes):
        by_status.setdefault(status_of(code), []).append(code)
    for status, found in sorted(by_status.items()):
        one = {"properties": {"code": {"enum": found}, "status": {"const": status}}}
        yield status, {"allOf": [problem, one]}, f"{HTTPStatus(status).phrase}: {', '.join(found)}"


def status_of(code: str) -> int:
    """Return the status that comes with a code.

    Raises:
        KeyError: There is no such code.
    """
    found = OF_HTTP.get(code)
    return _statuses()[code] if found is None else found


@cache
def _statuses() -> Mapping[str, int]:
    return statuses_of(DIALECT)


def _strip(value: object) -> None:
    if isinstance(value, dict):
        value.pop("x-spec-enum-id", None)
        if value.get("default") == "":
            # Nothing is what leaving out means anyway, though it may not be sent.
            del value["default"]
    for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        _strip(one)


def _in_query(query: Query) -> OpenApiParameter:
    return OpenApiParameter(
        query.name, dict(query.schema), description=query.sentence, required=query.is_required
    )


def _header(
    name: str, words: str, schema: Json, *, is_required: bool = False, given: list[int] | None = None
) -> OpenApiParameter:
    return OpenApiParameter(
        name, schema, OpenApiParameter.HEADER, is_required, words, response=[*given] if given else False
    )


@cache
def _by_regex() -> dict[str, str]:
    return dict(_names(get_resolver().url_patterns, ""))


def _name_of(path_regex: str) -> str:
    return _by_regex()[path_regex]


def _names(patterns: Iterable[Any], before: str) -> Iterator[tuple[str, str]]:
    for one in patterns:
        text = before + str(one.pattern)
        if isinstance(one, URLPattern):
            yield text, one.name or ""
        else:
            yield from _names(one.url_patterns, text)


def _sentence(thing: object) -> str:
    return (thing.__doc__ or "").partition("\n")[0]
