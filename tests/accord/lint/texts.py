"""Texts that are linted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from accord.formats import parse
from accord.formats.protobuf.filesets import file_set, parse_set
from accord.formats.protobuf.source_info import SourceInfo
from accord.lint.examples import OWN_FILE
from accord.lint.profile import LintProfile
from accord.lint.protobuf.modules import Module
from accord.lint.schemas import lint_files, lint_schema, unused_imports
from accord.lint.table import Category
from accord.model import Format, SchemaText
from tests.accord.protobuf_texts import outcome

if TYPE_CHECKING:
    from collections.abc import Mapping

    from accord.lint.hits import LintFinding
    from accord.model import Finding

SHOP = "acme/shop/v1/shop.proto"
HEAD = 'syntax = "proto3";\npackage acme.shop.v1;\n'
WHOLE = ("syntax", "edition", "package")
EVERYTHING = LintProfile((*Category, "STABLE_PACKAGE_NO_IMPORT_UNSTABLE"))


def module(texts: Mapping[str, str]) -> Module:
    """Compile files with their places; one without a path is the shop's."""
    every = {path or SHOP: text if text.startswith(WHOLE) else HEAD + text for path, text in texts.items()}
    told = outcome(every, with_places=True)
    files = parse_set(told.descriptors)
    sources = {file.name: SourceInfo(file) for file in files if file.name in every}
    made = file_set(files, imports={file.name for file in files} - every.keys(), sources=sources)
    return Module(made, unused_imports(made, told.diagnostics))


def linted(texts: Mapping[str, str] | str, profile: LintProfile = EVERYTHING) -> list[LintFinding]:
    """Lint Protobuf files; one text is the shop's."""
    return lint_files(module({OWN_FILE: texts} if isinstance(texts, str) else texts), profile)


def told(texts: Mapping[str, str] | str, *names: str) -> list[tuple[int, int, str]]:
    """What some rules say of Protobuf files: line, column and sentence."""
    return [(one.line, one.column, one.message) for one in linted(texts, LintProfile(names))]


def schema_findings(
    format_: Format, text: str, profile: LintProfile = EVERYTHING, *, name: str = ""
) -> tuple[Finding, ...]:
    """Lint one schema, as a registry does."""
    return lint_schema(parse(SchemaText(format_, text)), profile, name=name)


def places(format_: Format, text: str, *names: str) -> list[tuple[str, str]]:
    """What some rules say of one schema: path and sentence."""
    return [(one.path, one.message) for one in schema_findings(format_, text, LintProfile(names))]
