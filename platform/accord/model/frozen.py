"""Classes of small immutable things that are made by the thousand."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, TypeVar, dataclass_transform

if TYPE_CHECKING:
    from collections.abc import Callable

C = TypeVar("C")
T = TypeVar("T")


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


class kept(Generic[T]):  # noqa: N801  # a decorator, spelled like `property`
    """A property of a lazily frozen class: worked out when first asked for, then an attribute like others.

    Before Python 3.12 `functools.cached_property` takes a lock for that, which costs more than most of the
    properties do. Two threads that ask at once may both work it out.
    """

    def __init__(self, make: Callable[[Any], T]) -> None:
        self._make = make
        self._name = make.__name__
        self.__doc__ = make.__doc__

    def __get__(self, instance: object, owner: type) -> T:
        """Work it out; what is in the instance's dictionary is found before this is called."""
        made = instance.__dict__[self._name] = self._make(instance)
        return made
