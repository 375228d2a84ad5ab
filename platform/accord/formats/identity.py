"""Identities of schema content: our digest and Confluent's guid."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING
from uuid import UUID

if TYPE_CHECKING:
    from collections.abc import Iterable

    from accord.model import Reference

VERSION_BYTES = 4


def digest(canonical: str) -> bytes:
    """Return the 32 bytes of SHA-256 over the canonical text in UTF-8."""
    return hashlib.sha256(canonical.encode()).digest()


def guid(canonical: str, references: Iterable[Reference] = ()) -> UUID:
    """Return Confluent's identity of a schema: MD5 over text and references, shown as a UUID.

    The parts follow each other without separators: the canonical text in UTF-8, then for each
    reference, in order, its name, its subject and its version in four bytes, big-endian. Metadata
    and rule set, once they are kept, follow as parts that each begin with the byte 01; absent ones
    add nothing, so guids given out today stay true. Check value: ``"string"`` (with the quotes)
    gives ``095d71cf-1255-6b9d-5e33-0ad575b3df5d``.
    """
    hasher = hashlib.md5(canonical.encode(), usedforsecurity=False)
    for reference in references:
        hasher.update(reference.name.encode())
        hasher.update(reference.subject.encode())
        hasher.update(reference.version.to_bytes(VERSION_BYTES, "big", signed=True))
    return UUID(bytes=hasher.digest())
