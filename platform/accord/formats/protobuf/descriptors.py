"""Descriptors: the one module that knows Google's Protobuf library.

It comes with the extra ``protobuf``; whoever imports this module without it gets an ImportError, so nothing
that the base package needs may import it at the top.
"""

from __future__ import annotations

from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    EnumValueDescriptorProto,
    FeatureSet,
    FieldDescriptorProto,
    FileDescriptorProto,
    FileDescriptorSet,
    MethodDescriptorProto,
    OneofDescriptorProto,
    ServiceDescriptorProto,
    SourceCodeInfo,
)
from google.protobuf.message import DecodeError, Message

__all__ = [
    "DecodeError",
    "DescriptorProto",
    "EnumDescriptorProto",
    "EnumValueDescriptorProto",
    "FeatureSet",
    "FieldDescriptorProto",
    "FileDescriptorProto",
    "FileDescriptorSet",
    "Message",
    "MethodDescriptorProto",
    "OneofDescriptorProto",
    "ServiceDescriptorProto",
    "SourceCodeInfo",
]
