"""Files that come from references, compiled once for all schemas that import them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from accord.errors import InvalidReference
from accord.formats.protobuf.builtin import is_built_in
from accord.formats.protobuf.descriptors import FileDescriptorProto, FileDescriptorSet
from accord.formats.protobuf.parse import read_given
from accord.formats.protobuf.paths import path_flaw
from accord.formats.protobuf.relaxing import compile_relaxed
from accord.formats.referencing import referenced_texts

if TYPE_CHECKING:
    from collections.abc import Iterable

    from accord.formats.limits import Limits
    from accord.formats.protobuf.client import Compiler
    from accord.model import Reference, ReferenceResolver

NOBODY = "accord/imports.proto"


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
    paths: Iterable[str], known: Known, *, compiler: Compiler, limits: Limits
) -> tuple[FileDescriptorProto, ...]:
    """Return files by import path, built-in ones as well, with all they import."""
    lines = [f'import "{path}";\n' for path in paths if path_flaw(path) is None and '"' not in path]
    text = "".join(('syntax = "proto3";\n', *lines))
    compiled = compile_relaxed({NOBODY: text}, compiler, known=known.serialized, limits=limits)
    return compiled.files[:-1]
