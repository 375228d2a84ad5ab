"""Routes of the native API, below ``/api/v1/``."""

from __future__ import annotations

from typing import Final

from django.urls import path

from registry.api.native.views import Check, Checks

NAMESPACE: Final = "tenants/<str:tenant>/namespaces/<str:namespace>"

urlpatterns = [
    path(f"{NAMESPACE}/checks", Checks.as_view(), name="native-checks"),
    path(f"{NAMESPACE}/checks/<uuid:check>", Check.as_view(), name="native-check"),
]
