"""Errors of the native API: problem documents whose ``code`` is the error's own."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

from django.http import JsonResponse

from accord import errors as library
from accord.discovery.query import InvalidSearch
from accord.naming import MissingRecordName
from accord_server.kit.error_tables import Dialect, ErrorTable, Row
from accord_server.kit.paths import is_native_path
from accord_server.kit.plain_problems import PROBLEM_TYPE, problem_document
from registry import (
    errors,
    export_records,
    life_errors,
    module_errors,
    policy_errors,
    waiver_errors,
    webhook_errors,
)
from registry.api.native.findings import finding_document
from tenants.api.errors import STATUSES as STATUSES_OF_ACCESS
from tenants.api.errors import quota_parts

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from django.http import HttpRequest

    from accord.policy.documents import Problem as PolicyProblem
    from accord_server.kit.error_tables import Problem

STATUSES: Final[Mapping[int, tuple[type[library.AccordError], ...]]] = {
    403: (life_errors.CommentOfAnother, life_errors.DeletionForbidden, policy_errors.LevelLocked),
    404: (
        export_records.ExportNotFound,
        errors.AssociationNotFound,
        errors.CheckNotFound,
        errors.ConfigNotSet,
        errors.ImportNotFound,
        errors.ModeNotSet,
        errors.RuleNotFound,
        errors.SchemaGuidNotFound,
        errors.SchemaIdNotFound,
        errors.SchemaNotFound,
        errors.SubjectNotFound,
        errors.VersionNotFound,
        life_errors.CommentNotFound,
        module_errors.ModuleNotFound,
        module_errors.ModuleVersionNotFound,
        module_errors.NoDescriptors,
        module_errors.NotInSet,
        policy_errors.BindingNotFound,
        policy_errors.DryRunNotFound,
        policy_errors.PolicyNotFound,
        policy_errors.PolicyVersionNotFound,
        policy_errors.TemplateNotFound,
        waiver_errors.WaiverNotFound,
        webhook_errors.MessageNotFound,
        webhook_errors.WebhookNotFound,
    ),
    409: (
        export_records.ExportNotDone,
        export_records.ExportUnderWay,
        errors.ContextNotEmpty,
        errors.ImportOver,
        errors.ImportUnderWay,
        errors.IncompatibleSchema,
        errors.ModesFixed,
        errors.NotInImportMode,
        errors.NotInReadWriteMode,
        errors.ReadOnly,
        errors.ReferenceExists,
        errors.RestoreRefused,
        errors.SchemaIdTaken,
        errors.SubjectNotSoftDeleted,
        errors.SubjectSoftDeleted,
        errors.SubjectIsAlias,
        errors.SubjectsExist,
        errors.VersionNotSoftDeleted,
        errors.VersionSoftDeleted,
        errors.VersionTaken,
        life_errors.CommentLimitReached,
        life_errors.RollbackRefused,
        life_errors.VersionDisabled,
        module_errors.FilesMissing,
        module_errors.IncompatibleModule,
        module_errors.ModuleChanged,
        module_errors.ModuleStateRefused,
        module_errors.ModuleVersionDisabled,
        policy_errors.PolicyBound,
        policy_errors.PolicyExists,
        policy_errors.PolicyLimitReached,
        waiver_errors.NothingToWaive,
        waiver_errors.WaiverExists,
        waiver_errors.WaiverLimitReached,
        waiver_errors.WaiverOver,
        webhook_errors.MessageUnderWay,
        webhook_errors.WebhookLimitReached,
    ),
    412: (policy_errors.BindingChanged, policy_errors.PolicyChanged, webhook_errors.WebhookChanged),
    413: (library.SchemaTooLarge,),
    422: (
        MissingRecordName,
        errors.EmptySchema,
        errors.FormatFixed,
        errors.ForwardModeNotGlobal,
        errors.HistoryTooLarge,
        errors.InvalidMode,
        errors.InvalidVersion,
        errors.NoConsumerSchema,
        errors.WrongVersionNumber,
        library.InvalidPolicy,
        library.ContractTooLarge,
        library.InvalidContract,
        library.InvalidReference,
        library.InvalidRuleSet,
        library.InvalidSchema,
        library.InvalidSubject,
        library.ReferenceNotFound,
        library.UnknownFormat,
        InvalidSearch,
        library.UnknownLevel,
        life_errors.CommentInvalid,
        life_errors.ReasonMissing,
        module_errors.InvalidModule,
        module_errors.InvalidUpload,
        module_errors.ModuleLintRefused,
        policy_errors.ContentRefused,
        policy_errors.LevelInvalid,
        policy_errors.PlaceInvalid,
        policy_errors.PolicyFlawed,
        policy_errors.ProposalInvalid,
        waiver_errors.WaiverInvalid,
        webhook_errors.WebhookInvalid,
    ),
    429: (errors.TooManyChecks, policy_errors.TooManyDryRuns),
    503: (
        errors.CheckBroken,
        errors.CheckUnderWay,
        errors.NoWorkers,
        errors.SearchTooLong,
        errors.TooBusy,
        errors.SensitiveUnavailable,
        errors.TooMuchContention,
        errors.PurgedMeanwhile,
        library.CompilerUnavailable,
        library.FormatNotInstalled,
    ),
}


def _rows() -> Iterator[tuple[type[library.AccordError], Row]]:
    for status, classes in (*STATUSES_OF_ACCESS.items(), *STATUSES.items()):
        for error_class in classes:
            yield error_class, Row(status, error_class.code)


def owns(path: str) -> bool:
    """Tell whether a path belongs to the native API."""
    return is_native_path(path)


def render(request: HttpRequest, problem: Problem) -> JsonResponse:
    """Render a problem document; a refusal of a policy or by one says all that is wrong, part by part."""
    document = problem_document(request, problem) | _parts(problem.error)
    return JsonResponse(document, status=problem.status, content_type=PROBLEM_TYPE)


def _parts(error: Exception | None) -> dict[str, Any]:
    match error:
        case policy_errors.PolicyFlawed():
            return {"problems": [_problem(one, is_object=error.is_object) for one in error.problems]}
        case policy_errors.ContentRefused():
            return {"findings": [finding_document(one) for one in error.findings]}
        case life_errors.RollbackRefused():
            return {"findings": [finding_document(one) for one in error.verdict.findings]}
    return quota_parts(error)


def _problem(one: PolicyProblem, *, is_object: bool) -> dict[str, Any]:
    """Return one problem of a policy: with its line, or in an object with a JSON pointer into it."""
    if not is_object:
        return asdict(one)
    pointer = "/" + one.path.replace(".", "/") if one.path else ""
    return {"pointer": pointer, "path": one.path, "message": one.message}


TABLE: Final = ErrorTable(dict(_rows()))
DIALECT: Final = Dialect("native", owns, TABLE, render)
