"""Views of roles and role bindings, with their bodies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.urls import reverse
from rest_framework import serializers
from rest_framework.response import Response

from accord_server.kit.operations import NOTHING, Query, listed, made, single, tagged
from accord_server.kit.paging import batch_document, batch_size, cursor, next_cursor, part_of
from accord_server.kit.preconditions import etag, expected_version
from accord_server.kit.rest_bodies import Body, Changes
from tenants import services
from tenants.api.base import TenantView
from tenants.api.documents import binding_document, role_document
from tenants.api.sentences import PRINCIPAL
from tenants.api.shapes import BindingShape, RoleShape
from tenants.details import LONGEST_NAME
from tenants.models import ALL_SUBJECTS
from tenants.queries import roles as queries
from tenants.queries.roles import WantedBindings
from tenants.rights import RIGHTS
from tenants.selectors import MAX_SELECTOR_LENGTH

if TYPE_CHECKING:
    from uuid import UUID

    from rest_framework.request import Request

    from tenants.records import RoleRecord


def rights_field(*, is_required: bool) -> serializers.ListField:
    """Return the member that lists rights."""
    return serializers.ListField(
        child=serializers.CharField(max_length=LONGEST_NAME),
        required=is_required,
        min_length=1,
        max_length=len(RIGHTS),
        error_messages={"not_a_list": "Must be a list."},
    )


class RoleDetailsSerializer(Changes[Any]):
    """What can be changed of a role."""

    rights = rights_field(is_required=False)
    summary = serializers.CharField(max_length=LONGEST_NAME, required=False, allow_blank=True)


class RoleSerializer(Body[Any]):
    """The body that makes a role."""

    name = serializers.CharField(max_length=LONGEST_NAME)
    rights = rights_field(is_required=True)
    summary = serializers.CharField(max_length=LONGEST_NAME, default="", allow_blank=True)


class RoleBindingSerializer(Body[Any]):
    """The body that binds a role."""

    principal = serializers.CharField(max_length=LONGEST_NAME, help_text=PRINCIPAL)
    role = serializers.CharField(
        max_length=LONGEST_NAME, help_text="Such as `developer`; `GET …/roles` lists them with their rights."
    )
    namespace = serializers.CharField(
        max_length=LONGEST_NAME,
        required=False,
        allow_null=True,
        default=None,
        help_text="The slug of one; all of the tenant unless given.",
    )
    subjects = serializers.CharField(
        max_length=MAX_SELECTOR_LENGTH,
        default=ALL_SUBJECTS,
        trim_whitespace=False,
        help_text="A name or a prefix such as `orders-*`; all unless given.",
    )


class Roles(TenantView):
    """The roles that can be bound in a tenant."""

    rights = {"GET": "role.read", "POST": "role.manage"}
    bodies = {"POST": RoleSerializer}
    answers = {"GET": listed(RoleShape), "POST": made(RoleShape, is_tagged=True)}
    codes = {
        "POST": (
            "grant_too_wide",
            "invalid_slug",
            "role_fixed",
            "slug_taken",
            "unknown_right",
        )
    }
    hides = False

    def get(self, request: Request, **_names: str) -> Response:
        """List the built-in ones, then the tenant's own."""
        found = part_of(request, queries.list_roles(self.scope))
        return Response(batch_document(found, role_document, next_cursor(request, found.after)))

    def post(self, request: Request, tenant: str) -> Response:
        """Make one of the tenant's own."""
        wanted = self.body(request).validated_data
        wanted["rights"] = frozenset(wanted["rights"])
        record = services.create_role(self.scope, **wanted)
        return _shown(record, status=201, where=reverse("native-role", args=[tenant, record.name]))


class Role(TenantView):
    """One role."""

    rights = {"GET": "role.read", "PATCH": "role.manage", "DELETE": "role.manage"}
    bodies = {"PATCH": RoleDetailsSerializer}
    answers = {"GET": tagged(RoleShape), "PATCH": tagged(RoleShape), "DELETE": NOTHING}
    codes = {
        "DELETE": (
            "role_bound",
            "role_fixed",
        ),
        "PATCH": (
            "grant_too_wide",
            "role_fixed",
        ),
    }
    hides = False

    def get(self, request: Request, role: str, **_names: str) -> Response:  # noqa: ARG002  # the signature is the framework's
        """Return it."""
        return _shown(queries.get_role(self.scope, role))

    def patch(self, request: Request, role: str, **_names: str) -> Response:
        """Change one of the tenant's own, for all who hold it."""
        expected, wanted = expected_version(request), self.body(request).validated_data
        rights = frozenset(wanted["rights"]) if "rights" in wanted else None
        return _shown(
            services.update_role(
                self.scope, name=role, rights=rights, summary=wanted.get("summary"), expected=expected
            )
        )

    def delete(self, request: Request, role: str, **_names: str) -> Response:
        """Delete one of the tenant's own that nobody holds."""
        services.delete_role(self.scope, name=role, expected=expected_version(request))
        return Response(status=204)


class RoleBindings(TenantView):
    """Who holds which role where."""

    rights = {"GET": "role.read", "POST": "role.manage"}
    bodies = {"POST": RoleBindingSerializer}
    answers = {"GET": listed(BindingShape), "POST": made(BindingShape)}
    examples = {"POST": {"principal": "service:ci", "role": "developer", "namespace": "payments"}}
    queries = {
        "GET": (
            Query("principal", "Only those of this person or service account: `person:dora`."),
            Query("role", "Only those of this role."),
            Query("namespace", "Only those in this namespace."),
        )
    }
    codes = {
        "POST": (
            "grant_too_wide",
            "invalid_grant",
            "principal_not_found",
            "unknown_role",
        ),
        "GET": ("principal_not_found",),
    }
    hides = False

    def get(self, request: Request, **_names: str) -> Response:
        """List the bindings, newest first, of a principal, a role or a namespace where one is named."""
        named = {name: request.query_params.get(name, "") for name in ("principal", "role", "namespace")}
        batch = queries.list_bindings(
            self.scope, wanted=WantedBindings(**named), after=cursor(request), limit=batch_size(request)
        )
        return Response(batch_document(batch, binding_document, next_cursor(request, batch.after)))

    def post(self, request: Request, tenant: str) -> Response:
        """Bind a role; one that is held already stays."""
        wanted = self.body(request).validated_data
        wanted["namespace_slug"] = wanted.pop("namespace")
        record = services.give_role(self.scope, **wanted)
        where = reverse("native-role-binding", args=[tenant, record.id])
        return Response(binding_document(record), status=201, headers={"Location": where})


class RoleBinding(TenantView):
    """One role binding."""

    rights = {"GET": "role.read", "DELETE": "role.manage"}
    answers = {"GET": single(BindingShape), "DELETE": NOTHING}
    codes = {"DELETE": ("last_admin",)}
    unversioned = {"DELETE": "A binding is never changed, only ended."}
    hides = False

    def get(self, request: Request, binding: UUID, **_names: str) -> Response:  # noqa: ARG002  # the signature is the framework's
        """Return it."""
        return Response(binding_document(queries.get_binding(self.scope, binding)))

    def delete(self, request: Request, binding: UUID, **_names: str) -> Response:  # noqa: ARG002  # as above
        """Take the role away."""
        services.end_binding(self.scope, binding=binding)
        return Response(status=204)


def _shown(record: RoleRecord, *, status: int = 200, where: str = "") -> Response:
    headers = etag(record.revision) | ({"Location": where} if where else {})
    return Response(role_document(record), status=status, headers=headers)
