"""The addresses of the pages (house plan, section 16)."""

from __future__ import annotations

from typing import Final

from django.urls import URLPattern, URLResolver, include, path

from frontend import addresses as _addresses  # noqa: F401  # registers the converter of subjects
from frontend.views import accounts, rules, subjects, tenants

app_name = "frontend"

SUBJECT_PAGES: Final[list[URLPattern | URLResolver]] = [
    path("", subjects.definition, name="definition"),
    path("versions", subjects.versions, name="versions"),
    path("diff", subjects.comparison, name="comparison"),
    path("raw", subjects.raw, name="raw"),
]
NAMESPACE_PAGES: Final[list[URLPattern | URLResolver]] = [
    path("", subjects.subjects, name="subjects"),
    path("s/<subject:subject>/-/", include(SUBJECT_PAGES)),
]

urlpatterns = [
    path("", tenants.home, name="home"),
    path("sign-in", accounts.sign_in, name="sign-in"),
    path("sign-out", accounts.sign_out, name="sign-out"),
    path("theme", accounts.choose_theme, name="theme"),
    path("t/<str:tenant>/", tenants.tenant, name="tenant"),
    path("t/<str:tenant>/ns/<str:namespace>/", include(NAMESPACE_PAGES)),
    path("rules/", rules.all_rules, name="rules"),
    path("rules/<str:rule_id>", rules.rule, name="rule"),
]
