"""What stands beside the registry proper: the root, and questions answered with "none"."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from registry.errors import AssociationNotFound

if TYPE_CHECKING:
    from registry.api.confluent.calls import Call
    from registry.api.confluent.serializers import Json


def root(call: Call) -> Json:  # noqa: ARG001  # the signature of a view
    """``GET /`` and ``POST /``: a probe."""
    return {}


def get_associations(call: Call) -> NoReturn:
    """``GET /associations/resources/…``: serializers ask before the first message, and 404 means none."""
    raise AssociationNotFound(call.values.get("name") or call.values["resource"])
