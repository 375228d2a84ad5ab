"""Views of namespaces, with their bodies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.urls import reverse
from rest_framework import serializers
from rest_framework.response import Response

from accord.model import Format
from accord_server.kit.operations import NOTHING, WORDS, Query, Reply, listed, made, tagged
from accord_server.kit.paging import batch_document, batch_size, cursor, next_cursor, words_asked
from accord_server.kit.preconditions import etag, expected_version
from accord_server.kit.rest_bodies import Changes
from tenants import services
from tenants.api.base import TenantView
from tenants.api.documents import namespace_document
from tenants.api.sentences import SLUG, TEMPLATE
from tenants.api.shapes import NamespaceShape
from tenants.api.tenant_views import Confirmation
from tenants.details import LONGEST_DESCRIPTION, LONGEST_NAME, LONGEST_VALUE, MOST_LABELS
from tenants.queries import namespaces as queries
from tenants.records import NamespaceDetails

if TYPE_CHECKING:
    from rest_framework.request import Request

    from tenants.records import NamespaceRecord

FORMATS: Final = [str(one) for one in Format]


class NamespaceDetailsSerializer(Changes[Any]):
    """What can be said of a namespace."""

    name = serializers.CharField(max_length=LONGEST_NAME, required=False)
    description = serializers.CharField(max_length=LONGEST_DESCRIPTION, required=False, allow_blank=True)
    labels = serializers.ListField(
        child=serializers.CharField(),
        required=False,
        max_length=MOST_LABELS,
        error_messages={"not_a_list": "Must be a list."},
    )
    properties = serializers.DictField(
        child=serializers.CharField(max_length=LONGEST_VALUE, allow_blank=True), required=False
    )
    format = serializers.ChoiceField(
        FORMATS,
        required=False,
        allow_null=True,
        error_messages={"invalid_choice": f"Must be one of: {', '.join(FORMATS)}, or null for all."},
    )


class NamespaceSerializer(NamespaceDetailsSerializer):
    """The body that creates a namespace; whoever does chooses how it begins."""

    slug = serializers.CharField(max_length=LONGEST_NAME, help_text=SLUG)
    template = serializers.CharField(max_length=LONGEST_NAME, allow_null=True, help_text=TEMPLATE)


class Namespaces(TenantView):
    """The namespaces of a tenant."""

    rights = {"GET": "namespace.read", "POST": "namespace.manage"}
    bodies = {"POST": NamespaceSerializer}
    answers = {"GET": listed(NamespaceShape), "POST": made(NamespaceShape, is_tagged=True)}
    queries = {"GET": (WORDS, Query("label", "Only those with this label."))}
    codes = {
        "POST": (
            "invalid_detail",
            "invalid_slug",
            "slug_taken",
            "template_not_found",
        )
    }
    examples = {"POST": {"slug": "payments", "name": "Payments", "template": "queue-safe"}}
    hides = False
    is_shared = True

    def get(self, request: Request, **_names: str) -> Response:
        """List those in which anything is open to the caller, by name in addresses."""
        label = request.query_params.get("label", "")
        batch = queries.list_namespaces(
            self.scope,
            label=label,
            words=words_asked(request),
            after=cursor(request),
            limit=batch_size(request),
        )
        return Response(batch_document(batch, namespace_document, next_cursor(request, batch.after)))

    def post(self, request: Request, tenant: str) -> Response:
        """Create one, under the policy of a template or, with null, under none of its own."""
        wanted = self.body(request).validated_data
        slug, template = wanted.pop("slug"), wanted.pop("template")
        record = services.create_namespace(
            self.scope, slug=slug, template=template, details=details_of(wanted)
        )
        return shown(record, status=201, where=reverse("native-namespace", args=[tenant, record.slug]))


class Namespace(TenantView):
    """One namespace."""

    rights = {"GET": "namespace.read", "PATCH": "namespace.manage", "DELETE": "namespace.manage"}
    bodies = {"PATCH": NamespaceDetailsSerializer}
    answers = {"GET": tagged(NamespaceShape), "PATCH": tagged(NamespaceShape), "DELETE": NOTHING}
    queries = {"DELETE": (Query("confirm", "The name of the namespace, to say that it is meant."),)}
    codes = {
        "DELETE": (
            "namespace_fixed",
            "not_confirmed",
        ),
        "PATCH": ("invalid_detail",),
    }
    hides = False

    def get(self, request: Request, **_names: str) -> Response:  # noqa: ARG002  # the signature is the framework's
        """Return it."""
        return shown(queries.get_namespace(self.scope))

    def patch(self, request: Request, **_names: str) -> Response:
        """Change what is said of it, if nobody was faster."""
        expected = expected_version(request)
        details = details_of(self.body(request).validated_data)
        return shown(services.update_namespace(self.scope, details=details, expected=expected))

    def delete(self, request: Request, **_names: str) -> Response:
        """Take it away from everybody, until it is brought back."""
        confirmed = request.query_params.get("confirm", "")
        services.delete_namespace(self.scope, confirmed=confirmed, expected=expected_version(request))
        return Response(status=204)


class DeletedNamespaces(TenantView):
    """The namespaces that can be brought back."""

    rights = {"GET": "namespace.manage"}
    answers = {"GET": listed(NamespaceShape)}
    hides = False

    def get(self, request: Request, **_names: str) -> Response:
        """List them by name in addresses."""
        batch = queries.deleted_namespaces(self.scope, after=cursor(request), limit=batch_size(request))
        return Response(batch_document(batch, namespace_document, next_cursor(request, batch.after)))


class RestoreNamespace(TenantView):
    """Bringing a deleted namespace back."""

    rights = {"POST": "namespace.manage"}
    answers = {"POST": tagged(NamespaceShape)}
    codes = {"POST": ("namespace_going",)}
    hides = False

    def post(self, request: Request, slug: str, **_names: str) -> Response:  # noqa: ARG002  # the signature is the framework's
        """Bring it back with all that was in it."""
        return shown(services.restore_namespace(self.scope, slug=slug))


class PurgeNamespace(TenantView):
    """Not keeping a deleted namespace any longer."""

    rights = {"POST": "namespace.manage"}
    bodies = {"POST": Confirmation}
    answers = {"POST": Reply(NamespaceShape, 202, is_tagged=True)}
    codes = {"POST": ("not_confirmed",)}
    hides = False

    def post(self, request: Request, slug: str, **_names: str) -> Response:
        """Have a worker remove it for good; from now on it cannot be brought back."""
        confirmed = self.body(request).validated_data["confirm"]
        return shown(services.purge_namespace(self.scope, slug=slug, confirmed=confirmed), status=202)


def details_of(wanted: dict[str, Any]) -> NamespaceDetails:
    """Return what is said; null as format means all of them."""
    if "format" in wanted:
        wanted["format"] = wanted["format"] or ""
    if "labels" in wanted:
        wanted["labels"] = tuple(wanted["labels"])
    return NamespaceDetails(**wanted)


def shown(record: NamespaceRecord, *, status: int = 200, where: str = "") -> Response:
    """Answer with a namespace."""
    headers = etag(record.revision) | ({"Location": where} if where else {})
    return Response(namespace_document(record), status=status, headers=headers)
