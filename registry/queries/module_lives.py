"""Reads of the life of versions of modules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from registry.models import ModuleStateChange
from registry.module_records import ModuleLife
from registry.queries.lives import way_of
from registry.queries.modules import get_module_version
from registry.queries.places import namespace_of

if TYPE_CHECKING:
    from accord_server.kit.scope import Scope


def module_life(scope: Scope, name: str, number: int) -> ModuleLife:
    """Return the state of a version of a module and how it came to it: three statements.

    Raises:
        ModuleNotFound, ModuleVersionNotFound: It is missing, or may not be read.
    """
    row = get_module_version(scope, name, number)
    changes = ModuleStateChange.objects.scoped(scope).filter(
        version__module__namespace=namespace_of(scope), version__module__name=name, version__number=number
    )
    return ModuleLife(name, number, row.life, *way_of(changes))
