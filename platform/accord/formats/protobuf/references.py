"""Files that come from references, compiled once for all schemas that import them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from accord.errors import InvalidReference
from accord.formats.places import shown
from accord.formats.protobuf.builtin import is_built_in
from accord.formats.protobuf.canonical import escaped
from accord.formats.protobuf.descriptors import FileDescriptorProto, FileDescriptorSet
from accord.formats.protobuf.diagnostics import Diagnostic, invalid
from accord.formats.protobuf.parse import read_given
from accord.formats.protobuf.paths import path_flaw
from accord.formats.protobuf.relaxing import compile_relaxed
from accord.formats.referencing import referenced_texts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from accord.formats.limits import Limits
    from accord.formats.protobuf.client import Compiler
    from accord.model import Reference, ReferenceResolver

NOBODY: Final = "accord/imports.proto"
MISSING: Final = (
    "The descriptor imports {0}, which no reference brings; register that file and send a reference named {0}"
)


class Known(NamedTuple):
    """What a schema may import besides the built-in files, with all that those import in turn."""

    files: tuple[FileDescriptorProto, ...] = ()

    @property
    def serialized(self) -> bytes:
        """The files as a serialized ``FileDescriptorSet``."""
        return FileDescriptorSet(file=self.files).SerializeToString()


def referenced_files(
    references: tuple[Reference, ...],
    *,
    resolver: ReferenceResolver | None,
    compiler: Compiler,
    limits: Limits,
) -> Known:
    """Return the files that the references bring, and those they refer to; names are import paths.

    One with the path of a built-in file brings nothing.

    Raises `accord.errors.ReferenceNotFound` for a dangling reference, `InvalidReference` for an
    incomplete one, one whose name is no import path, or a circle, `SchemaTooLarge` beyond the limits.
    """
    texts: dict[str, str] = {}
    for name, source in referenced_texts(references, resolver=resolver, limits=limits):
        if is_built_in(name):
            continue
        flaw = path_flaw(name)
        if flaw:
            raise InvalidReference(details=flaw)
        texts[name] = read_given(source.text, find=lambda _: (), limits=limits).text
    return Known(compile_relaxed(texts, compiler, limits=limits).files) if texts else Known()


def imported_files(
    paths: Sequence[str], known: Known, *, compiler: Compiler, limits: Limits
) -> tuple[FileDescriptorProto, ...]:
    """Return files by import path, built-in ones as well, with all they import.

    Raises `accord.errors.InvalidSchema` for a path that nothing brings.
    """
    brought = {file.name for file in known.files}
    missing = [path for path in paths if path not in brought and not is_built_in(path)]
    if missing:
        raise invalid(Diagnostic("", 0, 0, MISSING.format(shown(path))) for path in missing)
    text = "".join(('syntax = "proto3";\n', *(f'import "{escaped(path.encode())}";\n' for path in paths)))
    compiled = compile_relaxed(
        {NOBODY: text}, compiler, known=known.serialized, retell=_of_imports, limits=limits
    )
    return compiled.files[:-1]


def _of_imports(one: Diagnostic) -> Diagnostic:
    """Tell a remark on a text that nobody wrote without its place."""
    return one._replace(file="", line=0, column=0) if one.file == NOBODY else one
