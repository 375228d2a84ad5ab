"""Routes of the native API, below ``/api/v1/``."""

from __future__ import annotations

from typing import Final

from django.urls import path

from registry.api.native import policy_views as policies
from registry.api.native.views import Check, Checks

TENANT: Final = "tenants/<str:tenant>"
NAMESPACE: Final = f"{TENANT}/namespaces/<str:namespace>"
POLICY: Final = f"{TENANT}/policies/<str:policy>"

urlpatterns = [
    path(f"{NAMESPACE}/checks", Checks.as_view(), name="native-checks"),
    path(f"{NAMESPACE}/checks/<uuid:check>", Check.as_view(), name="native-check"),
    path(f"{TENANT}/policy-schema", policies.PolicySchema.as_view(), name="native-policy-schema"),
    path(f"{TENANT}/policies", policies.Policies.as_view(), name="native-policies"),
    path(f"{TENANT}/policies/validate", policies.PolicyCheck.as_view(), name="native-policy-check"),
    path(POLICY, policies.Policy.as_view(), name="native-policy"),
    path(f"{POLICY}/versions", policies.PolicyVersions.as_view(), name="native-policy-versions"),
    path(f"{POLICY}/versions/<int:version>", policies.PolicyVersion.as_view(), name="native-policy-version"),
    path(f"{POLICY}/revert", policies.PolicyRevert.as_view(), name="native-policy-revert"),
    path(f"{TENANT}/policy-bindings", policies.Bindings.as_view(), name="native-bindings"),
    path(f"{TENANT}/policy-binding", policies.Binding.as_view(), name="native-tenant-binding"),
    path(f"{NAMESPACE}/policy-binding", policies.Binding.as_view(), name="native-namespace-binding"),
    path(
        f"{NAMESPACE}/prefixes/<path:prefix>/policy-binding",
        policies.Binding.as_view(),
        name="native-prefix-binding",
    ),
    path(
        f"{NAMESPACE}/subjects/<path:subject>/policy-binding",
        policies.Binding.as_view(),
        name="native-subject-binding",
    ),
    path(
        f"{NAMESPACE}/subjects/<path:subject>/policy",
        policies.PolicyInForce.as_view(),
        name="native-subject-policy",
    ),
    path(f"{NAMESPACE}/templates", policies.Templates.as_view(), name="native-templates"),
]
