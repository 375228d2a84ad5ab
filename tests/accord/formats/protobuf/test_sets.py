"""Sets of descriptors that somebody sent: what comes of sound ones, and what is said of the others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from accord.errors import InvalidSchema, SchemaTooLarge
from accord.formats import DEFAULT_LIMITS
from accord.formats.protobuf.descriptors import (
    DescriptorProto,
    FieldDescriptorProto,
    FileDescriptorProto,
    FileDescriptorSet,
    OptionReader,
    SourceCodeInfo,
    message_type,
)
from accord.formats.protobuf.exchange import Job, Outcome, Status
from accord.formats.protobuf.filing import filed, set_digest
from accord.formats.protobuf.needed import needed
from accord.formats.protobuf.sets import checked_notes, checked_set, file_text
from accord.formats.protobuf.skimming import SetLimits, set_entry, skimmed
from accord.formats.protobuf.texts import set_of_texts
from tests.accord.protobuf_texts import COMPILER, outcome

if TYPE_CHECKING:
    from collections.abc import Sequence

OPTIONS = """syntax = "proto3"; package o; import "google/protobuf/descriptor.proto";
enum K { A = 0; } message X { K k = 1; message Y {} }
extend google.protobuf.FieldOptions { X x = 50001; string unused = 50002; }
message Home { extend google.protobuf.FileOptions { string inner = 50003; } }
"""
MAIN = """syntax = "proto3"; package a;
import public "b.proto"; import "o.proto"; import "google/protobuf/timestamp.proto";
option java_package = "j"; option (o.Home.inner) = "i";
message A { b.B b = 1 [(o.x).k = A]; google.protobuf.Timestamp t = 2; map<string, N> n = 3; message N {} }
message Z { W w = 1; } message W {}
service S { rpc Do (Z) returns (W); } service Other { rpc Do (A) returns (A); }
"""
PLAIN = 'syntax = "proto3"; package b; message B { Q q = 1; } enum Q { Q0 = 0; } message Unused {}'
TEXTS = {"a.proto": MAIN, "b.proto": PLAIN, "o.proto": OPTIONS}
OWN = ["a.proto", "b.proto", "o.proto"]


def bare(name: str = "a.proto", **parts: Any) -> FileDescriptorProto:
    return FileDescriptorProto(name=name, syntax="proto3", **parts)


def serialized(*files: FileDescriptorProto) -> bytes:
    return FileDescriptorSet(file=files).SerializeToString()


def raw(*parts: tuple[int, bytes]) -> bytes:
    """A message of fields with a length each."""
    return b"".join(bytes([number << 3 | 2]) + length(len(value)) + value for number, value in parts)


def length(value: int) -> bytes:
    made = bytearray()
    while value > 127:
        made.append(value & 127 | 128)
        value >>= 7
    return bytes([*made, value])


def checked(data: bytes) -> tuple[FileDescriptorProto, ...]:
    return checked_set(skimmed(data), COMPILER)


def compiled_set() -> bytes:
    return outcome(TEXTS).descriptors


def of(message: str, **more: Any) -> DescriptorProto:
    return DescriptorProto(name=message, **more)


def field(**more: Any) -> FieldDescriptorProto:
    return FieldDescriptorProto(**{"name": "f", "number": 1, "type": 11, "label": 1, **more})


def nested(depth: int) -> bytes:
    data = raw((1, b"M"))
    for _ in range(depth):
        data = raw((3, data))
    return raw((1, raw((1, b"a.proto"), (4, data))))


def unknown_option() -> FileDescriptorProto:
    file = bare(message_type=[of("M")])
    file.message_type[0].options.MergeFromString(b"\x8a\xb5\x18\x01x")
    return file


def broken_default() -> FileDescriptorProto:
    wrong = field(type=9, default_value="x", name="bad name")
    return FileDescriptorProto(name="a.proto", message_type=[of("M", field=[wrong])])


REFUSED: Sequence[tuple[bytes, str]] = (
    (b"", "it has no files"),
    (b"hello world", "there is nothing like it at byte 2"),
    (b"\x0a\xff", "it ends early"),
    (b"\x0a\x05a", "it ends early"),
    (b"\xff" * 11, "has no end"),
    (raw((1, raw((1, b"\xff")))), "is not in UTF-8"),
    (serialized(bare("")), "must be relative"),
    (serialized(bare("../a.proto")), "must be relative"),
    (serialized(bare(), bare()), "Two files of the set are called 'a.proto'"),
    (serialized(bare(dependency=["b.proto"])), "'a.proto' imports 'b.proto', which is not in the set"),
    (
        serialized(bare(dependency=["b.proto"]), bare("b.proto", dependency=["a.proto"])),
        "'b.proto' imports 'a.proto', which leads back to it",
    ),
    (
        serialized(bare(message_type=[of("M")]), bare("b.proto", message_type=[of("M")])),
        "'a.proto' and 'b.proto' both declare 'M'",
    ),
    (serialized(bare(message_type=[of("M", nested_type=[of("N"), of("N")])])), '"N" is already defined'),
    (serialized(bare(message_type=[of("M", field=[field(type_name=".x.Y")])])), '".x.Y" is not defined'),
    (serialized(bare(extension=[field(type=5, extendee=".x.Y")])), '".x.Y" is not defined'),
    (serialized(unknown_option()), "'a.proto.M' has the option number 50001, which no file of the set"),
    (serialized(broken_default()), "bad name"),
    (nested(60), "Reached maximum recursion limit"),
    (nested(300), "its bytes are broken, or its messages nest too deep"),
)


@pytest.mark.parametrize(("data", "words"), REFUSED, ids=[words for _, words in REFUSED])
def test_a_hostile_set_is_refused_with_what_is_wrong(data: bytes, words: str) -> None:
    with pytest.raises(InvalidSchema) as refusal:
        checked(data)
    assert words in refusal.value.details
    assert "/dev/shm" not in refusal.value.details  # noqa: S108  # no place of the compiler's


def test_a_set_of_empty_messages_is_never_decoded() -> None:
    bomb = raw((1, raw((1, b"a.proto"), (4, b"\x1a\x00" * 1_000_000))))
    for data in (bomb, b"\x0a\x00" * 20_000, raw((1, b"\x4a\x00" * 600_000))):
        with pytest.raises(SchemaTooLarge):
            skimmed(data)


def test_limits_are_named() -> None:
    with pytest.raises(SchemaTooLarge, match="more than 1 files"):
        skimmed(serialized(bare(), bare("b.proto")), SetLimits(files=1))
    with pytest.raises(SchemaTooLarge, match="more than 2 parts"):
        skimmed(serialized(bare(package="p")), SetLimits(parts=2))


def test_what_else_a_message_may_hold_is_passed_over() -> None:
    inside = raw((1, b"a.proto")) + b"\x98\x06\x01" + b"\xa1\x06" + bytes(8) + b"\xad\x06" + bytes(4)
    (file,) = skimmed(raw((2, b"x"), (1, inside)) + b"\x08\x01")
    assert (file.path, file.data) == ("a.proto", inside)


def test_a_declaration_without_a_name_has_none() -> None:
    (file,) = skimmed(raw((1, raw((1, b"a.proto"), (2, b"p"), (4, b"")))))
    assert file.names == ("p.",)
    (other,) = skimmed(raw((1, raw((1, b"a.proto"), (4, b"\x08\x01")))))
    assert other.names == ("",)


def test_a_set_is_put_in_order_and_stays_what_it_was() -> None:
    data = compiled_set()
    again = serialized(*reversed(FileDescriptorSet.FromString(data).file))
    made, other = checked(data), checked(again)
    assert [one.name for one in made if one.name in OWN] == ["b.proto", "o.proto", "a.proto"]
    assert set_digest(map(filed, made)) == set_digest(map(filed, other))
    files = {one.name: one for one in FileDescriptorSet.FromString(data).file}
    assert all(filed(one).data == filed(files[one.name]).data for one in made)


def test_built_in_files_need_not_be_sent_and_are_ours() -> None:
    files = [one for one in FileDescriptorSet.FromString(compiled_set()).file if one.name in OWN]
    forged = bare("google/protobuf/timestamp.proto", package="google.protobuf")
    assert checked(serialized(*files)) == checked(serialized(forged, *files)) == checked(compiled_set())


def test_a_descriptor_and_its_notes_make_a_part_of_a_set() -> None:
    data = bare(package="p" * 70_000).SerializeToString()
    notes = SourceCodeInfo(location=[SourceCodeInfo.Location(span=[1, 2, 3])]).SerializeToString()
    (plain, noted) = FileDescriptorSet.FromString(set_entry(data) + set_entry(data, notes)).file
    assert plain == FileDescriptorProto.FromString(data)
    assert noted.source_code_info.SerializeToString() == notes
    (skim,) = skimmed(set_entry(data, notes))
    assert (skim.data, skim.notes) == (data, notes)


def test_a_compiler_that_died_is_told_of() -> None:
    class Dying:
        def compile(self, job: Job) -> Outcome:
            assert job.descriptors
            return Outcome(Status.DIED, reason="it took too long")

    with pytest.raises(InvalidSchema, match="it took too long; send fewer or smaller files"):
        checked_set(skimmed(serialized(bare())), Dying())


def test_texts_become_a_set() -> None:
    made = set_of_texts({"b.proto": PLAIN}, COMPILER, known=b"", limits=DEFAULT_LIMITS)
    (file,) = skimmed(made)
    assert (file.path, bool(file.notes)) == ("b.proto", True)
    alone = {"c.proto": 'syntax = "proto3"; import "b.proto"; message C { b.B b = 1; }'}
    with_known = set_of_texts(alone, COMPILER, known=made, limits=DEFAULT_LIMITS)
    assert [one.path for one in skimmed(with_known)] == ["b.proto", "c.proto"]


@pytest.mark.parametrize(
    ("path", "text", "words"),
    [
        ("../b.proto", PLAIN, "must be relative"),
        ("b.proto", "message", "b.proto, line 1"),
        ("b.proto", 'syntax = "proto3"; message B { X x = 1; }', '"X" is not defined'),
    ],
)
def test_texts_that_are_wrong(path: str, text: str, words: str) -> None:
    with pytest.raises(InvalidSchema) as refusal:
        set_of_texts({path: text}, COMPILER, known=b"", limits=DEFAULT_LIMITS)
    assert words in refusal.value.details


def test_texts_that_the_compiler_died_of() -> None:
    class Dying:
        def compile(self, job: Job) -> Outcome:
            assert job.files
            return Outcome(Status.DIED, reason="it took too long")

    with pytest.raises(InvalidSchema, match="it took too long; send fewer or smaller files"):
        set_of_texts({"b.proto": PLAIN}, Dying(), known=b"", limits=DEFAULT_LIMITS)


def test_notes_keep_only_places() -> None:
    good, bad = SourceCodeInfo.Location(span=[1, 2, 3]), SourceCodeInfo.Location(span=[1])
    notes = SourceCodeInfo(location=[bad, good]).SerializeToString()
    assert SourceCodeInfo.FromString(checked_notes(notes)).location == [good]
    with pytest.raises(InvalidSchema, match="source_code_info"):
        checked_notes(b"\xff")


def test_a_file_is_told_as_text() -> None:
    made = checked(compiled_set())
    text = file_text(made[-1], OptionReader(made))
    assert 'import public "b.proto";' in text
    assert "[(o.x) = {" in text


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("b.B", {"b.proto": ["B"]}),
        (".b.Q", {"b.proto": []}),
        ("o.X.Y", {"o.proto": ["X"]}),
        ("a.W", {"a.proto": ["W"], "o.proto": ["Home"]}),
        ("a.S", {"a.proto": ["Z", "W"], "o.proto": ["Home"]}),
        ("a.A.N", {"b.proto": ["B"], "o.proto": ["X", "Home"], "a.proto": ["A"]}),
    ],
)
def test_what_a_type_needs_stands_by_itself(name: str, wanted: dict[str, list[str]]) -> None:
    found = needed(checked(compiled_set()), name)
    assert found is not None
    own = {one.name: [message.name for message in one.message_type] for one in found if one.name in OWN}
    assert own == wanted
    again = checked(serialized(*found))
    assert {one.name for one in again} == {one.name for one in found}


def test_what_is_needed_is_read_with_its_options() -> None:
    found = needed(checked(compiled_set()), "a.A")
    assert found is not None
    assert list(message_type(serialized(*found), "a.A").fields_by_name) == ["b", "t", "n"]
    assert "[(o.x) = {" in file_text(found[-1], OptionReader(found))
    assert {len(one.extension) for one in found if one.name == "o.proto"} == {1}


def test_what_nobody_declares_is_not_found() -> None:
    assert needed(checked(compiled_set()), "a.Nothing") is None


def test_a_filed_file_is_the_same_with_and_without_notes() -> None:
    (with_notes,) = FileDescriptorSet.FromString(
        COMPILER.compile(Job({"b.proto": PLAIN}, has_source_info=True)).descriptors
    ).file
    without = FileDescriptorProto()
    without.CopyFrom(with_notes)
    without.ClearField("source_code_info")
    assert filed(with_notes).digest == filed(without).digest
    assert filed(with_notes).noted == with_notes
    assert filed(without).noted == filed(with_notes).descriptor == without
    assert filed(without).note_digest is None
    assert filed(without, text="x").note_digest != filed(with_notes).note_digest is not None
