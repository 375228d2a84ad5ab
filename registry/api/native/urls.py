"""Routes of the native API, below ``/api/v1/``."""

from __future__ import annotations

from typing import Final

from django.urls import path

from registry.api.native import comment_views as comments
from registry.api.native import dry_run_views as dry_runs
from registry.api.native import export_views as exports
from registry.api.native import import_views as imports
from registry.api.native import life_views as lives
from registry.api.native import policy_views as policies
from registry.api.native.brief_views import SubjectSettings
from registry.api.native.field_views import Field, Fields
from registry.api.native.history_views import SubjectHistory
from registry.api.native.job_views import Jobs, NamespaceJobs
from registry.api.native.level_views import Level
from registry.api.native.likeness_views import SimilarSubjects
from registry.api.native.look_up_views import ByDigest, ByFingerprint, ByGuid, Forms, Uses
from registry.api.native.module_views import ModuleRollback, ModuleState
from registry.api.native.openapi_views import OpenApi
from registry.api.native.restore_views import Restore
from registry.api.native.rule_views import LintRules, Presets, Rule, Rules
from registry.api.native.search_views import Search
from registry.api.native.verdict_views import (
    CandidateConsumerSchema,
    CandidateContentModels,
    CanRead,
    ExplainedVerdict,
    Lint,
    Matrix,
    VersionConsumerSchema,
    VersionContentModels,
)
from registry.api.native.views import Check, Checks
from registry.api.native.waiver_views import Waiver, Waivers
from registry.api.native.webhook_views import (
    Message,
    Messages,
    Replay,
    RollSecret,
    TryWebhook,
    Webhook,
    Webhooks,
)
from tenants.api import urls as access
from tenants.api.urls import NAMESPACE, TENANT

SUBJECT: Final = f"{NAMESPACE}/subjects/<path:subject>"
VERSION: Final = f"{SUBJECT}/versions/<int:version>"
MODULE: Final = f"{NAMESPACE}/modules/<str:module>"
DRY_RUN: Final = f"{NAMESPACE}/policy-dry-runs/<uuid:dry_run>"
IMPORT: Final = f"{NAMESPACE}/imports/<uuid:run>"
WEBHOOK: Final = f"{NAMESPACE}/webhooks/<uuid:webhook>"
POLICY: Final = f"{TENANT}/policies/<str:policy>"
BOUND_PLACES: Final = {
    "tenant": TENANT,
    "namespace": NAMESPACE,
    "prefix": f"{NAMESPACE}/prefixes/<path:prefix>",
    "subject": SUBJECT,
}


urlpatterns = [
    *access.urlpatterns,
    path("openapi.json", OpenApi.as_view(), name="native-openapi"),
    path("rules", Rules.as_view(), name="native-rules"),
    path("lint-rules", LintRules.as_view(), name="native-lint-rules"),
    path("rules/<str:rule>", Rule.as_view(), name="native-rule"),
    path("presets", Presets.as_view(), name="native-presets"),
    path(f"{NAMESPACE}/checks", Checks.as_view(), name="native-checks"),
    path(f"{NAMESPACE}/level", Level.as_view(), name="native-namespace-level"),
    path(f"{SUBJECT}/level", Level.as_view(), name="native-subject-level"),
    path(f"{SUBJECT}/verdict", ExplainedVerdict.as_view(), name="native-verdict"),
    path(f"{SUBJECT}/similar", SimilarSubjects.as_view(), name="native-similar"),
    path(f"{SUBJECT}/lint", Lint.as_view(), name="native-lint"),
    path(f"{SUBJECT}/matrix", Matrix.as_view(), name="native-matrix"),
    path(f"{SUBJECT}/can-read", CanRead.as_view(), name="native-can-read"),
    path(
        f"{SUBJECT}/versions/<str:version>/consumer-schema",
        VersionConsumerSchema.as_view(),
        name="native-version-consumer-schema",
    ),
    path(f"{SUBJECT}/consumer-schema", CandidateConsumerSchema.as_view(), name="native-consumer-schema"),
    path(
        f"{SUBJECT}/versions/<str:version>/content-models",
        VersionContentModels.as_view(),
        name="native-version-content-models",
    ),
    path(f"{SUBJECT}/content-models", CandidateContentModels.as_view(), name="native-content-models"),
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
    *(
        path(
            f"{place}/policy-binding-history", policies.BindingHistory.as_view(), name=f"native-{name}-bound"
        )
        for name, place in BOUND_PLACES.items()
    ),
    path(f"{NAMESPACE}/policy", policies.PolicyInForce.as_view(), name="native-namespace-policy"),
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
    path(f"{NAMESPACE}/policy-dry-runs", dry_runs.DryRuns.as_view(), name="native-dry-runs"),
    path(DRY_RUN, dry_runs.DryRun.as_view(), name="native-dry-run"),
    path(f"{DRY_RUN}/changes", dry_runs.DryRunChanges.as_view(), name="native-dry-run-changes"),
    path(
        f"{NAMESPACE}/subjects/<path:subject>/history",
        SubjectHistory.as_view(),
        name="native-subject-history",
    ),
    path(f"{NAMESPACE}/forms", Forms.as_view(), name="native-forms"),
    path(f"{NAMESPACE}/schemas/digests/<str:digest>", ByDigest.as_view(), name="native-by-digest"),
    path(f"{NAMESPACE}/schemas/guids/<str:guid>", ByGuid.as_view(), name="native-by-guid"),
    path(
        f"{NAMESPACE}/schemas/fingerprints/<str:fingerprint>",
        ByFingerprint.as_view(),
        name="native-by-fingerprint",
    ),
    path(f"{TENANT}/contents/<str:digest>/uses", Uses.as_view(), name="native-uses"),
    path(f"{TENANT}/fields", Fields.as_view(), name="native-fields"),
    path(f"{TENANT}/fields/<path:field>", Field.as_view(), name="native-field"),
    path(f"{TENANT}/exports", exports.Exports.as_view(), name="native-exports"),
    path(f"{TENANT}/exports/<uuid:export>", exports.Export.as_view(), name="native-export"),
    path(f"{TENANT}/exports/<uuid:export>/archive", exports.Archive.as_view(), name="native-export-archive"),
    path(f"{TENANT}/jobs", Jobs.as_view(), name="native-jobs"),
    path(f"{NAMESPACE}/jobs", NamespaceJobs.as_view(), name="native-namespace-jobs"),
    path(f"{TENANT}/search", Search.as_view(), name="native-search"),
    path(f"{VERSION}/state", lives.State.as_view(), name="native-version-state"),
    path(f"{VERSION}/details", lives.VersionDetails.as_view(), name="native-version-details"),
    path(f"{VERSION}/comments", comments.Comments.as_view(), name="native-comments"),
    path(f"{VERSION}/comments/<uuid:comment>", comments.Comment.as_view(), name="native-comment"),
    path(f"{SUBJECT}/details", lives.SubjectDetails.as_view(), name="native-subject-details"),
    path(f"{MODULE}/versions/<int:version>/state", ModuleState.as_view(), name="native-module-state"),
    path(f"{MODULE}/rollback", ModuleRollback.as_view(), name="native-module-rollback"),
    path(f"{SUBJECT}/rollback", lives.Rollback.as_view(), name="native-rollback"),
    path(
        f"{TENANT}/deletion-rules", lives.TenantDeletionRules.as_view(), name="native-tenant-deletion-rules"
    ),
    path(
        f"{NAMESPACE}/deletion-rules",
        lives.NamespaceDeletionRules.as_view(),
        name="native-namespace-deletion-rules",
    ),
    path(f"{SUBJECT}/restore", Restore.as_view(), name="native-restore"),
    path(f"{NAMESPACE}/imports", imports.Imports.as_view(), name="native-imports"),
    path(IMPORT, imports.Import.as_view(), name="native-import"),
    path(f"{IMPORT}/versions", imports.ImportVersions.as_view(), name="native-import-versions"),
    path(f"{IMPORT}/deletions", imports.ImportDeletions.as_view(), name="native-import-deletions"),
    path(f"{IMPORT}/result", imports.Result.as_view(), name="native-import-result"),
    path(f"{IMPORT}/issues", imports.Issues.as_view(), name="native-import-issues"),
    path(f"{NAMESPACE}/subject-settings", SubjectSettings.as_view(), name="native-subject-settings"),
    path(f"{NAMESPACE}/webhooks", Webhooks.as_view(), name="native-webhooks"),
    path(WEBHOOK, Webhook.as_view(), name="native-webhook"),
    path(f"{WEBHOOK}/roll", RollSecret.as_view(), name="native-webhook-roll"),
    path(f"{WEBHOOK}/try", TryWebhook.as_view(), name="native-webhook-try"),
    path(f"{WEBHOOK}/messages", Messages.as_view(), name="native-webhook-messages"),
    path(f"{WEBHOOK}/messages/<int:message>", Message.as_view(), name="native-webhook-message"),
    path(f"{WEBHOOK}/messages/<int:message>/replay", Replay.as_view(), name="native-webhook-replay"),
    path(f"{NAMESPACE}/waivers", Waivers.as_view(), name="native-waivers"),
    path(f"{NAMESPACE}/waivers/<uuid:waiver>", Waiver.as_view(), name="native-waiver"),
    path(f"{NAMESPACE}/policy-templates", policies.Templates.as_view(), name="native-templates"),
]
