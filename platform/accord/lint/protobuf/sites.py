"""Hits at the parts of Protobuf declarations."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from accord.formats.protobuf.fields import Field
from accord.formats.protobuf.kinds import Kind
from accord.formats.protobuf.places import Place
from accord.lint.hits import Hit

if TYPE_CHECKING:
    from accord.formats.protobuf.model import Enum, File, Message, Method, Oneof, Service, Steps, Value

    Declaration: TypeAlias = Message | Enum | Service | Field | Oneof | Value | Method

NAME: Steps = (1,)
PACKAGE: Steps = (2,)
FILE_OPTIONS = 8


def file_of(node: Declaration) -> File:
    """Return the file that a declaration stands in."""
    holder: object = node
    for name in ("enum", "message", "service"):
        holder = getattr(holder, name, None) or holder
    found: File = getattr(node, "file", None) or holder.file  # type: ignore[attr-defined]  # all holders have one
    return found


def inside(node: Declaration, steps: Steps, part: str, message: str) -> Hit:
    """Return a hit at a part of a declaration."""
    return Hit(message, (*node.at, part), Place(file_of(node), (*node.steps, *steps)))


def named(node: Declaration, message: str) -> Hit:
    """Return a hit at the name of a declaration; the comments of a group are those of its message."""
    group = node.type if isinstance(node, Field) and Kind(node.proto.type) is Kind.GROUP else None
    hit = inside(node, NAME, "name", message)
    return hit if group is None else hit._replace(also=Place(group.file, group.steps))


def whole(node: Declaration, message: str) -> Hit:
    """Return a hit at a declaration."""
    return Hit(message, node.at, Place(file_of(node), node.steps))


def on_package(file: File, message: str) -> Hit:
    """Return a hit at the package statement of a file; without one it has no line."""
    return Hit(message, (*file.at, "package"), Place(file, PACKAGE if file.package else ()))


def on_file(file: File, message: str) -> Hit:
    """Return a hit about a file, which has no line."""
    return Hit(message, file.at, Place(file, ()))
