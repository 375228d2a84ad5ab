"""Compiling texts for the tests: protoc, called in this process."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import grpc_tools
from grpc_tools import protoc

from accord.formats.protobuf.filesets import file_set, parse_set

if TYPE_CHECKING:
    from collections.abc import Mapping

    from accord.formats.protobuf.descriptors import FileDescriptorProto
    from accord.formats.protobuf.model import FileSet

BUILT_IN = Path(grpc_tools.__file__).parent / "_proto"


def compiled(texts: Mapping[str, str], *, with_places: bool = False) -> list[FileDescriptorProto]:
    """Compile files by path; what they import of protoc's own comes along."""
    with tempfile.TemporaryDirectory() as folder:
        for path, text in texts.items():
            file = Path(folder, path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        made = Path(folder, "made.binpb")
        options = ["--include_imports", f"--descriptor_set_out={made}"]
        places = ["--include_source_info"] if with_places else []
        code = protoc.main(["protoc", f"-I{folder}", f"-I{BUILT_IN}", *options, *places, *texts])
        assert code == 0, "protoc refused the text"
        return parse_set(made.read_bytes())


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
