"""Protobuf files of one folder, compiled together with their places."""

from __future__ import annotations

from typing import TYPE_CHECKING

from accord.errors import SchemaTooLarge
from accord.formats.protobuf import service
from accord.formats.protobuf.diagnostics import told_once
from accord.formats.protobuf.exchange import Job, Status
from accord.formats.protobuf.filesets import file_set, parse_set
from accord.formats.protobuf.grammar import read_source
from accord.formats.protobuf.model import FileSet
from accord.formats.protobuf.paths import path_flaw
from accord.formats.protobuf.source_info import SourceInfo
from accord.lint.protobuf.modules import Module
from accord.lint.schemas import unused_imports

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from accord.formats.protobuf.diagnostics import Diagnostic


def compiled_module(texts: Mapping[str, str]) -> tuple[Module | None, Mapping[str, str]]:
    """Compile files by path; where some cannot be, there is no module, and what is wrong by path.

    Raises `accord.errors.CompilerUnavailable`.
    """
    flaws = {path: path_flaw(path) for path in texts}
    problems = {path: flaw for path, flaw in flaws.items() if flaw}
    if problems:
        return None, problems
    if not texts:
        return Module(FileSet()), {}
    outcome = service.compiler().compile(Job(texts, has_source_info=True))
    if outcome.status is not Status.COMPILED:
        return None, _problems(texts, outcome.diagnostics, outcome.reason)
    files = parse_set(outcome.descriptors)
    sources = {file.name: SourceInfo(file) for file in files if file.name in texts}
    made = file_set(files, imports={file.name for file in files} - texts.keys(), sources=sources)
    return Module(made, unused_imports(made, outcome.diagnostics)), {}


def _problems(
    texts: Mapping[str, str], diagnostics: tuple[Diagnostic, ...], reason: str
) -> Mapping[str, str]:
    found: dict[str, list[str]] = {}
    for one in told_once(diagnostics):
        if one.file in texts:
            found.setdefault(one.file, []).append(one._replace(file="").sentence)
        else:
            found.setdefault(next(iter(texts)), []).append(one.sentence)
    if not found:
        found = dict(_suspects(texts)) or {next(iter(texts)): [f"the compiler refused the files: {reason}"]}
    return {path: "; ".join(sentences) for path, sentences in found.items()}


def _suspects(texts: Mapping[str, str]) -> Iterator[tuple[str, list[str]]]:
    """Yield the files that no compiler can be given; looked for where one died, since it takes long."""
    for path, text in texts.items():
        try:
            read_source(text)
        except SchemaTooLarge as flaw:
            yield path, [str(flaw)]
