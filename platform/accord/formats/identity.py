"""Identities of schema content: our digest and Confluent's guid."""

from __future__ import annotations

import hashlib
import json
from dataclasses import astuple
from itertools import chain
from typing import TYPE_CHECKING
from uuid import UUID

from accord.model import NO_CONTRACT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from accord.model import Contract, Metadata, Reference, RuleSet

VERSION_BYTES = 4
# What stands before a part that is there, and after a rule that is disabled.
PRESENT = "\x01"


def digest(canonical: str) -> bytes:
    """Return the 32 bytes of SHA-256 over the canonical text in UTF-8."""
    return hashlib.sha256(canonical.encode()).digest()


def contract_digest(contract: Contract) -> bytes:
    """Return the 32 bytes of SHA-256 that name metadata and rule set, None told apart from empty."""
    parts = [None if one is None else astuple(one) for one in (contract.metadata, contract.rule_set)]
    return hashlib.sha256(json.dumps(parts).encode()).digest()


def guid(canonical: str, references: Iterable[Reference] = (), contract: Contract = NO_CONTRACT) -> UUID:
    """Return Confluent's identity of a schema: MD5 over text, references, metadata and rules, as a UUID.

    The parts follow each other without separators: the canonical text in UTF-8, then for each
    reference, in order, its name, its subject and its version in four bytes, big-endian. Metadata
    and rule set begin with the byte 01 each; absent ones add nothing. Check value: ``"string"`` (with
    the quotes) gives ``095d71cf-1255-6b9d-5e33-0ad575b3df5d``. Source: confluent-api, section 2.10.
    """
    hasher = hashlib.md5(canonical.encode(), usedforsecurity=False)
    for reference in references:
        hasher.update(reference.name.encode())
        hasher.update(reference.subject.encode())
        hasher.update(reference.version.to_bytes(VERSION_BYTES, "big", signed=True))
    for part in (*_metadata_parts(contract.metadata), *_rule_set_parts(contract.rule_set)):
        hasher.update(part.encode())
    return UUID(bytes=hasher.digest())


def _metadata_parts(metadata: Metadata | None) -> Iterator[str]:
    if metadata is None:
        return
    yield PRESENT
    for path, tags in metadata.tags:
        yield from (path, *tags)
    yield from chain.from_iterable(metadata.properties)
    yield from metadata.sensitive


def _rule_set_parts(rule_set: RuleSet | None) -> Iterator[str]:
    if rule_set is None:
        return
    yield PRESENT
    for rule in rule_set.rules:
        yield from (rule.name, rule.doc, rule.kind, rule.mode, rule.type, *rule.tags)
        yield from chain.from_iterable(rule.params)
        yield from (rule.expr, rule.on_success, rule.on_failure)
        if rule.disabled:
            yield PRESENT
    if rule_set.enable_at is not None:
        yield rule_set.enable_at
