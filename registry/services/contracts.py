"""What a new schema carries besides its text, and the versions that count for it because of that."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from typing import TYPE_CHECKING

from accord.contracts.comparing import is_same_group
from accord.contracts.merging import VERSION, completed, with_version
from accord.contracts.reading import require_sound
from registry.queries.contracts import contract_of_row, contracts_of
from registry.services.situation import standing_for

if TYPE_CHECKING:
    from collections.abc import Iterable

    from accord.model import Contract
    from accord_server.kit.scope import Scope
    from registry.records import HistoryRow
    from registry.services.candidates import Candidate
    from registry.services.situation import Match, Situation


def latest_contract(scope: Scope, now: Situation) -> Contract:
    """Return the contract of the latest live version; none where there is no such version."""
    live = now.usable
    return contract_of_row(scope, live[-1] if live else None)


def complete(scope: Scope, candidate: Candidate, now: Situation) -> Candidate:
    """Return the candidate with what its config and the latest version add; an import is taken as it is.

    Raises:
        ContractTooLarge, InvalidRuleSet: What is put together is no contract any more.
    """
    if now.is_import:
        return candidate
    contract = completed(candidate.contract, latest_contract(scope, now), now.config.contracts)
    if contract == candidate.contract:
        return candidate
    require_sound(contract)
    return replace(candidate, contract=contract)


def stamped(candidate: Candidate, now: Situation, *, number: int) -> Candidate:
    """Return a completed candidate that names its version, if it names one or a number was asked for."""
    if now.is_import or (number == 0 and VERSION not in candidate.contract.properties):
        return candidate
    return replace(candidate, contract=with_version(candidate.contract, now.next_number))


def looked_up(
    scope: Scope, candidate: Candidate, now: Situation, rows: tuple[HistoryRow, ...], *, number: int = 0
) -> Match | None:
    """Return the version that is the candidate, as it was sent or with what it would be registered with."""
    found = standing_for(scope, candidate, rows)
    sent = candidate.contract
    if found is not None or not rows or (sent.metadata is not None and sent.rule_set is not None):
        return found
    whole = complete(scope, candidate, now)
    if number > 0 and sent.metadata is None:
        whole = replace(whole, contract=with_version(whole.contract, number))
    return None if whole.contract == sent else standing_for(scope, whole, rows)


def of_group(
    scope: Scope, contract: Contract, rows: Iterable[HistoryRow], group: str | None
) -> tuple[HistoryRow, ...]:
    """Return the versions that a contract is compared with: all, or those of its group."""
    rows = tuple(rows)
    if not group:
        return rows
    known = contracts_of(scope, rows)
    return tuple(row for row in rows if is_same_group(contract, known[row.contract_key], group))


def grouped(scope: Scope, candidate: Candidate, now: Situation, group: str | None) -> Situation:
    """Return the situation with the versions of the candidate's group and no others."""
    if not group:
        return now
    rows = of_group(scope, candidate.contract, now.rows, group)
    named = json.dumps([now.history.stamp, group, candidate.contract.properties.get(group)])
    stamp = hashlib.sha256(named.encode()).hexdigest()
    return replace(now, history=replace(now.history, rows=rows, stamp=stamp))
