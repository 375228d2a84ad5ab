"""What is wrong with Protobuf text, and where: from our own parser and from protoc alike."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from accord.errors import InvalidSchema, SchemaTooLarge
from accord.model import Format

if TYPE_CHECKING:
    from collections.abc import Iterable

SHOWN: Final = 20
SHOWN_MESSAGE: Final = 400
# What protoc says of a file that is not there, and of the import that asks for it.
MISSING_FILE: Final = "File not found."
MISSING_IMPORT: Final = re.compile(r'Import "(?P<path>.+)" was not found')
# What protoc says without a place, once for all fields; our own parser tells each of them.
KEPT_RANGE: Final = "Field numbers 19000 through 19999 are reserved"


class Diagnostic(NamedTuple):
    """One remark on a file: line and column count from one, zero where no place is known.

    ``file`` is the import path, empty for the schema itself; a warning refuses nothing.
    """

    file: str
    line: int
    column: int
    message: str
    is_warning: bool = False

    @property
    def sentence(self) -> str:
        """The remark with its place, for a message: ``line 3, column 5: ...``."""
        place = f"line {self.line}, column {self.column}" if self.line else ""
        where = ", ".join(part for part in (self.file, place) if part)
        message = self.message[:SHOWN_MESSAGE]
        return f"{where}: {message}" if where else message


def unsupported_edition(name: str) -> str:
    """Return the remark on an edition that nobody here knows."""
    return f"Edition {name} is not supported; use 2023 or 2024"


def invalid(diagnostics: Iterable[Diagnostic]) -> InvalidSchema:
    """Return the error that tells all that is wrong, in the order of the text; warnings are left out."""
    errors = [one.sentence for one in told_once(diagnostics)]
    more = [f"and {len(errors) - SHOWN} more"] if len(errors) > SHOWN else []
    return InvalidSchema(format=Format.PROTOBUF, details="; ".join((*errors[:SHOWN], *more)))


def told_once(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return the errors in the order of the text, each once; a missing file where it is imported."""
    errors = dict.fromkeys(one for one in diagnostics if not one.is_warning)
    imported = {found["path"] for one in errors if (found := MISSING_IMPORT.match(one.message))}
    told = (one for one in errors if one.message != MISSING_FILE or one.file not in imported)
    return sorted(told, key=lambda one: (one.file, one.line, one.column))


def merged(flaws: Iterable[Diagnostic], remarks: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return flaws of a text and what was remarked after them.

    No line is told of by both: the second finds the same thing, seldom at the same column, and says less.
    """
    found = list(flaws)
    lines = {one.line for one in found}
    return [*found, *(one for one in remarks if one.file or (one.line not in lines and not _is_known(one)))]


def _is_known(remark: Diagnostic) -> bool:
    return remark.message.startswith(KEPT_RANGE)


def too_large(details: str) -> SchemaTooLarge:
    """Return the error for a text beyond a limit."""
    return SchemaTooLarge(details=details)
