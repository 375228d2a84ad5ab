"""Subject names: a name inside a context."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

DEFAULT_CONTEXT: Final = "."


@dataclass(frozen=True, slots=True, order=True)
class SubjectName:
    """A subject inside a context of one namespace.

    ``name`` may be empty, then the value stands for the context itself (config and mode only).
    """

    name: str
    context: str = DEFAULT_CONTEXT

    @property
    def qualified(self) -> str:
        """The name as answers show it: bare in the default context, ``:.ctx:name`` elsewhere."""
        return self.name if self.context == DEFAULT_CONTEXT else f":{self.context}:{self.name}"

    def __str__(self) -> str:
        return self.qualified
