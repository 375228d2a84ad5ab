"""The explained verdict: what a registration would be told, why, what to change, and all levels at once.

The answer is the same document whether a caller waits for it or asks for a check that runs by itself.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from accord.model.levels import CONFLUENT_LEVELS
from accord.policy.documents import pinned, read_document
from accord.policy.explanation import NEW, Texts, explain, explanation_data
from accord.policy.inheritance import Binding
from accord.policy.level_names import nearest_confluent, spell_level
from accord.policy.matrix import LevelVerdict
from accord.policy.origins import BindingPlace, Reach
from accord.policy.policies import Transform
from accord.policy.remedies import Stance
from accord.policy.verdict_words import level_data, level_word, verdict_word
from registry.policy_errors import PolicyFlawed
from registry.queries.history import stored_schemas
from registry.queries.policies import get_policy
from registry.queries.visibility import admit
from registry.services.burden import is_heavy
from registry.services.compatibility import candidate_for, policy_for
from registry.services.contracts import grouped
from registry.services.heavy import length_of, turn_for
from registry.services.judging import judge_levels
from registry.services.questions import Question, policy_document
from registry.services.requirements import own_findings
from registry.services.situation import situation_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from accord.model import SubjectName, Verdict
    from accord.policy import Policy
    from accord_server.kit.scope import Scope
    from registry.policy_records import TriedPolicy
    from registry.records import CheckCandidate, HistoryRow
    from registry.services.candidates import Candidate
    from registry.services.situation import Situation

Json = dict[str, Any]
# Texts of so many old versions are read to show places in them, the ones that block first.
MOST_QUOTED: Final = 20
# A version that is only tried out is none yet.
UNSAVED: Final = 0


class LeftToWorker(Exception):
    """A verdict that takes longer than a request may."""


def explain_check(scope: Scope, command: CheckCandidate) -> Json:
    """Judge a schema as a registration would, and explain the verdict.

    Raises:
        LeftToWorker: A worker is to judge it.
        RightMissing, SubjectNotFound: ``compat.check`` is missing, or the subject may not be seen.
        EmptySchema, InvalidSchema and what else parsing raises: The schema is wrong.
        LevelInvalid: A level is asked for that does not exist.
        PolicyNotFound, PolicyVersionNotFound, PolicyFlawed: A policy to try is missing or wrong.
        TooBusy: The schema or its history is large, and so are others just now.
    """
    admit(scope, command.subject, "compat.check")
    with turn_for(length_of(command.schema)):
        now = situation_of(scope, command.subject)
        candidate, policy, asked, now = question_of(scope, command, now)
        levels = dict.fromkeys((policy.level, *CONFLUENT_LEVELS.values()))
        if is_heavy(scope, candidate, policy, now.usable, *levels):
            raise LeftToWorker
        made = judge_levels(scope, candidate, policy, now.history, levels)
    named = {name: made[level] for name, level in CONFLUENT_LEVELS.items()}
    document = verdict_document(scope, asked, made[policy.level], levels=named, rows=now.rows)
    return as_seen_by(scope, command.subject, document)


class Asked(NamedTuple):
    """A candidate, the policy to judge it by, what is told beside that, and the versions that count."""

    candidate: Candidate
    policy: Policy
    question: Question
    now: Situation


def question_of(scope: Scope, command: CheckCandidate, now: Situation) -> Asked:
    """Parse what is asked about and find the policy to judge it by; raises as `explain_check`."""
    candidate = candidate_for(scope, command, now)
    tried = None if command.tried is None else tried_binding(scope, command.subject, command.tried)
    found = policy_for(scope, candidate, now, level=command.level, instead=tried)
    is_bound = bool(now.settings.bound) or tried is not None
    question = Question(
        command.subject,
        candidate.as_written(command.schema),
        command.name or NEW,
        found.level.value,
        found.preset.value,
        policy_document(found, now, tried),
        own_findings(scope, candidate, found, now, is_bound=is_bound),
    )
    return Asked(candidate, found.policy, question, grouped(scope, candidate, now, found.group.value))


def tried_binding(scope: Scope, subject: SubjectName, tried: TriedPolicy) -> Binding:
    """Return a policy as if it were bound to the subject.

    Raises:
        PolicyNotFound, PolicyVersionNotFound, RightMissing: As reading it does.
        PolicyFlawed: The text is no policy.
    """
    place = BindingPlace(Reach.SUBJECT, subject.qualified)
    if tried.text is None:
        record = get_policy(scope, tried.name, tried.version)
        read, number = read_document(json.dumps(record.document), is_json=True), record.number
    else:
        read, number = read_document(tried.text.text, is_json=tried.text.is_json), UNSAVED
    if read.document is None:
        raise PolicyFlawed(read.problems, tried.text is not None and tried.text.is_object)
    return Binding(place, number, pinned(read.document))


def _stance(asked: Question) -> Stance:
    transform = asked.policy["values"]["transform.name"]["value"]
    return Stance.FRIENDLY if transform == Transform.OPTIONAL_FRIENDLY else Stance.PRODUCER


def verdict_document(
    scope: Scope,
    asked: Question,
    verdict: Verdict,
    *,
    levels: Mapping[str, Verdict],
    rows: Iterable[HistoryRow],
) -> Json:
    """Return a verdict with all that explains it; ``rows`` are the versions that can be quoted."""
    whole, source = replace(verdict, own=asked.own), asked.source
    old = old_texts(scope, verdict, rows)
    with turn_for(len(source.text) + sum(map(len, old.values()))):
        texts = Texts(source.format, source.text, old)
        told = explanation_data(explain(whole, texts, name=asked.name, stance=_stance(asked)))
    return {
        "subject": asked.subject.qualified,
        "format": source.format,
        "verdict": verdict_word(whole),
        "is_compatible": whole.is_allowed,
        "summary": told["summary"],
        "level": spell_level(asked.level),
        "shown_as": nearest_confluent(asked.level),
        "preset": asked.preset,
        "own": told["own"],
        "comparisons": told["comparisons"],
        "levels": {
            name: level_data(level_word(LevelVerdict(name, replace(one, own=asked.own))))
            for name, one in levels.items()
        },
        "policy": asked.policy,
    }


def old_texts(scope: Scope, verdict: Verdict, rows: Iterable[HistoryRow]) -> dict[int | None, str]:
    """Return the texts of old versions in which something was found, by number: one statement at most."""
    found = sorted((one for one in verdict.comparisons if one.findings), key=lambda one: not one.is_blocked)
    wanted = list(dict.fromkeys(one.version for one in found))[:MOST_QUOTED]
    quoted = {row.number: row.schema_key for row in rows if row.number in wanted} if wanted else {}
    texts = stored_schemas(scope, set(quoted.values())) if quoted else {}
    return {number: texts[key].source.text for number, key in quoted.items() if key in texts}


def as_seen_by(scope: Scope, subject: SubjectName, document: Json) -> Json:
    """Leave out what the caller may not see: places in old texts, and where policies are bound."""
    if not scope.may("policy.read", subject):
        document = {**document, "policy": None}
    if scope.may("subject.read", subject):
        return document
    comparisons = [
        {**one, "findings": [_without_old_place(finding) for finding in one["findings"]]}
        for one in document.get("comparisons", ())
    ]
    return {**document, "comparisons": comparisons}


def _without_old_place(finding: Json) -> Json:
    return {**finding, "old": None, "reasons": [_without_old_place(one) for one in finding["reasons"]]}
