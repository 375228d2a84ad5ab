"""Views of policies: documents with a history, where they are bound, what is in force."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.urls import reverse
from rest_framework.renderers import JSONRenderer
from rest_framework.response import Response

from accord.model import SubjectName
from accord.naming import parse_subject
from accord.policy.documents.editors import json_schema
from accord_server.kit.operations import NOTHING, Query, listed, made, single, tagged
from accord_server.kit.paging import batch_document, batch_size, cursor, next_cursor, number_in, part_of
from accord_server.kit.preconditions import etag, expected_change, expected_version
from registry.api.native import policy_documents as documents
from registry.api.native.parsers import PlainPolicyParser, PolicyParser, YamlPolicyParser
from registry.api.native.policy_shapes import (
    BindingChangeShape,
    BoundShape,
    PolicyBindingShape,
    PolicyInForceShape,
    PolicyRowShape,
    PolicyShape,
    PolicyVersionRow,
    ReadPolicyShape,
    StoredPolicy,
    TemplateShape,
)
from registry.api.native.renderers import YamlRenderer
from registry.policy_records import BindPolicy
from registry.queries import policies as queries
from registry.services import advising, bindings
from registry.services import policies as services
from tenants.access import require_in_tenant
from tenants.api.base import TenantView

if TYPE_CHECKING:
    from rest_framework.request import Request

    from registry.policy_records import Bound, PolicyVersionRecord

POLICY_PARSERS = (PolicyParser, YamlPolicyParser, PlainPolicyParser)


class PolicyView(TenantView):
    """A view of the tenant's policies, which whoever may read some may read all of."""

    is_shared = True
    parser_classes = POLICY_PARSERS  # type: ignore[assignment]  # a policy instead of an object


class Policies(PolicyView):
    """All policies of a tenant."""

    rights = {"GET": "policy.read", "POST": "policy.write"}
    answers = {"GET": listed(PolicyRowShape), "POST": made(StoredPolicy, is_tagged=True)}
    queries = {"POST": (documents.REASON,)}
    texts = {"POST": documents.TEXT_OF_POLICY}
    codes = {
        "POST": (
            "policy_exists",
            "policy_flawed",
        )
    }
    hides = False

    def get(self, request: Request, **_names: str) -> Response:
        """List them by name."""
        batch = queries.list_policies(self.scope, after=cursor(request), limit=batch_size(request))
        return Response(batch_document(batch, documents.row_document, next_cursor(request, batch.after)))

    def post(self, request: Request, tenant: str) -> Response:
        """Store a new one."""
        record = services.create_policy(self.scope, documents.written(request))
        where = reverse("native-policy", args=[tenant, record.policy])
        return _told(record, where=where)


class Policy(PolicyView):
    """One policy: its newest version."""

    rights = {"GET": "policy.read", "PUT": "policy.write", "DELETE": "policy.write"}
    answers = {
        "GET": tagged(PolicyShape, YamlRenderer.media_type),
        "PUT": tagged(StoredPolicy, YamlRenderer.media_type),
        "DELETE": NOTHING,
    }
    queries = {"PUT": (documents.REASON,)}
    texts = {"PUT": documents.TEXT_OF_POLICY}
    codes = {
        "GET": ("policy_not_found",),
        "PUT": (
            "policy_changed",
            "policy_flawed",
            "policy_not_found",
        ),
        "DELETE": (
            "policy_bound",
            "policy_changed",
            "policy_not_found",
        ),
    }
    renderer_classes = (JSONRenderer, YamlRenderer)

    def get(self, request: Request, policy: str, **_names: str) -> Response:
        """Return it as JSON with all that is known of it, or as YAML."""
        return _shown(request, queries.get_policy(self.scope, policy))

    def put(self, request: Request, policy: str, **_names: str) -> Response:
        """Store its next version, if nobody was faster."""
        expected = expected_version(request)
        text = documents.written(request)
        return _told(services.replace_policy(self.scope, policy, text, expected=expected))

    def delete(self, request: Request, policy: str, **_names: str) -> Response:
        """Delete it, if it is bound nowhere."""
        services.delete_policy(self.scope, policy, expected=expected_version(request))
        return Response(status=204)


class PolicyVersions(PolicyView):
    """The history of a policy."""

    rights = {"GET": "policy.read"}
    answers = {"GET": listed(PolicyVersionRow)}
    codes = {"GET": ("policy_not_found",)}

    def get(self, request: Request, policy: str, **_names: str) -> Response:
        """List its versions, newest first: who, when, why."""
        after = number_in(cursor(request)) or None
        batch = queries.policy_versions(self.scope, policy, after=after, limit=batch_size(request))
        return Response(batch_document(batch, documents.version_row, next_cursor(request, batch.after)))


class PolicyVersion(PolicyView):
    """One version of a policy."""

    rights = {"GET": "policy.read"}
    answers = {"GET": tagged(PolicyShape, YamlRenderer.media_type)}
    codes = {"GET": ("policy_not_found",)}
    renderer_classes = (JSONRenderer, YamlRenderer)

    def get(self, request: Request, policy: str, version: int, **_names: str) -> Response:
        """Return it as JSON with all that is known of it, or as YAML."""
        return _shown(request, queries.get_policy(self.scope, policy, version))


class PolicyRevert(TenantView):
    """Going back in the history of a policy."""

    rights = {"POST": "policy.write"}
    bodies = {"POST": documents.RevertSerializer}
    answers = {"POST": tagged(StoredPolicy)}
    codes = {
        "POST": (
            "policy_changed",
            "policy_not_found",
            "policy_version_not_found",
        )
    }
    if_match = {"POST": True}
    is_shared = True

    def post(self, request: Request, policy: str, **_names: str) -> Response:
        """Store the content of an older version as the next."""
        expected = expected_version(request)
        wanted = self.body(request).validated_data
        version, reason = wanted["version"], wanted["reason"]
        return _told(services.revert_policy(self.scope, policy, to=version, expected=expected, reason=reason))


class PolicyCheck(PolicyView):
    """Trying a policy's text out."""

    rights = {"POST": "policy.read"}
    answers = {"POST": single(ReadPolicyShape)}
    texts = {"POST": documents.TEXT_OF_POLICY}
    is_question = True
    hides = False

    def post(self, request: Request, **_names: str) -> Response:
        """Return its problems, or its pinned form with what it means."""
        read = services.read_policy(self.scope, documents.written(request))
        return Response(documents.read_document_of(read))


class PolicySchema(TenantView):
    """The JSON Schema of policies, for editors."""

    rights = {"GET": "policy.read"}
    answers = {"GET": single(dict[str, Any])}
    hides = False
    is_shared = True

    def get(self, request: Request, **_names: str) -> Response:  # noqa: ARG002  # the signature is the framework's
        """Return it."""
        require_in_tenant(self.scope, "policy.read")
        return Response(json_schema())


class Bindings(TenantView):
    """Where the policies of a tenant are bound."""

    rights = {"GET": "policy.read"}
    answers = {"GET": listed(PolicyBindingShape)}
    queries = {"GET": (Query("policy", "Only where this policy is bound."),)}
    hides = False
    is_shared = True

    def get(self, request: Request, **_names: str) -> Response:
        """List the places, as far as the caller may read policies there."""
        after, limit = number_in(cursor(request)), batch_size(request)
        named = request.query_params.get("policy", "").replace("\0", "")
        batch = queries.list_bindings(self.scope, policy=named, after=after, limit=limit)
        return Response(batch_document(batch, documents.binding_document, next_cursor(request, batch.after)))


class Binding(TenantView):
    """What is bound to one place: the tenant, a namespace, a prefix of names or a subject."""

    rights = {"GET": "policy.read", "PUT": "policy.write", "DELETE": "policy.write"}
    bodies = {"PUT": documents.PolicyBindingSerializer}
    answers = {"GET": tagged(PolicyBindingShape), "PUT": tagged(BoundShape), "DELETE": NOTHING}
    queries = {"DELETE": (documents.REASON,)}
    codes = {
        "GET": ("binding_not_found",),
        "PUT": (
            "binding_not_found",
            "place_invalid",
            "policy_changed",
            "policy_not_found",
            "version_not_named",
        ),
        "DELETE": (
            "binding_not_found",
            "policy_changed",
            "version_not_named",
        ),
    }
    if_match = {"PUT": False, "DELETE": False}

    def get(self, request: Request, subject: str = "", prefix: str = "", **_names: str) -> Response:  # noqa: ARG002  # the signature is the framework's
        """Return it."""
        where = documents.place_of(self.scope, subject=subject, prefix=prefix)
        record = queries.binding_at(self.scope, where)
        return Response(documents.binding_document(record), headers=etag(record.number))

    def put(self, request: Request, subject: str = "", prefix: str = "", **_names: str) -> Response:
        """Bind a policy, instead of what was bound there if nobody was faster."""
        where = documents.place_of(self.scope, subject=subject, prefix=prefix)
        expected = expected_change(request)
        wanted = self.body(request).validated_data
        command = BindPolicy(wanted["policy"], expected, wanted["reason"])
        return _bound(bindings.bind_policy(self.scope, where, command))

    def delete(self, request: Request, subject: str = "", prefix: str = "", **_names: str) -> Response:
        """Take it off."""
        where = documents.place_of(self.scope, subject=subject, prefix=prefix)
        expected, reason = expected_change(request), documents.asked_reason(request)
        bindings.unbind_policy(self.scope, where, expected=expected, reason=reason)
        return Response(status=204)


class BindingHistory(TenantView):
    """What was bound to one place."""

    rights = {"GET": "policy.read"}
    answers = {"GET": listed(BindingChangeShape)}
    codes = {"GET": ("binding_not_found",)}

    def get(self, request: Request, subject: str = "", prefix: str = "", **_names: str) -> Response:
        """List the changes, newest first: what, who, when, why."""
        where = documents.place_of(self.scope, subject=subject, prefix=prefix)
        after, limit = number_in(cursor(request)) or None, batch_size(request)
        batch = queries.binding_changes(self.scope, where, after=after, limit=limit)
        return Response(batch_document(batch, documents.change_document, next_cursor(request, batch.after)))


class PolicyInForce(TenantView):
    """The policy in force for a subject, or for a namespace where nothing nearer decides."""

    rights = {"GET": "policy.read"}
    answers = {"GET": single(PolicyInForceShape)}
    queries = {"GET": (documents.FORMAT,)}
    codes = {"GET": ("subject_not_found",)}

    def get(self, request: Request, subject: str = "", **_names: str) -> Response:
        """Return each value with its origin, and what they mean."""
        chosen = documents.asked_format(request)
        named = parse_subject(subject) if subject else SubjectName("")
        found = advising.policy_in_force(self.scope, named, chosen)
        return Response(documents.policy_in_force_document(found))


class Templates(TenantView):
    """The policies that a namespace may begin with."""

    rights = {"GET": "policy.read", "POST": "policy.write"}
    bodies = {"POST": documents.TemplateSerializer}
    answers = {"GET": listed(TemplateShape), "POST": tagged(BoundShape)}
    codes = {
        "GET": ("binding_not_found",),
        "POST": (
            "binding_not_found",
            "policy_changed",
            "template_not_found",
        ),
    }
    if_match = {"POST": False}

    def get(self, request: Request, **_names: str) -> Response:
        """List them, the recommended one first."""
        found = part_of(request, documents.template_rows(bindings.namespace_templates(self.scope)))
        return Response({"items": list(found.rows), "next": next_cursor(request, found.after)})

    def post(self, request: Request, **_names: str) -> Response:
        """Bind one to the namespace."""
        wanted = self.body(request).validated_data
        expected = expected_change(request)
        return _bound(bindings.apply_template(self.scope, wanted["template"], expected=expected))


def _bound(made: Bound) -> Response:
    return Response(documents.bound_document(made), headers=etag(made.binding.number))


def _shown(request: Request, record: PolicyVersionRecord) -> Response:
    is_yaml = getattr(request.accepted_renderer, "format", "") == YamlRenderer.format
    shown: Any = documents.version_yaml(record) if is_yaml else documents.version_document(record)
    return Response(shown, headers=etag(record.number))


def _told(record: PolicyVersionRecord, *, where: str = "") -> Response:
    """Answer a change with what was stored and what it means."""
    document = documents.stored_document(record, advising.advice_on_stored(record))
    headers = etag(record.number) | ({"Location": where} if where else {})
    return Response(document, status=201 if where else 200, headers=headers)
