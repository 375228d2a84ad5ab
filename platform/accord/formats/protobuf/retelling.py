"""Remarks on a text that was made of a descriptor: its sender knows elements, and no lines."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Final

from accord.formats.protobuf.diagnostics import Diagnostic
from accord.formats.protobuf.source import Extend, Group, Oneof

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias

    from accord.formats.protobuf.source import (
        Enum,
        EnumValue,
        Field,
        Message,
        Rpc,
        Service,
        SourceFile,
    )

    Node: TypeAlias = Message | Enum | Extend | Service | Field | Oneof | Group | EnumValue | Rpc

# What holds elements, by the names of the lists. A block of extensions goes by the name of the first one.
HOLDERS: Final = (
    "messages",
    "enums",
    "extends",
    "services",
    "fields",
    "oneofs",
    "groups",
    "values",
    "rpcs",
)


class Retold:
    """A canonical text whose remarks are told of its elements, each of which begins a line there."""

    def __init__(self, file: SourceFile) -> None:
        scope = f"{file.package}." if file.package else ""
        named = sorted(_elements(file, scope))
        self._lines = [line for line, _ in named]
        self._names = [name for _, name in named]

    def remark(self, one: Diagnostic) -> Diagnostic:
        """Return a remark on the text as one on the element where it stands, on none before the first."""
        at = bisect_right(self._lines, one.line)
        message = f"{self._names[at - 1]}: {one.message}" if at else one.message
        return Diagnostic("", 0, 0, message, is_warning=one.is_warning)


def _elements(node: object, scope: str) -> Iterator[tuple[int, str]]:
    for holder in HOLDERS:
        held: tuple[Node, ...] = getattr(node, holder, ())
        for one in held:
            own = _name_of_first(one) if isinstance(one, Extend) else one.name
            yield one.position.line, f"{scope}{own}"
            body = one.message if isinstance(one, Group) else one
            yield from _elements(body, scope if isinstance(one, Oneof | Extend) else f"{scope}{own}.")


def _name_of_first(block: Extend) -> str:
    return next(one.name for body in (block.fields, block.groups) for one in body)
