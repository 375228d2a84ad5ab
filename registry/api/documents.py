"""The OpenAPI documents of the three dialects; what prints one is loaded when it is first asked for."""

from __future__ import annotations

from typing import Any

from accord_server.kit.api_documents import ApiDocument

Json = dict[str, Any]


def _native() -> Json:
    from accord_server.kit.openapi import document  # noqa: PLC0415  # a server starts without it

    return document()


def _confluent() -> Json:
    from registry.api.confluent.openapi import document  # noqa: PLC0415  # as above
    from registry.api.confluent.urls import ROUTES  # noqa: PLC0415  # as above

    return document(ROUTES)


def _descriptors() -> Json:
    from registry.api.descriptors.openapi import document  # noqa: PLC0415  # as above

    return document()


DOCUMENTS = (
    ApiDocument("native", _native),
    ApiDocument("confluent", _confluent),
    ApiDocument("descriptors", _descriptors),
)
