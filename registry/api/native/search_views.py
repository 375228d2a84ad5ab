"""Searching the fields, types and subjects of a tenant."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from rest_framework.response import Response

from accord.discovery.query import read_search
from accord_server.kit.error_tables import HttpError
from accord_server.kit.operations import PAGING, Query, choice, single
from accord_server.kit.paging import BAD_CURSOR, batch_size, cursor, next_cursor
from registry.api.native.search_shapes import FoundShape, HitShape
from registry.discovery_records import HitKind, SearchAsked, read_place
from registry.queries.discovery import search_fields
from tenants.api.base import TenantView

if TYPE_CHECKING:
    from rest_framework.request import Request

    from registry.discovery_records import Found, Hit, Place


class Search(TenantView):
    """What answers a search in all namespaces, as far as the caller may read."""

    rights = {"GET": "subject.read"}
    answers = {"GET": single(FoundShape)}
    queries = {
        "GET": (
            Query("q", "What to look for, in the words of a search; nothing for all there is."),
            choice("kind", "Only hits of this kind.", *(one for one in HitKind if one)),
            *PAGING,
        )
    }
    hides = False

    def get(self, request: Request, **_names: str) -> Response:
        """List the hits, the nearest first, with counts of kinds and values; without ``q`` all there is."""
        search = read_search(request.query_params.get("q", ""))
        asked = SearchAsked(search, _kind(request), _place_in(cursor(request)), batch_size(request))
        return Response(found_document(request, search_fields(self.scope, asked)))


def found_document(request: Request, found: Found) -> FoundShape:
    """Return a part of the hits."""
    return {
        "items": [hit_document(one) for one in found.hits],
        "total": found.total,
        "is_capped": found.is_capped,
        "kinds": found.counts,
        "facets": {
            name: [{"value": value, "count": count} for value, count in values.items()]
            for name, values in found.facets.items()
        },
        "next": next_cursor(request, None if found.after is None else json.dumps(found.after)),
    }


def hit_document(one: Hit) -> HitShape:
    """Return a hit."""
    return {
        "kind": one.kind,
        "nearness": one.nearness,
        "namespace": one.namespace,
        "subject": one.subject,
        "version": one.version,
        "id": one.schema_id,
        "format": one.format,
        "path": one.path,
        "name": one.name,
        "type": one.type,
        "logical": one.logical,
        "doc": one.doc,
        "tags": list(one.tags),
        "is_required": one.is_required,
        "is_nullable": one.is_nullable,
        "has_default": one.has_default,
        "owner": one.owner,
        "level": one.level,
        "is_past": one.is_past,
        "is_deleted": one.is_deleted,
        "updated_at": one.updated_at.isoformat(),
    }


def _kind(request: Request) -> HitKind:
    given = request.query_params.get("kind", "")
    if given not in set(HitKind):
        kinds = ", ".join(one for one in HitKind if one)
        raise HttpError(400, f"kind is one of {kinds}, or left out")
    return HitKind(given)


def _place_in(text: str) -> Place | None:
    if not text:
        return None
    place = read_place(text)
    if place is None:
        raise HttpError(400, BAD_CURSOR)
    return place
