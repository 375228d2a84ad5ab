"""Views of the life of versions of modules: their states, and the way back to an old one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rest_framework import serializers
from rest_framework.response import Response

from accord_server.kit.operations import Reply, tagged
from accord_server.kit.preconditions import LARGEST_NUMBER, etag, expected_version
from accord_server.kit.rest_bodies import Body
from registry.api.native.life_documents import module_life_document
from registry.api.native.life_views import StateSerializer
from registry.api.native.shapes import ModuleRolledBack, ModuleStateShape
from registry.life_records import ChangeState
from registry.queries.module_lives import module_life
from registry.services.module_states import change_module_state, roll_back_module
from registry.version_states import VersionState
from tenants.api.base import TenantView

if TYPE_CHECKING:
    from rest_framework.request import Request


class ModuleRollbackSerializer(Body[Any]):
    """The body that says which version of a module comes back."""

    version = serializers.IntegerField(min_value=1, max_value=LARGEST_NUMBER)


class ModuleState(TenantView):
    """The state of a version of a module."""

    rights = {"GET": "desc.read", "PUT": "version.promote"}
    bodies = {"PUT": StateSerializer}
    answers = dict.fromkeys(("GET", "PUT"), tagged(ModuleStateShape))
    codes = {
        "GET": ("module_version_not_found",),
        "PUT": ("module_version_not_found", "read_only", "module_state_refused"),
    }

    def get(self, request: Request, module: str, version: int, **_names: str) -> Response:  # noqa: ARG002  # the signature is the framework's
        """Return it, and how the version came to it."""
        found = module_life(self.scope, module, version)
        return Response(module_life_document(found), headers=etag(found.revision))

    def put(self, request: Request, module: str, version: int, **_names: str) -> Response:
        """Change it, if nobody was faster."""
        expected, given = expected_version(request), self.body(request).validated_data
        command = ChangeState(version, VersionState(given["state"]), given["reason"], expected)
        found = change_module_state(self.scope, module, command)
        return Response(module_life_document(found), headers=etag(found.revision))


class ModuleRollback(TenantView):
    """The way back to an older version's set."""

    rights = {"POST": "desc.write"}
    bodies = {"POST": ModuleRollbackSerializer}
    answers = {"POST": Reply(ModuleRolledBack, 201, (200,))}
    codes = {
        "POST": (
            "content_refused",
            "incompatible_module",
            "module_lint_refused",
            "module_version_disabled",
            "module_version_not_found",
            "read_only",
        )
    }

    def post(self, request: Request, module: str, **_names: str) -> Response:
        """Store it as the next version, unless it is the latest already."""
        number = self.body(request).validated_data["version"]
        made = roll_back_module(self.scope, module, number)
        document = {
            "module": made.version.module,
            "version": made.version.number,
            "brings_back": number,
            "is_new": made.is_new,
        }
        return Response(document, status=201 if made.is_new else 200)
