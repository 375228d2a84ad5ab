"""Subjects of many tenants at once, as registrations would leave them: to try an installation out at size.

Each text is parsed once for all tenants; what is left for a tenant are rows, some statements a table.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Final
from uuid import UUID

from django.utils import timezone

from accord.discovery.likeness import bands, ways_of
from accord.discovery.listings import listing_of
from accord.discovery.words import words_of
from accord.formats.fingerprints import fingerprints
from accord.formats.listing import Listed, RowKind
from accord.formats.protobuf import service
from accord.model import DEFAULT_CONTEXT, SchemaText
from accord_server.kit.scope import NamespaceRef
from registry.models import Counter, FieldBand, FieldEntry, FieldSource, Schema, Subject, Version
from registry.queries.field_words import keys_of
from registry.queries.locks import contents_for
from registry.records import DEFAULT_LEVEL
from registry.services.bulk_texts import families
from registry.services.candidates import Candidate
from registry.services.filing import set_of, store_sets
from registry.services.indexing import EDITION, LATEST, entry_row
from registry.services.memory import parse_shared
from registry.services.storing import Stored, content_row, schema_row

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator, Sequence

    from accord_server.kit.scope import Scope

# A text that is parsed is no tenant's.
NOBODY: Final = UUID(int=0)
MADE_BY: Final = "operator:seed"
TEAMS: Final = ("sales", "finance", "stock", "web", "mobile", "support", "risk", "crm")
ROWS_AT_ONCE: Final = 2_000


@dataclass(frozen=True, slots=True)
class _Text:
    """A text made ready: what is stored of it, and what is found in it."""

    candidate: Candidate
    rows: tuple[Listed, ...]


@dataclass(frozen=True, slots=True)
class _Line:
    """A family made ready."""

    name: str
    texts: tuple[_Text, ...]


@dataclass(frozen=True, slots=True)
class _Plan:
    """A subject that is to be, and the texts of its versions."""

    namespace: UUID
    name: str
    texts: tuple[_Text, ...]

    def listed(self) -> Iterator[Listed]:
        """Yield what is found under it: the subject first, as the search has it."""
        latest = self.texts[-1]
        yield Listed(RowKind.SUBJECT, self.name, self.name, str(latest.candidate.parsed.format).lower())
        yield from latest.rows


@cache
def _lines() -> tuple[_Line, ...]:
    """Return every family made ready; whoever asks first waits for it, and for a compiler of its own."""
    before, own = service.compiler(), service.OwnCompiler()
    service.use(own)
    try:
        return tuple(_Line(one.name, tuple(map(_made_ready, one.texts))) for one in families())
    finally:
        service.use(before)
        own.close()


def _made_ready(text: SchemaText) -> _Text:
    parsed = parse_shared(text, None, strict=True)
    rows = listing_of(SchemaText(parsed.format, parsed.canonical)).rows
    return _Text(Candidate(parsed, (), NOBODY, printed=fingerprints(parsed)), tuple(rows))


def seed_bulk(scope: Scope, namespaces: Sequence[UUID], subjects: int, chance: random.Random) -> None:
    """Give each namespace of a new tenant so many subjects, in the caller's transaction."""
    plans = list(_planned(namespaces, subjects, chance))
    schemas = _schemas(scope, namespaces, plans)
    rows = Subject.objects.scoped(scope).bulk_create(
        Subject(tenant_id=scope.tenant.id, namespace_id=one.namespace, name=one.name) for one in plans
    )
    keys = [row.pk for row in rows]
    versions = Version.objects.scoped(scope).bulk_create(
        Version(
            tenant_id=scope.tenant.id,
            subject_id=key,
            number=at,
            schema_id=schemas[plan.namespace, text.candidate.identity],
            created_by=MADE_BY,
        )
        for plan, key in zip(plans, keys, strict=True)
        for at, text in enumerate(plan.texts, start=1)
    )
    older: defaultdict[int, list[int]] = defaultdict(list)
    for version in reversed(versions):
        older[version.subject_id].append(version.pk)
    _fields(scope, plans, {key: older[key][1:] for key in keys}, schemas)


def _planned(namespaces: Sequence[UUID], subjects: int, chance: random.Random) -> Iterator[_Plan]:
    every = [(team, line) for team in TEAMS for line in _lines()]
    for namespace in namespaces:
        for at in range(subjects):
            # More subjects than names: the later ones are numbered.
            team, line = every[at] if at >= len(every) else chance.choice(every)
            name = f"{team}.{line.name}-{at}-value"
            yield _Plan(namespace, name, line.texts[: chance.randint(1, len(line.texts))])


def _schemas(
    scope: Scope, namespaces: Sequence[UUID], plans: Sequence[_Plan]
) -> dict[tuple[UUID, bytes], int]:
    """Store what the subjects point to; return the keys by namespace and identity."""
    used = {
        (plan.namespace, text.candidate.identity): text.candidate for plan in plans for text in plan.texts
    }
    stored = _contents(scope, {one.identity: one for one in used.values()})
    last = dict.fromkeys(namespaces, 0)
    rows = []
    for (namespace, identity), candidate in used.items():
        last[namespace] += 1
        there = replace(scope, namespace=NamespaceRef(namespace, ""))
        made_of = stored[identity]
        rows.append(schema_row(there, candidate, made_of, context=DEFAULT_CONTEXT, number=last[namespace]))
    Counter.objects.scoped(scope).bulk_create(
        Counter(tenant_id=scope.tenant.id, namespace_id=namespace, last=most)
        for namespace, most in last.items()
    )
    made = Schema.objects.scoped(scope).bulk_create(rows)
    return {place: row.pk for place, row in zip(used, made, strict=True)}


def _contents(scope: Scope, wanted: dict[bytes, Candidate]) -> dict[bytes, Stored]:
    keys = contents_for(scope, [content_row(one) for one in wanted.values()])
    compiled = {
        identity: made for identity, one in wanted.items() if (made := set_of(one.parsed)) is not None
    }
    sets = dict(zip(compiled, store_sets(scope, list(compiled.values())), strict=True))
    return {
        identity: Stored(keys[row.format, row.digest], None, sets.get(identity))
        for identity, one in wanted.items()
        for row in (content_row(one),)
    }


def _fields(
    scope: Scope,
    plans: Sequence[_Plan],
    older: dict[int, list[int]],
    schemas: dict[tuple[UUID, bytes], int],
) -> None:
    """List the fields of the latest versions, as the job does that hears of registrations."""
    now = timezone.now()
    sources = FieldSource.objects.scoped(scope).bulk_create(
        FieldSource(
            tenant_id=scope.tenant.id,
            namespace_id=plan.namespace,
            subject_id=key,
            schema_key=schemas[plan.namespace, plan.texts[-1].candidate.identity],
            number=len(plan.texts),
            format=plan.texts[-1].candidate.parsed.format,
            updated_at=now,
            is_deleted=False,
            is_cut=False,
            owner="",
            edition=EDITION,
            level=DEFAULT_LEVEL,
            older=before,
        )
        for plan, (key, before) in zip(plans, older.items(), strict=True)
    )
    listed = [
        (source.pk, position, row)
        for source, plan in zip(sources, plans, strict=True)
        for position, row in enumerate(plan.listed())
    ]
    FieldBand.objects.scoped(scope).bulk_create(
        FieldBand(tenant_id=scope.tenant.id, source=source, value=one)
        for source, plan in zip(sources, plans, strict=True)
        for one in sorted(set(bands(ways_of(plan.listed()))))
    )
    words = keys_of(scope, {word for _, _, row in listed for word in words_of(row)})
    FieldEntry.objects.scoped(scope).bulk_create(
        (entry_row(scope, source, position, row, LATEST, words) for source, position, row in listed),
        batch_size=ROWS_AT_ONCE,
    )
