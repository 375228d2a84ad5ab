"""What nodes have in common: a name, and where members have one, a number."""

from __future__ import annotations

from functools import cached_property
from typing import Protocol


class _Proto(Protocol):
    @property
    def name(self) -> str: ...


class _NumberedProto(_Proto, Protocol):
    @property
    def number(self) -> int: ...


class Named:
    """A node whose descriptor has a name."""

    proto: _Proto

    @cached_property
    def name(self) -> str:
        """The simple name."""
        return self.proto.name


class Numbered(Named):
    """A node whose descriptor has a number as well."""

    proto: _NumberedProto

    @cached_property
    def number(self) -> int:
        """The number."""
        return self.proto.number
