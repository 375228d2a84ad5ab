"""What policies mean, in words: for a document by itself, and for a subject with all that is in force."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from accord.formats import PARSERS
from accord.model import Format, SubjectName
from accord.policy.advice import advise
from accord.policy.documents import read_document
from accord.policy.inheritance import Binding, effective
from accord.policy.origins import BindingPlace, Reach
from registry.policy_records import PolicyInForce
from registry.queries.bound_policies import effective_policy
from registry.queries.levels_in_force import format_of
from registry.queries.policies import READ, may_at
from registry.queries.standing import settings_at, settings_of
from registry.queries.visibility import admit

if TYPE_CHECKING:
    from collections.abc import Mapping

    from accord.policy.advice import Advice
    from accord.policy.documents import PolicyDocument
    from accord.policy.effective import EffectivePolicy
    from accord_server.kit.scope import Scope
    from registry.policy_records import PolicyPlace, PolicyVersionRecord

ANY: Final = SubjectName("")


def advice_on(document: PolicyDocument) -> Mapping[Format, Advice]:
    """Return what a policy means by itself, for each format that can be registered."""
    binding = Binding(BindingPlace(Reach.TENANT), 1, document)
    return {
        format_: _advice(effective([binding], format_, subject=ANY), format_) for format_ in sorted(PARSERS)
    }


def advice_on_stored(record: PolicyVersionRecord) -> Mapping[Format, Advice]:
    """Return what a stored version means by itself."""
    read = read_document(json.dumps(record.document), is_json=True)
    return {} if read.document is None else advice_on(read.document)


def advice_at(scope: Scope, place: PolicyPlace) -> Mapping[Format, Advice]:
    """Return what is in force at a place, in words, as far as the place itself and those around it decide.

    Nothing nearer counts: no prefix or subject for a namespace. Nothing is told without ``policy.read``.
    """
    if not may_at(scope, READ, place):
        return {}
    there, subject = replace(scope, namespace=place.namespace), place.subject or ANY
    settings = settings_at(there, place)
    return {
        format_: _advice(effective_policy(there, subject, format_, settings), format_)
        for format_ in sorted(PARSERS)
    }


def policy_in_force(scope: Scope, subject: SubjectName, format_: Format | None = None) -> PolicyInForce:
    """Return the policy in force for a subject, which need not exist; each value with its origin.

    Raises:
        SubjectNotFound, RightMissing: ``policy.read`` is missing on the subject.
    """
    admit(scope, subject, "policy.read")
    settings = settings_of(scope, subject)
    chosen = format_ or format_of(scope, subject)
    found = effective_policy(scope, subject, chosen, settings)
    return PolicyInForce(subject, chosen, found, settings.bound, _advice(found, chosen))


def _advice(found: EffectivePolicy, format_: Format) -> Advice:
    return advise(found.policy, format_, is_locked=found.locked.value)
