"""From a schema text to a candidate: references found, text parsed, identities computed.

No lock is held and no transaction is open while this runs: parsing may take long.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

from accord.errors import InvalidReference, ReferenceNotFound
from accord.formats import identity as identities
from accord.formats.protobuf.schema import restored
from accord.model import NO_CONTRACT, Contract, Reference, SchemaText, SubjectName
from accord.naming import spell_subject, split_subject
from registry.queries.history import closure_of, reference_limit, reference_targets, stored_schemas
from registry.records import NOTHING, Referenced
from registry.services.compiled import compiled_before
from registry.services.heavy import turn_for
from registry.services.memory import MODELS, SharedReferences, keep_model, parse_shared
from tenants.access import require

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from uuid import UUID

    from accord.formats import ParsedSchema
    from accord.formats.fingerprints import Fingerprints
    from accord.model import ReferenceResolver
    from accord_server.kit.cache import Part
    from accord_server.kit.scope import Scope
    from registry.queries.history import Coordinates
    from registry.records import ReferenceTarget, StoredSchema
    from registry.services.compiled import CompiledSchema


@dataclass(frozen=True)
class Candidate:
    """A parsed schema text with what it refers to and carries; its identities are computed when asked for.

    ``stored_key`` names one that was read from the database. ``unsettled`` is the schema as it was sent
    where that is another one, since it was to be normalized. ``referenced`` is how much it refers to.
    ``printed`` are the fingerprints, made before anything is locked, of one that may be stored.
    """

    parsed: ParsedSchema
    targets: tuple[ReferenceTarget, ...]
    tenant: UUID
    stored_key: tuple[Any, ...] | None = None
    unsettled: ParsedSchema | None = None
    referenced: Referenced = NOTHING
    contract: Contract = NO_CONTRACT
    printed: Fingerprints | None = None

    @property
    def sent(self) -> ParsedSchema:
        """The schema as it was sent: normalizing takes the comments out of a Protobuf text."""
        return self.parsed if self.unsettled is None else self.unsettled

    def as_written(self, given: SchemaText | None) -> SchemaText:
        """Return the text that somebody sent, or where none was the canonical one."""
        if given is not None and given.text.strip():
            return given
        return SchemaText(self.parsed.format, self.parsed.canonical)

    @cached_property
    def digest(self) -> bytes:
        """The digest of the canonical text alone: one content."""
        return identities.digest(self.parsed.canonical)

    @cached_property
    def identity(self) -> bytes:
        """The digest of all that makes it the same schema: one id in a context."""
        references = [[one.name, one.subject, one.version] for one in self.parsed.references]
        parts = [self.parsed.format, self.parsed.canonical, references]
        if self.contract != NO_CONTRACT:
            parts.append(identities.contract_digest(self.contract).hex())
        return hashlib.sha256(json.dumps(parts).encode()).digest()

    @cached_property
    def equivalence(self) -> bytes:
        """The digest that equal meanings share, whatever their spelling."""
        return identities.digest(self.parsed.comparable())

    @property
    def guid(self) -> UUID:
        """Confluent's identity."""
        return identities.guid(self.parsed.canonical, self.parsed.references, self.contract)

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
class StoredModel:
    """A parsed stored text, and what it shares with others."""

    parsed: ParsedSchema
    parts: tuple[Part, ...] = ()

    def keep(self, key: tuple[Any, ...]) -> None:
        """Remember it under what names its meaning."""
        keep_model(key, self.parsed, self.parts)


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


class Surroundings(Protocol):
    """Where references lead: the versions that are there, and the texts behind some of them."""

    def targets(self, wanted: Iterable[Coordinates]) -> Mapping[Coordinates, ReferenceTarget]:
        """Return those that are there and may be read."""
        ...

    def behind(self, targets: Mapping[Coordinates, ReferenceTarget]) -> Mapping[Coordinates, StoredSchema]:
        """Return the texts of targets and of all that they refer to; raises `SchemaTooLarge`."""
        ...


@dataclass(frozen=True, slots=True)
class StoredSurroundings:
    """What the database holds."""

    scope: Scope

    def targets(self, wanted: Iterable[Coordinates]) -> Mapping[Coordinates, ReferenceTarget]:
        """Return those that are there and may be read: one statement."""
        return reference_targets(self.scope, wanted)

    def behind(self, targets: Mapping[Coordinates, ReferenceTarget]) -> Mapping[Coordinates, StoredSchema]:
        """Return the texts of targets and of all that they refer to: two statements."""
        return _texts_behind(self.scope, targets)


class BehindTargets:
    """A resolver that reads the texts behind the targets of a candidate when it is first asked."""

    def __init__(
        self, around: Surroundings, context: str, targets: Mapping[Coordinates, ReferenceTarget]
    ) -> None:
        self._around = around
        self._context = context
        self._targets = targets

    @property
    def characters(self) -> int:
        """How long all that is behind the targets is."""
        return sum(len(one.source.text) for one in self._stored.known.values())

    @cached_property
    def _stored(self) -> StoredReferences:
        return StoredReferences(self._context, self._around.behind(self._targets))

    def resolve(self, reference: Reference) -> SchemaText:
        """Return the referenced text.

        Raises:
            ReferenceNotFound: Nothing was read for it.
            SchemaTooLarge: Too many schemas are behind the targets.
        """
        return self._stored.resolve(reference)


def prepare(
    scope: Scope,
    subject: SubjectName,
    source: SchemaText,
    *,
    normalize: bool = False,
    strict: bool = True,
    around: Surroundings | None = None,
) -> Candidate:
    """Parse a text as a candidate for the subject: no statement without references, at most three with.

    References lead to what is stored, unless other surroundings are given.

    Raises:
        InvalidSchema, UnknownFormat, SchemaTooLarge, InvalidReference, ReferenceNotFound: As the
            library's parsers do, with the place.
        TooBusy: It is large, and so are others just now.
    """
    if not source.references:
        return _by_itself(scope, source, normalize=normalize, strict=strict)
    around = around or StoredSurroundings(scope)
    source, targets = _with_targets(around, subject, source)
    keys = {place: target.schema_key for place, target in targets.items()}
    resolver = BehindTargets(around, subject.context, targets)
    behind = shared(scope.tenant.id, source, resolver, context=subject.context, schema_keys=keys)
    compiled = compiled_before(scope, source)
    unread = 0 if compiled is not None or behind is None or behind.is_known else resolver.characters
    with turn_for(len(source.text) + unread):
        sent = _parsed(source, behind, compiled, strict=strict)
        parsed = sent.normalized() if normalize else sent
    size, parts = NOTHING if behind is None else behind.size, _parts(behind)
    if compiled is not None:
        size, parts = compiled.imported, compiled.parts
    candidate = Candidate(parsed, tuple(targets.values()), scope.tenant.id, unsettled=sent, referenced=size)
    keep_model(candidate.key, candidate.parsed, parts)
    return candidate


def _by_itself(scope: Scope, source: SchemaText, *, normalize: bool, strict: bool) -> Candidate:
    """Parse a text without references, or recall it: the same text is checked, then registered."""
    spelled = hashlib.sha256(source.text.encode("utf-8", "surrogatepass")).digest()
    key = (scope.tenant.id, "written", str(source.format), spelled, strict)
    sent = _remembered(
        key, source, lambda: _parsed(source, None, compiled_before(scope, source), strict=strict)
    )
    parsed = _remembered((*key, "normalized"), source, sent.normalized) if normalize else sent
    candidate = Candidate(parsed, (), scope.tenant.id, unsettled=sent)
    keep_model(candidate.key, candidate.parsed, ())
    return candidate


def _parsed(
    source: SchemaText, behind: SharedReferences | None, compiled: CompiledSchema | None, *, strict: bool
) -> ParsedSchema:
    """Parse a text, or put it together with what it was compiled to before."""
    if compiled is None:
        return parse_shared(source, behind, strict=strict)
    return restored(source, compiled.files, compiled.warnings)


def _remembered(key: tuple[Any, ...], source: SchemaText, make: Callable[[], ParsedSchema]) -> ParsedSchema:
    """Return what is remembered of a text, or make it, in turn if it is large."""
    known = MODELS.recall(key)
    if known is not None:
        return known
    with turn_for(len(source.text)):
        made = make()
    MODELS.keep(key, made, weight=len(source.text))
    return made


def model_of(tenant: UUID, stored: StoredSchema, known: Mapping[Coordinates, StoredSchema]) -> StoredModel:
    """Parse a stored text, which was checked when it was registered; ``known`` is all that is behind it."""
    keys = {place: one.schema_key for place, one in known.items()}
    resolver = StoredReferences(stored.context, known)
    behind = shared(tenant, stored.source, resolver, context=stored.context, schema_keys=keys)
    parsed = parse_shared(stored.source, behind, strict=False)
    return StoredModel(parsed, _parts(behind))


def restored_model(stored: StoredSchema, compiled: CompiledSchema) -> StoredModel:
    """Return a stored Protobuf text with what it was compiled to when it was registered."""
    return StoredModel(restored(stored.source, compiled.files, compiled.warnings), compiled.parts)


def _parts(behind: SharedReferences | None) -> tuple[Part, ...]:
    return () if behind is None else behind.parts


def shared(
    tenant: UUID,
    source: SchemaText,
    resolver: ReferenceResolver,
    *,
    context: str,
    schema_keys: Mapping[Coordinates, int],
) -> SharedReferences | None:
    """Return the way to what a text refers to, shared by the stored schemas that its references name.

    None without references. One that leads nowhere makes a key of its own; the resolver refuses it.
    """
    if not source.references:
        return None
    named = [(one.name, (meant_by(one, context), one.version)) for one in source.references]
    key = tuple((name, schema_keys.get(place)) for name, place in named)
    return SharedReferences((tenant, source.format, key), resolver)


def meant_by(reference: Reference, context: str) -> SubjectName:
    """Return the subject a reference names, seen from a context."""
    return split_subject(reference.subject, context=context)


def _anchored(reference: Reference, context: str) -> Reference:
    subject = meant_by(reference, context)
    return Reference(reference.name, f":{subject.context}:{subject.name}", reference.version)


def _with_targets(
    around: Surroundings, subject: SubjectName, source: SchemaText
) -> tuple[SchemaText, dict[Coordinates, ReferenceTarget]]:
    """Find what the references name: each gets its one spelling, and "the newest" becomes a number."""
    _check_count(source.references)
    wanted = {one: (meant_by(one, subject.context), one.version) for one in source.references}
    found = around.targets(wanted.values())
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
