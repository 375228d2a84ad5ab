"""One golden body per error class: status, code and the sentence clients know."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from django.test import RequestFactory

from accord import errors as library
from accord.errors import AccordError
from accord.model import Verdict
from accord.naming import MissingRecordName, Strategy
from accord_server.kit.error_tables import Problem
from registry import (
    errors,
    export_records,
    life_errors,
    module_errors,
    policy_errors,
    waiver_errors,
    webhook_errors,
)
from registry.api.confluent.errors import DIALECT, ROWS, TABLE
from registry.api.native.errors import TABLE as NATIVE
from tenants import errors as access
from tenants.api.errors import STATUSES as STATUSES_OF_ACCESS

if TYPE_CHECKING:
    from collections.abc import Iterator

# What a room of the server may raise; client, pipeline and wire errors stay on the caller's side.
SERVER_SIDE = (
    "accord.errors",
    "accord.naming",
    "accord.formats",
    "accord.policy",
    "accord_server.kit.edit_errors",
    "registry",
    "tenants",
)
INCOMPATIBLE = errors.IncompatibleSchema("s", ("{one}", "{two}"), Verdict())
INCOMPATIBLE_TEXT = (
    'Schema being registered is incompatible with an earlier schema for subject "s", details: [{one}, {two}]'
)
VERSION_TEXT = (
    "The specified version '0' is not a valid version id. "
    'Allowed values are between [1, 2^31-1] and the string "latest"'
)
NO_KEY_TEXT = (
    "The metadata have sensitive values, which cannot be read: this server has no key for them."
    " Whoever runs it must set ACCORD_METADATA_KEY, with the keys that were in use before."
)
LEVEL_TEXT = (
    "Invalid compatibility level. Valid values are none, backward, forward, full, "
    "backward_transitive, forward_transitive, and full_transitive"
)

GOLDEN: list[tuple[AccordError, int, int, str]] = [
    (errors.SubjectNotFound("s"), 404, 40401, "Subject 's' not found."),
    (errors.VersionNotFound(-1), 404, 40402, "Version -1 not found."),
    (errors.SchemaNotFound(), 404, 40403, "Schema not found"),
    (errors.SchemaGuidNotFound("x"), 404, 40403, "Schema x not found"),
    (errors.SchemaIdNotFound(7), 404, 40403, "Schema 7 not found"),
    (
        errors.SubjectSoftDeleted("s"),
        404,
        40404,
        "Subject 's' was soft deleted.Set permanent=true to delete permanently",
    ),
    (
        errors.SubjectNotSoftDeleted("s"),
        404,
        40405,
        "Subject 's' was not deleted first before being permanently deleted",
    ),
    (
        errors.VersionSoftDeleted("s", 2),
        404,
        40406,
        "Subject 's' Version 2 was soft deleted.Set permanent=true to delete permanently",
    ),
    (
        errors.VersionNotSoftDeleted("s", 2),
        404,
        40407,
        "Subject 's' Version 2 was not deleted first before being permanently deleted",
    ),
    (
        errors.ConfigNotSet("s"),
        404,
        40408,
        "Subject 's' does not have subject-level compatibility configured",
    ),
    (errors.ModeNotSet("s"), 404, 40409, "Subject 's' does not have subject-level mode configured"),
    (errors.AssociationNotFound("t"), 404, 40410, "Association for 't' not found."),
    (errors.CheckNotFound("c"), 404, 404, "Check c not found"),
    (errors.ImportNotFound("i"), 404, 404, "Import i not found"),
    (
        errors.ImportOver("i", "done"),
        409,
        409,
        "Import i is done, and takes nothing more; start another one",
    ),
    (
        errors.ImportUnderWay("http://old", "person:bob"),
        409,
        409,
        "An import from http://old by person:bob is under way here; wait until it is done, or cancel it",
    ),
    (
        errors.SubjectIsAlias("s"),
        409,
        409,
        "Subject s is an alias here; take the alias off first",
    ),
    (
        INCOMPATIBLE,
        409,
        40901,
        INCOMPATIBLE_TEXT,
    ),
    (library.InvalidSchema("AVRO", "why"), 422, 42201, "Invalid schema of type AVRO, details: why"),
    (library.UnknownFormat("FOO"), 422, 42201, "Invalid schema type FOO"),
    (library.InvalidReference("why"), 422, 42201, "Invalid reference: why"),
    (library.InvalidContract("metadata", "must be an object"), 400, 400, "metadata must be an object"),
    (
        library.ContractTooLarge("ruleSet", "more than 9 entries"),
        422,
        42209,
        "ruleSet is too large: more than 9 entries",
    ),
    (library.InvalidRuleSet("Missing rule type"), 422, 42210, "Missing rule type"),
    (
        library.ReferenceNotFound("s", 3),
        422,
        42201,
        'No schema reference found for subject "s" and version 3',
    ),
    (
        policy_errors.ContentRefused("s", ("one", "two"), ()),
        422,
        42201,
        "The policy in force for subject 's' refuses the schema itself: one; two",
    ),
    (
        policy_errors.LevelLocked("p", 3, "tenant t"),
        403,
        403,
        ("The policy 'p', version 3, bound to tenant t, locks the compatibility level; "
        "change the policy instead."),
    ),
    (errors.EmptySchema(), 422, 42201, "Empty schema"),
    (
        life_errors.VersionDisabled("s", 2),
        422,
        42205,
        ("Version 2 of subject 's' is disabled: it takes no new registrations and references. Use another "
        "version, or have somebody with the right version.promote enable this one again"),
    ),
    (
        life_errors.DeletionForbidden("Soft", "installation", "Ask."),
        422,
        42205,
        "Soft deletion is switched off by the installation. Ask.",
    ),
    (
        errors.FormatFixed("payments", "AVRO", "JSON"),
        422,
        42201,
        "The namespace 'payments' takes AVRO schemas alone, and this one is JSON.",
    ),
    (
        errors.HistoryTooLarge(9, 8),
        422,
        422,
        "The versions have 9 characters together; a consumer is held against 8.",
    ),
    (
        errors.NoConsumerSchema("AVRO"),
        422,
        422,
        "Consumers of AVRO read with the schema itself; only JSON has a consumer's schema.",
    ),
    (errors.RuleNotFound("X"), 404, 404, "There is no rule 'X'; /api/v1/rules lists them all."),
    (errors.WrongVersionNumber(), 422, 42201, "Version is not one more than previous version"),
    (
        errors.InvalidVersion("0"),
        422,
        42202,
        VERSION_TEXT,
    ),
    (
        library.UnknownLevel("x"),
        422,
        42203,
        LEVEL_TEXT,
    ),
    (
        errors.InvalidMode(),
        422,
        42204,
        "Invalid mode. Valid values are READWRITE, READONLY, IMPORT and FORWARD.",
    ),
    (errors.ForwardModeNotGlobal(), 422, 42204, "Forward mode only supported on global level"),
    (errors.ModesFixed(), 422, 42205, "Mode changes are not allowed"),
    (errors.ReadOnly("s", ""), 422, 42205, "Subject s in context  is in read-only mode"),
    (errors.NotInImportMode("s", ".c"), 422, 42205, "Subject s in context .c is not in import mode"),
    (errors.NotInReadWriteMode("s", ""), 422, 42205, "Subject s in context  is not in read-write mode"),
    (errors.SubjectsExist(), 422, 42205, "Cannot import since found existing subjects"),
    (
        errors.SchemaIdTaken(7, "."),
        422,
        42205,
        "Overwrite new schema with id 7 in context . is not permitted.",
    ),
    (errors.VersionTaken("s", 2), 422, 42205, "Overwrite version 2 of subject s is not permitted."),
    (
        errors.ReferenceExists("s", 1),
        422,
        42206,
        "One or more references exist to the schema {magic=1,keytype=SCHEMA,subject=s,version=1}.",
    ),
    (errors.ContextNotEmpty(".c"), 422, 42211, "The specified context '.c' is not empty."),
    (library.InvalidSubject("s"), 422, 42208, "The specified subject 's' is not a valid."),
    (
        library.SchemaTooLarge("why"),
        422,
        42209,
        "Register operation failed because schema is too large: why",
    ),
    (
        errors.SensitiveUnavailable("read"),
        503,
        503,
        NO_KEY_TEXT,
    ),
    (errors.TooBusy(), 503, 503, "The server is busy with other large schemas just now; try again."),
    (
        errors.CheckUnderWay("c", 3, 9, "it is not done yet"),
        503,
        503,
        ("This schema or its history is so large that a worker compares it (3 of 9 versions done), and it is "
        "not done yet. Nothing was stored; send the same request again, which joins check c."),
    ),
    (
        errors.CheckBroken("c", "it was cancelled"),
        503,
        503,
        "Check c gave no verdict: it was cancelled. Nothing was stored; send the same request again.",
    ),
    (
        errors.NoWorkers(),
        503,
        503,
        ("This schema or its history is so large that a worker compares it, and the workers cannot be "
        "reached just now. Nothing was stored; send the same request again later."),
    ),
    (
        errors.TooManyChecks(2),
        429,
        429,
        "This tenant has 2 checks that are not finished, and cannot have more; wait for one.",
    ),
    (
        errors.PurgedMeanwhile(),
        503,
        503,
        "A version was deleted for good while this call was about to read it; try again.",
    ),
    (errors.TooMuchContention("s"), 503, 503, "Subject 's' is changing too fast just now; try again."),
    (library.InvalidPolicy("why"), 422, 422, "Invalid policy: why"),
    (
        library.CompilerUnavailable("no such file"),
        503,
        503,
        "The Protobuf compiler does not answer: no such file",
    ),
    (
        library.FormatNotInstalled("PROTOBUF", "protobuf"),
        503,
        503,
        "PROTOBUF needs packages that are not installed; install accord[protobuf]",
    ),
    (access.Unauthorized(), 401, 401, "Unauthorized"),
    (access.RightMissing("subject.write"), 403, 403, "This needs the right 'subject.write'."),
    (access.NamespaceNotFound(), 404, 404, "HTTP 404 Not Found"),
    (access.TenantSuspended("north"), 403, 403, access.TenantSuspended("north").message),
    (
        access.QuotaReached("versions", 9, 9, 1, "versions", "Delete some."),
        422,
        42290,
        "This tenant may have 9 versions; it has 9, and this would add 1. Nothing was stored. Delete some.",
    ),
    (
        access.SchemaAboveQuota("schema_bytes", 9, 10, "Split it."),
        422,
        42209,
        "A schema of this tenant may have 9 bytes; this one has 10. Nothing was stored. Split it.",
    ),
    (
        access.TooManyRequests("this token", 5, 2),
        429,
        42901,
        ("More than 5 requests a second came from this token to one process of the server. Send it again in "
        "2 s, keep what was read, or ask whoever runs the installation for more."),
    ),
]  # fmt: skip
# Never raised on the dialect's routes; their rows only keep a stray one from being a crash.
ELSEWHERE: dict[type[AccordError], tuple[Any, ...]] = {
    export_records.ExportNotDone: ("e", "queued"),
    export_records.ExportNotFound: ("e", 7),
    export_records.ExportUnderWay: ("e",),
    errors.SearchTooLong: (),
    errors.RestoreRefused: ("s", 1, "FULL", 1, 2, ()),
    life_errors.CommentInvalid: ("d",),
    life_errors.CommentLimitReached: (1,),
    life_errors.CommentNotFound: ("c",),
    life_errors.CommentOfAnother: ("c",),
    life_errors.ReasonMissing: (500,),
    life_errors.RollbackRefused: ("s", 1, (), Verdict()),
    MissingRecordName: (Strategy.RECORD_NAME, "t"),
    policy_errors.DryRunNotFound: ("r",),
    policy_errors.ProposalInvalid: ("d",),
    policy_errors.TooManyDryRuns: (1,),
    waiver_errors.NothingToWaive: ("s",),
    waiver_errors.WaiverExists: ("s", "w"),
    waiver_errors.WaiverInvalid: ("d",),
    waiver_errors.WaiverLimitReached: (1,),
    waiver_errors.WaiverNotFound: ("w",),
    waiver_errors.WaiverOver: ("w", "used"),
    module_errors.FilesMissing: (1, "d", ("d",)),
    module_errors.ModuleChanged: ("m", 2, 1),
    module_errors.ModuleStateRefused: ("m", 1, 1, 2, "d", Verdict()),
    module_errors.ModuleVersionDisabled: ("m", 1),
    module_errors.IncompatibleModule: ("m", "d", Verdict()),
    module_errors.InvalidModule: ("m",),
    module_errors.InvalidUpload: ("d",),
    module_errors.ModuleLintRefused: ("d", ()),
    module_errors.ModuleNotFound: ("m",),
    module_errors.ModuleVersionNotFound: ("1",),
    module_errors.NoDescriptors: ("s", 1, "AVRO"),
    module_errors.NotInSet: ("file", "f"),
    policy_errors.BindingChanged: ("p", "x"),
    policy_errors.BindingNotFound: ("p",),
    policy_errors.LevelInvalid: ("d",),
    policy_errors.PlaceInvalid: ("p", "d"),
    policy_errors.PolicyBound: ("p", "x"),
    policy_errors.PolicyChanged: ("p", 1),
    policy_errors.PolicyExists: ("p",),
    policy_errors.PolicyFlawed: ((),),
    policy_errors.PolicyLimitReached: ("w", 1),
    policy_errors.PolicyNotFound: ("p",),
    policy_errors.PolicyVersionNotFound: (1,),
    policy_errors.TemplateNotFound: ("t", "k"),
    webhook_errors.MessageNotFound: (1, 30),
    webhook_errors.MessageUnderWay: (1, "d"),
    webhook_errors.WebhookChanged: ("w", 1),
    webhook_errors.WebhookInvalid: ("d",),
    webhook_errors.WebhookLimitReached: (1,),
    webhook_errors.WebhookNotFound: ("w",),
}
# Of people, access and tokens, which have an interface of their own.
OF_ACCESS = {one for classes in STATUSES_OF_ACCESS.values() for one in classes}


def concrete(base: type[AccordError] = AccordError) -> Iterator[type[AccordError]]:
    for sub in base.__subclasses__():
        yield from concrete(sub)
        if "code" in vars(sub) and sub.__module__.startswith(SERVER_SIDE):
            yield sub


def rendered(problem: Problem) -> tuple[int, Any]:
    answer = DIALECT.render(RequestFactory().get("/sr/t/n/subjects"), problem)
    return answer.status_code, json.loads(b"".join(answer))


@pytest.mark.parametrize(
    ("error", "status", "code", "message"), GOLDEN, ids=lambda value: type(value).__name__
)
def test_every_error_has_its_body(error: AccordError, status: int, code: int, message: str) -> None:
    assert rendered(TABLE.problem(error)) == (status, {"error_code": code, "message": message})


@pytest.mark.parametrize("error_class", sorted(set(concrete()), key=str))
def test_every_class_has_a_row_in_every_dialect_and_a_golden_body(error_class: type[AccordError]) -> None:
    assert error_class in TABLE
    assert error_class in NATIVE
    told = {type(error) for error, *_ in GOLDEN}
    assert error_class in ELSEWHERE or error_class in told or error_class in OF_ACCESS


@pytest.mark.parametrize("error_class", sorted(set(concrete()), key=str))
def test_the_status_is_the_first_three_digits_of_the_code(error_class: type[AccordError]) -> None:
    row = ROWS[error_class]
    assert str(row.code)[:3] == str(row.status)


@pytest.mark.parametrize(
    ("status", "message"),
    [
        (400, "HTTP 400 Bad Request"),
        (404, "HTTP 404 Not Found"),
        (405, "HTTP 405 Method Not Allowed"),
        (406, "HTTP 406 Not Acceptable"),
        (415, "HTTP 415 Unsupported Media Type"),
        (500, "Internal Server Error"),
        (503, "Service Unavailable"),
    ],
)
def test_refusals_by_http_itself_have_the_same_shape(status: int, message: str) -> None:
    assert rendered(Problem(status, None, "")) == (status, {"error_code": status, "message": message})


# Codes that Confluent's registry has and this one never sends, and why.
NEVER_SENT = {
    **dict.fromkeys(
        (40902, 40903, 40904, 40905, 40907, 40908, 42212, 42213), "associations are asked for, never kept"
    ),
    **dict.fromkeys((40470, 40471, 40472, 40971, 40972, 42271, 42272, 50070), "there is no registry of keys"),
    **dict.fromkeys(range(42214, 42220), "there is no provenance"),
    42207: "declared by Confluent, raised nowhere",
    50001: "a database that fails is 503, which clients try again",
    50002: "what takes too long is 503, which clients try again",
    50003: "there is no leader",
    50004: "there is no leader",
    50005: "what clients call an answer that is no JSON",
}
SENT = {
    *range(40401, 40411),
    40901,
    *range(42201, 42207),
    *range(42208, 42212),
    # Ours, far from those that Confluent may give yet.
    42290,
    42901,
}


def test_every_code_of_the_dialect_is_sent_or_known_not_to_be() -> None:
    of_rows = {int(row.code) for row in ROWS.values() if int(row.code) > 999}
    assert of_rows == SENT
    assert not SENT & NEVER_SENT.keys()


@pytest.mark.parametrize("code", sorted(SENT))
def test_every_code_has_a_golden_body(code: int) -> None:
    assert code in {golden for _, _, golden, _ in GOLDEN}
