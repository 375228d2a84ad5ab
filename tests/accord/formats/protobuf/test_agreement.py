"""Our parser against protoc: what is read from a text is what the descriptor says."""

from __future__ import annotations

from functools import cache

import pytest

from accord.formats.protobuf.canonical import canonical_text
from accord.formats.protobuf.decompiling import decompiled
from accord.formats.protobuf.descriptors import FileDescriptorProto, OptionReader
from accord.formats.protobuf.grammar import read_source
from accord.formats.protobuf.normalizing import normalized
from accord.formats.protobuf.outline import Outline
from tests.accord.protobuf_generator import HEADS, generated_files
from tests.accord.protobuf_texts import compiled

COUNT = 5
COMMENTED = """// detached one

// about the syntax
syntax = "proto2"; // behind the syntax
package a.b; /* behind
 * the package */

// detached two

/* about
 * M */
message M { // behind M

  // about a
  optional int32 a = 1; // behind a
  // below a

  // about b
  // twice
  repeated group B = 2 { // behind B
    optional int32 x = 1; /* not behind x */ optional int32 y = 2;
    // at the end of B
  }
  map<string, M> m = 3;
  // below m

  oneof o {
    // about s
    string s = 4; }

  enum E {
    // about Z
    Z = 0; /* behind Z */
    // about Y
    Y = 1;
    // at the end of E
  }
  message N {}
  extensions 100 to 200; extend M { optional int32 e = 100; /* behind e */ }
}
// about S
service S {
  // about Do
  rpc Do(M) returns (stream .a.b.M); // behind Do
}
extend M { repeated group Ext = 101 { } optional M me = 102; }
enum Top { /* about T */ T = 0; }
// at the end
"""


@cache
def everything() -> dict[str, FileDescriptorProto]:
    """All made-up files, compiled in one job."""
    return {one.name: one for one in compiled(generated_files(COUNT), with_places=True)}


@pytest.mark.parametrize("path", generated_files(COUNT))
def test_the_text_says_what_the_descriptor_says(path: str) -> None:
    text, descriptor = generated_files(COUNT)[path], everything()[path]
    file, flaws = read_source(text)
    assert flaws == ()
    from_text = canonical_text(normalized(file, descriptor))
    from_descriptor = canonical_text(normalized(decompiled(descriptor, OptionReader()), descriptor))
    assert from_text == from_descriptor


@pytest.mark.parametrize("syntax", HEADS)
def test_canonical_and_normalized_text_mean_the_same_to_protoc(syntax: str) -> None:
    texts = {path: text for path, text in generated_files(COUNT).items() if path.startswith(syntax)}
    sources = {path: read_source(text).file for path, text in texts.items()}
    again = compiled({path: canonical_text(source) for path, source in sources.items()})
    for one in again:
        source, before = sources[one.name], everything()[one.name]
        assert canonical_text(normalized(source, one)) == canonical_text(normalized(source, before))
        normal = canonical_text(normalized(source, before))
        assert canonical_text(normalized(read_source(normal).file, one)) == normal


def assert_places(text: str, descriptor: FileDescriptorProto) -> None:
    """Every element stands where protoc sees it, with the comment that protoc gives it."""
    outline = Outline(read_source(text).file, descriptor)
    seen = 0
    for location in descriptor.source_code_info.location:
        steps = tuple(location.path)
        place = outline.position(steps)
        if place is not None and len(location.span) > 2 and len(steps) % 2 == 0:
            assert place == (location.span[0] + 1, location.span[1] + 1), steps
            assert outline.comment(steps) == location.leading_comments, steps
            seen += 1
    assert seen > 10


@pytest.mark.parametrize("path", generated_files(COUNT))
def test_places_and_comments_are_protocs(path: str) -> None:
    assert_places(generated_files(COUNT)[path], everything()[path])


def test_types_are_told_as_spelled() -> None:
    text = 'import "google/protobuf/any.proto"; message M { optional M m = 1; map<string, M> n = 2; }'
    text += " service S { rpc Do (M) returns (.M); }"
    outline = Outline(read_source(text).file, compiled({"a.proto": text})[-1])
    spelled = [
        outline.spelled_type(steps)
        for steps in ((4, 0, 2, 0), (4, 0, 2, 1), (6, 0, 2, 0, 2), (6, 0, 2, 0, 3))
    ]
    assert spelled == ["M", "M", "M", ".M"]
    assert outline.spelled_type((9, 9)) is None
    assert outline.position((9, 9)) is None
    assert outline.comment((9, 9)) == ""
    assert outline.position((3, 0)) == (1, 1)


def test_comments_go_to_whom_protoc_gives_them() -> None:
    (descriptor,) = compiled({"a.proto": COMMENTED}, with_places=True)
    assert_places(COMMENTED, descriptor)
    file = read_source(COMMENTED).file
    said = {tuple(one.path): one for one in descriptor.source_code_info.location}
    message = file.messages[0]
    for steps, comments in (
        ((12,), file.syntax_comments),
        ((2,), file.package_comments),
        ((4, 0), message.comments),
        ((4, 0, 2, 0), message.fields[0].comments),
        ((4, 0, 3, 0), message.groups[0].comments),
        ((4, 0, 2, 2), message.fields[1].comments),
        ((4, 0, 4, 0, 2, 0), message.enums[0].values[0].comments),
        ((6, 0, 2, 0), file.services[0].rpcs[0].comments),
    ):
        location = said[steps]
        assert comments.leading == location.leading_comments
        assert comments.trailing == location.trailing_comments
        assert list(comments.detached) == list(location.leading_detached_comments)
