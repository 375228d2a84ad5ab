"""What the views of the native API share: who asks, what that takes, and answers that are kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final

from rest_framework.response import Response
from rest_framework.views import APIView

from accord_server.kit import kept_answers
from accord_server.kit.errors import remember_scope
from accord_server.kit.kept_answers import Answer
from accord_server.kit.request_id import request_id_of
from accord_server.kit.rest_bodies import ObjectParser
from tenants.authentication import authenticate

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from rest_framework.request import Request

    from accord_server.kit.scope import Scope

REPEATED: Final = "Idempotency-Replayed"


class PublicView(APIView):
    """A view of what everybody may know; nobody is asked who they are."""

    authentication_classes = ()


class TenantView(APIView):
    """A view below ``/tenants/{tenant}``, or further down; `scope` says who asks.

    ``rights`` says which right each method needs. ``hides`` is False where nothing is to be hidden:
    whoever lacks the right is told so. ``is_shared`` is True where the right on any part of the tenant is
    enough. Tests are generated from these.

    A POST that comes with a key is done once, however often it is sent. ``is_question`` is True where it
    changes nothing, ``secrets`` names the members of answers that are shown once and never kept.
    """

    rights: ClassVar[Mapping[str, str]]
    hides: ClassVar[bool] = True
    is_shared: ClassVar[bool] = False
    is_question: ClassVar[bool] = False
    secrets: ClassVar[frozenset[str]] = frozenset()
    scope: Scope
    parser_classes = (ObjectParser,)

    def initial(self, request: Request, *args: object, **kwargs: str) -> None:
        """Authenticate before anything else is looked at."""
        self.scope = authenticate(
            request.headers.get("Authorization"),
            tenant_slug=kwargs["tenant"],
            namespace_slug=kwargs.get("namespace"),
            request_id=request_id_of(request.META),
            address=request.META.get("REMOTE_ADDR"),
            client=request.headers.get("User-Agent", ""),
        )
        remember_scope(request._request, self.scope)  # noqa: SLF001  # DRF offers no other way to Django's request
        super().initial(request, *args, **kwargs)
        handler = getattr(self, "post", None)
        if handler and request.method == "POST" and kept_answers.HEADER in request.headers:
            # The framework asks the instance for its handler only after this.
            self.post = handler if self.is_question else self._once(handler)

    def _once(self, handler: Callable[..., Response]) -> Callable[..., Response]:
        """Return a handler that answers a repeated call as it was answered first."""

        def post(request: Request, *args: object, **kwargs: Any) -> Response:
            key, path = request.headers[kept_answers.HEADER], request.get_full_path()
            asked = kept_answers.question(self.scope, key, "POST", path, request.data)
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


def _answer(response: Response) -> Answer:
    """Take an answer apart; what the framework adds, it adds to the repetition as well."""
    headers = {name: value for name, value in response.items() if name != "Content-Type"}
    return Answer(response.status_code, headers, response.data)
