"""What nodes have in common: a name, and where members have one, a number."""

from __future__ import annotations

from typing import Protocol

from accord.model.frozen import kept


class _Proto(Protocol):
    @property
    def name(self) -> str: ...


class _NumberedProto(_Proto, Protocol):
    @property
    def number(self) -> int: ...


class Named:
    """A node whose descriptor has a name."""

    proto: _Proto

    @kept
    def name(self) -> str:
        """The simple name."""
        return self.proto.name


class Numbered(Named):
    """A node whose descriptor has a number as well."""

    proto: _NumberedProto

    @kept
    def number(self) -> int:
        """The number."""
        return self.proto.number
