"""Lint of one parsed schema, as a registry has it, and of many Protobuf files, as a repository has them."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Final, cast

from accord.formats.places import pointer_token
from accord.formats.protobuf.places import around
from accord.lint.avro.walk import nodes as avro_nodes
from accord.lint.engine import found_among
from accord.lint.hits import LintFinding
from accord.lint.jsonschema.walk import nodes as json_nodes
from accord.lint.protobuf.modules import Module
from accord.lint.protobuf.usage import passing_on
from accord.lint.protobuf.walk import nodes as protobuf_nodes
from accord.model import Finding, Format

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from accord.formats import ParsedSchema
    from accord.formats.protobuf.diagnostics import Diagnostic
    from accord.formats.protobuf.model import FileSet
    from accord.formats.protobuf.places import Place
    from accord.formats.protobuf.schema import ProtobufSchema
    from accord.lint.engine import Found
    from accord.lint.profile import LintProfile

# Nobody reads further.
MOST_FINDINGS: Final = 1_000
UNUSED: Final = re.compile(r"Import (.+) is unused\.")


def lint_schema(schema: ParsedSchema, profile: LintProfile, *, name: str = "") -> tuple[Finding, ...]:
    """Return what lint finds in a schema, with paths as findings of comparisons have them.

    ``name`` is what the schema is called, such as its subject: paths to ignore are held against it. The
    paths of Protobuf files and folders are nobody's choice in a registry; rules about them do not count.
    """
    found = islice(found_in(schema, profile, name=name), MOST_FINDINGS)
    return tuple(
        Finding(
            one.rule.id, one.severity, pointer(one.hit.at), detail=one.hit.message, message=one.hit.message
        )
        for one in found
    )


def found_in(schema: ParsedSchema, profile: LintProfile, *, name: str = "") -> Iterator[Found]:
    """Yield what lint finds in a schema, in the order of its nodes."""
    match schema.format:
        case Format.PROTOBUF:
            own = cast("ProtobufSchema", schema)
            path = own.descriptor.name
            unused = unused_imports(own.root, own.warnings, path)
            module = Module(own.root, unused, has_paths=False)
            yield from found_among(protobuf_nodes(module), profile, schema.format, name=name)
        case Format.AVRO:
            yield from found_among(avro_nodes(schema), profile, schema.format, name=name)
        case _:
            yield from found_among(json_nodes(schema), profile, schema.format, name=name)


def lint_files(module: Module, profile: LintProfile) -> list[LintFinding]:
    """Return what lint finds in Protobuf files, in the order of paths and lines, each once."""
    found = found_among(protobuf_nodes(module), profile, Format.PROTOBUF)
    return sorted(set(map(_located, found)))


def unused_imports(
    files: FileSet, remarks: Iterable[Diagnostic], own: str = ""
) -> frozenset[tuple[str, str]]:
    """Return the imports that have no use, by importing and imported path; ``remarks`` are protoc's.

    ``own`` is the path of the file that remarks do not name.
    """
    told = ((one.file or own, UNUSED.fullmatch(one.message)) for one in remarks if one.is_warning)
    return frozenset((file, match[1]) for file, match in told if match is not None).union(passing_on(files))


def pointer(at: Iterable[str]) -> str:
    """Return a place in words as a JSON pointer."""
    return "/" + "/".join(map(pointer_token, at))


def _located(found: Found) -> LintFinding:
    place = found.hit.place
    file = "" if place is None else place.file.path
    line, column = (1, 1) if place is None else position_of(place)
    return LintFinding(
        file, line, column, found.rule.id, found.hit.message, pointer(found.hit.at), found.severity
    )


def position_of(place: Place) -> tuple[int, int]:
    """Return line and column of a place, or of what is nearest around it; those of a file are 1."""
    source = place.file.source
    if source is not None and place.steps:
        known = (source.position(steps) for steps in around(place.steps) if steps)
        return next((one for one in known if one is not None), (1, 1))
    return 1, 1
