"""Views of tenants: of all for whoever runs the installation, of one's own for its people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from django.urls import reverse
from rest_framework import serializers
from rest_framework.response import Response

from accord_server.kit.operations import choice, listed, made, tagged
from accord_server.kit.paging import batch_document, batch_size, cursor, next_cursor
from accord_server.kit.preconditions import etag, expected_version
from accord_server.kit.rest_bodies import Body, Changes
from tenants import services
from tenants.api.base import OperatorView, TenantView
from tenants.api.documents import tenant_document, tenant_row
from tenants.api.sentences import SLUG, TEMPLATE
from tenants.api.shapes import TenantRow, TenantShape
from tenants.api.token_bodies import names
from tenants.details import LONGEST_NAME
from tenants.models import TenantState
from tenants.queries import operators as operator_queries
from tenants.queries.namespaces import get_tenant
from tenants.records import TokenRules
from tenants.rights import RIGHTS

if TYPE_CHECKING:
    from collections.abc import Callable

    from rest_framework.request import Request

    from tenants.records import TenantRecord


class TenantSerializer(Body[Any]):
    """The body that creates a tenant; whoever does chooses how its first namespace begins."""

    slug = serializers.CharField(max_length=LONGEST_NAME, help_text=SLUG)
    name = serializers.CharField(
        max_length=LONGEST_NAME,
        default="",
        allow_blank=True,
        help_text="What people read; the slug unless given.",
    )
    template = serializers.CharField(max_length=LONGEST_NAME, allow_null=True, help_text=TEMPLATE)


class TokenRulesSerializer(Changes[Any]):
    """What no token of the tenant may exceed."""

    lifetime_days = serializers.IntegerField(min_value=1, max_value=366, required=False)
    approval = serializers.BooleanField(required=False)
    forbidden = names(LONGEST_NAME, len(RIGHTS), required=False)

    @staticmethod
    def rules(wanted: dict[str, Any]) -> TokenRules:
        """Return what the service is asked."""
        forbidden = frozenset(wanted["forbidden"]) if "forbidden" in wanted else None
        return TokenRules(wanted.get("lifetime_days"), wanted.get("approval"), forbidden)


class TenantDetailsSerializer(Changes[Any]):
    """What can be changed of a tenant."""

    name = serializers.CharField(max_length=LONGEST_NAME, required=False)
    second_factor = serializers.BooleanField(required=False)
    token_rules = TokenRulesSerializer(required=False)


class Tenants(OperatorView):
    """The tenants of the installation."""

    bodies = {"POST": TenantSerializer}
    answers = {"GET": listed(TenantRow), "POST": made(TenantShape, is_tagged=True)}
    examples = {"POST": {"slug": "acme", "name": "Acme", "template": "queue-safe"}}
    codes = {"POST": ("invalid_detail", "invalid_slug", "slug_taken", "template_not_found")}
    queries = {"GET": (choice("state", "Only those in this state.", *TenantState.values),)}

    def get(self, request: Request) -> Response:
        """List them by name in addresses."""
        batch = operator_queries.list_tenants(
            self.operator,
            state=request.query_params.get("state", ""),
            after=cursor(request),
            limit=batch_size(request),
        )
        return Response(batch_document(batch, tenant_row, next_cursor(request, batch.after)))

    def post(self, request: Request) -> Response:
        """Create one with its namespace *default*, under the policy of a template, with null under none."""
        record = services.create_tenant(**self.body(request).validated_data, operator=self.operator)
        return _shown(record, status=201, where=reverse("native-tenant", args=[record.slug]))


class Tenant(TenantView):
    """One tenant."""

    rights = {"GET": "tenant.read", "PATCH": "tenant.manage"}
    bodies = {"PATCH": TenantDetailsSerializer}
    answers = {"GET": tagged(TenantShape), "PATCH": tagged(TenantShape)}
    codes = {"PATCH": ("unknown_right",)}
    hides = False
    is_shared = True

    def get(self, request: Request, **_names: str) -> Response:  # noqa: ARG002  # the signature is the framework's
        """Return it with the rules of its tokens."""
        return _shown(get_tenant(self.scope))

    def patch(self, request: Request, **_names: str) -> Response:
        """Change its name, the rules of its tokens, or what people need to see it; all counts at once."""
        expected, wanted = expected_version(request), self.body(request).validated_data
        rules = TokenRulesSerializer.rules(wanted.get("token_rules", {}))
        return _shown(
            services.update_tenant(
                self.scope,
                name=wanted.get("name"),
                rules=rules,
                expected=expected,
                needs_second_factor=wanted.get("second_factor"),
            )
        )


class TenantStep(OperatorView):
    """A step in the life of a tenant; which one, the subclass says."""

    answers = {"POST": tagged(TenantShape)}

    act: ClassVar[Callable[..., None]]

    def post(self, request: Request, tenant: str) -> Response:
        """Take the step."""
        scope = self.enter(request, tenant)
        type(self).act(scope)
        return _shown(get_tenant(scope))


class SuspendTenant(TenantStep):
    """Letting nobody into a tenant until it is resumed."""

    act = staticmethod(services.suspend_tenant)


class ResumeTenant(TenantStep):
    """Letting people and tokens in again."""

    act = staticmethod(services.resume_tenant)


class Confirmation(Body[Any]):
    """The body of a step that is hard to undo: the name once more."""

    confirm = serializers.CharField(max_length=LONGEST_NAME)


class DeleteTenant(OperatorView):
    """Making a tenant look missing to everybody, until it is restored or its time of grace is over."""

    bodies = {"POST": Confirmation}
    answers = {"POST": tagged(TenantShape)}
    codes = {"POST": ("not_confirmed",)}

    def post(self, request: Request, tenant: str) -> Response:
        """Take the step."""
        scope = self.enter(request, tenant)
        return _shown(services.delete_tenant(scope, confirmed=self.body(request).validated_data["confirm"]))


class RestoreTenant(OperatorView):
    """Bringing a deleted tenant back."""

    answers = {"POST": tagged(TenantShape)}
    codes = {"POST": ("tenant_not_deleted",)}

    def post(self, request: Request, tenant: str) -> Response:  # noqa: ARG002  # the signature is the framework's
        """Take the step."""
        return _shown(services.restore_tenant(slug=tenant, operator=self.operator))


def _shown(record: TenantRecord, *, status: int = 200, where: str = "") -> Response:
    headers = etag(record.revision) | ({"Location": where} if where else {})
    return Response(tenant_document(record), status=status, headers=headers)
