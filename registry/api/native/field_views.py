"""The names of fields in a tenant, with the types that they have."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from rest_framework.response import Response

from accord_server.kit.operations import Query, flag, listed, single
from accord_server.kit.paging import batch_size, cursor, next_cursor
from registry.api.native.search_shapes import FieldNameShape, FieldTypeShape
from registry.queries.field_dictionary import field_named, field_names
from tenants.api.base import TenantView

if TYPE_CHECKING:
    from rest_framework.request import Request

    from registry.discovery_records import FieldName


class Fields(TenantView):
    """The names of the fields that the caller may read."""

    rights = {"GET": "subject.read"}
    answers = {"GET": listed(FieldNameShape)}
    queries = {
        "GET": (
            Query("q", "Only names that begin so."),
            flag("conflicts", "Only names whose fields have types that do not go together."),
        )
    }
    hides = False

    def get(self, request: Request, **_names: str) -> Response:
        """List names in their order: those that begin with ``q``, or with ``conflicts=true`` in conflict."""
        found = field_names(
            self.scope,
            beginning=request.query_params.get("q", ""),
            after=cursor(request),
            conflicts=request.query_params.get("conflicts") == "true",
            limit=batch_size(request),
        )
        return Response(
            {"items": [name_document(one) for one in found.names], "next": next_cursor(request, found.after)}
        )


class Field(TenantView):
    """One name of fields."""

    rights = {"GET": "subject.read"}
    answers = {"GET": single(FieldNameShape)}
    hides = False

    def get(self, _request: Request, field: str, **_names: str) -> Response:
        """Say what types it has, each with the first subjects."""
        found = field_named(self.scope, field)
        types = [asdict(one) for one in found.types]
        return Response({**name_document(found), "types": types})


def name_document(one: FieldName) -> FieldNameShape:
    """Return a name with how many subjects have it with which type."""
    types: list[FieldTypeShape] = [
        {"format": use.format, "type": use.type, "subjects": use.subjects} for use in one.types
    ]
    return {"name": one.name, "is_conflicting": one.is_conflicting, "types": types}
