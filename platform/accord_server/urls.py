"""The roof: which room opens for which path. It holds no logic."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from django.urls import URLPattern, URLResolver

handler400 = "accord_server.kit.errors.bad_request"
handler403 = "accord_server.kit.errors.forbidden"
handler404 = "accord_server.kit.errors.not_found"
handler500 = "accord_server.kit.errors.crash"

urlpatterns: list[URLPattern | URLResolver] = []
