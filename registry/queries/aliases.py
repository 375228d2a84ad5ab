"""Aliases: the other names of subjects, each kept in the config record of the name itself.

An alias leads to one subject and no further, whatever that one's own config says. Where nothing else is
said, the subject is in the context of the alias.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.db.models.fields.json import KeyTextTransform

from accord.model import SubjectName
from accord.naming import split_subject
from registry.models import Config
from registry.queries.places import namespace_of
from registry.queries.visibility import may_see

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from accord_server.kit.scope import Scope

ALIAS: Final = "alias"


def alias_target(scope: Scope, name: SubjectName) -> SubjectName | None:
    """Return the subject that a name is an alias of: one statement. No right is asked for."""
    found = _written(scope).filter(context=name.context, name=name.name).first() if name.name else None
    return None if found is None else _target(name, found[-1])


def seen_aliases(scope: Scope) -> dict[SubjectName, tuple[SubjectName, ...]]:
    """Return the aliases of each subject, in order, as far as the caller may see them: one statement."""
    found: dict[SubjectName, tuple[SubjectName, ...]] = {}
    for context, name, written in _written(scope).exclude(name="").order_by("context", "name"):
        alias = SubjectName(name, context)
        target = _target(alias, written)
        if target is not None and may_see(scope, alias):
            found[target] = (*found.get(target, ()), alias)
    return found


def _written(scope: Scope) -> QuerySet[Config, tuple[str, str, str]]:
    rows = Config.objects.scoped(scope).filter(namespace=namespace_of(scope), record__has_key=ALIAS)
    return rows.values_list("context", "name", KeyTextTransform(ALIAS, "record"))


def _target(alias: SubjectName, written: str) -> SubjectName | None:
    """Return what an alias leads to; to itself, or to no subject at all, leads nowhere."""
    target = split_subject(written, context=alias.context)
    return target if target.name and target != alias else None
