"""The graph of references of a schema: every referenced text once, within bounds, never in a circle."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar, cast

from accord.errors import InvalidReference, ReferenceNotFound, SchemaTooLarge

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from accord.formats.limits import Limits
    from accord.formats.parsed import ReferenceMemory
    from accord.model import Reference, ReferenceResolver, SchemaText

T = TypeVar("T")


def referenced_texts(
    references: tuple[Reference, ...], *, resolver: ReferenceResolver | None, limits: Limits
) -> Iterator[tuple[str, SchemaText]]:
    """Yield the names and texts that references bring, depth first, the referenced before the referring.

    Where a name is referred to more than once, the last entry of the schema's own list wins, and
    further down the first one met. Raises `accord.errors.ReferenceNotFound` for a dangling reference,
    `InvalidReference` for an incomplete one or a circle, `SchemaTooLarge` beyond the limits.
    """
    return _Loader(resolver, limits).load(references, path=())


def remembered(memory: ReferenceMemory | None, load: Callable[[], T]) -> T:
    """Return what references bring: from the memory if that knows it, else loaded and kept there."""
    known = None if memory is None else memory.recall()
    if known is not None:
        return cast("T", known)
    loaded = load()
    if memory is not None:
        memory.keep(loaded)
    return loaded


class _Loader:
    """Walks the graph; its recursion is bounded by ``limits.reference_depth``."""

    def __init__(self, resolver: ReferenceResolver | None, limits: Limits) -> None:
        self.resolver = resolver
        self.limits = limits
        self.loaded: set[str] = set()
        self.bytes_left = limits.reference_bytes

    def load(
        self, references: tuple[Reference, ...], *, path: tuple[Reference, ...]
    ) -> Iterator[tuple[str, SchemaText]]:
        for reference in {one.name: one for one in references}.values():
            _check_complete(reference)
            _check_path(reference, path, self.limits)
            if reference.name not in self.loaded:
                yield from self._load_one(reference, path)

    def _load_one(
        self, reference: Reference, path: tuple[Reference, ...]
    ) -> Iterator[tuple[str, SchemaText]]:
        if self.resolver is None:
            raise ReferenceNotFound(subject=reference.subject, version=reference.version)
        source = self.resolver.resolve(reference)
        self._spend(len(source.text))
        yield from self.load(source.references, path=(*path, reference))
        self.loaded.add(reference.name)
        yield reference.name, source

    def _spend(self, size: int) -> None:
        self.bytes_left -= size
        if self.bytes_left < 0:
            limit = f"{self.limits.reference_bytes} characters"
            raise SchemaTooLarge(details=f"the referenced schemas have more than {limit} together")
        if len(self.loaded) >= self.limits.references:
            raise SchemaTooLarge(details=f"it refers to more than {self.limits.references} schemas")


def _check_complete(reference: Reference) -> None:
    if not reference.name or not reference.subject:
        what = "name" if not reference.name else "subject"
        raise InvalidReference(details=f"an entry has no {what}; give name, subject and version")


def _check_path(reference: Reference, path: tuple[Reference, ...], limits: Limits) -> None:
    where = (reference.subject, reference.version)
    if where in {(step.subject, step.version) for step in path}:
        raise InvalidReference(
            details=f"{reference.subject} version {reference.version} refers to itself in a circle;"
            " take one of the references out"
        )
    if len(path) >= limits.reference_depth:
        raise SchemaTooLarge(details=f"references follow each other more than {limits.reference_depth} deep")
