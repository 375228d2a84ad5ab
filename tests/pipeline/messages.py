"""Protobuf records framed by hand: Google's compiler and library, and nothing of ours."""

from __future__ import annotations

import struct
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import grpc_tools
from google.protobuf.descriptor_pb2 import FileDescriptorSet
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message_factory import GetMessageClass
from grpc_tools import protoc

from accord.model import Format, Reference, SchemaText

if TYPE_CHECKING:
    from google.protobuf.message import Message

BUILT_IN = Path(grpc_tools.__file__).parent / "_proto"
FIRST = b"\x00"
"""The message indexes of the first message of a file."""

V1 = """syntax = "proto3";
package shop;
message Order { int64 id = 1; int32 amount = 2; Customer customer = 3; string old = 4; }
message Customer { string name = 1; }
message Refund { int64 id = 1; }
"""
V2 = """syntax = "proto3";
package shop;
message Order { int64 id = 1; int32 amount = 2; Customer customer = 3; string old = 4;
  optional string note = 5; }
message Customer { string name = 1; }
"""
V3 = """syntax = "proto3";
package shop;
message Refund { int64 id = 1; }
message Customer { string name = 1; repeated string tags = 2; }
message Order {
  enum State { NEW = 0; PAID = 1; }
  message Line { string sku = 1; }
  reserved 4;
  int64 id = 1;
  int32 amount = 2;
  Customer customer = 3;
  optional string note = 5;
  State state = 6;
  repeated Line lines = 7;
}
"""
TEXTS = {1: V1, 2: V2, 3: V3}
ORDER_AT = {1: FIRST, 2: FIRST, 3: b"\x02\x04"}
"""The indexes of the order in each version, as bytes."""


def proto(text: str, *references: Reference) -> SchemaText:
    return SchemaText(Format.PROTOBUF, text, references)


def file_set(text: str, **imports: str) -> FileDescriptorSet:
    """A text and what it imports (by path, with ``_`` for ``/`` and without ``.proto``), compiled."""
    with tempfile.TemporaryDirectory() as folder:
        files = {f"{name.replace('_', '/')}.proto": one for name, one in imports.items()} | {
            "own.proto": text
        }
        for name, one in files.items():
            (Path(folder) / name).parent.mkdir(parents=True, exist_ok=True)
            (Path(folder) / name).write_text(one)
        out = Path(folder) / "set"
        words = ["protoc", f"-I{folder}", f"-I{BUILT_IN}", f"--descriptor_set_out={out}", "--include_imports"]
        assert protoc.main([*words, "own.proto"]) == 0
        return FileDescriptorSet.FromString(out.read_bytes())


def message(text: str, name: str, **imports: str) -> type[Message]:
    """The class of a message, by its full name."""
    pool = DescriptorPool()
    for file in file_set(text, **imports).file:
        pool.AddSerializedFile(file.SerializeToString())
    return GetMessageClass(pool.FindMessageTypeByName(name))


def framed(number: int, indexes: bytes, payload: Message | bytes) -> bytes:
    data = payload if isinstance(payload, bytes) else payload.SerializeToString()
    return b"\x00" + struct.pack(">I", number) + indexes + data


def order(version: int, **fields: Any) -> bytes:
    """A framed order of one of the three versions."""
    return framed(version, ORDER_AT[version], message(TEXTS[version], "shop.Order")(**fields))
