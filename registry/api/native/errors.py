"""Errors of the native API: problem documents whose ``code`` is the error's own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from accord import errors as library
from accord.naming import MissingRecordName
from accord_server.kit.error_tables import Dialect, ErrorTable, Row
from accord_server.kit.paths import NATIVE_PREFIX
from accord_server.kit.plain_problems import render_problem_document
from registry import errors
from tenants import errors as access

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

STATUSES: Final[Mapping[int, tuple[type[library.AccordError], ...]]] = {
    401: (access.Unauthorized,),
    403: (access.RightMissing, access.GrantTooWide),
    404: (
        access.NamespaceNotFound,
        access.PrincipalNotFound,
        access.TokenNotFound,
        errors.AssociationNotFound,
        errors.CheckNotFound,
        errors.ConfigNotSet,
        errors.ModeNotSet,
        errors.SchemaIdNotFound,
        errors.SchemaNotFound,
        errors.SubjectNotFound,
        errors.VersionNotFound,
    ),
    409: (
        access.LimitReached,
        access.SlugTaken,
        access.TokenIsOver,
        errors.IncompatibleSchema,
        errors.NotInImportMode,
        errors.NotInReadWriteMode,
        errors.ReadOnly,
        errors.ReferenceExists,
        errors.SchemaIdTaken,
        errors.SubjectNotSoftDeleted,
        errors.SubjectSoftDeleted,
        errors.SubjectsExist,
        errors.VersionNotSoftDeleted,
        errors.VersionSoftDeleted,
        errors.VersionTaken,
    ),
    413: (library.SchemaTooLarge,),
    422: (
        MissingRecordName,
        access.InvalidGrant,
        access.InvalidLifetime,
        access.InvalidSlug,
        access.InvalidUser,
        access.UnknownRight,
        access.UnknownRole,
        errors.EmptySchema,
        errors.ForwardModeNotGlobal,
        errors.InvalidMode,
        errors.InvalidVersion,
        errors.WrongVersionNumber,
        library.InvalidPolicy,
        library.InvalidReference,
        library.InvalidSchema,
        library.InvalidSubject,
        library.ReferenceNotFound,
        library.UnknownFormat,
        library.UnknownLevel,
    ),
    429: (errors.TooManyChecks,),
    503: (errors.TooBusy, errors.TooMuchContention),
}


def _rows() -> Iterator[tuple[type[library.AccordError], Row]]:
    for status, classes in STATUSES.items():
        for error_class in classes:
            yield error_class, Row(status, error_class.code)


def owns(path: str) -> bool:
    """Tell whether a path belongs to the native API."""
    return path.startswith(NATIVE_PREFIX)


TABLE: Final = ErrorTable(dict(_rows()))
DIALECT: Final = Dialect("native", owns, TABLE, render_problem_document)
