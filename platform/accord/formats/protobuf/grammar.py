"""The parser: tokens to the nodes of `accord.formats.protobuf.source`.

Reads proto2, proto3 and editions alike, which statement belongs to which edition being protoc's to say. It
recurses only where brackets nest, and those are counted first. After a flaw it goes on with the next
statement, so that one reading tells several flaws. Source: the language specifications.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from accord.formats.limits import DEFAULT_LIMITS
from accord.formats.protobuf.cursor import Cursor, Slip
from accord.formats.protobuf.declarations import Body
from accord.formats.protobuf.diagnostics import merged
from accord.formats.protobuf.literals import option_statement, string
from accord.formats.protobuf.services import service
from accord.formats.protobuf.source import (
    NO_COMMENTS,
    Comments,
    Import,
    ImportKind,
    Position,
    Service,
    SourceFile,
)
from accord.formats.protobuf.tokens import Kind, tokenize

if TYPE_CHECKING:
    from accord.formats.limits import Limits
    from accord.formats.protobuf.diagnostics import Diagnostic

NOWHERE = Position(1, 1)


class Reading(NamedTuple):
    """What was read of a text, and what is wrong with it; without flaws the nodes are the whole text."""

    file: SourceFile
    flaws: tuple[Diagnostic, ...]


def read_source(text: str, limits: Limits = DEFAULT_LIMITS) -> Reading:
    """Return the nodes of a text and its flaws.

    Raises `accord.errors.SchemaTooLarge` for too many open brackets or ranges; the size of the text is
    the caller's to bound.
    """
    tokens = tokenize(text, depth=limits.brackets)
    cursor = Cursor(tokens, limits)
    file = _File(cursor).read()
    return Reading(file, tuple(merged(tokens.flaws, cursor.flaws)))


class _Named(NamedTuple):
    """What the statements before the declarations say: a value, its place and comments."""

    value: str = ""
    position: Position = NOWHERE
    comments: Comments = NO_COMMENTS


class _File:
    """One reading of a file: what was met so far."""

    def __init__(self, cursor: Cursor) -> None:
        self.cursor = cursor
        self.syntax = _Named()
        self.edition = ""
        self.package = _Named()
        self.imports: list[Import] = []
        self.services: list[Service] = []
        self.body = Body(cursor)

    def read(self) -> SourceFile:
        cursor = self.cursor
        while not cursor.is_at_end:
            try:
                self._statement(cursor.at)
            except Slip:
                cursor.recover()
                cursor.accept("}")
        body = self.body
        return SourceFile(
            self.syntax.value,
            self.edition,
            self.package.value,
            tuple(self.imports),
            tuple(body.options),
            tuple(body.messages),
            tuple(body.enums),
            tuple(body.extends),
            tuple(self.services),
            self.syntax.position,
            self.package.position,
            syntax_comments=self.syntax.comments,
            package_comments=self.package.comments,
        )

    def _statement(self, first: int) -> None:
        cursor = self.cursor
        match cursor.text if cursor.token.kind is not Kind.STRING else "":
            case ";":
                cursor.take()
            case "syntax" | "edition":
                self._syntax(first)
            case "package":
                self._package(first)
            case "import":
                self._import(first)
            case "option":
                self.body.options.append(option_statement(cursor))
            case "service":
                self.services.append(service(cursor))
            case _:
                if not self.body.nested():
                    cursor.fail("A message, enum, service, import, option or extend is expected here")

    def _syntax(self, first: int) -> None:
        cursor = self.cursor
        position, word = cursor.position(), cursor.take().text
        if first:
            cursor.note(first, f"'{word}' must be the first statement; move it there")
        cursor.expect("=")
        value = string(cursor, f"The {word}").decode(errors="replace")
        cursor.expect(";")
        is_edition = word == "edition"
        self.edition = value if is_edition else ""
        self.syntax = _Named("editions" if is_edition else value, position, cursor.comments(first))

    def _package(self, first: int) -> None:
        cursor = self.cursor
        position = cursor.position()
        cursor.take()
        if self.package.value:
            cursor.note(first, "The package is given twice; keep one of them")
        name = cursor.dotted("The name of the package", may_lead=False)
        cursor.expect(";")
        self.package = _Named(name, position, cursor.comments(first))

    def _import(self, first: int) -> None:
        cursor = self.cursor
        position = cursor.position()
        cursor.take()
        kind = ImportKind.PLAIN
        if cursor.token.kind is Kind.WORD and cursor.text in set(ImportKind):
            kind = ImportKind(cursor.take().text)
        path = string(cursor, "The path of the import").decode(errors="replace")
        cursor.expect(";")
        self.imports.append(Import(path, kind, position, comments=cursor.comments(first)))
