"""May a reader with this schema read a subject, and what do its consumers read with?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from accord.formats.jsonschema import content
from accord.formats.places import pointer_token
from accord.model import Format, SchemaText, Verdict
from accord.policy import HistoryEntry, reading
from accord.policy.consumers import Grounds
from accord.policy.explanation import Texts, explain, explanation_data
from accord.policy.reading import Reading
from accord.policy.remedies import Stance
from registry.errors import HistoryTooLarge, NoConsumerSchema, SubjectNotFound, VersionNotFound
from registry.queries.history import stored_schemas
from registry.queries.versions import NO_NUMBER
from registry.queries.visibility import admit
from registry.records import LATEST, CheckCandidate
from registry.services.candidates import Candidate
from registry.services.compatibility import candidate_for
from registry.services.explaining import as_seen_by, old_texts
from registry.services.heavy import length_of, turn_for
from registry.services.judging import BACKWARD, Couple, Models, trials_of
from registry.services.situation import situation_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from accord.formats import ParsedSchema
    from accord.formats.jsonschema.schema import JsonSchema
    from accord.model import Comparison, SubjectName
    from accord_server.kit.scope import Scope
    from registry.records import HistoryRow
    from registry.services.situation import Situation

    Telling = Callable[[SubjectName, ParsedSchema], "Json"]

Json = dict[str, Any]
READER: Final = "the reader"
# The tests of a consumer need all versions at once, parsed.
MOST_CHARACTERS: Final = 8_000_000


def can_read(scope: Scope, command: CheckCandidate) -> Json:
    """Tell whether a reader reads every live version: one with a schema of its own, or with a version's.

    ``command.against`` names the version whose schema the reader has, where no text is given. Findings
    weigh what they weigh in the policy in force, whose level does not count. For JSON Schema the tests
    of `accord.policy.consumers` count as well.

    Raises:
        RightMissing, SubjectNotFound: ``compat.check`` is missing, or there is nothing to be read.
        VersionNotFound: There is no such live version.
        EmptySchema, InvalidSchema and what else parsing raises: The schema is wrong.
        HistoryTooLarge: The versions together are longer than can be held against a consumer's schema.
        TooBusy: This takes long, and so do others just now.
    """
    subject = command.subject
    admit(scope, subject, "compat.check")
    with turn_for(length_of(command.schema)):
        now = _to_be_read(scope, subject)
        reader, source, name = _reader(scope, command, now)
        found = _reading(scope, reader, now)
    failing = Verdict(tuple(one for one in found.versions if one.is_blocked))
    texts = Texts(source.format, source.text, old_texts(scope, failing, now.live))
    with turn_for(len(source.text) + sum(map(len, texts.old.values()))):
        told = explanation_data(explain(failing, texts, name=name, stance=Stance.CONSUMER))
    document = {
        "subject": subject.qualified,
        "format": source.format,
        "can_read": found.is_allowed,
        "grounds": found.grounds,
        "version": found.version,
        "summary": _summary(found, name),
        "unread": list(found.unread),
        "comparisons": told["comparisons"],
    }
    return as_seen_by(scope, subject, document)


def consumer_schema(scope: Scope, command: CheckCandidate) -> Json:
    """Return the schema that consumers of a candidate's data may use.

    Raises:
        RightMissing, SubjectNotFound: ``compat.check`` is missing on the subject.
        NoConsumerSchema: Its format has no such thing.
        EmptySchema, InvalidSchema and what else parsing raises: The schema is wrong.
    """
    return _of_candidate(scope, command, _consumers)


def consumer_schema_of(scope: Scope, subject: SubjectName, version: int | str) -> Json:
    """Return the schema that consumers of a version's data may use.

    Raises:
        RightMissing, SubjectNotFound, VersionNotFound: It is missing, or may not be read.
        NoConsumerSchema: Its format has no such thing.
    """
    return _of_version(scope, subject, version, _consumers)


def content_models(scope: Scope, command: CheckCandidate) -> Json:
    """Return the content models of a candidate's objects: none where it is no JSON Schema.

    Raises:
        RightMissing, SubjectNotFound: ``compat.check`` is missing on the subject.
        EmptySchema, InvalidSchema and what else parsing raises: The schema is wrong.
    """
    return _of_candidate(scope, command, _models)


def content_models_of(scope: Scope, subject: SubjectName, version: int | str) -> Json:
    """Return the content models of a version's objects: none where it is no JSON Schema.

    Raises:
        RightMissing, SubjectNotFound, VersionNotFound: It is missing, or may not be read.
        TooBusy: The schema is large, and so are others just now.
    """
    return _of_version(scope, subject, version, _models)


def _of_candidate(scope: Scope, command: CheckCandidate, told: Telling) -> Json:
    admit(scope, command.subject, "compat.check")
    with turn_for(length_of(command.schema)):
        now = situation_of(scope, command.subject)
        return told(command.subject, candidate_for(scope, command, now).parsed)


def _of_version(scope: Scope, subject: SubjectName, version: int | str, told: Telling) -> Json:
    admit(scope, subject, "subject.read")
    row = _version(_to_be_read(scope, subject), version)
    with turn_for(row.text_bytes):
        document = told(subject, Models(scope, (row,)).of(row))
    return {**document, "version": row.number}


def _to_be_read(scope: Scope, subject: SubjectName) -> Situation:
    now = situation_of(scope, subject)
    if not now.live:
        raise SubjectNotFound(subject.qualified)
    return now


def _version(now: Situation, wanted: int | str) -> HistoryRow:
    if wanted == LATEST:
        row = now.usable[-1] if now.usable else None
    else:
        row = next((one for one in now.live if one.number == wanted), None)
    if row is None:
        raise VersionNotFound(NO_NUMBER if wanted == LATEST else int(wanted))
    return row


def _reader(scope: Scope, command: CheckCandidate, now: Situation) -> tuple[Candidate, SchemaText, str]:
    """Return the reader, its text as it was written, and what it is called."""
    if command.against is None:
        candidate = candidate_for(scope, command, now)
        source = command.schema or SchemaText(candidate.parsed.format, candidate.parsed.canonical)
        return candidate, source, command.name or READER
    row = _version(now, command.against)
    with turn_for(row.text_bytes):
        parsed = Models(scope, (row,)).of(row)
        source = stored_schemas(scope, [row.schema_key])[row.schema_key].source
    candidate = Candidate(parsed, (), scope.tenant.id, row.content_key)
    return candidate, source, command.name or f"version {row.number}"


def _reading(scope: Scope, reader: Candidate, now: Situation) -> Reading:
    """Hold a reader against every live version: what was judged before is remembered."""
    policy = now.policy(scope, reader.parsed.format).policy
    couples = [Couple(row, BACKWARD) for row in now.live]
    with trials_of(scope, reader, policy, [couples]) as trials:
        made = tuple(map(trials.comparison, couples))
    if reader.parsed.format is Format.JSON:
        return _consumer_reading(scope, reader.parsed, now.live, made)
    is_read = not any(one.is_blocked for one in made)
    return Reading(Grounds.ALL_VERSIONS if is_read else None, None, made)


def _consumer_reading(
    scope: Scope, reader: ParsedSchema, live: Sequence[HistoryRow], made: tuple[Comparison, ...]
) -> Reading:
    characters = sum(row.text_bytes for row in live)
    if characters > MOST_CHARACTERS:
        raise HistoryTooLarge(characters, MOST_CHARACTERS)
    models = Models(scope, live)
    with turn_for(characters):
        entries = [HistoryEntry(row.number, models.of(row)) for row in live]
        found = reading.can_read(reader, entries)
    return Reading(found.grounds, found.version, made)


def _summary(found: Reading, name: str) -> str:
    words = {
        None: f"{name} cannot read everything: not version {', '.join(map(str, found.unread))}",
        Grounds.LOOKUP: f"{name} can read: closed, it is version {found.version}",
        Grounds.ALL_VERSIONS: f"{name} can read every version",
        Grounds.SOME_CONSUMER: f"{name} can read: it is a reduced view of what a consumer of"
        f" version {found.version} reads",
    }
    return words[found.grounds]


def _consumers(subject: SubjectName, parsed: ParsedSchema) -> Json:
    if parsed.format is not Format.JSON:
        raise NoConsumerSchema(parsed.format)
    made = content.consumer(cast("JsonSchema", parsed))
    return {
        "subject": subject.qualified,
        "format": parsed.format,
        "schema": made.text,
        "relaxed": ["/" + "/".join(map(pointer_token, steps)) for steps in made.relaxed],
    }


def _models(subject: SubjectName, parsed: ParsedSchema) -> Json:
    found = content.content_models_data(content.content_models(parsed))
    return {"subject": subject.qualified, "format": parsed.format, **found}
