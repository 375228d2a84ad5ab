"""Which subjects a principal may see or touch, as SQL and as a check.

What may not be seen looks missing: the filters go into the query, so that a hidden row takes the same
path as one that is not there.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from django.db.models import BooleanField, F, Func, Q

from accord.model import DEFAULT_CONTEXT, SubjectName
from accord_server.kit.scope import TOPIC_SUFFIXES, SelectorKind
from registry.errors import SubjectNotFound
from registry.queries.places import namespace_of
from tenants.access import require, require_somewhere
from tenants.queries import namespaces_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from django.db.backends.base.base import BaseDatabaseWrapper
    from django.db.models.sql.compiler import SQLCompiler

    from accord_server.kit.scope import Scope, SubjectSelector

READ = ("subject.read",)
LISTED = ("subject.list", "subject.read")
BY_ID = ("schema.read", "subject.read")

# Whether a subject is among those covered. No context holds a colon, so a context and a name in one text
# are never mistaken for another two; arrays are looked up by hash, however long they are.
COVERED: Final = """
({name} IS NOT NULL AND (
    {everything}::bool
    OR {context} = ANY({contexts}::text[])
    OR {context} || ':' || {name} = ANY({subjects}::text[])
    OR EXISTS (
        SELECT FROM unnest({lengths}::int[]) AS length
        WHERE left({context} || ':' || {name}, length) = ANY({beginnings}::text[])
    )
))
"""


COVER: Final = ("everything", "contexts", "subjects", "lengths", "beginnings")
# The covers of several namespaces, to join with.
COVERS: Final = """jsonb_to_recordset(%(covers)s::jsonb) AS cover(
    namespace uuid, everything bool, contexts text[], subjects text[], lengths int[], beginnings text[]
)"""


def covered_by_column(table: str) -> str:
    """Return the same for covers that are rows; ``table`` is their alias and a dot."""
    values = {name: f"{table}{name}" for name in COVER}
    return COVERED.format(context="subject.context", name="subject.name", **values)


def covered(by: str = "") -> str:
    """Return the condition that a cover takes in ``subject``; its parameters' names begin with ``by``."""
    values = {name: f"%({by}{name})s" for name in COVER}
    return COVERED.format(context="subject.context", name="subject.name", **values)


COVERED_SUBJECT: Final = covered()


@dataclass(frozen=True, slots=True)
class Cover:
    """The subjects on which a right is held, as data of a statement and not as a part of its text.

    ``subjects`` and ``beginnings`` (of the ``lengths``) begin with their context and a colon.
    """

    everything: bool
    contexts: tuple[str, ...]
    subjects: tuple[str, ...]
    lengths: tuple[int, ...]
    beginnings: tuple[str, ...]

    def parameters(self) -> dict[str, Any]:
        """Return the values of `COVERED` by name."""
        return {
            "everything": self.everything,
            "contexts": list(self.contexts),
            "subjects": list(self.subjects),
            "lengths": list(self.lengths),
            "beginnings": list(self.beginnings),
        }


def cover_of(scope: Scope, rights: tuple[str, ...]) -> Cover:
    """Return the subjects on which the principal holds one of the rights."""
    selectors = dict.fromkeys(one for right in rights for one in scope.selectors(right))
    of = {kind: [one for one in selectors if one.kind is kind] for kind in SelectorKind}
    beginnings = _distinct(_placed(one, one.value) for one in of[SelectorKind.PREFIX])
    return Cover(
        everything=any(one.context is None for one in of[SelectorKind.ALL]),
        contexts=_distinct(one.context for one in of[SelectorKind.ALL] if one.context is not None),
        subjects=_distinct(_literals(of[SelectorKind.LITERAL] + of[SelectorKind.TOPIC])),
        lengths=tuple(sorted({len(one) for one in beginnings})),
        beginnings=beginnings,
    )


def covers_of(scope: Scope, rights: tuple[str, ...]) -> list[dict[str, Any]]:
    """Return what the caller holds one of the rights on, namespace by namespace: those with anything."""
    inside = [replace(scope, namespace=one.ref) for one in namespaces_of(scope)]
    return [
        {"namespace": str(namespace_of(one)), **cover_of(one, rights).parameters()}
        for one in inside
        if any(one.selectors(right) for right in rights)
    ]


def visible(scope: Scope, rights: tuple[str, ...], *, prefix: str = "") -> Q:
    """Return the filter of the subjects on which the principal holds one of the rights.

    ``prefix`` is the path from the filtered model to the subject, such as ``subject__``.
    """
    return Q(_Covered(F(f"{prefix}context"), F(f"{prefix}name"), cover=cover_of(scope, rights)))


def may_see(scope: Scope, subject: SubjectName) -> bool:
    """Tell whether the subject may be seen to exist."""
    return scope.may("subject.read", subject)


def may_read_text(scope: Scope, subject: SubjectName) -> bool:
    """Tell whether the texts of a subject may be read, by version or by id."""
    return any(scope.may(right, subject) for right in BY_ID)


def admit(scope: Scope, subject: SubjectName, right: str) -> None:
    """Refuse unless the right is held on the subject; one that may not be seen looks missing.

    Raises:
        SubjectNotFound: The subject may not even be read.
        RightMissing: It may be read, and the right is missing.
    """
    if not scope.may(right, subject) and not may_see(scope, subject):
        raise SubjectNotFound(subject.qualified)
    require(scope, right, subject)


def admit_settings(scope: Scope, subject: SubjectName, right: str) -> None:
    """Refuse unless the right is held on what a config or mode record governs.

    An empty name stands for a whole context, the default one being the namespace itself. Reading those
    is open to whoever may read the settings of any subject: they are in force there.

    Raises:
        RightMissing: Naming the right; subjects need not exist, so nothing is given away.
    """
    if subject.name:
        require(scope, right, subject)
    elif right.endswith(".read"):
        require_somewhere(scope, right)
    elif subject.context == DEFAULT_CONTEXT or not scope.may(right, subject):
        require(scope, right)


def may_read_settings(scope: Scope, subject: SubjectName, right: str) -> bool:
    """Tell whether `admit_settings` lets the caller read what is stored there."""
    return scope.may(right, subject) if subject.name else bool(scope.selectors(right))


class _Covered(Func):
    """`COVERED` for the query builder; its two expressions are the columns."""

    output_field = BooleanField()

    def as_sql(  # type: ignore[override]  # nothing of Func's template is used
        self,
        compiler: SQLCompiler,
        connection: BaseDatabaseWrapper,  # noqa: ARG002  # the signature is Django's
    ) -> tuple[str, list[Any]]:
        """Write the condition with the columns' names."""
        (context, _), (name, _) = (compiler.compile(column) for column in self.get_source_expressions())
        values: dict[str, Any] = self.extra["cover"].parameters()
        return COVERED.format(context=context, name=name, **dict.fromkeys(values, "%s")), [*values.values()]


def _literals(selectors: Iterable[SubjectSelector]) -> Iterator[str]:
    for one in selectors:
        suffixes = TOPIC_SUFFIXES if one.kind is SelectorKind.TOPIC else ("",)
        yield from (_placed(one, one.value + suffix) for suffix in suffixes)


def _placed(selector: SubjectSelector, name: str) -> str:
    return f"{selector.context}:{name}"


def _distinct(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(texts))
