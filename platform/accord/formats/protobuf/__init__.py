"""Protobuf: source text and descriptors, compiled by protoc in a process of its own."""
