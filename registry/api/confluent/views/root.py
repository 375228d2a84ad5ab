"""What stands beside the registry proper: the root, what serves here, and questions answered with "none"."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NoReturn

from registry.errors import AssociationNotFound

if TYPE_CHECKING:
    from registry.api.confluent.calls import Call
    from registry.api.confluent.serializers import Json

SERVICE: Final = "schema-registry"
# Clients may ask for it; what runs here is told nobody.
LIKE_VERSION: Final = "8.1.1"
NO_COMMIT: Final = "0" * 40


def root(call: Call) -> Json:  # noqa: ARG001  # the signature of a view
    """``GET /`` and ``POST /``: a probe."""
    return {}


def get_identity(call: Call) -> Json:
    """``GET /v1/metadata/id``: each namespace is a cluster of its own."""
    namespace = "" if call.scope.namespace is None else call.scope.namespace.slug
    clusters = {"kafka-cluster": f"{call.scope.tenant.slug}/{namespace}", "schema-registry-cluster": SERVICE}
    return {"id": "", "scope": {"path": [], "clusters": clusters}}


def get_version(call: Call) -> Json:  # noqa: ARG001  # the signature of a view
    """``GET /v1/metadata/version``: the line of servers whose behaviour this is."""
    return {"version": LIKE_VERSION, "commitId": NO_COMMIT}


def get_deployment(call: Call) -> Json:  # noqa: ARG001  # the signature of a view
    """``GET /v1/metadata/deployment``."""
    return {"attributes": []}


def get_associations(call: Call) -> NoReturn:
    """``GET /associations/resources/…``: serializers ask before the first message, and 404 means none."""
    raise AssociationNotFound(call.values.get("name") or call.values["resource"])
