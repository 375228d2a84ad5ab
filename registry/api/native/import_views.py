"""Views of imports into a namespace."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.urls import reverse
from rest_framework.response import Response

from accord_server.kit.error_tables import HttpError
from accord_server.kit.operations import listed, made, single
from accord_server.kit.paging import batch_document, batch_size, cursor, next_cursor, number_in
from registry.api.native import import_documents as documents
from registry.api.native.parsers import LINES, LineParser, LinesParser
from registry.api.native.shapes import BatchShape, ImportShape, RefusedVersion
from registry.queries import imports as queries
from registry.services import imports as services
from tenants.api.base import TenantView

if TYPE_CHECKING:
    from uuid import UUID

    from rest_framework.request import Request


class Imports(TenantView):
    """Imports into a namespace."""

    rights = {"GET": "import", "POST": "import"}
    bodies = {"POST": documents.StartSerializer}
    answers = {"GET": listed(ImportShape), "POST": made(ImportShape)}
    codes = {"POST": ("import_under_way",)}
    hides = False

    def get(self, request: Request, **_names: str) -> Response:
        """List them, newest first."""
        before = number_in(cursor(request)) or None
        batch = queries.list_imports(self.scope, before=before, limit=batch_size(request))
        return Response(batch_document(batch, documents.import_document, next_cursor(request, batch.after)))

    def post(self, request: Request, tenant: str, namespace: str) -> Response:
        """Begin one, or go on with one's own from the same source: 201 and where to bring it."""
        record = services.start_import(self.scope, self.body(request).command())
        where = reverse("native-import", args=[tenant, namespace, record.id])
        return Response(documents.import_document(record), status=201, headers={"Location": where})


class Import(TenantView):
    """One import."""

    rights = {"GET": "import", "DELETE": "import"}
    answers = dict.fromkeys(("GET", "DELETE"), single(ImportShape))
    codes = {
        "DELETE": (
            "import_not_found",
            "import_over",
        ),
        "GET": ("import_not_found",),
    }
    unversioned = {"DELETE": "An import is only cancelled, which changes nothing else."}
    hides = False

    def get(self, request: Request, run: UUID, **_names: str) -> Response:  # noqa: ARG002  # the signature is the framework's
        """Return its state and what was stored."""
        return Response(documents.import_document(queries.import_record(self.scope, run)))

    def delete(self, request: Request, run: UUID, **_names: str) -> Response:  # noqa: ARG002  # as above
        """Cancel it; what it has stored stays."""
        return Response(documents.import_document(services.cancel_import(self.scope, run)))


class LinesView(TenantView):
    """A view of what an import brings: lines of an export."""

    rights = {"POST": "import"}
    answers = {"POST": single(BatchShape)}
    texts = {"POST": LINES}
    codes = {
        "POST": (
            "deletion_forbidden",
            "import_not_found",
            "import_over",
            "not_in_import_mode",
        )
    }
    hides = False
    parser_classes = (LinesParser, LineParser)  # type: ignore[assignment]  # lines instead of an object

    @property
    def lines(self) -> list[dict[str, Any]]:
        """What was sent, object by object.

        Raises:
            HttpError: 422 where nothing was.
        """
        body: Any = self.request.data
        if "lines" not in body:
            raise HttpError(422, "There are no lines; send one version a line")
        lines: list[dict[str, Any]] = body["lines"]
        return lines


class ImportVersions(LinesView):
    """The versions that an import brings."""

    def post(self, request: Request, run: UUID, **_names: str) -> Response:  # noqa: ARG002  # as above
        """Store lines of an export, all in one transaction; those that are there stay as they are."""
        taken, refused = documents.imported_versions(self.lines)
        outcome = services.import_versions(self.scope, run, taken, refused)
        return Response(documents.batch_outcome_document(outcome))


class ImportDeletions(LinesView):
    """The versions that an import deletes."""

    def post(self, request: Request, run: UUID, **_names: str) -> Response:  # noqa: ARG002  # as above
        """Delete the versions of lines of an export softly, in their order, all in one transaction."""
        named, refused = documents.deleted_versions(self.lines)
        outcome = services.import_deletions(self.scope, run, named, refused)
        return Response(documents.batch_outcome_document(outcome))


class Result(TenantView):
    """How an import ended."""

    rights = {"PUT": "import"}
    bodies = {"PUT": documents.ResultSerializer}
    answers = {"PUT": single(ImportShape)}
    codes = {
        "PUT": (
            "import_not_found",
            "import_over",
        )
    }
    unversioned = {"PUT": "An import is ended once."}
    hides = False

    def put(self, request: Request, run: UUID, **_names: str) -> Response:
        """End it with the checksums of both sides."""
        record = services.finish_import(self.scope, run, self.body(request).command())
        return Response(documents.import_document(record))


class Issues(TenantView):
    """What an import was refused."""

    rights = {"GET": "import"}
    answers = {"GET": listed(RefusedVersion)}
    codes = {"GET": ("import_not_found",)}
    hides = False

    def get(self, request: Request, run: UUID, **_names: str) -> Response:
        """List it, in parts."""
        after, limit = number_in(cursor(request)), batch_size(request)
        batch = queries.import_issues(self.scope, run, after=after, limit=limit)
        return Response(batch_document(batch, documents.issue_document, next_cursor(request, batch.after)))
