"""What is wrong with Protobuf text, and where: from our own parser and from protoc alike."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from accord.errors import InvalidSchema, SchemaTooLarge
from accord.model import Format

if TYPE_CHECKING:
    from collections.abc import Iterable

SHOWN: Final = 20
SHOWN_MESSAGE: Final = 400


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
    errors = [one.sentence for one in diagnostics if not one.is_warning]
    more = [f"and {len(errors) - SHOWN} more"] if len(errors) > SHOWN else []
    return InvalidSchema(format=Format.PROTOBUF, details="; ".join((*errors[:SHOWN], *more)))


def too_large(details: str) -> SchemaTooLarge:
    """Return the error for a text beyond a limit."""
    return SchemaTooLarge(details=details)
