"""The places that protoc notes down are those that our own parser finds in the text."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import pytest

from accord.formats.places import pointer_token
from accord.formats.protobuf.filesets import file_set
from accord.formats.protobuf.noted import NotedText
from accord.formats.protobuf.positions import ProtoText
from accord.formats.protobuf.source_info import SourceInfo
from tests.accord.protobuf_generator import generated_files
from tests.accord.protobuf_texts import compiled

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from accord.formats.protobuf.model import Enum, File, FileSet, Message, Tokens

COUNT = 1
PARTS = (
    "",
    "name",
    "type",
    "label",
    "oneof",
    "json_name",
    "default",
    "packed",
    "reserved",
    "input",
    "package",
)
ODD = """syntax = "proto2";
import "google/protobuf/any.proto";
/* é\t */\tmessage M {
\toptional /* ü */ M a = 1; /* 𝄞 */ optional bytes b = 2 [json_name = "c"]; map<int32, M> m = 3;
}
"""
PATH = "/dir~1odd.proto"


def noted(texts: dict[str, str]) -> FileSet:
    """Files by path, compiled with places."""
    made = compiled(texts, with_places=True)
    return file_set(
        made,
        imports={one.name for one in made} - texts.keys(),
        sources={one.name: SourceInfo(one) for one in made},
    )


@cache
def everything() -> FileSet:
    """All made-up files, compiled in one job."""
    return noted(generated_files(COUNT))


def elements(file: File) -> Iterator[Tokens]:
    """The places of all elements of a file."""
    yield file.at
    for service in file.services:
        yield service.at
        yield from (one.at for one in service.methods.values())
    yield from (one.at for one in file.all_extensions)
    yield from inside(file.all_messages, file.all_enums)


def inside(messages: Iterable[Message], enums: Iterable[Enum]) -> Iterator[Tokens]:
    """The places of types and of what they hold."""
    for message in messages:
        yield message.at
        yield from (one.at for one in message.fields)
        yield from ((*one.at[:-2], "oneofs", "gone", *one.at[-2:]) for one in message.fields)
        yield from (one.at for one in message.oneofs.values())
    for enum in enums:
        yield enum.at
        yield from (one.at for one in enum.values)


def pointer(tokens: Iterable[str]) -> str:
    return "/" + "/".join(map(pointer_token, tokens))


def assert_same(known: NotedText, paths: Iterable[str]) -> None:
    """The places of these paths are those that the text gives."""
    read = ProtoText(known.text, known.path)
    for one in paths:
        assert known.locate(one) == read.locate(one), one


@pytest.mark.parametrize("path", generated_files(COUNT))
def test_protocs_places_are_those_of_the_text(path: str) -> None:
    file = everything().by_path[path]
    asked = {pointer((*one, *part.split())) for one in elements(file) for part in PARTS}
    others = {pointer((path, *one[1:])) for other in everything().own for one in elements(other)}
    assert len(asked) > 500
    assert_same(NotedText(file, generated_files(COUNT)[path], path), asked | others)


def test_columns_are_counted_in_characters() -> None:
    odd = NotedText(noted({"odd.proto": ODD}).by_path["odd.proto"], ODD, "dir/odd.proto")
    fields = f"{PATH}/messages/M/fields"
    line = ODD.splitlines()[3]
    assert odd.locate(f"{fields}/1/type") == (4, line.index("M") + 1)
    assert odd.locate(f"{fields}/2/json_name") == (4, line.index("json_name") + 1)
    rest = ("", "/", "/google~1protobuf~1any.proto/messages/Any", PATH, f"{PATH}/package")
    others = (f"{PATH}/messages/M", f"{fields}/2", f"{fields}/3/type", f"{fields}/9/type")
    entry = f"{PATH}/messages/M/messages/MEntry/fields/2"
    assert_same(odd, (*rest, *others, entry, f"{entry}/type", f"{entry}/json_name"))


def test_a_file_without_places_is_read() -> None:
    files = file_set(compiled({"odd.proto": ODD}))
    odd = NotedText(files.by_path["odd.proto"], ODD, "dir/odd.proto")
    assert_same(odd, (f"{PATH}/messages/M", f"{PATH}/messages/M/fields/2/json_name"))
