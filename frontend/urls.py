"""The addresses of the pages (house plan, section 16)."""

from __future__ import annotations

from typing import Final

from django.urls import URLPattern, URLResolver, include, path

from frontend import addresses as _addresses  # noqa: F401  # registers the converter of subjects
from frontend.views import (
    api_reference,
    audit,
    bindings,
    deleted,
    dry_runs,
    effective,
    fields,
    imports,
    issuing,
    jobs,
    lives,
    matrices,
    members,
    module_lives,
    modules,
    policies,
    policy_editor,
    registering,
    roles,
    rules,
    search,
    subjects,
    tenants,
    themes,
    tokens,
    usage,
)

app_name = "frontend"

SUBJECT_PAGES: Final[list[URLPattern | URLResolver]] = [
    path("", subjects.definition, name="definition"),
    path("versions", subjects.versions, name="versions"),
    path("diff", subjects.comparison, name="comparison"),
    path("references", subjects.references, name="references"),
    path("matrix", matrices.matrix, name="matrix"),
    path("history", subjects.history, name="history"),
    path("raw", subjects.raw, name="raw"),
    path("lint", subjects.lint, name="lint"),
    path("life", lives.life, name="life"),
    path("policy", effective.of_subject, name="subject-policy"),
]
MODULE_PAGES: Final[list[URLPattern | URLResolver]] = [
    path("", modules.module, name="module"),
    path("versions", modules.versions, name="module-versions"),
    path("diff", modules.comparison, name="module-diff"),
    path("file", modules.file, name="module-file"),
    path("life", module_lives.life, name="module-life"),
    path("set", modules.download, name="module-set"),
    path("zip", modules.archive, name="module-zip"),
]
NAMESPACE_PAGES: Final[list[URLPattern | URLResolver]] = [
    path("", subjects.subjects, name="subjects"),
    path("register", registering.register, name="register"),
    path("deleted", deleted.deleted, name="deleted"),
    path("policy", effective.of_namespace, name="namespace-policy"),
    path("dry-runs/<uuid:run>", dry_runs.show, name="dry-run"),
    path("imports/", imports.imports, name="imports"),
    path("imports/<uuid:run>", imports.show, name="import"),
    path("modules/", modules.modules, name="modules"),
    path("modules/<str:module>/", include(MODULE_PAGES)),
    path("s/<subject:subject>/-/", include(SUBJECT_PAGES)),
]
# No policy can be named with a hyphen alone, so what follows one is no policy.
POLICY_PAGES: Final[list[URLPattern | URLResolver]] = [
    path("", policies.policies, name="policies"),
    path("-/new", policy_editor.new, name="policy-new"),
    path("-/bind", bindings.bind, name="policy-bind"),
    path("-/unbind", bindings.unbind, name="policy-unbind"),
    path("<slug:policy>/", policies.policy, name="policy"),
    path("<slug:policy>/edit", policy_editor.edit, name="policy-edit"),
    path("<slug:policy>/history", policies.history, name="policy-history"),
    path("<slug:policy>/diff", policies.diff, name="policy-diff"),
    path("<slug:policy>/revert", policies.revert, name="policy-revert"),
]

urlpatterns = [
    path("", tenants.home, name="home"),
    path("theme", themes.choose_theme, name="theme"),
    path("t/<str:tenant>/", tenants.tenant, name="tenant"),
    path("t/<str:tenant>/fields/", fields.fields, name="fields"),
    path("t/<str:tenant>/fields/<path:name>", fields.field, name="field"),
    path("t/<str:tenant>/search", search.search, name="search"),
    path("t/<str:tenant>/policies/", include(POLICY_PAGES)),
    path("t/<str:tenant>/usage/", usage.usage, name="usage"),
    path("t/<str:tenant>/audit/", audit.audit, name="audit"),
    path("t/<str:tenant>/jobs/", jobs.jobs, name="jobs"),
    path("t/<str:tenant>/audit/export", audit.export, name="audit-export"),
    path("t/<str:tenant>/audit/<int:record>", audit.record, name="audit-record"),
    path("t/<str:tenant>/members/", members.members, name="members"),
    path("t/<str:tenant>/members/<str:principal>", members.member, name="member"),
    path("t/<str:tenant>/roles/", roles.roles, name="roles"),
    path("t/<str:tenant>/roles/-/new", roles.new, name="role-new"),
    path("t/<str:tenant>/roles/<str:role>", roles.role, name="role"),
    path("t/<str:tenant>/access", roles.access, name="access"),
    path("t/<str:tenant>/tokens/", tokens.tokens, name="tokens"),
    path("t/<str:tenant>/tokens/-/new", issuing.new, name="token-new"),
    path("t/<str:tenant>/tokens/<str:key_id>", tokens.token, name="token"),
    path("t/<str:tenant>/ns/<str:namespace>/", include(NAMESPACE_PAGES)),
    path("api/docs", api_reference.reference, name="api-reference"),
    path("api/docs/<slug:name>.json", api_reference.document, name="api-document"),
    path("api/docs/<str:name>", api_reference.operation, name="api-operation"),
    path("rules/", rules.all_rules, name="rules"),
    path("rules/<str:rule_id>", rules.rule, name="rule"),
]
