"""Routes of people, access and tokens, below ``/api/v1/``; the registry adds its own."""

from __future__ import annotations

from typing import Final

from django.urls import path

from tenants.api.anonymous_views import AnonymousAccessOf

TENANT: Final = "tenants/<str:tenant>"
NAMESPACE: Final = f"{TENANT}/namespaces/<str:namespace>"

urlpatterns = [
    path(f"{NAMESPACE}/anonymous-access", AnonymousAccessOf.as_view(), name="native-anonymous-access"),
]
