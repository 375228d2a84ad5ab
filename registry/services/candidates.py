"""From a schema text to a candidate: references found, text parsed, identities computed.

No lock is held and no transaction is open while this runs: parsing may take long.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from accord.errors import InvalidReference, ReferenceNotFound
from accord.formats import identity as identities
from accord.formats import parse
from accord.model import Reference, SchemaText, SubjectName
from accord.naming import spell_subject, split_subject
from registry.queries.history import closure_of, reference_limit, reference_targets, stored_schemas
from registry.services.memory import MODELS
from tenants.access import require

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from uuid import UUID

    from accord.formats import ParsedSchema
    from accord_server.kit.scope import Scope
    from registry.queries.history import Coordinates
    from registry.records import ReferenceTarget, StoredSchema


@dataclass(frozen=True)
class Candidate:
    """A parsed schema text with what it refers to; its identities are computed when asked for."""

    parsed: ParsedSchema
    targets: tuple[ReferenceTarget, ...]
    tenant: UUID
    stored_key: tuple[Any, ...] | None = None

    @cached_property
    def digest(self) -> bytes:
        """The digest of the canonical text alone: one content."""
        return identities.digest(self.parsed.canonical)

    @cached_property
    def identity(self) -> bytes:
        """The digest of all that makes it the same schema: one id in a context."""
        references = [[one.name, one.subject, one.version] for one in self.parsed.references]
        parts = [self.parsed.format, self.parsed.canonical, references]
        return hashlib.sha256(json.dumps(parts).encode()).digest()

    @cached_property
    def equivalence(self) -> bytes:
        """The digest that equal meanings share, whatever their spelling."""
        return identities.digest(self.parsed.comparable())

    @property
    def guid(self) -> UUID:
        """Confluent's identity."""
        return identities.guid(self.parsed.canonical, self.parsed.references)

    @property
    def key(self) -> tuple[Any, ...]:
        """What names the meaning of this text in the memory of a process."""
        if self.stored_key is not None:
            return (self.tenant, *self.stored_key)
        targets = tuple(target.version_key for target in self.targets)
        return (self.tenant, str(self.parsed.format), self.digest, targets)

    def require_live_targets(self) -> None:
        """Refuse references that only existing schemas may keep.

        Raises:
            ReferenceNotFound: A referenced version is soft-deleted.
        """
        for target in self.targets:
            if not target.is_live:
                raise ReferenceNotFound(target.subject.qualified, target.number)

    def require_usable_targets(self, scope: Scope) -> None:
        """Refuse references that the caller may not make; a check makes none.

        Raises:
            RightMissing: A referenced subject may be read, but not used in references.
        """
        for target in self.targets:
            require(scope, "reference.use", target.subject)


@dataclass(frozen=True, slots=True)
class StoredReferences:
    """The resolver of the library's parsers, over what was read from the database before.

    Bare subjects are meant in ``context``. Texts are handed out with qualified references, so that
    those of a schema from another context are found there.
    """

    context: str
    known: Mapping[Coordinates, StoredSchema]

    def resolve(self, reference: Reference) -> SchemaText:
        """Return the referenced text.

        Raises:
            ReferenceNotFound: Nothing was read for it.
        """
        found = self.known.get((meant_by(reference, self.context), reference.version))
        if found is None:
            raise ReferenceNotFound(reference.subject, reference.version)
        source = found.source
        references = tuple(_anchored(one, found.context) for one in source.references)
        return SchemaText(source.format, source.text, references)


def prepare(
    scope: Scope, subject: SubjectName, source: SchemaText, *, normalize: bool = False, strict: bool = True
) -> Candidate:
    """Parse a text as a candidate for the subject: no statement without references, three with.

    Raises:
        InvalidSchema, UnknownFormat, SchemaTooLarge, InvalidReference, ReferenceNotFound: As the
            library's parsers do, with the place.
    """
    source, targets = _with_targets(scope, subject, source)
    resolver = StoredReferences(subject.context, _texts_behind(scope, targets))
    parsed = parse(source, resolver, strict=strict)
    candidate = Candidate(
        parsed.normalized() if normalize else parsed, tuple(targets.values()), scope.tenant.id
    )
    MODELS.keep(candidate.key, candidate.parsed, weight=len(source.text))
    return candidate


def parse_stored(stored: StoredSchema, known: Mapping[Coordinates, StoredSchema]) -> ParsedSchema:
    """Parse a stored text, which was checked when it was registered."""
    return parse(stored.source, StoredReferences(stored.context, known), strict=False)


def meant_by(reference: Reference, context: str) -> SubjectName:
    """Return the subject a reference names, seen from a context."""
    return split_subject(reference.subject, context=context)


def _anchored(reference: Reference, context: str) -> Reference:
    subject = meant_by(reference, context)
    return Reference(reference.name, f":{subject.context}:{subject.name}", reference.version)


def _with_targets(
    scope: Scope, subject: SubjectName, source: SchemaText
) -> tuple[SchemaText, dict[Coordinates, ReferenceTarget]]:
    """Find what the references name: each gets its one spelling, and "the newest" becomes a number."""
    if not source.references:
        return source, {}
    _check_count(source.references)
    wanted = {one: (meant_by(one, subject.context), one.version) for one in source.references}
    found = reference_targets(scope, wanted.values())
    for one, coordinates in wanted.items():
        if coordinates not in found:
            raise ReferenceNotFound(one.subject, one.version)
    references = tuple(_settled(one, found[wanted[one]], subject.context) for one in source.references)
    targets = {(found[wanted[one]].subject, found[wanted[one]].number): found[wanted[one]] for one in wanted}
    return SchemaText(source.format, source.text, references), targets


def _settled(reference: Reference, target: ReferenceTarget, context: str) -> Reference:
    """Return a reference in the spelling that all references to its target from the context share."""
    return Reference(reference.name, spell_subject(target.subject, context=context), target.number)


def _texts_behind(
    scope: Scope, targets: Mapping[Coordinates, ReferenceTarget]
) -> Mapping[Coordinates, StoredSchema]:
    if not targets:
        return {}
    keys = {target.schema_key for target in targets.values()}
    texts = stored_schemas(scope, keys)
    direct = {place: texts[target.schema_key] for place, target in targets.items()}
    return {**closure_of(scope, keys, limit=reference_limit()), **direct}


def _check_count(references: Iterable[Reference]) -> None:
    count = sum(1 for _ in references)
    if count > reference_limit():
        raise InvalidReference(f"{count} references are given, {reference_limit()} are allowed")
