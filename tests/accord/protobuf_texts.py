"""Protobuf texts, compiled by a compiler process of this test run's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from accord.formats.protobuf.descriptors import FileDescriptorProto, FileDescriptorSet
from accord.formats.protobuf.exchange import Job, Outcome, Status
from accord.formats.protobuf.service import OwnCompiler

if TYPE_CHECKING:
    from collections.abc import Mapping

COMPILER = OwnCompiler(("--jobs", "4"))


def outcome(files: Mapping[str, str], *, descriptors: bytes = b"", has_source_info: bool = False) -> Outcome:
    """What protoc makes of some files."""
    return COMPILER.compile(Job(files, descriptors, has_source_info=has_source_info))


def compiled(files: Mapping[str, str], *, has_source_info: bool = False) -> dict[str, FileDescriptorProto]:
    """The descriptors of files that compile and of all they import, by path."""
    found = outcome(files, has_source_info=has_source_info)
    assert found.status is Status.COMPILED, found.diagnostics
    return {one.name: one for one in FileDescriptorSet.FromString(found.descriptors).file}
