"""What other rooms do for a namespace that is being made, in the transaction that makes it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from accord_server.kit.scope import Scope

if TYPE_CHECKING:
    from collections.abc import Iterator

# Given the scope of the new namespace, and the name of the template it is to begin with.
Birth = Callable[[Scope, str], object]

_births: list[Birth] = []


def on_birth(act: Birth) -> None:
    """Say what is to be done for each namespace that asks for a template."""
    _births.append(act)


def births() -> Iterator[Birth]:
    """Return what is to be done."""
    return iter(_births)
