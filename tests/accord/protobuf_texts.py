"""Protobuf texts, compiled by a compiler process of this test run's own."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from accord.formats import DEFAULT_LIMITS
from accord.formats.protobuf import schema, service
from accord.formats.protobuf.exchange import Job, Outcome, Status
from accord.formats.protobuf.filesets import file_set, parse_set
from accord.formats.protobuf.service import OwnCompiler
from accord.model import Format, Reference, SchemaText
from tests.accord.stand_ins import ForeignSchema, Shelf

if TYPE_CHECKING:
    from collections.abc import Mapping

    from accord.formats import Limits
    from accord.formats.protobuf.descriptors import FileDescriptorProto
    from accord.formats.protobuf.model import FileSet
    from accord.formats.protobuf.schema import ProtobufSchema

# What tells a Python that starts to measure what runs.
MEASURED = "COVERAGE_PROCESS_CONFIG"


class UnmeasuredCompiler(OwnCompiler):
    """A compiler whose children are not measured, for many jobs: writing down what ran takes longest."""

    def start(self) -> None:
        """Start the process unless it runs."""
        measured = os.environ.pop(MEASURED, "")
        try:
            super().start()
        finally:
            if measured:
                os.environ[MEASURED] = measured


COMPILER = OwnCompiler(("--jobs", "4"))
UNMEASURED = UnmeasuredCompiler(("--jobs", "4"))
service.use(COMPILER)


def protobuf(
    text: str, references: Mapping[str, str] | None = None, *, limits: Limits = DEFAULT_LIMITS
) -> ProtobufSchema:
    """The schema of a text; references are given as texts, by import path."""
    texts = references or {}
    entries = tuple(Reference(name, name, 1) for name in texts)
    known = {(name, 1): SchemaText(Format.PROTOBUF, one) for name, one in texts.items()}
    source = SchemaText(Format.PROTOBUF, text, entries)
    return schema.parse(source, Shelf(known), strict=True, limits=limits)


def outcome(
    texts: Mapping[str, str],
    *,
    descriptors: bytes = b"",
    with_places: bool = False,
    compiler: OwnCompiler = COMPILER,
) -> Outcome:
    """What protoc makes of files by path."""
    return compiler.compile(Job(texts, descriptors, has_source_info=with_places))


class Refused(Exception):
    """protoc does not take a text."""


def compiled(
    texts: Mapping[str, str], *, with_places: bool = False, compiler: OwnCompiler = COMPILER
) -> list[FileDescriptorProto]:
    """Compile files by path; what they import of protoc's own comes along."""
    found = outcome(texts, with_places=with_places, compiler=compiler)
    if found.status is not Status.COMPILED:
        raise Refused(found.diagnostics)
    return parse_set(found.descriptors)


def files(texts: Mapping[str, str]) -> FileSet:
    """Compile files by path; those not given count as imports."""
    made = compiled(texts)
    by_path = {file.name: file for file in made}
    own = [by_path.pop(path) for path in texts]
    return file_set([*own, *by_path.values()], imports=set(by_path))


def proto(text: str, syntax: str = 'syntax = "proto3";') -> FileSet:
    """Compile one file of package p, whose body is given."""
    return files({"a.proto": f"{syntax}\npackage p;\n{text}\n"})


PROTO2 = 'syntax = "proto2";'
EDITION_2023 = 'edition = "2023";'
EDITION_2024 = 'edition = "2024";'


def schema_of(texts: Mapping[str, str]) -> ForeignSchema:
    """Compile files by path into what the judge takes; the first is the root."""
    return ForeignSchema(json.dumps(texts), Format.PROTOBUF, root=files(texts))
