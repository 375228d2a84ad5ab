"""Errors in the Confluent dialect: five-digit codes, and one body shape for every failure.

The status is the first three digits of the code. A refusal by HTTP itself has the status as its code
and the dialect's own sentence.
"""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from django.http import HttpResponse

from accord import errors as library
from accord.naming import MissingRecordName, quote_subject
from accord_server.kit.error_tables import Dialect, ErrorTable, Row
from accord_server.kit.errors import scope_of
from accord_server.kit.paths import NATIVE_PREFIX, REGISTRY_PREFIX, is_root_path
from registry import (
    errors,
    export_records,
    life_errors,
    module_errors,
    policy_errors,
    waiver_errors,
    webhook_errors,
)
from registry.api.confluent.negotiation import FALLBACK_TYPE, answer_type
from tenants import errors as access
from tenants.api.errors import STATUSES as STATUSES_OF_ACCESS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.http import HttpRequest

    from accord_server.kit.error_tables import Problem

# The spelling clients know, with the limit that was met after it.
TOO_LARGE: Final = "Register operation failed because schema is too large"


def _too_large(error: library.AccordError) -> str:
    return f"{TOO_LARGE}: {getattr(error, 'details', '')}"


ROWS: Final[Mapping[type[library.AccordError], Row]] = {
    # What the native API alone refuses; a stray one must not be a crash here.
    **{one: Row(status, status) for status, classes in STATUSES_OF_ACCESS.items() for one in classes},
    # Families: what has no row of its own.
    library.NotFound: Row(404, 404),
    library.Invalid: Row(422, 422),
    library.Conflict: Row(409, 409),
    library.Denied: Row(403, 403),
    library.Unavailable: Row(503, 503),
    # Reads.
    errors.SubjectNotFound: Row(404, 40401),
    errors.VersionNotFound: Row(404, 40402),
    errors.SchemaNotFound: Row(404, 40403),
    errors.SchemaGuidNotFound: Row(404, 40403),
    errors.SchemaIdNotFound: Row(404, 40403),
    errors.SubjectSoftDeleted: Row(404, 40404),
    errors.SubjectNotSoftDeleted: Row(404, 40405),
    errors.VersionSoftDeleted: Row(404, 40406),
    errors.VersionNotSoftDeleted: Row(404, 40407),
    errors.ConfigNotSet: Row(404, 40408),
    errors.ModeNotSet: Row(404, 40409),
    errors.AssociationNotFound: Row(404, 40410),
    errors.CheckNotFound: Row(404, 404),
    errors.RestoreRefused: Row(409, 409),
    # Registration.
    errors.IncompatibleSchema: Row(409, 40901),
    library.InvalidSchema: Row(422, 42201),
    policy_errors.ContentRefused: Row(422, 42201),
    library.InvalidContract: Row(400, 400),
    library.ContractTooLarge: Row(422, 42209),
    library.InvalidRuleSet: Row(422, 42210),
    library.UnknownFormat: Row(422, 42201),
    library.InvalidReference: Row(422, 42201),
    library.ReferenceNotFound: Row(422, 42201),
    errors.EmptySchema: Row(422, 42201),
    errors.FormatFixed: Row(422, 42201),
    errors.HistoryTooLarge: Row(422, 422),
    errors.NoConsumerSchema: Row(422, 422),
    errors.RuleNotFound: Row(404, 404),
    errors.WrongVersionNumber: Row(422, 42201),
    errors.InvalidVersion: Row(422, 42202),
    library.UnknownLevel: Row(422, 42203),
    errors.InvalidMode: Row(422, 42204),
    errors.ForwardModeNotGlobal: Row(422, 42204),
    errors.ModesFixed: Row(422, 42205),
    errors.ReadOnly: Row(422, 42205),
    life_errors.DeletionForbidden: Row(422, 42205),
    life_errors.VersionDisabled: Row(422, 42205),
    errors.NotInImportMode: Row(422, 42205),
    errors.NotInReadWriteMode: Row(422, 42205),
    errors.SubjectsExist: Row(422, 42205),
    errors.SchemaIdTaken: Row(422, 42205),
    errors.VersionTaken: Row(422, 42205),
    errors.ReferenceExists: Row(422, 42206),
    library.InvalidSubject: Row(422, 42208),
    errors.ContextNotEmpty: Row(422, 42211),
    library.SchemaTooLarge: Row(422, 42209, _too_large),
    errors.TooMuchContention: Row(503, 503),
    errors.PurgedMeanwhile: Row(503, 503),
    errors.TooBusy: Row(503, 503),
    errors.SearchTooLong: Row(503, 503),
    errors.SensitiveUnavailable: Row(503, 503),
    errors.CheckUnderWay: Row(503, 503),
    errors.CheckBroken: Row(503, 503),
    errors.NoWorkers: Row(503, 503),
    library.CompilerUnavailable: Row(503, 503),
    library.FormatNotInstalled: Row(503, 503),
    errors.TooManyChecks: Row(429, 429),
    library.InvalidPolicy: Row(422, 422),
    MissingRecordName: Row(422, 422),
    # Policies, which have no words of their own here.
    policy_errors.LevelLocked: Row(403, 403),
    policy_errors.PolicyNotFound: Row(404, 404),
    policy_errors.PolicyVersionNotFound: Row(404, 404),
    policy_errors.BindingNotFound: Row(404, 404),
    policy_errors.TemplateNotFound: Row(404, 404),
    policy_errors.PolicyExists: Row(409, 409),
    policy_errors.PolicyChanged: Row(409, 409),
    policy_errors.BindingChanged: Row(409, 409),
    policy_errors.PolicyBound: Row(409, 409),
    policy_errors.PolicyLimitReached: Row(409, 409),
    policy_errors.LevelInvalid: Row(422, 422),
    policy_errors.PolicyFlawed: Row(422, 422),
    policy_errors.PlaceInvalid: Row(422, 422),
    policy_errors.DryRunNotFound: Row(404, 404),
    policy_errors.ProposalInvalid: Row(422, 422),
    policy_errors.TooManyDryRuns: Row(429, 429),
    waiver_errors.WaiverNotFound: Row(404, 404),
    waiver_errors.NothingToWaive: Row(409, 409),
    waiver_errors.WaiverExists: Row(409, 409),
    waiver_errors.WaiverLimitReached: Row(409, 409),
    waiver_errors.WaiverOver: Row(409, 409),
    waiver_errors.WaiverInvalid: Row(422, 422),
    # The life of versions, neither.
    life_errors.CommentInvalid: Row(422, 422),
    life_errors.CommentLimitReached: Row(409, 409),
    life_errors.CommentNotFound: Row(404, 404),
    life_errors.CommentOfAnother: Row(403, 403),
    life_errors.ReasonMissing: Row(422, 422),
    life_errors.RollbackRefused: Row(409, 409),
    # Webhooks, neither.
    webhook_errors.MessageNotFound: Row(404, 404),
    webhook_errors.MessageUnderWay: Row(409, 409),
    webhook_errors.WebhookChanged: Row(412, 412),
    webhook_errors.WebhookInvalid: Row(422, 422),
    webhook_errors.WebhookLimitReached: Row(409, 409),
    webhook_errors.WebhookNotFound: Row(404, 404),
    # Modules of descriptor sets, which have a dialect of their own.
    module_errors.ModuleNotFound: Row(404, 404),
    module_errors.ModuleVersionNotFound: Row(404, 404),
    module_errors.NoDescriptors: Row(404, 404),
    module_errors.NotInSet: Row(404, 404),
    module_errors.FilesMissing: Row(409, 409),
    module_errors.ModuleChanged: Row(409, 409),
    module_errors.ModuleStateRefused: Row(409, 409),
    module_errors.ModuleVersionDisabled: Row(409, 409),
    module_errors.IncompatibleModule: Row(409, 409),
    module_errors.InvalidModule: Row(422, 422),
    module_errors.InvalidUpload: Row(422, 422),
    module_errors.ModuleLintRefused: Row(422, 422),
    # Exports of whole tenants and imports, neither.
    export_records.ExportNotFound: Row(404, 404),
    export_records.ExportNotDone: Row(409, 409),
    export_records.ExportUnderWay: Row(409, 409),
    errors.ImportNotFound: Row(404, 404),
    errors.ImportOver: Row(409, 409),
    errors.ImportUnderWay: Row(409, 409),
    errors.SubjectIsAlias: Row(409, 409),
    # What the tenant may have. A client that meets 409 says that the schema is incompatible.
    access.QuotaReached: Row(422, 42290),
    access.SchemaAboveQuota: Row(422, 42209),
    access.TooManyRequests: Row(429, 42901),
    # Who asks, and where.
    access.Unauthorized: Row(401, 401, "Unauthorized"),
    access.RightMissing: Row(403, 403),
    access.NamespaceNotFound: Row(404, 404, "HTTP 404 Not Found"),
}
TABLE: Final = ErrorTable(ROWS)
EXPLAINED: Final = "POST schema and format here to learn what breaks, for whom, where, and what to change"


def render(request: HttpRequest, problem: Problem) -> HttpResponse:
    """Render any failure in the dialect's one shape, in the type the caller asked for."""
    code = problem.status if problem.code is None else problem.code
    body = {"error_code": code, "message": problem.message or _sentence(problem.status)}
    kind = answer_type(request.headers.get("Accept", "")) or FALLBACK_TYPE
    return HttpResponse(
        json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode(errors="replace"),
        status=problem.status,
        content_type=kind,
        headers=_headers(request, problem),
    )


def _headers(request: HttpRequest, problem: Problem) -> dict[str, str]:
    """Lead from a verdict in the dialect's words to where the same is explained."""
    scope = scope_of(request)
    if not isinstance(problem.error, errors.IncompatibleSchema) or scope is None or scope.namespace is None:
        return {}
    tenant, namespace, subject = scope.tenant.slug, scope.namespace.slug, quote_subject(problem.error.subject)
    address = f"{NATIVE_PREFIX}v1/tenants/{tenant}/namespaces/{namespace}/subjects/{subject}/verdict"
    return {"Link": f'<{address}>; rel="help"; title="{EXPLAINED}"'}


def _sentence(status: int) -> str:
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return HTTPStatus(status).phrase.title()
    return f"HTTP {status} {HTTPStatus(status).phrase}"


def owns(path: str) -> bool:
    """Tell whether a path belongs to the dialect."""
    return path.startswith(REGISTRY_PREFIX) or is_root_path(path)


DIALECT: Final = Dialect("confluent", owns, TABLE, render)
