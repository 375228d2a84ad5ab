"""Putting versions into a namespace of Accord, many at a time: its own interface takes lines of an export.

Every batch is stored wholly or not at all, and one that is sent again changes nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from accord.client import RegistryNotFound, RegistryRefusal, RegistryUnavailable
from accord.client.namespaces import bring, finish_import, start_import
from accord.naming import split_subject
from accord.transfer.records import Key

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Literal

    from accord.client import RegistryClient
    from accord.client.namespaces import Document
    from accord.transfer.comparing import Comparison
    from accord.transfer.copies import Copy
    from accord.transfer.planning import Plan

# Of one batch; a line that is longer makes one by itself.
MOST_LINES: Final = 500
MOST_BYTES: Final = 2 * 1024 * 1024
LONGEST_SOURCE: Final = 500


class Brought(NamedTuple):
    """How many versions of some were taken, and what was refused, in sentences."""

    taken: int
    refused: list[str]


class Run:
    """An import that a namespace keeps a record of."""

    def __init__(self, client: RegistryClient, name: str) -> None:
        self._client = client
        self._name = name

    @classmethod
    def begin(cls, client: RegistryClient, source: str, made: Plan) -> Run | None:
        """Begin an import, or go on with the same one; None where the registry has no such thing.

        Raises what `accord.client.RegistryClient` raises.
        """
        if not client.is_namespace:
            return None
        wanted: Document = {
            "source": source[:LONGEST_SOURCE] or "-",
            "register": len(made.register),
            "delete": len(made.delete),
        }
        try:
            return cls(client, str(start_import(client, wanted)["id"]))
        except RegistryNotFound:
            return None

    def bring(
        self,
        what: Literal["versions", "deletions"],
        copy: Copy,
        keys: Sequence[Key],
        tell: Callable[[int], None],
    ) -> Brought:
        """Bring versions, or delete them, in this order; ``tell`` is told how many are done.

        Raises `accord.client.RegistryUnavailable`, `RegistryUnreachable` or `RegistryUnreadable`; what is
        refused is noted, and passed over.
        """
        taken, refused, done = 0, [], 0
        for batch in _batches(copy, keys):
            found = self._send(what, copy, batch)
            taken += found.taken
            refused += found.refused
            done += len(batch)
            tell(done)
        return Brought(taken, refused)

    def finish(self, found: Comparison) -> None:
        """Tell what both sides hold now."""
        result: Document = {
            "source_sha256": found.source_sha256,
            "target_sha256": found.target_sha256,
            "differences": len(found.differences),
        }
        finish_import(self._client, self._name, result)

    def _send(self, what: Literal["versions", "deletions"], copy: Copy, batch: Sequence[Key]) -> Brought:
        lines = b"".join(copy.line(key) for key in batch).decode()
        try:
            told = bring(self._client, self._name, what, lines)
        except RegistryUnavailable:
            raise
        except RegistryRefusal as problem:
            named = str(batch[0]) if len(batch) == 1 else f"{batch[0]} to {batch[-1]}"
            return Brought(0, [f"{named}: {problem.message}"])
        taken = told["registered" if what == "versions" else "deleted"]
        return Brought(int(str(taken)), [*_sentences(told)])


def _batches(copy: Copy, keys: Sequence[Key]) -> Iterator[list[Key]]:
    batch: list[Key] = []
    size = 0
    for key in keys:
        length = copy.entries[key].size
        if batch and (len(batch) == MOST_LINES or size + length > MOST_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(key)
        size += length
    if batch:
        yield batch


def _sentences(told: Document) -> Iterator[str]:
    listed = told.get("refused")
    for one in listed if isinstance(listed, list) else []:
        if isinstance(one, dict):
            place = Key(split_subject(str(one.get("subject"))), int(str(one.get("version"))))
            yield f"{place}: {one.get('message')} ({one.get('code')})"
