"""The versions of a batch as candidates, before anything is locked: each distinct text is parsed once.

References lead to what is stored, and to versions that come before them in the same batch.
"""

from __future__ import annotations

import itertools
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from accord.errors import AccordError, Conflict, Invalid, NotFound
from accord.formats.fingerprints import fingerprints
from accord.model import Format, SchemaText
from registry.errors import EmptySchema, SubjectIsAlias
from registry.import_records import Refusal
from registry.queries.aliases import ALIAS
from registry.queries.history import (
    closure_of,
    reference_limit,
    reference_targets,
    require_few,
    stored_schemas,
)
from registry.queries.visibility import may_see
from registry.records import ReferenceTarget, StoredSchema
from registry.services.candidates import meant_by, prepare, read_ahead
from registry.services.compiling import LIGHT_CHARACTERS, without_turns
from registry.services.heavy import bytes_of
from registry.services.situation import require_format, require_subject
from tenants.services.quotas import require_size

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from accord.model import SubjectName
    from accord_server.kit.scope import Scope
    from registry.import_records import ImportedVersion
    from registry.queries.history import Coordinates
    from registry.records import ModeInForce, SettingsInForce
    from registry.services.candidates import Candidate

    Settings = Mapping[SubjectName, tuple[SettingsInForce, ModeInForce]]

# What one version of a batch may be refused for; anything else ends the batch.
REFUSALS: Final = (Conflict, Invalid, NotFound)
# Row keys that no stored row has, and that this process gives out once: they name what is not stored yet.
PROVISIONAL: Final = itertools.count(-1, -1)
# The schemas behind all references of a batch, in lists of as many as one schema may have.
MOST_LISTS: Final = 20
# Texts of one batch that are compiled at once: as many as the compiler has places unless told otherwise. One
# alone wins nothing by it.
AHEAD: Final = 2
FEW: Final = 2


@dataclass(frozen=True, slots=True)
class Prepared:
    """A version and its candidate; targets with a negative key are other versions of the batch."""

    given: ImportedVersion
    candidate: Candidate


class BatchSurroundings:
    """What the references of a batch lead to."""

    def __init__(self, scope: Scope, lines: Sequence[ImportedVersion]) -> None:
        self._scope = scope
        wanted = {place for line in lines for place in _references(line)}
        self._targets = dict(reference_targets(scope, wanted)) if wanted else {}
        self._texts = self._read() if self._targets else {}

    def _read(self) -> dict[Coordinates, StoredSchema]:
        keys = {target.schema_key for target in self._targets.values()}
        texts = stored_schemas(self._scope, keys)
        direct = {place: texts[target.schema_key] for place, target in self._targets.items()}
        return {**closure_of(self._scope, keys, limit=MOST_LISTS * reference_limit()), **direct}

    def offer(self, one: Prepared) -> None:
        """Let later versions refer to this one, unless a live one is stored in its place."""
        subject, number = place = one.given.key
        stored = self._targets.get(place)
        if (stored is not None and stored.is_live) or not may_see(self._scope, subject):
            return
        key, parsed = next(PROVISIONAL), one.candidate.parsed
        source = SchemaText(parsed.format, parsed.canonical, parsed.references)
        self._targets[place] = ReferenceTarget(key, subject, number, is_live=True, schema_key=key)
        self._texts[place] = StoredSchema(key, subject.context, source)

    def targets(self, wanted: Iterable[Coordinates]) -> Mapping[Coordinates, ReferenceTarget]:
        """Return those that are there and may be read."""
        return {place: self._targets[place] for place in wanted if place in self._targets}

    def behind(self, targets: Mapping[Coordinates, ReferenceTarget]) -> Mapping[Coordinates, StoredSchema]:
        """Return the texts of targets and of all that they refer to.

        Raises:
            SchemaTooLarge: There are too many.
        """
        direct = {place: self._texts[place] for place in targets}
        reached: dict[Coordinates, StoredSchema] = {}
        waiting = list(direct.values())
        while waiting:
            one = waiting.pop()
            for place in ((meant_by(ref, one.context), ref.version) for ref in one.source.references):
                if place not in reached and place in self._texts:
                    reached[place] = self._texts[place]
                    waiting.append(reached[place])
        require_few(len(reached), reference_limit())
        return {**reached, **direct}


def prepare_batch(
    scope: Scope, lines: Sequence[ImportedVersion], settings: Settings
) -> tuple[list[Prepared], list[Refusal]]:
    """Parse the versions of a batch in their order; what cannot be one is refused by itself.

    Raises:
        RightMissing, TooBusy, CompilerUnavailable: None of them can be taken, or not now.
        SchemaTooLarge: Too many schemas are behind all their references; send fewer at a time.
    """
    around = BatchSurroundings(scope, lines)
    _read_ahead(scope, lines)
    found: list[Prepared] = []
    refused: list[Refusal] = []
    for line in lines:
        try:
            one = Prepared(line, _candidate(scope, line, settings, around))
        except REFUSALS as error:
            refused.append(Refusal.of(line.key, error))
        else:
            around.offer(one)
            found.append(one)
    return found, refused


def _read_ahead(scope: Scope, lines: Sequence[ImportedVersion]) -> None:
    """Parse the Protobuf texts that refer to nothing, some at once: each waits for the compiler.

    What cannot be read ahead of the others is left, and refused in its turn. No statement is run here.
    """
    texts = {line.command.schema for line in lines if _waits(line)}

    def read(source: SchemaText) -> None:
        with suppress(AccordError), without_turns():
            read_ahead(scope.tenant.id, source)

    if len(texts) >= FEW:
        with ThreadPoolExecutor(AHEAD) as pool:
            list(pool.map(read, [one for one in texts if one is not None]))


def _waits(line: ImportedVersion) -> bool:
    """Tell whether a text is compiled by another process, and light enough to have no turn there."""
    source = line.command.schema
    if source is None or source.references or source.format is not Format.PROTOBUF:
        return False
    return len(source.text) <= LIGHT_CHARACTERS


def _candidate(
    scope: Scope, line: ImportedVersion, settings: Settings, around: BatchSurroundings
) -> Candidate:
    subject, source = line.command.subject, line.command.schema
    require_subject(subject)
    (in_force, _) = settings[subject]
    config = in_force.config
    if config.origin == "subject" and config.record.get(ALIAS):
        raise SubjectIsAlias(subject.qualified)
    if source is None or not source.text.strip():
        raise EmptySchema
    require_size(scope, bytes_of(source))
    made = prepare(scope, subject, source, normalize=config.normalizes, strict=False, around=around)
    require_format(scope, made.parsed.format)
    return replace(made, contract=line.command.contract, printed=fingerprints(made.parsed))


def _references(line: ImportedVersion) -> list[Coordinates]:
    subject, source = line.command.subject, line.command.schema
    references = () if source is None else source.references
    return [(meant_by(one, subject.context), one.version) for one in references]
