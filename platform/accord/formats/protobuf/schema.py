"""A parsed Protobuf schema as the rest of the library sees it."""

from __future__ import annotations

import base64
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Final

from accord.errors import CompilerUnavailable, InvalidSchema, SchemaTooLarge
from accord.formats.limits import DEFAULT_LIMITS
from accord.formats.protobuf import service
from accord.formats.protobuf.builtin import is_built_in
from accord.formats.protobuf.canonical import canonical_text
from accord.formats.protobuf.diagnostics import too_large
from accord.formats.protobuf.exchange import Job
from accord.formats.protobuf.filesets import file_set
from accord.formats.protobuf.normalizing import normalized
from accord.formats.protobuf.outline import Outline
from accord.formats.protobuf.parse import Given, read_given
from accord.formats.protobuf.paths import OWN_PATH
from accord.formats.protobuf.references import Known, imported_files, referenced_files
from accord.formats.protobuf.relaxing import Compiled, compile_relaxed
from accord.formats.protobuf.retelling import Retold
from accord.formats.protobuf.sent import refuse_unlike
from accord.formats.protobuf.trimming import trimmed
from accord.formats.referencing import remembered
from accord.model import Format

if TYPE_CHECKING:
    from collections.abc import Iterator

    from accord.formats.limits import Limits
    from accord.formats.parsed import ReferenceMemory
    from accord.formats.protobuf.descriptors import FileDescriptorProto
    from accord.formats.protobuf.diagnostics import Diagnostic
    from accord.formats.protobuf.model import FileSet
    from accord.formats.protobuf.source import SourceFile
    from accord.model import Reference, ReferenceResolver, SchemaText

KNOWN: Final = "files"


@dataclass(frozen=True, slots=True)
class ProtobufSchema:
    """A Protobuf file: its nodes as written and as compiled, its text, and the files it may import.

    ``files`` are the descriptors, those of its imports first and its own last; ``warnings`` are protoc's.
    """

    root: FileSet
    source: SourceFile
    files: tuple[FileDescriptorProto, ...]
    canonical: str
    references: tuple[Reference, ...]
    known: Known
    warnings: tuple[Diagnostic, ...] = ()
    limits: Limits = DEFAULT_LIMITS
    format: ClassVar[Format] = Format.PROTOBUF

    @property
    def descriptor(self) -> FileDescriptorProto:
        """What the file itself was compiled to."""
        return self.files[-1]

    def normalized(self) -> ProtobufSchema:
        """Return the schema with its order and spelling settled, as Confluent's ``normalize=true`` does.

        Types keep their order; references are sorted by subject and version without duplicates.
        """
        text = canonical_text(normalized(self.source, self.descriptor))
        roomy = replace(self.limits, text_bytes=len(text.encode()))
        given = read_given(text, find=lambda _: (), limits=roomy)
        ordered = sorted(set(self.references), key=lambda one: (one.subject, one.version, one.name))
        schema = _schema(given, tuple(ordered), self.known, limits=self.limits)
        return replace(schema, canonical=text)

    def resolved(self) -> str:
        """Return the text; what it imports cannot be written into one file."""
        return self.canonical

    def comparable(self) -> str:
        """Return a text that is equal exactly for equal content: Confluent compares the canonical text."""
        return self.canonical

    def serialized(self) -> str:
        """Return the descriptor of the file in base64, as Confluent's ``format=serialized``."""
        return base64.b64encode(self.descriptor.SerializeToString()).decode()

    def without_extensions(self) -> str:
        """Return the text without extensions, as Confluent's ``format=ignore_extensions``."""
        return canonical_text(trimmed(self.source))


def parse(
    source: SchemaText,
    resolver: ReferenceResolver | None,
    *,
    strict: bool,
    limits: Limits,
    memory: ReferenceMemory | None = None,
) -> ProtobufSchema:
    """Return the schema a text stands for; see `accord.formats.parse`.

    Raises `accord.errors.CompilerUnavailable` besides.
    """
    compiler = service.compiler()

    def find() -> dict[str, Known]:
        return {
            KNOWN: referenced_files(source.references, resolver=resolver, compiler=compiler, limits=limits)
        }

    known = remembered(memory, source, find).get(KNOWN, Known())
    given = read_given(
        source.text,
        find=lambda paths: imported_files(paths, known, compiler=compiler, limits=limits),
        limits=limits,
        ask=lambda text: _remarks(text, known),
    )
    schema = _schema(given, source.references, known, limits=limits)
    if given.sent is not None:
        refuse_unlike(given.sent, schema.files)
    if strict and len(schema.canonical.encode()) > limits.text_bytes:
        raise too_large(f"the canonical text has more than {limits.text_bytes} bytes; split it")
    return schema


def canonical_of(text: str, *, limits: Limits = DEFAULT_LIMITS) -> str | None:
    """Return the canonical text of a ``.proto`` text; None of a descriptor, or of a text with a flaw.

    Nothing is compiled: a text that was compiled before is told by this.
    """
    try:
        given = read_given(text, find=lambda _: (), limits=limits)
    except (InvalidSchema, SchemaTooLarge):
        return None
    return None if given.sent is not None else canonical_text(given.file)


def restored(
    source: SchemaText,
    files: tuple[FileDescriptorProto, ...],
    warnings: tuple[Diagnostic, ...] = (),
    *,
    limits: Limits = DEFAULT_LIMITS,
) -> ProtobufSchema:
    """Return a schema that was parsed before, from its text and what the same canonical text compiled to.

    ``files`` are those of `ProtobufSchema`. Nothing is compiled. Raises `accord.errors.InvalidSchema` for a
    text that nobody can have parsed.
    """
    roomy = replace(limits, text_bytes=max(limits.text_bytes, len(source.text.encode())))
    given = read_given(source.text, find=lambda _: (), limits=roomy)
    known = Known(tuple(one for one in files[:-1] if not is_built_in(one.name)))
    return _made(given, source.references, known, Compiled(files, warnings), limits)


def _remarks(text: str, known: Known) -> Iterator[Diagnostic]:
    """Yield what protoc says of a text that our parser finds fault with; nothing where there is no protoc."""
    path = _own_path(known)
    with suppress(CompilerUnavailable):
        for one in service.compiler().compile(Job({path: text}, known.serialized)).diagnostics:
            yield _own(one, path)


def _own_path(known: Known) -> str:
    """Return a path for the schema itself, one that nothing it may import has."""
    paths = {file.name for file in known.files}
    path = OWN_PATH
    while path in paths:
        path = f"_{path}"
    return path


def _own(one: Diagnostic, path: str) -> Diagnostic:
    """Tell a remark on the schema itself without its path."""
    return one._replace(file="") if one.file == path else one


def _schema(
    given: Given, references: tuple[Reference, ...], known: Known, *, limits: Limits
) -> ProtobufSchema:
    path = _own_path(known)
    retold = None if given.sent is None else Retold(given.file)

    def retell(one: Diagnostic) -> Diagnostic:
        return _own(one, path) if retold is None or one.file != path else retold.remark(one)

    compiled = compile_relaxed(
        {path: given.text}, service.compiler(), known=known.serialized, retell=retell, limits=limits
    )
    return _made(given, references, known, compiled, limits)


def _made(
    given: Given, references: tuple[Reference, ...], known: Known, compiled: Compiled, limits: Limits
) -> ProtobufSchema:
    own = compiled.files[-1]
    imports = {file.name for file in compiled.files[:-1]}
    root = file_set(compiled.files, imports=imports, sources={own.name: Outline(given.file, own)})
    text = canonical_text(given.file)
    return ProtobufSchema(
        root, given.file, compiled.files, text, references, known, compiled.warnings, limits
    )
