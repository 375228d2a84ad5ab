"""One change under every preset: who accepts it, who refuses it, and why. Nothing is stored."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from accord.errors import InvalidPolicy, SchemaTooLarge
from accord.model import SchemaText
from accord.model.levels import CONFLUENT_LEVELS
from accord.policy import STEPS_PER_CHECK, Budget, HistoryEntry
from accord.policy.documents import preset_named
from accord.policy.documents.presets import preset_names
from accord.policy.explanation import Texts
from accord.policy.preset_matrix import preset_matrix
from accord.rules.presets import presets_of
from accord_server.kit.configuration import configured
from accord_server.kit.settings_table import INLINE_CHECK_BYTES
from registry.errors import SubjectNotFound, VersionNotFound
from registry.queries.history import stored_schemas
from registry.queries.visibility import admit
from registry.records import LATEST
from registry.services.burden import weighed
from registry.services.compatibility import asked_level, candidate_for
from registry.services.heavy import HEAVY, LIGHT_STEPS, heavy_turn, length_of, turn_for
from registry.services.judging import STEPS_PER_PAIR, Models
from registry.services.memory import length_in_bytes
from registry.services.situation import situation_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from accord.formats import ParsedSchema
    from accord.model import Format, Level, SubjectName
    from accord.policy.preset_matrix import PresetMatrix
    from accord_server.kit.scope import Scope
    from registry.records import CheckCandidate, HistoryRow
    from registry.services.situation import Situation

# All presets together; one takes no more than a pair of a check.
STEPS_PER_MATRIX: Final = 2 * STEPS_PER_CHECK
USUAL: Final = CONFLUENT_LEVELS["BACKWARD"]


def candidate_matrix(
    scope: Scope, command: CheckCandidate, presets: Sequence[str] = ()
) -> tuple[int, PresetMatrix]:
    """Judge a candidate against one version, the latest unless ``command.against`` names another.

    Returns the version's number besides. The level in force counts unless the command names one, or
    BACKWARD where that compares nothing.

    Raises:
        RightMissing, SubjectNotFound: ``compat.check`` is missing, or there is nothing to compare with.
        VersionNotFound: There is no such live version.
        EmptySchema, InvalidSchema and what else parsing raises: The schema is wrong.
        LevelInvalid, InvalidPolicy: A level or preset is asked for that does not exist.
        SchemaTooLarge: Both together are more than a request judges.
        TooBusy: This takes long, and so do others just now.
    """
    subject = command.subject
    admit(scope, subject, "compat.check")
    asked = _asked(presets)
    with turn_for(length_of(command.schema)):
        now = situation_of(scope, subject)
        row = _one(now, command.against or LATEST, deleted=False)
        parsed = candidate_for(scope, command, now).parsed
    _require_light(parsed.format, length_in_bytes(parsed.canonical) + row.text_bytes)
    source = command.schema or SchemaText(parsed.format, parsed.canonical)
    quoted = [row] if scope.may("subject.read", subject) else []
    texts = Texts(source.format, source.text, _texts(scope, quoted, parsed))
    level = _level(scope, now, parsed, command.level)
    return row.number, _judged(scope, row, parsed, texts, level=level, presets=asked)


def version_matrix(
    scope: Scope,
    subject: SubjectName,
    sides: tuple[int | str | None, int | str],
    *,
    level: str | None = None,
    texts: Texts | None = None,
    presets: Sequence[str] = (),
) -> tuple[int, int, PresetMatrix]:
    """Judge a stored version as if it came after another, by default the one before it.

    The first one comes after itself. Returns both numbers besides; ``sides`` are the older and the newer.
    ``texts`` are both texts as somebody reads them; places are found in the stored ones by default. Raises
    as `candidate_matrix`.
    """
    admit(scope, subject, "subject.read")
    asked = _asked(presets)
    now = situation_of(scope, subject)
    newer = _one(now, sides[1])
    older = _before(now.rows, newer) if sides[0] is None else _one(now, sides[0])
    with turn_for(newer.text_bytes):
        parsed = Models(scope, (newer,)).of(newer)
    _require_light(parsed.format, older.text_bytes + newer.text_bytes)
    if texts is None:
        known = _texts(scope, [older, newer], parsed)
        texts = Texts(parsed.format, known[newer.number], known)
    found = _judged(scope, older, parsed, texts, level=_level(scope, now, parsed, level), presets=asked)
    return older.number, newer.number, found


def _judged(
    scope: Scope,
    row: HistoryRow,
    candidate: ParsedSchema,
    texts: Texts,
    *,
    level: Level,
    presets: Sequence[str],
) -> PresetMatrix:
    count = len(presets) or len(presets_of(candidate.format))
    with turn_for(count * (row.text_bytes + len(texts.new))):
        older = HistoryEntry(row.number, Models(scope, (row,)).of(row))
        judge = partial(preset_matrix, candidate, older, level, texts, presets=presets or None)
        if not HEAVY.is_held:
            light = Budget(STEPS_PER_PAIR, LIGHT_STEPS)
            found = judge(budget=light)
            if light.left:
                return found
        with heavy_turn():
            return judge(budget=Budget(STEPS_PER_PAIR, STEPS_PER_MATRIX))


def _require_light(format_: Format, size: int) -> None:
    """Refuse what a worker would compare under one preset: nobody waits for all of them at once."""
    weight, limit = weighed(format_, size), configured(INLINE_CHECK_BYTES)
    if weight > limit:
        raise SchemaTooLarge(
            location="",
            details=f"both texts count as {weight} bytes, and every preset at once judges {limit}; judge them"
            " with `accord matrix`, or ask for a check under one preset, which a worker takes",
        )


def _asked(names: Sequence[str]) -> tuple[str, ...]:
    """Return the presets that names mean, with their versions."""
    found = []
    for name in names:
        preset = preset_named(name)
        if preset is None:
            raise InvalidPolicy(
                details=f"there is no preset {name!r}; use one of {', '.join(preset_names())}"
            )
        found.append(preset)
    return tuple(dict.fromkeys(found))


def _level(
    scope: Scope, now: Situation, candidate: ParsedSchema, asked: str | Mapping[str, object] | None
) -> Level:
    if asked is not None:
        return asked_level(asked)
    found = now.policy(scope, candidate.format).level.value
    return found if found.backward is not None or found.forward is not None else USUAL


def _before(rows: Sequence[HistoryRow], newer: HistoryRow) -> HistoryRow:
    """Return the live version before another, or that one itself where it is the first."""
    return ([newer] + [row for row in rows if row.number < newer.number and not row.is_deleted])[-1]


def _one(now: Situation, wanted: int | str, *, deleted: bool = True) -> HistoryRow:
    """Return one version, soft-deleted ones only by number and if they count at all."""
    rows = now.rows if deleted else now.live
    if wanted == LATEST:
        rows = now.usable
    if not rows:
        raise SubjectNotFound(now.subject.qualified)
    if wanted == LATEST:
        return rows[-1]
    row = next((one for one in rows if one.number == wanted), None)
    if row is None:
        raise VersionNotFound(int(wanted))
    return row


def _texts(scope: Scope, rows: Sequence[HistoryRow], candidate: ParsedSchema) -> dict[int | None, str]:
    """Return the stored texts of versions by number, where they are in the candidate's format."""
    found = stored_schemas(scope, {row.schema_key for row in rows}) if rows else {}
    texts = {row.number: found[row.schema_key].source for row in rows if row.schema_key in found}
    return {number: one.text for number, one in texts.items() if one.format is candidate.format}
