"""Classes of small immutable things that are made by the thousand."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeVar, dataclass_transform

C = TypeVar("C")


@dataclass_transform(eq_default=False, frozen_default=True, field_specifiers=(field,))
def frozen(class_: type[C]) -> type[C]:
    """Make a data class with slots, compared by identity, that is frozen for the type checker alone.

    The frozen classes of the standard library also look at run time, which makes one of them three
    times as expensive to create.
    """
    return dataclass(slots=True, eq=False)(class_)


@dataclass_transform(eq_default=False, frozen_default=True, field_specifiers=(field,))
def lazily_frozen(class_: type[C]) -> type[C]:
    """Make such a class without slots, so that it may have cached properties: worked out when asked for."""
    return dataclass(eq=False)(class_)
