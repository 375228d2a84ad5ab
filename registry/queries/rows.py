"""References and contracts between their stored form and the one that leaves the room."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from accord.contracts.reading import stored_contract
from accord.model import NO_CONTRACT, Reference
from registry.sealing import unsealed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from accord.model import Contract


def references_of(stored: Iterable[list[Any]]) -> tuple[Reference, ...]:
    """Return references from their stored form, a list of triples."""
    return tuple(Reference(name, subject, version) for name, subject, version in stored)


def references_to_store(references: Iterable[Reference]) -> list[list[Any]]:
    """Return the stored form of references."""
    return [[one.name, one.subject, one.version] for one in references]


def contract_of(metadata: str | None, rule_set: str | None) -> Contract:
    """Return metadata and rule set from what the database says of them, JSON texts.

    Raises:
        SensitiveUnavailable: The metadata have sensitive values, and there is no key for them.
    """
    if metadata is None and rule_set is None:
        return NO_CONTRACT
    found, rules = (None if text is None else json.loads(text) for text in (metadata, rule_set))
    return stored_contract(None if found is None else unsealed(found), rules)
