"""Protobuf files of one folder, compiled together with their places."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from accord.errors import SchemaTooLarge
from accord.formats.protobuf import service
from accord.formats.protobuf.diagnostics import Diagnostic, told_once
from accord.formats.protobuf.exchange import Job, Status
from accord.formats.protobuf.filesets import file_set, parse_set
from accord.formats.protobuf.grammar import read_source
from accord.formats.protobuf.paths import path_flaw
from accord.formats.protobuf.source_info import SourceInfo
from accord.lint.protobuf.modules import Module
from accord.lint.schemas import unused_imports

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from accord.formats.protobuf.descriptors import FileDescriptorProto
    from accord.formats.protobuf.exchange import Outcome


class Compiled(NamedTuple):
    """The files that texts were compiled to, with all they import, imports first; none where that failed.

    ``remarks`` are warnings then, or else all that is wrong.
    """

    files: tuple[FileDescriptorProto, ...]
    remarks: tuple[Diagnostic, ...]

    def module(self, own: Collection[str]) -> Module:
        """Return the files of these paths as a module; all others are what it imports."""
        sources = {file.name: SourceInfo(file) for file in self.files if file.name in own}
        made = file_set(
            self.files, imports={file.name for file in self.files}.difference(own), sources=sources
        )
        return Module(made, unused_imports(made, self.remarks))


def compile_texts(texts: Mapping[str, str], known: bytes = b"") -> Compiled:
    """Compile files by path; ``known`` is a set of compiled files that they may import besides.

    Raises `accord.errors.CompilerUnavailable`.
    """
    flaws = tuple(Diagnostic(path, 0, 0, flaw) for path in texts if (flaw := path_flaw(path)))
    if flaws or not texts:
        return Compiled((), flaws)
    outcome = service.compiler().compile(Job(texts, known, has_source_info=True))
    if outcome.status is Status.COMPILED:
        return Compiled(tuple(parse_set(outcome.descriptors)), outcome.diagnostics)
    return Compiled((), tuple(_errors(texts, outcome)))


def compiled_module(texts: Mapping[str, str]) -> tuple[Module | None, Mapping[str, str]]:
    """Compile files by path; where some cannot be, there is no module, and what is wrong by path.

    Raises `accord.errors.CompilerUnavailable`.
    """
    made = compile_texts(texts)
    if texts and not made.files:
        return None, _problems(texts, made.remarks)
    return made.module(texts.keys()), {}


def _errors(texts: Mapping[str, str], outcome: Outcome) -> Iterable[Diagnostic]:
    reason = Diagnostic(next(iter(texts)), 0, 0, f"the compiler refused the files: {outcome.reason}")
    return told_once(outcome.diagnostics) or list(_suspects(texts)) or [reason]


def _problems(texts: Mapping[str, str], remarks: Iterable[Diagnostic]) -> Mapping[str, str]:
    found: dict[str, list[str]] = {}
    for one in remarks:
        if one.file in texts:
            found.setdefault(one.file, []).append(one._replace(file="").sentence)
        else:
            found.setdefault(next(iter(texts)), []).append(one.sentence)
    return {path: "; ".join(sentences) for path, sentences in found.items()}


def _suspects(texts: Mapping[str, str]) -> Iterator[Diagnostic]:
    """Yield the files that no compiler can be given; looked for where one died, since it takes long."""
    for path, text in texts.items():
        try:
            read_source(text)
        except SchemaTooLarge as flaw:
            yield Diagnostic(path, 0, 0, str(flaw))
