"""What the views of the native API share: who asks, what that takes, and answers that are kept."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Final

from rest_framework.response import Response
from rest_framework.views import APIView

from accord_server.kit import kept_answers
from accord_server.kit.errors import remember_scope
from accord_server.kit.kept_answers import Answer, Asker
from accord_server.kit.preconditions import is_known
from accord_server.kit.request_id import request_id_of
from accord_server.kit.rest_bodies import ObjectParser
from tenants.authentication import authenticate
from tenants.operators import authenticate_operator, enter_as_operator, is_operators
from tenants.usage import usage

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from rest_framework.request import Request
    from rest_framework.serializers import Serializer

    from accord_server.kit.operations import Query, Reply
    from accord_server.kit.scope import Principal, Scope

BAD_REQUEST: Final = 400
CHANGES: Final = frozenset({"PUT", "PATCH", "DELETE"})
REPEATED: Final = "Idempotency-Replayed"
# No right of any tenant: it is not to be had by a role.
OPERATOR: Final = "operator"


class NativeView(APIView):
    """A view of the native API; what it says of each method is held against it and printed (`kit.openapi`).

    ``answers`` says what a method gives; ``bodies`` what checks its body, or ``texts`` what a parser of its
    own reads; ``queries`` the parameters that it reads; ``codes`` the problems that only it can meet;
    ``examples`` bodies to begin from, where one made of the names of its members would say too little.
    PUT, PATCH and DELETE are made for a version (``If-Match``): ``unversioned`` says why one is not, and
    ``if_match`` of any method whether the header must be there.

    A POST that comes with a key is done once, however often it is sent, where a view ``keeps_answers``.
    ``is_question`` is True where it changes nothing, ``secrets`` names the members of answers that are shown
    once and never kept.

    ``tag_is_whole`` is False where a body holds more than its ETag stands for, such as what is in use: there
    a caller is always told all of it, never that it is as before.
    """

    answers: ClassVar[Mapping[str, Reply]] = {}
    bodies: ClassVar[Mapping[str, type[Serializer[Any]]]] = {}
    texts: ClassVar[Mapping[str, dict[str, Any]]] = {}
    queries: ClassVar[Mapping[str, tuple[Query, ...]]] = {}
    codes: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    examples: ClassVar[Mapping[str, dict[str, Any]]] = {}
    unversioned: ClassVar[Mapping[str, str]] = {}
    if_match: ClassVar[Mapping[str, bool]] = {}
    tag_is_whole: ClassVar[bool] = True
    # Whether a POST that comes with a key is done once, however often it is sent.
    keeps_answers: ClassVar[bool] = False
    is_question: ClassVar[bool] = False
    secrets: ClassVar[frozenset[str]] = frozenset()
    parser_classes = (ObjectParser,)

    @classmethod
    def matches(cls, method: str) -> bool | None:
        """Tell whether a method asks for ``If-Match``: None where the header means nothing."""
        if method in cls.unversioned:
            return None
        return cls.if_match.get(method, True if method in CHANGES else None)

    def body(self, request: Request) -> Any:  # noqa: ANN401  # whatever the view declares
        """Return the serializer of this method with its checked members.

        Raises:
            ValidationError: With every flaw.
        """
        read = self.bodies[request.method or ""](data=request.data)
        read.is_valid(raise_exception=True)
        return read

    def asker(self, request: Request) -> Asker | None:  # noqa: ARG002  # some views need it
        """Return whose keys come with this call, None where nobody's are known."""
        return None

    def asked_again(self, request: Request) -> Any:  # noqa: ANN401  # whatever a parser reads
        """Return what of the body a repeated call has too."""
        return request.data

    def initial(self, request: Request, *args: object, **kwargs: str) -> None:
        """See to it that a POST with a key is done once."""
        super().initial(request, *args, **kwargs)
        handler = getattr(self, "post", None)
        if handler and request.method == "POST" and kept_answers.HEADER in request.headers:
            # The framework asks the instance for its handler only after this.
            self.post = self._once(handler) if self.keeps_answers and not self.is_question else handler

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401  # the signature is the framework's
        """Send what the caller knows already without its body."""
        tag = response.get("ETag")
        if request.method == "GET" and self.tag_is_whole and tag is not None and is_known(request, tag):
            response = Response(status=304, headers={"ETag": tag})
        return super().finalize_response(request, response, *args, **kwargs)

    def _once(self, handler: Callable[..., Response]) -> Callable[..., Response]:
        """Return a handler that answers a repeated call as it was answered first."""

        def post(request: Request, *args: object, **kwargs: Any) -> Response:
            key, path = request.headers[kept_answers.HEADER], request.get_full_path()
            asker = self.asker(request)
            if asker is None:
                return handler(request, *args, **kwargs)
            asked = kept_answers.question(asker, key, "POST", path, self.asked_again(request))
            found = kept_answers.answer_once(
                asked, lambda: _answer(handler(request, *args, **kwargs)), self._keepable
            )
            more = {REPEATED: "true"} if found.is_repeated else {}
            return Response(found.body, status=found.status, headers={**found.headers, **more})

        return post

    def _keepable(self, body: Any) -> Any:  # noqa: ANN401  # whatever an answer is
        """Return an answer without what is shown once."""
        if not self.secrets:
            return body
        return {name: None if name in self.secrets else value for name, value in body.items()}


class PublicView(NativeView):
    """A view of what everybody may know; nobody is asked who they are."""

    authentication_classes = ()


class TenantView(NativeView):
    """A view below ``/tenants/{tenant}``, or further down; `scope` says who asks.

    ``rights`` says which right each method needs. ``hides`` is False where nothing is to be hidden: whoever
    lacks the right is told so. ``is_shared`` is True where the right on any part of the tenant is enough.
    Tests are generated from these, and the OpenAPI document.
    """

    keeps_answers = True
    rights: ClassVar[Mapping[str, str]]
    hides: ClassVar[bool] = True
    is_shared: ClassVar[bool] = False
    scope: Scope

    def initial(self, request: Request, *args: object, **kwargs: str) -> None:
        """Authenticate before anything else is looked at."""
        self.scope = _scope(request, tenant=kwargs["tenant"], namespace=kwargs.get("namespace"))
        remember_scope(request._request, self.scope)  # noqa: SLF001  # DRF offers no other way to Django's request
        super().initial(request, *args, **kwargs)

    def asker(self, request: Request) -> Asker:  # noqa: ARG002  # the signature is the base's
        """Return who asks."""
        return Asker(self.scope.principal.key, self.scope)

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401  # the signature is the framework's
        """Note which right of the caller's token was needed, unless it was in vain."""
        right = getattr(self, "rights", {}).get(request.method or "")
        if right is not None and response.status_code < BAD_REQUEST and hasattr(self, "scope"):
            usage.note_right(self.scope, right)
        return super().finalize_response(request, response, *args, **kwargs)


class OperatorView(NativeView):
    """A view for whoever runs the installation; `operator` says who asks."""

    keeps_answers = True
    rights: ClassVar[Mapping[str, str]] = {"GET": OPERATOR, "POST": OPERATOR}
    operator: Principal

    def initial(self, request: Request, *args: object, **kwargs: str) -> None:
        """Authenticate before anything else is looked at."""
        self.operator = authenticate_operator(request.headers.get("Authorization"))
        super().initial(request, *args, **kwargs)

    def asker(self, request: Request) -> Asker:  # noqa: ARG002  # the signature is the base's
        """Return who asks; what is asked about may not be there yet."""
        return Asker(self.operator.key)

    def enter(self, request: Request, tenant: str) -> Scope:
        """Return the scope of the operator in a tenant.

        Raises:
            NamespaceNotFound: There is none of this name.
        """
        return _scope(request, tenant=tenant, namespace=None)


def _scope(request: Request, *, tenant: str, namespace: str | None) -> Scope:
    """Return who asks, and where; operators may ask everywhere."""
    header = request.headers.get("Authorization")
    request_id, address = request_id_of(request.META), request.META.get("REMOTE_ADDR")
    if is_operators(header):
        scope = enter_as_operator(header, tenant_slug=tenant, namespace_slug=namespace)
        return replace(scope, request_id=request_id, address=address)
    return authenticate(
        header,
        tenant_slug=tenant,
        namespace_slug=namespace,
        request_id=request_id,
        address=address,
        client=request.headers.get("User-Agent", ""),
    )


def _answer(response: Response) -> Answer:
    """Take an answer apart; what the framework adds, it adds to the repetition as well."""
    headers = {name: value for name, value in response.items() if name != "Content-Type"}
    return Answer(response.status_code, headers, response.data)
